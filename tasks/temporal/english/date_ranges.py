"""English ranges of days, months and years: "March 4-22, 2023", "from March to May 2021", "2019-21", "2015 to date"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.dates import ISO_DAY, is_numbered, read_day
from tasks.temporal.english.lexicon import (
    CAPITAL,
    MONTH,
    MONTHS,
    ORDINAL_HEADS,
    ORDINAL_WORD,
    SEASON,
    YEAR,
    S,
    parse_month,
    parse_ordinal,
)
from tasks.temporal.english.signals import DATED, THE
from tasks.temporal.english.years import NEAR_YEARS, OF_TIME, YEAR_REACH, is_labelled, is_phone_or_account
from tasks.temporal.grammar import LONG_NUMBER, MARKED, SHORT_NUMBER, GrammarRule, JoinRule, SignalRole, make_rule
from tasks.temporal.meanings.clocks import Clock, Hours, TimeOnDay, make_hours
from tasks.temporal.meanings.company import Period, YearOfTwo
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import Recurring, UnitWithin, make_month_day, make_month_of_year
from tasks.temporal.meanings.spans import OpenRange, TimeBetween
from tasks.temporal.readings import Meaning, MentionFields, Vague, expand_year
from tasks.temporal.tense import ExpressionSpan
from warehouse.records import Grain, Modifier

_PAGES = re.compile(r"(?:[0-9)\]]\s?:\s{0,2}|\b(?:pp?\.?|nos?\.?|vol\.?|range)\s?)\Z", re.IGNORECASE)


_LONGEST_SPAN, _LONGEST_REIGN = 200, 800
"""Years that one span of them has: more for a dynasty or an empire, after whose name it is in brackets."""


def _is_of_numbers(match: re.Match[str]) -> bool:
    """Whether a range is of pages, lines, or other numbers after a label; years in brackets have none."""
    text_before = match.string[max(0, match.start() - YEAR_REACH) : match.start()]
    is_labelled_range = not text_before.endswith("(") and is_labelled(match)
    return _PAGES.search(text_before) is not None or is_labelled_range or is_phone_or_account(match)


def _read_years(match: re.Match[str]) -> MentionFields | None:
    """A range of years; None for pages, lines or counts of other things."""
    first, last = int(match["first"]), int(match["last"])
    text_before = match.string[max(0, match.start() - YEAR_REACH) : match.start()]
    is_in_brackets = text_before.endswith("(") and match.string[match.end() : match.end() + 1] == ")"
    if not first < last <= first + (_LONGEST_REIGN if is_in_brackets else _LONGEST_SPAN) or _is_of_numbers(match):
        return None
    if not (NEAR_YEARS[0] <= first and last <= NEAR_YEARS[1]) and not OF_TIME.search(text_before):
        return None
    return _make_years(first, last, match)


def _read_season_years(match: re.Match[str]) -> Meaning | None:
    """2012/13, 1914-18; None for pages."""
    first, last = int(match["first"]), int(match["first"][:2] + match["last"])
    if not first < last <= first + 25 or _is_of_numbers(match):
        return None
    years = _make_years(first, last, match)
    return years if years.basis or last > first + 1 else YearOfTwo(first, years)


_BEFORE_SCHOOL_YEAR = re.compile(
    r"(?:\b(?:(?:academic|school)\s{1,3}years?|season)\s{1,3}|(?-i:\b[AS]Y)\s?)\Z", re.IGNORECASE
)
_AFTER_SCHOOL_YEAR = re.compile(rf"(?:{S}|-)(?:seasons?|school|academic)\b|\s?(?:学年|赛季)", re.IGNORECASE)
_SCHOOL_REACH = 20


def _make_years(first: int, last: int, match: re.Match[str]) -> MentionFields:
    """The range of both years, or the year of schools and leagues that is named by both."""
    if last == first + 1 and (
        _AFTER_SCHOOL_YEAR.match(match.string, match.end())
        or _BEFORE_SCHOOL_YEAR.search(match.string, max(0, match.start() - _SCHOOL_REACH), match.start())
    ):
        return readings.make_school_year(first)
    return MentionFields(f"{first}/{last}", readings.make_years_interval(first, last - first + 1), Grain.YEAR)


def _read_months(match: re.Match[str]) -> Meaning | None:
    """A range of months; abbreviated names without a year are months only next to each other.

    None where something is moved from one to the other.
    """
    if ExpressionSpan(match.string, match.start(), match.end()).is_moved:
        return None
    first, last, year = parse_month(match["first"]), parse_month(match["last"]), match["year"]
    if year is None:
        return TimeBetween(make_month_of_year(first), make_month_of_year(last))
    return TimeBetween(make_month_of_year(first), readings.make_month(expand_year(year.lstrip("'’")), last))


_DAY = rf"(?:[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9A-Za-z])|{ORDINAL_WORD})"
_TO = rf"(?:\s?[-–—]\s?|{S}(?:to|through|thru|until|till){S}(?:the{S})?)"
_OR_AND = rf"(?:{_TO}|{S}and{S}(?:the{S})?)"
_YEAR = rf"(?:(?:\s?,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}))"


_MONTH_NAME = rf"(?P<month>{MONTH})"
_MONTH_YEAR = r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)[0-9]{2})"
_UNAMBIGUOUS_MONTH = rf"(?:{CAPITAL}|(?!may|mar)){_MONTH_NAME}"  # A month that is also a verb has its capital.


def _read_months_of_year(match: re.Match[str]) -> TimeBetween | None:
    """1-6/2024, as Nordic companies write; None for the issues of a journal."""
    first, last, year = int(match["first"]), int(match["last"]), int(match["year"])
    if first >= last or is_numbered(match) or _is_of_numbers(match):
        return None
    return TimeBetween(readings.make_month(year, first), readings.make_month(year, last))


def _read_days(match: re.Match[str]) -> Meaning:
    number, year = parse_month(match["month"]), match["year"]
    first, last = parse_ordinal(match["first"]), parse_ordinal(match["last"])
    if not 1 <= first < last:
        raise ValueError(f"{first} is not before {last}")
    if not year:
        return TimeBetween(make_month_day(number, first), make_month_day(number, last))
    return TimeBetween(*(readings.make_day(date(int(year), number, day)) for day in (first, last)))


_DAYS = {SHORT_NUMBER, *ORDINAL_HEADS}
_TODAY, _NOW = Shift(Grain.DAY, 0), Vague("PRESENT_REF")
_AFTER_DASH = re.compile(r"[0-9)]\s?[-–—~]\s?\Z")


def _read_present(match: re.Match[str]) -> Vague | None:
    """The end of "2018 – present"."""
    return _NOW if _AFTER_DASH.search(match.string, max(0, match.start() - 4), match.start()) else None


def _read_open_year(match: re.Match[str]) -> OpenRange:
    """Pre-2008, post-2008."""
    modifier = Modifier.BEFORE if match["side"].lower() == "pre" else Modifier.AFTER
    return OpenRange(Period(Grain.YEAR, int(match["year"])), modifier)


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {LONG_NUMBER + MARKED},
        rf"{ISO_DAY}(?:/|--){ISO_DAY.replace('P<', 'P<last_')}(?![0-9A-Za-z])",
        lambda match: TimeBetween(read_day(match), read_day(match, "last_")),
    ),
    make_rule(
        {LONG_NUMBER},
        rf"(?<![\d][-/.])(?P<first>{YEAR})\?? ?[-–—] ?(?P<last>{YEAR})(?![-/]\d|\s?(?:[cmnk]?m|k?Hz|rpm|k?g|mg|ppm)\b)",
        _read_years,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"(?<![0-9A-Za-z/.-]){_MONTH_YEAR}\s?[-–—]\s?{_MONTH_YEAR.replace('P<', 'P<last_')}(?![-/.]?[0-9A-Za-z])",
        lambda match: TimeBetween(
            *(readings.make_month(int(match[f"{side}year"]), int(match[f"{side}month"])) for side in ("", "last_"))
        ),
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?<![0-9A-Za-z/.,-])(?P<first>[1-9]|1[0-2])\s?[-–]\s?(?P<last>[1-9]|1[0-2])/(?P<year>(?:19|20)[0-9]{2})(?![-/.]?[0-9A-Za-z])",
        _read_months_of_year,
    ),
    make_rule(
        {LONG_NUMBER + MARKED},
        r"(?<![\d][-/.])(?<!ASU )(?<!Update )(?<!No\. )(?P<first>(?:19|20)\d\d)"
        rf"(?:[/–]|-(?=1[3-9]|[2-9]|\d\d{SEASON}))(?P<last>\d\d)(?![-/.]?[0-9A-Za-z])",
        _read_season_years,
    ),
    make_rule(
        MONTHS,
        rf"{CAPITAL}(?P<first>{MONTH})(?:\s?[-–—/]\s?|{S}(?:to|through|thru|until|till){S}){CAPITAL}(?P<last>{MONTH})"
        rf"(?![-–/0-9])(?!{S}[0-3]?[0-9](?:st|nd|rd|th|,|\b))(?:(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}|['’][0-9]{{2}}(?![0-9A-Za-z])))?",
        _read_months,
    ),
    make_rule(MONTHS, rf"{_MONTH_NAME}{S}(?:the{S})?(?P<first>{_DAY}){_TO}(?P<last>{_DAY}){_YEAR}", _read_days),
    make_rule(
        MONTHS,
        rf"{_UNAMBIGUOUS_MONTH}{S}(?:the{S})?(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?P<year>)(?!:[0-9])",
        _read_days,
    ),
    make_rule(MONTHS, rf"(?<=between ){_MONTH_NAME}{S}(?P<first>{_DAY}){S}and{S}(?P<last>{_DAY}){_YEAR}?", _read_days),
    make_rule(
        _DAYS, rf"(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?:{S}of{S}|{S}){_UNAMBIGUOUS_MONTH}{_YEAR}?", _read_days
    ),
    make_rule(
        _DAYS,
        rf"(?:(?<=between )|(?<=between the ))(?P<first>{_DAY}){_OR_AND}"
        rf"(?P<last>{_DAY}){S}(?:of{S})?{_MONTH_NAME}{_YEAR}?",
        _read_days,
    ),
    make_rule(
        {LONG_NUMBER},
        rf"(?<=from )(?P<year>{YEAR}){S}on(?=\s{{0,2}}(?:[.,;:)!?]|\Z))",
        lambda match: OpenRange(Period(Grain.YEAR, int(match["year"])), Modifier.ON_OR_AFTER),
    ),
    make_rule({"pre", "post"}, rf"(?P<side>pre|post)-(?P<year>{YEAR})(?![-/]?[0-9])", _read_open_year),
    make_rule({"present", "now", "today", "current"}, r"(?:present|now|today|current)\b", _read_present),
)
_DASH = re.compile(r"\s?[-–—~]\s?|[>\]](?:--|–)[<\[]")
_BRACKETS = re.compile(r"[>\]](?:--|–)[<\[]")
"""The separator of the two timestamps of a range in Org mode."""
_RANGE_ENDS = (*DATED, TimeOnDay, Clock)
_CLOCK_GRAINS = {Grain.HOUR, Grain.MINUTE, Grain.SECOND}


def join_range(first: Meaning, last: Meaning) -> Meaning:
    """From fiscal 2015 to 2018: both are fiscal."""
    if isinstance(first, Period) and isinstance(last, Period) and first.fiscal and first.grain is last.grain:
        last = replace(last, fiscal=True)
    if isinstance(first, TimeOnDay) and isinstance(first.clock, Hours) and last.grain is Grain.DAY:
        # 8 a.m. to 5 p.m. Monday through Friday.
        return TimeOnDay(TimeBetween(first.day, last), first.clock)
    if isinstance(last, TimeOnDay) and isinstance(last.clock, Hours) and first.grain is Grain.DAY:
        return TimeOnDay(TimeBetween(first, last.day), last.clock)
    return TimeBetween(first, last)


def _join_plain_range(first: Meaning, last: Meaning, until: Modifier | None) -> Meaning | None:
    """Without "from" two times of one size are a range: "2014 to 2018", not "on Monday to 2018"."""
    is_moment = isinstance(first, TimeOnDay) and isinstance(first.clock, Clock)
    if is_moment and not isinstance(last, TimeOnDay) and last.grain is Grain.DAY and until:
        # "Mondays and Wednesdays at 6 until June 15": the day does not end the class that began at six.
        return None
    grains = {first.grain, last.grain}
    are_of_one_size = len(grains) == 1 or grains <= {Grain.DAY, Grain.MONTH} or grains <= _CLOCK_GRAINS
    are_of_one_size = are_of_one_size or (
        first.grain is Grain.DAY and isinstance(last, TimeOnDay) and isinstance(last.clock, Hours)
    )
    return join_range(first, last) if until or are_of_one_size else None


def _join_days_and_end(days: TimeBetween, end: Clock) -> Meaning | None:
    """Monday through Friday 8 a.m. to 5 p.m.: the end of the hours of all days."""
    first, last = days.first, days.last
    if first.grain is not Grain.DAY or not isinstance(last, TimeOnDay) or not isinstance(last.clock, Clock):
        return None
    return TimeOnDay(TimeBetween(first, last.day), make_hours(last.clock, end))


def _join_range_within(outer: Shift, units: TimeBetween) -> Meaning | None:
    """Next week between Wednesday and Friday, from June to August last year."""
    first, last = units.first, units.last
    if isinstance(first, Recurring) and isinstance(last, Recurring) and first.parent is last.parent is outer.grain:
        return TimeBetween(UnitWithin(first, outer), UnitWithin(last, outer))
    return None


_COMMA = re.compile(r"(?:(?<=, \d{4}),)?\s{1,3}(?:the\s)?", re.IGNORECASE)
"""After the year of a range's first day there may be one: "between May 3, 2019, and June 1, 2020"."""


def _make_range_joins(first_role: SignalRole, last_role: SignalRole) -> tuple[JoinRule, ...]:
    """From one time to another, to now, or from now on."""
    return (
        JoinRule((first_role, _RANGE_ENDS, last_role, _RANGE_ENDS), join_range, (THE, _COMMA, THE)),
        JoinRule(
            (first_role, _RANGE_ENDS, last_role, Vague),
            lambda first, now: TimeBetween(first, _TODAY) if now == _NOW else None,
            THE,
        ),
        JoinRule(
            (first_role, Vague, last_role, _RANGE_ENDS),
            lambda now, last: TimeBetween(_TODAY, last) if now == _NOW else None,
            THE,
        ),
    )


JOINS: tuple[JoinRule, ...] = (
    JoinRule((TimeBetween, SignalRole.TO, Clock), _join_days_and_end, THE),
    *_make_range_joins(SignalRole.FROM, SignalRole.TO),
    *_make_range_joins(SignalRole.BETWEEN, SignalRole.AND),
    JoinRule((SignalRole.BETWEEN, _RANGE_ENDS, SignalRole.TO, _RANGE_ENDS), join_range, THE),
    JoinRule((_RANGE_ENDS, SignalRole.TO, _RANGE_ENDS), _join_plain_range, THE, takes_modifier=True),
    JoinRule(
        (DATED, (*DATED, TimeOnDay)), lambda first, last: None if first == last else join_range(first, last), _DASH
    ),
    JoinRule((TimeOnDay, TimeOnDay), join_range, _BRACKETS),
    JoinRule((DATED, Vague), lambda first, now: TimeBetween(first, _TODAY) if now == _NOW else None, _DASH),
    JoinRule((Shift, TimeBetween), _join_range_within),
    JoinRule((TimeBetween, Shift), lambda units, outer: _join_range_within(outer, units)),
    JoinRule((TimeBetween, SignalRole.OF, Shift), lambda units, outer: _join_range_within(outer, units)),
    JoinRule(((SignalRole.FROM, SignalRole.BETWEEN), TimeBetween), lambda between: between, THE),
)
