"""English lists whose last member names the year or unit of all: "June 30 and July 1, 2023", "Q1, Q2 and Q3 2023".

Each member is a separate mention.
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial

from tasks.temporal import readings
from tasks.temporal.english.dates import read_day
from tasks.temporal.english.fiscal import LONG_TAIL, TAIL, read_part
from tasks.temporal.english.lexicon import (
    CAPITAL,
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINAL_HEADS,
    WEEKDAYS,
    YEAR,
    S,
    parse_day_number,
    parse_grain,
    parse_month,
)
from tasks.temporal.english.named_periods import read_ranked_weekday
from tasks.temporal.english.sets import RANK, read_weekday_of_months
from tasks.temporal.grammar import LETTERED, SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.recurrences import Recurring, UnitWithin, make_month_day, make_month_of_year
from tasks.temporal.meanings.spans import NumberedIn, NumberedUnit, TimeBetween, TimeSet
from tasks.temporal.readings import Meaning, MentionFields
from warehouse.records import Grain

_BEFORE_LAST = rf"(?:\s?,?{S}(?:and|or|&|vs\.?|versus){S}(?:the{S})?|,{S}|\s?/\s?)"
_SHARED_YEAR = rf"(?:\s?,{S}|{S}(?:of{S})?)(?P<year>{YEAR})"
_SEASONS = {"spring": 0, "summer": 1, "fall": 2, "autumn": 2, "winter": 3}
_WINTER = 3
_MAX_MEMBERS = 11  # Members before the last.


_NAMED_MONTH = rf"{CAPITAL}(?P<month>{MONTH})"
_ANY_MONTH = _NAMED_MONTH.replace("?P<month>", "?:")
_AND = rf"(?:\s?,)?{S}(?:and|or|&){S}"
_EACH_YEAR = rf",?{S}(?:of|in){S}(?:each|every){S}(?:calendar{S})?year\b"


def _read_yearly_day(match: re.Match[str]) -> TimeSet:
    return TimeSet(f"XXXX-{parse_month(match['month']):02}-{parse_day_number(match['day']):02}", Grain.DAY, "EACH")


_DAYS = rf"(?:,{S}{DAY_OF_MONTH}){{0,4}}"
_AND_DAY = rf",?{S}(?:and|or|&){S}(?:the{S})?{DAY_OF_MONTH}"
_YEAR_OF_DAY = rf"(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR})"
_NO_COUNT = (
    r"(?=\s{0,3}(?:[.;:!?)\n]|,(?![0-9])|\Z)|\s\(|\s(?:in|at|for|on|of|to|from|the|with|and|or|when|as|after|before|by|during"
    r"|were|was|will|would|are|is|have|had|but)\b)"
)
"""Text that may follow a day, but not a count of something."""
_LIST = re.compile(
    rf"\b(?P<month>{MONTH}){S}(?:{DAY_OF_MONTH},{S}){{0,4}}(?P<last>{DAY_OF_MONTH})(?:,|,?{S}(?:and|or|&)){S}(?:the{S})?\Z",
    re.IGNORECASE,
)
_LIST_REACH = 60


def _read_next_of_list(match: re.Match[str]) -> Meaning | None:
    list_match = _LIST.search(match.string[max(0, match.start() - _LIST_REACH) : match.start()])
    is_next = list_match and parse_day_number(list_match["last"]) < parse_day_number(match["day"])
    return _make_listed_day(list_match["month"], match["day"], match["year"]) if list_match and is_next else None


def _make_listed_day(name: str, day: str, year: str | None) -> Meaning:
    listed_day = date(int(year) if year else 2000, parse_month(name), parse_day_number(day))
    return readings.make_day(listed_day) if year else make_month_day(listed_day.month, listed_day.day)


def _match_list_rest(member: str, tail: str) -> str:
    """Lookahead after a member: at most `_MOST` others, separated by commas or slashes, and the last with its tail."""
    return rf"(?=(?:(?:,{S}|\s?/\s?){member}){{0,{_MAX_MEMBERS}}}{_BEFORE_LAST}{member}{tail})"


def _read_month(match: re.Match[str]) -> MentionFields:
    return readings.make_month(int(match["year"]), parse_month(match["month"]))


def _read_listed_month(match: re.Match[str]) -> Recurring:
    """A month that gets the year of its list from `share_parts`."""
    return make_month_of_year(parse_month(match["month"]))


def _read_day(match: re.Match[str]) -> Meaning:
    named_day = date(int(match["year"] or 2000), parse_month(match["month"]), parse_day_number(match["day"]))
    return readings.make_day(named_day) if match["year"] else make_month_day(named_day.month, named_day.day)


_TO = rf"(?:\s?[-–—]\s?|{S}(?:to|through|until|till){S}(?:the{S})?)"
_MEMBER = rf"(?:from{S})?(?:the{S})?{DAY_OF_MONTH}(?:{_TO}{DAY_OF_MONTH})?"
_OTHER_DAYS = (
    rf"(?=(?:,{S}{_MEMBER}){{0,{_MAX_MEMBERS}}},?{S}(?:and|or|&){S}{_MEMBER}{S}(?:of{S})?"
    rf"{CAPITAL}(?P<month>{MONTH})(?:,?{S}(?:of{S})?(?P<year>{YEAR}))?)"
)
"""Lookahead after a day, or a range of days, to others of the same month."""


def _read_days(match: re.Match[str]) -> TimeBetween:
    """The first of "from 2 to 5 and 9 to 12 June"."""
    last = _make_listed_day(match["month"], match["last"], match["year"])
    return TimeBetween(_read_day(match), last)


def _read_weekday(match: re.Match[str]) -> Meaning:
    """One of "the first and third Mondays", of a named month or of each."""
    if not match["month"]:
        return read_weekday_of_months(match)
    ranked_weekday = read_ranked_weekday(match)
    month = _read_month(match) if match["year"] else make_month_of_year(parse_month(match["month"]))
    return UnitWithin(ranked_weekday.recurring, month, ranked_weekday.index)


def _read_season(match: re.Match[str]) -> MentionFields:
    """The winter of "Winter/Spring 2003" began in the year before."""
    season = _SEASONS[match["season"].lower()]
    return readings.make_season(date(int(match["year"]) - (season == _WINTER), 3 + 3 * season, 1))


_read_quarter, _read_half = partial(read_part, grain=Grain.QUARTER), partial(read_part, grain=Grain.HALF)
_ORDINAL = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"
_ORDINALS = {SHORT_NUMBER + LETTERED, "first", "second", "third"}
_MONTH = (
    rf"{S}(?:of|in){S}"
    rf"(?:(?P<each>each|every|the){S}month\b|{CAPITAL}(?P<month>{MONTH})(?:,?{S}(?:of{S})?(?P<year>{YEAR}))?)"
)
_WEEKDAY = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_NO_MONTH = rf"s\b(?!{S}(?:of|in)\b)"
"""If no month is named, Mondays with a number are those of each month."""
_EDGES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "final": -1}
_EDGE = f"(?:{'|'.join(_EDGES)})"
_UNITS_OF_MONTH = (
    rf"(?P<unit>week|weekend|day)s{S}(?:of|in){S}{CAPITAL}(?P<month>{MONTH})(?:,?{S}(?:of{S})?(?P<year>{YEAR}))?"
)


def _read_unit_of_month(match: re.Match[str]) -> NumberedIn:
    """One of "the first and last weeks of May"."""
    month = _read_month(match) if match["year"] else make_month_of_year(parse_month(match["month"]))
    return NumberedIn(NumberedUnit(parse_grain(match["unit"]), _EDGES[match["edge"].lower()]), month)


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        MONTHS,
        rf"{_NAMED_MONTH}{S}(?P<day>{DAY_OF_MONTH})(?={_AND}{_ANY_MONTH}{S}{DAY_OF_MONTH}{_SHARED_YEAR})",
        read_day,
    ),
    make_rule(
        MONTHS,
        rf"{_NAMED_MONTH}{S}(?P<day>{DAY_OF_MONTH})(?:(?={_AND}{_ANY_MONTH}{S}{DAY_OF_MONTH}{_EACH_YEAR})|{_EACH_YEAR})",
        _read_yearly_day,
    ),
    make_rule(
        MONTHS,
        rf"{_NAMED_MONTH}{S}(?P<day>{DAY_OF_MONTH})(?={_DAYS}{_AND_DAY}(?:{_YEAR_OF_DAY}|{_NO_COUNT}))",
        # The March 3 of "March 3, 4 and 5, 2023", and then the 4 and the 5.
        lambda match: _make_listed_day(match["month"], match["day"], match["year"]),
    ),
    make_rule(
        {SHORT_NUMBER},
        rf"(?:(?<=, )|(?<=the ))(?P<day>{DAY_OF_MONTH})(?={_DAYS}{_AND_DAY}(?:{_YEAR_OF_DAY}|{_NO_COUNT}))",
        _read_next_of_list,
    ),
    make_rule(
        {SHORT_NUMBER},
        # Or the last of a list without "and" that ends a line or a clause: "Exams Jan 16, 18".
        rf"(?:(?<=and )|(?<=or )|(?<=& )|(?<=the )|(?<=, )(?={DAY_OF_MONTH}\s{{0,2}}(?:[;)\n]|\Z)))"
        rf"(?P<day>{DAY_OF_MONTH})(?:{_YEAR_OF_DAY}|{_NO_COUNT})",
        _read_next_of_list,
    ),
    make_rule(
        MONTHS,
        rf"{CAPITAL}(?P<month>{MONTH}){_match_list_rest(rf'{CAPITAL}{MONTH}', _SHARED_YEAR)}",
        _read_listed_month,
    ),
    make_rule({SHORT_NUMBER}, rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH}){_OTHER_DAYS}", _read_day),
    make_rule(
        {SHORT_NUMBER},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH}){_TO}(?P<last>{DAY_OF_MONTH}){_OTHER_DAYS}",
        _read_days,
    ),
    make_rule(
        _SEASONS,
        rf"(?P<season>{'|'.join(_SEASONS)})(?=(?:,{S}(?:{'|'.join(_SEASONS)})){{0,2}}{_BEFORE_LAST}(?:{'|'.join(_SEASONS)}){S}(?P<year>{YEAR}))",
        _read_season,
    ),
    make_rule({"q"}, rf"Q(?P<number>[1-4]){_match_list_rest('Q[1-4]', TAIL)}", _read_quarter),
    make_rule({"h"}, rf"H(?P<number>[12]){_match_list_rest('H[12]', TAIL)}", _read_half),
    make_rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[1-4])Q{_match_list_rest('[1-4]Q', TAIL)}", _read_quarter),
    make_rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[12])H{_match_list_rest('[12]H', TAIL)}", _read_half),
    make_rule(
        _ORDINALS,
        rf"(?P<number>{_ORDINAL})"
        rf"{_match_list_rest(_ORDINAL, rf'{S}(?P<fiscal_before>fiscal{S})?quarters?{LONG_TAIL}')}",
        _read_quarter,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"quarters"},
        rf"quarters{LONG_TAIL}",
        _read_quarter,
        lead=rf"(?P<number>{_ORDINAL}){S}(?P<fiscal_before>fiscal{S})?",
    ),
    make_rule(
        _ORDINALS,
        rf"(?P<number>first|1st){_match_list_rest('(?:second|2nd)', rf'{S}hal(?:f|ves){LONG_TAIL}')}",
        _read_half,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED, *ORDINAL_HEADS, "last"},
        rf"(?P<rank>{RANK}){_match_list_rest(RANK, f'{S}{_WEEKDAY}(?:s?{_MONTH}|{_NO_MONTH})')}",
        _read_weekday,
        lead=rf"(?:(?:the|each|every){S})?",
    ),
    make_rule(
        {f"{weekday}s" for weekday in WEEKDAYS},
        rf"{_WEEKDAY}(?:s{_MONTH}|{_NO_MONTH})",
        _read_weekday,
        lead=rf"(?:the{S})?(?P<rank>(?!last{S}\w{{3,9}}s\b(?!{S}(?:of|in)\b)){RANK}){S}",
    ),
    make_rule(_ORDINALS, rf"(?P<number>second|2nd){S}halves{LONG_TAIL}", _read_half),
    make_rule(
        {*_EDGES},
        rf"(?P<edge>{_EDGE})(?={S}(?:and|or|&){S}(?:the{S})?{_EDGE}{S}{_UNITS_OF_MONTH})",
        _read_unit_of_month,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"weeks", "weekends", "days"},
        _UNITS_OF_MONTH,
        _read_unit_of_month,
        lead=rf"(?:(?<=and )|(?<=or )|(?<=& ))(?:the{S})?(?P<edge>{_EDGE}){S}",
    ),
)
