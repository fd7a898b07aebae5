"""English dates without year or month: "March 3", "last Friday", "in May", "the 15th", "4/22"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    CAPITAL,
    DAY_OF_MONTH,
    MONTH,
    MONTH_NAMES,
    MONTHS,
    ORDINAL_HEADS,
    ORDINAL_WORD,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    YEAR_WORDS,
    S,
    match_any,
    match_before,
    parse_day_number,
    parse_month,
    parse_ordinal,
    parse_year,
)
from tasks.temporal.grammar import LETTERED, MARKED, SHORT_NUMBER, GrammarRule, JoinRule, make_rule
from tasks.temporal.meanings.numeric_days import NumericDate, NumericDay
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import (
    Recurring,
    SteppedUnit,
    UnitWithin,
    make_day_of_month,
    make_month_day,
    make_month_of_year,
    make_weekday,
)
from tasks.temporal.readings import Meaning, MentionFields
from warehouse.records import Grain

_STEPS = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}
_STEPS_FROM_MENTION = {"previous": -1, "preceding": -1, "same": 0, "following": 1}
_STEPPED = rf"(?:(?:this|the){S})?(?P<step>{match_any(_STEPS | _STEPS_FROM_MENTION)}){S}"

_MONTH_PREPOSITIONS = frozenset(
    (
        *("in", "since", "until", "till", "during", "by", "from", "to", "through", "for", "of", "between", "before"),
        *("after", "late", "early", "mid", "every", "each", "around", "about", "like", "than", "throughout", "past"),
        *("end", "began", "started", "entered", "spent", "ended", "finished", "closed", "exited"),
    )
)
"""After these a name can only be a month's, even "May" or "Dec"."""
_POSSESSIVES = frozenset(("our", "its", "their"))
_MARCH_ROUTE = re.compile(r"\s(?:on|for|to|against|through|of)\b")
"""After "our March": a walk instead of a month."""
_UNAMBIGUOUS_MONTHS = frozenset(MONTH_NAMES) - {"march", "may"}
_LOWERCASE_MONTH = match_any(_UNAMBIGUOUS_MONTHS - {"august"})  # Names that are no other words without a capital.
_PERSON = re.compile(
    r"['’]?-|\s[A-Z][a-z]|\s(?:(?:also|then|just)\s)?(?:ask(?:s|ed)|said|says|told|tells|wrote|writes|agre(?:es|ed)|think(?:s)?|thought|reported"
    r"|noted|replie[sd]|suggest(?:s|ed)|explain(?:s|ed)|presented|(?:will|to|can|would)\s(?:(?:also|then)\s)?(?:write|ask|call|send|check|report"
    r"|contact|prepare|draft|update|join|present|lead|talk|speak|email|confirm|arrange|look|share|review|take|meet))\b"
)
"""April Smith and August Wilson are no months, nor is April who writes something."""
_WORD_AFTER_MONTH = re.compile(
    r"['’]s\b|\s(?:was|were|is|saw|sales|data|figures|numbers|report|results|quarter|meeting|session|edition|issue|election|deadline|release|conference|hearing|statement|summit|budget)\b"
)
_LINK_AFTER_MONTH = re.compile(r"\s(?:and|or|through|to)\b|[,.);]")
"""What may follow March and May, which are verbs and names as well; the second only inside a sentence."""
_AFTER_MONTH = re.compile(rf"\b{MONTH}{S}(?:and|or|to|through|until){S}\Z", re.IGNORECASE)
_LONGEST_WORD = 14
_MONTHS_OF_YEAR = 12


def _make_stepped(recurring: Recurring, match: re.Match[str]) -> Meaning:
    step = match["step"].lower()
    return (
        SteppedUnit(recurring, _STEPS_FROM_MENTION[step], from_last_mention=True)
        if step in _STEPS_FROM_MENTION
        else SteppedUnit(recurring, _STEPS[step])
    )


_NAMED_AFTER_DAY = re.compile(
    r"\s(?:School|Times|Telegraph|Mirror|Mail|Express|Herald|Mercury|Tribune|Independent|Evening Post|Addams)\b"
    r"|\sNight\s(?:Live|Football|Lights|Fever|Raw)\b"
)
_NAMED_BEFORE_DAY = re.compile(r"\b(?:Ruby|Sheffield|(?:Man|Girl|Gal)|Joe)\s\Z")
_NAME_REACH = 12
"""Newspapers, schools, films, people and clubs whose names contain a weekday."""


def _read_weekday(match: re.Match[str]) -> Recurring | None:
    """A weekday; None inside a name: "Sunday School", "The Sunday Times", "Ruby Tuesday"."""
    text, start = match.string, match.start("weekday")
    is_name = text[start].isupper() and (
        _NAMED_AFTER_DAY.match(text, match.end("weekday"))
        or _NAMED_BEFORE_DAY.search(text, max(0, start - _NAME_REACH), start)
    )
    return None if is_name else make_weekday(WEEKDAYS[match["weekday"].lower()])


def _read_stepped_weekday(match: re.Match[str]) -> Meaning | None:
    weekday = _read_weekday(match)
    return _make_stepped(weekday, match) if weekday else None


def _read_month(match: re.Match[str]) -> Recurring:
    return make_month_of_year(parse_month(match["month"]))


def _read_month_by_context(match: re.Match[str]) -> Recurring | None:
    """A month if the adjacent words show that it is one."""
    text, start, end = match.string, match.start(), match.end()
    word = re.split(r"\s", text[max(0, start - _LONGEST_WORD) : start].rstrip(" \n-"))[-1]
    name = match["month"].lower()
    if word.lower() in _MONTH_PREPOSITIONS or _AFTER_MONTH.search(text, max(0, start - _LONGEST_WORD - 6), start):
        is_month = True
    elif name in _UNAMBIGUOUS_MONTHS:
        is_month = not _PERSON.match(text, end)
    elif name in MONTH_NAMES and word.lower() in _POSSESSIVES:
        is_month = not (_PERSON.match(text, end) or (name == "march" and _MARCH_ROUTE.match(text, end)))
    elif name in MONTH_NAMES:
        is_inside_sentence = word[:1].islower()
        is_month = (is_inside_sentence or not word[:1].isupper()) and bool(
            _WORD_AFTER_MONTH.match(text, end) or (is_inside_sentence and _LINK_AFTER_MONTH.match(text, end))
        )
    else:
        is_month = False
    return _read_month(match) if is_month else None


_SHORT_DAYS = {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "weds": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
    "sun": 6,
}
_SHORT_NAME = f"(?P<name>(?-i:{'|'.join(sorted(map(str.capitalize, _SHORT_DAYS), reverse=True))}))"
_AFTER_WEEKDAY = "(?<=day )|(?<=day, )|" + "|".join(rf"(?-i:(?<=\b{name.capitalize()} ))" for name in _SHORT_DAYS)
"""Words that make the number after them a day: "Monday", "Mon"."""
_SHORT_MONTHS = frozenset(MONTHS) - frozenset(MONTH_NAMES)
_NAME = rf"(?P<month>{MONTH})"
_CAPITAL_NAME = rf"{CAPITAL}{_NAME}"
_UNAMBIGUOUS_MONTH = f"(?P<month>{match_any(name for name in MONTHS if name not in ('may', 'march', 'mar'))})"
_NUMBERED = r"(?P<ordinal>[0-3]?\d(?:st|nd|rd|th)(?![A-Za-z]))"
_ORDINAL = rf"(?P<ordinal>{ORDINAL_WORD})"
_THE = rf"(?:the{S})?"
_YEAR = rf"(?:(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}|{YEAR_WORDS}))"
_MONTH_FOLLOWS = (
    rf"{S}(?:day{S})?of{S}(?:the|this|last|next|that){S}"
    rf"(?:(?:same|following|previous|next|last){S})?month\b"
)
_TIME_FOLLOWS = (
    rf"(?=\s{{0,2}}(?:[.,;:!?)]|\Z)|[^\S\n]{{0,2}}\n\s{{0,3}}(?:[-*•\n]|\Z)|{S}(?:at|from|by|around){S}\d|{S}(?:to|through|until|till|and)"
    rf"{S}(?:the{S})?\d{{1,2}}(?:st|nd|rd|th)\b(?!{S}(?:centur|graders?|place|floor|street|of{S}(?:each|every)\b)))"
)
_DAY_PREPOSITION = match_before(
    "on", "by", "since", "until", "till", "from", "through", "before", "after", "between", "to", "and", "of"
)
_PART_OF = match_before("morning of", "afternoon of", "evening of", "night of", "day of", "week of")


def _read_month_day(match: re.Match[str]) -> Recurring:
    return make_month_day(parse_month(match["month"]), parse_day_number(match["day"]))


def _read_ordinal_day(match: re.Match[str]) -> Meaning:
    """The day, with its year if that is named."""
    number, day, year = parse_month(match["month"]), parse_ordinal(match["ordinal"]), match["year"]
    return readings.make_day(date(parse_year(year), number, day)) if year else make_month_day(number, day)


def _read_day_of_month(match: re.Match[str]) -> Recurring:
    day = parse_ordinal(match["ordinal"])
    if not 1 <= day <= 31:
        raise ValueError(f"no month has a day {day}")
    return make_day_of_month(day)


def _read_short_weekday(match: re.Match[str]) -> Recurring:
    return make_weekday(_SHORT_DAYS[match["name"].lower()])


def _join_weekday_within(week: Shift, day: Recurring) -> Meaning | None:
    """Last week Sunday."""
    return UnitWithin(day, week) if week.grain is day.parent and day.grain is Grain.DAY else None


def _join_weekday(weekday: Meaning, day: Meaning) -> Meaning | None:
    """Friday the 13th, Tuesday, May 9: the weekday decides the year or the order of the numbers if it is open."""
    day_of_week = weekday.recurring if isinstance(weekday, SteppedUnit) else weekday
    is_weekday = (
        isinstance(day_of_week, Recurring) and day_of_week.parent is Grain.WEEK and day_of_week.grain is Grain.DAY
    )
    is_no_weekday = not isinstance(day, Recurring) or day.parent is not Grain.WEEK
    if not isinstance(day_of_week, Recurring) or not is_weekday or not is_no_weekday or day.grain is not Grain.DAY:
        return None
    number = int(day_of_week.unresolved_value[-1]) - 1
    return day.with_weekday(number) if isinstance(day, (NumericDate, NumericDay, Recurring)) else day


_SLASHED_DAY_LEAD = match_before(
    *("on", "since", "until", "till", "from", "to", "by", "before", "after", "between", "and", "through", "due"),
    *("dated", "this", "next", "last", "for", "back", "week of"),
    *("starting", "beginning", "effective", "morning of", "afternoon of", "evening of", "night of", "due:", "by:"),
)
_BEFORE_SHORT_DAY = match_before(
    "on", "by", "until", "till", "since", "due", "from", "before", "after", "and", "or", "to"
)
_BEFORE_SHORT_DAY += "|(?<=& )"
_SHORT_DAY_FOLLOWS = rf"\.?(?=(?:/|(?:,|{S}(?:and|or|&)){S})(?:{'|'.join(map(str.capitalize, _SHORT_DAYS))})\b)"
_AFTER_SHORT_DAY = (
    r"(?=\s{0,2}(?:[.,;:!?)\n]|\Z)|\s\d"
    r"|\s(?:at|from|and|or|to|through|until|till|by|morning|afternoon|evening|night|noon)\b)"
)
"""Text after the short name of a weekday: not "Sun Microsystems", nor "sat down"."""
_NOT_A_FRACTION = (
    r"(?![0-9A-Za-z%]|[/.,:-][0-9]|\s?(?:of|inch(?:es)?|cups?|teaspoons?|tablespoons?|tsps?|tbsps?|oz|ounces?|lbs?|pounds?|pints?|quarts?|gallons?"
    r"|feet|ft|yards?|miles?|hours?|full|majority)\b)"
)


_SLASHED_DAY = r"(?:[0-3]?\d/[0-3]?\d)"
_LINK = r"(?:,\s|,?\s(?:and|or|&)\s)"
_DAY_LIST = re.compile(rf"(?<![\d/.$-]){_SLASHED_DAY}(?:{_LINK}{_SLASHED_DAY}){{1,11}}{_NOT_A_FRACTION}")
_EARLIER_DAYS = re.compile(rf"(?<![\d/.$-])(?:{_SLASHED_DAY}{_LINK}){{1,11}}\Z")
_LEAD = re.compile(f"(?:{_SLASHED_DAY_LEAD})", re.IGNORECASE)
_LIST_REACH = 90
_NUMBERS = re.compile(r"(\d+)/(\d+)")
_INCHES = {2, 4, 8, 16, 32, 64}


def _read_slashed_day(match: re.Match[str]) -> NumericDay:
    return NumericDay(int(match["first"]), int(match["second"]), match["mark"])


def _read_day_after_lead(match: re.Match[str]) -> NumericDay | None:
    """A day after a lead; None for the last of a list of fractions, which has no lead: "3/5, 4/5 and 5/5"."""
    start = match.start()
    list_match = _EARLIER_DAYS.search(match.string, max(0, start - _LIST_REACH), start)
    return _read_slashed_day(match) if list_match is None or _LEAD.match(match.string, list_match.start()) else None


def _read_listed_day(match: re.Match[str]) -> NumericDay | None:
    """One of several rising numbers that can only be days: "9/5, 9/12 and 9/19"."""
    text, start = match.string, match.start()
    earlier_days = _EARLIER_DAYS.search(text, max(0, start - _LIST_REACH), start)
    list_match = _DAY_LIST.match(text, earlier_days.start() if earlier_days else start)
    return _read_slashed_day(match) if list_match and are_days(_NUMBERS.findall(list_match[0])) else None


def are_days(numbers: Iterable[tuple[str, str]]) -> bool:
    """Whether numbers with slashes rise like days, and one of them can only be a day."""
    days = [(int(first), int(second)) for first, second in numbers]
    are_rising = any(
        sequence == sorted(sequence) and sequence[0] < sequence[-1] for sequence in (days, [day[::-1] for day in days])
    )
    is_day = any(max(day) > _MONTHS_OF_YEAR for day in days)
    return (
        are_rising and is_day and not all(second in _INCHES and first % 2 and first < second for first, second in days)
    )


RULES: tuple[GrammarRule, ...] = (
    make_rule(WEEKDAYS, rf"(?P<weekday>{WEEKDAY})", _read_weekday),
    make_rule(WEEKDAYS, rf"(?P<weekday>{WEEKDAY})", _read_stepped_weekday, lead=_STEPPED),
    make_rule(
        _SHORT_DAYS,
        rf"{_SHORT_NAME}\b{_AFTER_SHORT_DAY}",
        lambda match: _make_stepped(_read_short_weekday(match), match),
        lead=_STEPPED,
    ),
    make_rule(
        _SHORT_DAYS,
        rf"(?:{_BEFORE_SHORT_DAY}){_SHORT_NAME}\b{_AFTER_SHORT_DAY}",
        _read_short_weekday,
    ),
    make_rule(_SHORT_DAYS, rf"{_SHORT_NAME}{_SHORT_DAY_FOLLOWS}", _read_short_weekday, exact_case=True),
    # As chats write them: "fri 8pm".
    make_rule(
        _SHORT_DAYS,
        rf"(?P<name>{match_any(_SHORT_DAYS)})(?={S}(?:at{S})?[0-9]{{1,2}}(?::[0-5][0-9])?\s?[ap]\.?m)",
        _read_short_weekday,
    ),
    make_rule(
        MONTHS,
        rf"(?:{CAPITAL}|(?={_LOWERCASE_MONTH}))(?P<month>{MONTH})(?!{S}[0-9])",
        lambda match: _make_stepped(_read_month(match), match),
        lead=_STEPPED,
    ),
    make_rule(MONTHS, rf"(?:{CAPITAL}|(?={_LOWERCASE_MONTH}))(?P<month>{MONTH})", _read_month_by_context),
    make_rule(
        MONTHS,
        rf"{_CAPITAL_NAME}{S}(?P<day>{DAY_OF_MONTH})(?!{S}?[0-9]|[.,:][0-9]|,{S}[12][0-9]{{3}}(?![0-9]))",
        _read_month_day,
    ),
    make_rule(
        {SHORT_NUMBER},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH})(?:(?:{S}day)?{S}of{S}|{S}){_CAPITAL_NAME}",
        _read_month_day,
    ),
    make_rule(
        # As spreadsheets write days.
        {SHORT_NUMBER},
        rf"(?<![0-9A-Za-z/.,$€£-])(?P<day>{DAY_OF_MONTH})-{CAPITAL}(?P<month>{match_any(_SHORT_MONTHS)})(?![-/.]?[0-9A-Za-z])",
        _read_month_day,
    ),
    make_rule(ORDINAL_HEADS, rf"{_ORDINAL}(?:{S}day)?{S}of{S}{_NAME}{_YEAR}?", _read_ordinal_day, lead=_THE),
    make_rule(ORDINAL_HEADS, rf"{_ORDINAL}{S}{_CAPITAL_NAME}{_YEAR}?(?!{S}[A-Z])", _read_ordinal_day),
    make_rule(MONTHS, rf"{_NAME}{S}{_THE}{_ORDINAL}{_YEAR}?", _read_ordinal_day),
    make_rule(MONTHS, rf"{_CAPITAL_NAME}[-/]?(?P<day>{DAY_OF_MONTH})(?![-/,.:]?[0-9])", _read_month_day),
    make_rule(
        {SHORT_NUMBER + LETTERED}, rf"{_NUMBERED}(?={_MONTH_FOLLOWS})(?:{S}day)?", _read_day_of_month, lead=rf"the{S}"
    ),
    make_rule(ORDINAL_HEADS, rf"{_ORDINAL}(?={_MONTH_FOLLOWS})(?:{S}day)?", _read_day_of_month, lead=rf"the{S}"),
    make_rule(
        MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?=,?{S}[0-9]{{1,2}}(?::[0-9]|\s?[ap]\.?m))", _read_month_day
    ),
    make_rule(MONTHS, rf"{_UNAMBIGUOUS_MONTH}{S}(?P<day>{DAY_OF_MONTH})(?![-/,.:]?[0-9])", _read_month_day),
    make_rule(
        {SHORT_NUMBER},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH}){S}(?:of{S})?{_UNAMBIGUOUS_MONTH}(?!{S}[0-9])",
        _read_month_day,
    ),
    make_rule({SHORT_NUMBER + LETTERED}, _NUMBERED, _read_day_of_month, lead=rf"(?:{_PART_OF})the{S}"),
    make_rule(
        _SHORT_DAYS,
        rf"(?<!the ){_SHORT_NAME}(?={S}(?:(?:morning|afternoon|evening|night|noon|am|pm|AM|PM)\b|at{S}\d|@))",
        _read_short_weekday,
        exact_case=True,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        rf"{_NUMBERED}{_TIME_FOLLOWS}",
        _read_day_of_month,
        lead=rf"(?:{_DAY_PREPOSITION})the{S}",
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED}, rf"(?:{_DAY_PREPOSITION}){_NUMBERED}(?=\s?[.,;:!?)]|\Z|\s[-–]\s)", _read_day_of_month
    ),
    make_rule({SHORT_NUMBER + LETTERED}, _NUMBERED, _read_day_of_month, lead=rf"(?:{_AFTER_WEEKDAY}){_THE}"),
    make_rule(ORDINAL_HEADS, rf"{_ORDINAL}(?!{S}[a-z]{{3,20}}[^y]\b)", _read_day_of_month, lead=rf"(?<=day ){_THE}"),
    make_rule(
        _SHORT_DAYS,
        rf"{_SHORT_NAME}\.?(?=,?{S}(?:the{S})?(?:[0-9]|(?i:{MONTH})))",
        _read_short_weekday,
        exact_case=True,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"(?:{_SLASHED_DAY_LEAD}|{_AFTER_WEEKDAY}|(?<=[/0-9][-–])|(?<=[/0-9] [-–] ))"
        rf"(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d){_NOT_A_FRACTION}",
        _read_day_after_lead,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?<![0-9A-Za-z/.-])(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d)(?=\s?[-–]\s?[0-3]?\d/[0-3]?\d)",
        _read_slashed_day,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?<![0-9A-Za-z/.$-])(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d)(?=\s?(?:@|at)\s?\d\d?(?::\d\d|\s?[ap]\.?m))",
        _read_slashed_day,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"(?<![0-9A-Za-z/.$-])(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d){_NOT_A_FRACTION}",
        _read_listed_day,
    ),
)
JOINS: tuple[JoinRule, ...] = (
    JoinRule((Shift, Recurring), _join_weekday_within, re.compile(rf"{S}(?:on{S})?", re.IGNORECASE)),
    JoinRule(
        ((Recurring, SteppedUnit), (MentionFields, NumericDate, NumericDay, Recurring)),
        _join_weekday,
        re.compile(rf"(?:,{S}|[^\S\n]{{1,3}})(?:the{S})?|,?\s\(", re.IGNORECASE),
    ),
)
