"""English days that the common forms leave out: "twenty-second of June", "the 15th", "4/22", "Friday the 13th"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import DAY_OF_MONTH, MONTH, MONTHS, YEAR, S, any_of, leading_digits, month
from tasks.temporal.english.ordinals import ORDINAL_HEADS, ORDINAL_WORD, YEAR_HEADS, YEAR_WORDS, ordinal, year_of
from tasks.temporal.grammar import LETTERED, SHORT_NUMBER, GrammarRule, JoinedItems, rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import Recurring, Stepped, Within
from tasks.temporal.meanings.units import Numeric, NumericDay, day_of_month, month_day, weekday
from tasks.temporal.readings import FixedDate, Meaning
from warehouse.records import Grain

_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
AFTER_WEEKDAY = "(?<=day )|" + "|".join(rf"(?-i:(?<=\b{name.capitalize()} ))" for name in _SHORT_DAYS)
"""What makes a number after it a day: "Monday", "Mon"."""
_NAME = rf"(?P<month>{MONTH})"
_ORDINAL = rf"(?P<ordinal>{ORDINAL_WORD})"
_THE = rf"(?:the{S})?"
_YEAR = rf"(?:(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}|{YEAR_WORDS}))"
_MONTH_FOLLOWS = (
    rf"{S}(?:day{S})?of{S}(?:the|this|last|next|that|each|every){S}"
    rf"(?:(?:same|following|previous|next|last){S})?month\b"
)
_TIME_FOLLOWS = (
    rf"(?=\s{{0,2}}(?:[.,;:!?)]|\Z)|{S}(?:at|from|by|around){S}\d|{S}(?:to|through|until|till|and)"
    rf"{S}(?:the{S})?\d{{1,2}}(?:st|nd|rd|th)\b(?!{S}(?:centur|graders?|place|floor|street)))"
)
_WHEN = "|".join(
    rf"(?<=\b{word} )"
    for word in (
        "on",
        "by",
        "since",
        "until",
        "till",
        "from",
        "through",
        "before",
        "after",
        "between",
        "to",
        "and",
        "of",
    )
)


def _year(text: str) -> int:
    return int(text) if text[0].isdigit() else year_of(text)


def _ordinal_day(match: re.Match[str]) -> Meaning:
    """With its year where that is said."""
    number, day, year = month(match["month"]), ordinal(match["ordinal"]), match["year"]
    if day > monthrange(2000, number)[1]:
        raise ValueError(f"no day {day} in month {number}")
    return FixedDate(readings.of_day(date(_year(year), number, day))) if year else month_day(number, day)


def _worded_year(match: re.Match[str]) -> FixedDate:
    number, year, day = month(match["month"]), year_of(match["year"]), match["day"] or match["eu_day"]
    if day is None:
        return FixedDate(readings.of_month(year, number))
    return FixedDate(readings.of_day(date(year, number, leading_digits(day))))


def _glued(match: re.Match[str]) -> Recurring:
    number, day = month(match["month"]), leading_digits(match["day"])
    if not 1 <= day <= monthrange(2000, number)[1]:
        raise ValueError(f"no day {day} in month {number}")
    return month_day(number, day)


def _of_month(match: re.Match[str]) -> Recurring:
    text = match["ordinal"]
    day = int(text[:-2]) if text[0].isdigit() else ordinal(text)
    if not 1 <= day <= 31:
        raise ValueError(f"no month has a day {day}")
    return day_of_month(day)


def _short_day(match: re.Match[str]) -> Recurring:
    return weekday(_SHORT_DAYS[match["name"].lower()])


def _within(week: Shift, day: Recurring) -> Meaning | None:
    """Last week Sunday."""
    return Within(day, week) if week.grain is day.parent and day.grain is Grain.DAY else None


def _with_weekday(weekday: Meaning, day: Meaning) -> Meaning | None:
    """Friday the 13th, Tuesday, May 9: the weekday says nothing more."""
    of_week = weekday.recurring if isinstance(weekday, Stepped) else weekday
    is_weekday = isinstance(of_week, Recurring) and of_week.parent is Grain.WEEK and of_week.grain is Grain.DAY
    named = not isinstance(day, Recurring) or day.parent is not Grain.WEEK
    return day if is_weekday and named and day.grain is Grain.DAY else None


_EU_DAY = rf"(?:(?P<eu_day>{DAY_OF_MONTH}){S})?"
_BEFORE_YEAR = rf"{_EU_DAY}{_NAME}(?:{S}(?P<day>{DAY_OF_MONTH}))?,?{S}(?:of{S})?"
_LEAD_OF_YEAR = re.sub(r"\?P<[a-z_]+>", "?:", _BEFORE_YEAR)
_SURE_MONTH = any_of(name for name in MONTHS if name not in ("may", "march", "mar"))
_NUMBERED = r"(?P<ordinal>[0-3]?\d(?:st|nd|rd|th)(?![A-Za-z]))"
_WORDED = _ORDINAL

RULES: tuple[GrammarRule, ...] = (
    rule(ORDINAL_HEADS, rf"{_THE}{_ORDINAL}(?:{S}day)?{S}of{S}{_NAME}{_YEAR}?", _ordinal_day, lead=_THE),
    rule(ORDINAL_HEADS, rf"{_ORDINAL}{S}(?-i:(?=[A-Z])){_NAME}{_YEAR}?(?!{S}[A-Z])", _ordinal_day),
    rule(MONTHS, rf"{_NAME}{S}{_THE}{_ORDINAL}{_YEAR}?", _ordinal_day),
    rule(YEAR_HEADS, rf"{_BEFORE_YEAR}(?P<year>{YEAR_WORDS})(?![-,]?[A-Za-z0-9])", _worded_year, lead=_LEAD_OF_YEAR),
    rule(
        YEAR_HEADS,
        rf"(?:(?<=\bin )|(?<=\bsince )|(?<=\bby )|(?<=\buntil )|(?<=year ))(?P<year>{YEAR_WORDS})"
        rf"(?!{S}(?!and\b|in\b|but\b|when\b|to\b)[a-z])",
        lambda match: Period(Grain.YEAR, year_of(match["year"]), 1),
    ),
    rule(MONTHS, rf"(?-i:(?=[A-Z])){_NAME}[-/]?(?P<day>{DAY_OF_MONTH})(?![-/,.:]?[0-9])", _glued),
    rule({SHORT_NUMBER + LETTERED}, rf"{_THE}{_NUMBERED}(?={_MONTH_FOLLOWS})(?:{S}day)?", _of_month, lead=rf"the{S}"),
    rule(ORDINAL_HEADS, rf"{_THE}{_WORDED}(?={_MONTH_FOLLOWS})(?:{S}day)?", _of_month, lead=rf"the{S}"),
    rule(
        MONTHS,
        rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})(?=,?{S}[0-9]{{1,2}}(?::[0-9]|\s?[ap]\.?m))",
        _glued,
    ),
    rule(MONTHS, rf"(?P<month>{_SURE_MONTH}){S}(?P<day>{DAY_OF_MONTH})(?![-/,.:]?[0-9])", _glued),
    rule(
        {SHORT_NUMBER},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH}){S}(?:of{S})?(?P<month>{_SURE_MONTH})(?!{S}[0-9])",
        _glued,
    ),
    rule({SHORT_NUMBER + LETTERED}, rf"(?:{_WHEN})the{S}{_NUMBERED}{_TIME_FOLLOWS}", _of_month, lead=rf"the{S}"),
    rule({SHORT_NUMBER + LETTERED}, rf"(?:{_WHEN}){_NUMBERED}(?=\s?[.,;:!?)]|\Z|\s[-–]\s)", _of_month),
    rule({SHORT_NUMBER + LETTERED}, rf"(?:{AFTER_WEEKDAY}){_THE}{_NUMBERED}", _of_month, lead=_THE),
    rule(ORDINAL_HEADS, rf"(?<=day ){_THE}{_WORDED}(?!{S}[a-z]{{3,20}}[^y]\b)", _of_month, lead=_THE),
    rule(
        _SHORT_DAYS,
        rf"(?P<name>[A-Z][a-z]{{2,4}})\.?(?=,?{S}(?:the{S})?(?:[0-9]|(?i:{MONTH})))",
        _short_day,
        exact_case=True,
    ),
)
WEEKDAYS: tuple[JoinedItems, ...] = (
    JoinedItems((Shift, Recurring), _within, re.compile(rf"{S}(?:on{S})?", re.IGNORECASE)),
    JoinedItems(
        ((Recurring, Stepped), (FixedDate, Numeric, NumericDay, Recurring)),
        _with_weekday,
        re.compile(rf"(?:,{S}|[^\S\n]{{1,3}})(?:the{S})?|,?\s\(", re.IGNORECASE),
    ),
)
