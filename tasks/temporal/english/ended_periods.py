"""English periods named by the day on which they end, and lists of them: "three and nine months ended March 31, 2023".

A list shares its length ("the years ended June 30, 2023 and 2022") or its day ("three and nine months ended 9/30/23").
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    CAPITAL,
    COUNT,
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    NUMBERS,
    YEAR,
    S,
    parse_day_number,
    parse_month,
    parse_number,
)
from tasks.temporal.english.signals import DATED
from tasks.temporal.grammar import LONG_NUMBER, SHORT_NUMBER, GrammarRule, JoinRule, make_rule
from tasks.temporal.meanings.company import Period, PeriodEndingWith, PeriodThenEnded, PeriodUntil
from tasks.temporal.meanings.numeric_days import NumericDate
from tasks.temporal.meanings.recurrences import Policy, Recurring
from tasks.temporal.readings import Meaning, expand_year
from warehouse.records import Grain
from warehouse.records.calendars import DAY

_WEEKS = {3: (12, 13, 14, 16), 6: (24, 26, 27, 28), 12: (52, 53)}
"""The numbers of weeks that companies with years of 52 or 53 weeks count for these numbers of months."""
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "fy": 12}

_LENGTH = (
    rf"(?:(?P<count>{COUNT})(?:{S}|-))?(?P<fiscal>fiscal{S})?(?P<unit>week|month|quarter|half(?:{S}|-)?year|half|year|fy)"
    rf"(?:s|ly)?(?:(?:{S}|-)periods?)?"
)
_END_DAY = rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})"
_END_OF = rf"(?:(?:the{S})?end(?:{S}of{S}|{S}|-))?"
_DATE = (
    rf"(?:{_END_DAY}(?:,?{S}(?P<year>{YEAR}))?"
    rf"|(?P<eu_day>{DAY_OF_MONTH}){S}(?:of{S})?(?P<eu_month>{MONTH})(?:,?{S}(?P<eu_year>{YEAR}))?"
    rf"|{_END_OF}{CAPITAL}(?P<only_month>{MONTH})(?:,?{S}(?P<only_year>{YEAR}))?(?!{S}[0-9]|[-/][0-9]|{S}?['’][0-9]))"
)
_ENDED = rf"(?:ended|ending){S}(?:(?:on|in|at){S})?(?:the{S})?"
_ISO_DAY = "[12][0-9]{3}-[01][0-9]-[0-3][0-9]"
_NUMERIC_DAY = rf"(?:[0-3]?[0-9][/.-][0-3]?[0-9][/.-](?:[12][0-9]{{3}}|[0-9]{{2}})|{_ISO_DAY})(?![0-9A-Za-z])"
_SHORT_END = rf"(?:[0-3]?[0-9][- ])?{MONTH}[- ]['’]?(?:[12][0-9])?[0-9]{{2}}(?![0-9A-Za-z]|[-/.,][0-9])"
"""As spreadsheets head columns: 31-Mar-24, Dec-23."""
_SPLIT_DAY = (
    r"(?P<first>[0-3]?[0-9])(?P<mark>[/.-])(?P<second>[0-3]?[0-9])(?P=mark)"
    r"(?P<year>[12][0-9]{3}|[0-9]{2})(?![0-9A-Za-z])"
)
_COUNTS = {SHORT_NUMBER, "fifty", *NUMBERS}
_NO_STEP = "".join(
    rf"(?<!\b{word} )" for word in ("last", "this", "next", "prior", "previous", "per", "a", "each", "every")
)
"""Not "last year to 31 March": a step before the unit makes it a comparison."""
_LIST_REACH = 120


def _parse_length(length: re.Match[str]) -> tuple[int, int, bool]:
    """The months, the weeks where it is counted in weeks, and whether the first word says that it is fiscal."""
    count = parse_number(length["count"]) if length["count"] else 1
    unit = length["unit"].lower()
    fiscal = bool(length["fiscal"]) or unit == "fy"
    if not 1 <= count <= 106:
        raise ValueError(f"no period of {count} {unit}s")
    if unit == "week":
        return next((months for months, counts in _WEEKS.items() if count in counts), 0), count, False
    return count * _MONTHS[unit[:4] if unit.startswith("half") else unit], 0, fiscal


def _make_period_until(last: date, length: re.Match[str]) -> PeriodUntil:
    return PeriodUntil(last, *_parse_length(length))


_SEVERAL_YEARS = re.compile(r"s\s+then\b", re.IGNORECASE)


def _read_then_ended(match: re.Match[str]) -> PeriodThenEnded:
    """The year, quarter or months whose end the text has just named; such a period is counted only in months."""
    months, weeks, _ = _parse_length(match)
    if weeks or (not match["count"] and _SEVERAL_YEARS.search(match[0])):
        raise ValueError("weeks are counted from a day, and several years end on several days")
    return PeriodThenEnded(months)


def _read_ended(match: re.Match[str]) -> Meaning:
    """A period without a year is the latest, and over unless it is "ending"; one that ends in a month ends with it."""
    prefix = next(kind for kind in ("", "eu_", "only_") if match[f"{kind}month"])
    number, year = parse_month(match[f"{prefix}month"]), match[f"{prefix}year"]
    day = parse_day_number(match[f"{prefix}day"]) if prefix != "only_" else None
    policy = Policy.LATEST if "ending" in match[0].lower() else Policy.ENDED
    return _make_ended(match, number, day, year, policy)


def _read_month_quarter(match: re.Match[str]) -> Meaning:
    """The December quarter, the March 2024 quarter: the one that ends with the month."""
    return _make_ended(match, parse_month(match["month"]), None, match["year"] or match["of_year"], Policy.ENDED)


def _make_ended(match: re.Match[str], number: int, day: int | None, year: str | None, policy: Policy) -> Meaning:
    """A period of the length in a match that ends on a day of the numbered month, or with the month."""

    def make_period(year: int) -> PeriodUntil:
        last = readings.make_months_interval(year, number, 1)[1] - DAY if day is None else date(year, number, day)
        return replace(_make_period_until(last, match), by_month=day is None)

    if year:
        return make_period(int(year))
    unresolved_value = f"XXXX-{number:02}-{day:02}" if day else f"XXXX-{number:02}"
    return Recurring(
        make_period(2000).grain, Grain.YEAR, lambda first: make_period(first.year), unresolved_value, policy
    )


_NEXT_YEAR = rf"(?:,?{S}(?:and|vs\.?|versus|compared{S}(?:with|to))|,)"
"""Words before the year of the next period of a list or comparison."""
_AFTER_LIST_MEMBER = r"(?:(?<=and )|(?<=, )|(?<=vs )|(?<=vs\. )|(?<=versus )|(?<=compared to )|(?<=compared with ))"
_LISTED_ENDS = re.compile(
    rf"(?:\b{_LENGTH}{S}{_ENDED})?\b(?:{_END_DAY}|(?P<eu_day>{DAY_OF_MONTH}){S}(?P<eu_month>{MONTH})),?{S}{YEAR}"
    rf"(?:,{S}(?:and{S})?{YEAR}){{0,3}}{_NEXT_YEAR}{S}\Z",
    re.IGNORECASE,
)
_WHOLE_DAY = rf"(?:(?:{MONTH}{S}{DAY_OF_MONTH}|{DAY_OF_MONTH}{S}{MONTH}),?{S}{YEAR}|{_NUMERIC_DAY})"
_LISTED_DAYS = re.compile(
    rf"\b{_LENGTH}{S}{_ENDED}{_WHOLE_DAY}(?:,{S}{_WHOLE_DAY}){{0,3}}{_NEXT_YEAR}{S}\Z", re.IGNORECASE
)
_LISTED_FISCAL = re.compile(
    rf"\bfiscal{S}(?:years?{S})?{YEAR}(?:,{S}{YEAR}){{0,3}}(?:,|{S}and|,{S}and){S}\Z", re.IGNORECASE
)

_AFTER_YEAR = re.compile(rf"{YEAR}{_NEXT_YEAR}{S}\Z", re.IGNORECASE)
_YEAR_LIST_REACH = 30  # Characters in which a preceding year is searched for first: most years follow no other.


def _read_split_day(match: re.Match[str]) -> NumericDate:
    return NumericDate(int(match["first"]), int(match["second"]), expand_year(match["year"]), match["mark"])


def _read_next_day_of_list(match: re.Match[str]) -> PeriodEndingWith | None:
    """The second day of "the nine months ended September 30, 2023 and September 30, 2022"."""
    list_match = _LISTED_DAYS.search(match.string[max(0, match.start() - _LIST_REACH) : match.start()])
    if list_match is None:
        return None
    if match["month"]:
        month, day = parse_month(match["month"]), parse_day_number(match["day"])
        return PeriodEndingWith(readings.make_day(date(int(match["year"]), month, day)), *_parse_length(list_match))
    return PeriodEndingWith(_read_split_day(match), *_parse_length(list_match))


_FIRST_LENGTH = (
    rf"(?P<count>{COUNT})(?=(?:-{S}?|{S}|-month{S}|{S}months{S})(?:and|or){S}{COUNT}(?:{S}|-)(?P<fiscal>)"
    rf"(?P<unit>week|month|quarter|year)s?{S}(?:periods?{S})?"
)
"""The three of "three and nine months ended"; a lookahead that the rule's pattern completes."""


def _read_first_of_lengths(match: re.Match[str]) -> PeriodEndingWith:
    """The three of "three and nine months ended 9/30/23"."""
    last = readings.make_day(date.fromisoformat(match["iso"])) if match["iso"] else _read_split_day(match)
    return PeriodEndingWith(last, *_parse_length(match))


def _read_next_of_list(match: re.Match[str]) -> Meaning | None:
    """The 2022 of "the nine months ended September 30, 2023 and 2022"."""
    year, start = int(match["year"]), match.start()
    if _AFTER_YEAR.search(match.string[max(0, start - _YEAR_LIST_REACH) : start]) is None:
        return None
    text_before = match.string[max(0, start - _LIST_REACH) : start]
    list_match = _LISTED_ENDS.search(text_before)
    if list_match is None:
        return Period(Grain.YEAR, year, fiscal=True) if _LISTED_FISCAL.search(text_before) else None
    last = date(
        year,
        parse_month(list_match["month"] or list_match["eu_month"]),
        parse_day_number(list_match["day"] or list_match["eu_day"]),
    )
    return _make_period_until(last, list_match) if list_match["unit"] else readings.make_day(last)


RULES: tuple[GrammarRule, ...] = (
    make_rule({"ended", "ending"}, rf"{_ENDED}{_DATE}", _read_ended, lead=rf"(?:the{S})?{_LENGTH}{S}"),
    make_rule(
        {"ended", "ending"},
        rf"(?:ended|ending)(?:{S}on)?(?={S}(?:{_NUMERIC_DAY}|{_SHORT_END}))",
        lambda match: PeriodEndingWith(None, *_parse_length(match)),
        lead=rf"(?:the{S})?{_LENGTH}{S}",
    ),
    make_rule(
        {"fye"},
        rf"FYE(?={S}(?:{_NUMERIC_DAY}|{_SHORT_END}|{_WHOLE_DAY}))",
        PeriodEndingWith(None, 12, fiscal=True),
    ),
    make_rule({"w"}, r"w/e\b", PeriodEndingWith(None, 0, 1)),
    make_rule(
        _COUNTS,
        rf"{_LENGTH}{S}(?:to|through){S}{_DATE}",
        lambda match: _read_ended(match) if match["count"] else None,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"half", "quarter", "year"},
        rf"(?P<unit>half(?:{S}|-)?year|half|quarter|year){S}to{S}{_DATE}",
        _read_ended,
        lead=rf"{_NO_STEP}(?:the{S})?(?:(?:full|whole|financial){S})?(?P<count>)(?P<fiscal>(?:fiscal{S})?)",
    ),
    make_rule(
        {"ended", "ending"},
        rf"{_ENDED}{_DATE}",
        lambda match: _read_ended(match) if match["count"] else None,
        lead=rf"(?:the{S})?{_LENGTH}{S}(?:in|of){S}(?:the|a){S}(?:{COUNT}(?:{S}|-)(?:year|month)(?:{S}|-))?period{S}",
    ),
    make_rule(
        MONTHS,
        rf"{CAPITAL}(?P<month>{MONTH})(?:{S}(?P<year>{YEAR}))?{S}(?P<count>)(?P<fiscal>(?:fiscal{S})?)(?P<unit>quarter)\b"
        rf"(?!-)(?:{S}(?:of{S})?(?P<of_year>{YEAR}))?",
        _read_month_quarter,
        lead=rf"(?:the{S})?",
    ),
    make_rule({"then"}, rf"then{S}ended\b", _read_then_ended, lead=rf"(?:the{S})?{_LENGTH}{S}"),
    make_rule(_COUNTS, rf"{_FIRST_LENGTH}{_ENDED}{_DATE})", _read_ended),
    make_rule(
        _COUNTS,
        rf"{_FIRST_LENGTH}{_ENDED}(?:{_SPLIT_DAY}|(?P<iso>{_ISO_DAY})(?![0-9A-Za-z])))",
        _read_first_of_lengths,
    ),
    make_rule({LONG_NUMBER}, rf"{_AFTER_LIST_MEMBER}(?P<year>(?:19|20)[0-9]{{2}})(?![0-9A-Za-z])", _read_next_of_list),
    make_rule(MONTHS, rf"{_AFTER_LIST_MEMBER}{_END_DAY},?{S}(?P<year>{YEAR})", _read_next_day_of_list),
    make_rule(
        {SHORT_NUMBER},
        rf"{_AFTER_LIST_MEMBER}(?P<day>{DAY_OF_MONTH}){S}(?P<month>{MONTH}),?{S}(?P<year>{YEAR})",
        _read_next_day_of_list,
    ),
    make_rule({SHORT_NUMBER}, rf"{_AFTER_LIST_MEMBER}{_SPLIT_DAY}(?P<month>)", _read_next_day_of_list),
)


def _join_ended(period: PeriodEndingWith, end: Meaning) -> PeriodEndingWith | None:
    return replace(period, end=end) if period.end is None and end.grain in (Grain.DAY, Grain.MONTH) else None


JOINS: tuple[JoinRule, ...] = (JoinRule((PeriodEndingWith, DATED), _join_ended),)
