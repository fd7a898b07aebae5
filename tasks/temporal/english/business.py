"""Quarters, halves and fiscal years by number, and years to date: the calendar of reports."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import ORDINALS as _ORDINALS
from tasks.temporal.english.lexicon import SHORT_YEAR, YEAR, S, any_of
from tasks.temporal.grammar import LETTERED, LONG_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Rolling, ToDate
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import Between
from tasks.temporal.meanings.units import half_of_year, quarter_of_year
from tasks.temporal.readings import full_year
from warehouse.records import Grain

ORDINALS = _ORDINALS | {"final": 4}
_GAP = rf"(?:{S}|-|,{S})?"
_FISCAL = rf"(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?"
_TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?{_FISCAL}(?P<year>{SHORT_YEAR})"
_LAST = rf"[-/](?P<last>{SHORT_YEAR})(?![0-9A-Za-z])"
"""The second year of a fiscal year that is named by both: 2023/24."""
_PLAIN_TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?(?P<year>{SHORT_YEAR})"
_PLAIN_ORDINAL = any_of(ORDINALS)
_ORDINAL = rf"(?P<number>{_PLAIN_ORDINAL})"
_NTH = rf"(?:the{S})?(?:fiscal{S})?{_ORDINAL}(?:{S}|-)(?P<fiscal_before>fiscal{S})?"
_NTH_LEAD = rf"(?:the{S})?(?:fiscal{S})?{_PLAIN_ORDINAL}(?:{S}|-)(?:fiscal{S})?"
_YEAR_FIRST = rf"(?:the{S})?(?P<fiscal>fiscal{S}(?:years?{S})?|FY{S}?)?(?P<year>{YEAR})(?:['’]s)?{S}"
_YEAR_FIRST_LEAD = rf"(?:the{S})?(?:fiscal{S}(?:years?{S})?|FY{S}?)?{YEAR}(?:['’]s)?{S}"
_OF_A_YEAR = (
    rf"{S}(?:of|in){S}(?:the|this|last|next|each|every|that|its|our)?{S}?"
    rf"(?:(?:fiscal|calendar|current|prior|previous|same|following){S})?(?:year\b|20)"
)
_NO_COUNT = (
    rf"(?![.,:/][0-9]|{S}?%|(?:{S}|-)(?:weeks?|months?|days?|quarters?|years?|hours?|percent|per{S}cent|basis|million"
    r"|billion|companies|stores|items|points)\b)"
)
"""After fiscal a number of two digits is a year where it counts nothing: fiscal 52 weeks."""
_TWO_DIGITS = rf"[0-9]{{2}}(?![0-9A-Za-z]){_NO_COUNT}"
_FISCAL_YEAR = rf"(?:{YEAR}|['’]?{_TWO_DIGITS})"
_LONG_TAIL = (
    rf"(?:{S}|,{S})(?:of{S})?(?:the{S})?(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?(?:(?:calendar{S})?year{S})?"
    rf"(?P<year>{YEAR}|['’]{_TWO_DIGITS}|(?(fiscal){_TWO_DIGITS}|(?!)))"
)


def _year_of(match: re.Match[str]) -> int:
    return full_year(match["year"].lstrip("'’"))


def _is_fiscal(match: re.Match[str]) -> bool:
    groups = match.groupdict()
    return bool(groups.get("fiscal") or groups.get("fiscal_before"))


def _ordinal(match: re.Match[str]) -> int:
    text = match["number"].lower()
    return ORDINALS[text] if text in ORDINALS else int(text)


def _quarter(match: re.Match[str]) -> Period:
    return Period(Grain.QUARTER, _year_of(match), _ordinal(match), _is_fiscal(match))


def _quarter_of_two(match: re.Match[str]) -> Period | None:
    """Q1 2023/24."""
    year = _ending_year(match)
    return Period(Grain.QUARTER, year, _ordinal(match), fiscal=True, by_end=True) if year else None


def _half_of_two(match: re.Match[str]) -> Period | None:
    year = _ending_year(match)
    return Period(Grain.HALF, year, _ordinal(match), fiscal=True, by_end=True) if year and _ordinal(match) < 3 else None


def _ending_year(match: re.Match[str]) -> int | None:
    """The second of two years that follow each other, None for others."""
    year = full_year(match["last"])
    return year if year == _year_of(match) + 1 else None


def _calendar_quarter(match: re.Match[str]) -> Period:
    return Period(Grain.QUARTER, _year_of(match), int(match["q"] or 0) or _ordinal(match), plain=True)


def _calendar_half(match: re.Match[str]) -> Period | None:
    index = int(match["h"] or 0) or _ordinal(match)
    return Period(Grain.HALF, _year_of(match), index, plain=True) if index < 3 else None


def _quarters(match: re.Match[str]) -> Between:
    """The first and second quarters of 2023."""
    first = match["first"].lower()
    return Between(Period(Grain.QUARTER, _year_of(match), ORDINALS[first], _is_fiscal(match)), _quarter(match))


def _half_of_a_year(match: re.Match[str]) -> Recurring | None:
    return half_of_year(_ordinal(match)) if _ordinal(match) <= 2 else None


def _half(match: re.Match[str]) -> Period | None:
    if _ordinal(match) > 2:
        return None
    return Period(Grain.HALF, _year_of(match), _ordinal(match), _is_fiscal(match))


def _calendar_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, _year_of(match), 1, plain=True)


_UNITS = {"y": Grain.YEAR, "q": Grain.QUARTER, "m": Grain.MONTH, "w": Grain.WEEK}


def _to_date(match: re.Match[str]) -> ToDate:
    return ToDate(_UNITS[match["unit"][0].lower()])


def _fiscal_year(match: re.Match[str]) -> Period:
    year = match["last"] or match["year"]
    return Period(Grain.YEAR, full_year(year.lstrip("'’")), 1, fiscal=True, by_end=bool(match["last"]))


_LISTED = re.compile(
    rf"\b(?:fiscal(?:{S}years?)?{S}|FY{S}?){SHORT_YEAR}(?:,{S}{SHORT_YEAR}){{0,3}}"
    rf"(?:,?{S}(?:and|to|through){S}|,{S}|{S}?[-–]{S}?)\Z",
    re.IGNORECASE,
)
_REACH = 60


def _listed_year(match: re.Match[str]) -> Period | None:
    """The 23 of "fiscal years 22 and 23"."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    return Period(Grain.YEAR, full_year(match["year"]), 1, fiscal=True) if _LISTED.search(before) else None


_TWELVE_MONTHS = Rolling(Grain.MONTH, -12, "P12M")
_QUARTERS_LEAD = rf"(?:the{S})?{_PLAIN_ORDINAL}{S}(?:and|through|to){S}(?:the{S})?{_PLAIN_ORDINAL}{S}(?:fiscal{S})?"
_QUARTERS = (
    rf"(?:the{S})?(?P<first>{_PLAIN_ORDINAL}){S}(?:and|through|to){S}(?:the{S})?{_ORDINAL}{S}(?P<fiscal_before>fiscal{S})?"
    rf"quarters{_LONG_TAIL}"
)

RULES: tuple[GrammarRule, ...] = (
    rule({"q"}, rf"Q(?P<number>[1-4]){_TAIL}", _quarter),
    rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[1-4])Q{_TAIL}", _quarter),
    rule({"q"}, rf"Q(?P<number>[1-4]){_TAIL}{_LAST}", _quarter_of_two),
    rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[1-4])Q{_TAIL}{_LAST}", _quarter_of_two),
    rule({"quarter"}, rf"{_NTH}quarter{_LONG_TAIL}{_LAST}", _quarter_of_two, lead=_NTH_LEAD),
    rule(
        {"calendar"},
        rf"calendar{S}(?:(?:year{S})?Q(?P<q>[1-4])|(?P<number>{_PLAIN_ORDINAL})(?:{S}|-)quarter){_PLAIN_TAIL}",
        _calendar_quarter,
    ),
    rule(
        {"calendar"},
        rf"calendar{S}(?:(?:year{S})?H(?P<h>[12])|(?P<number>{_PLAIN_ORDINAL})(?:{S}|-)half){_PLAIN_TAIL}",
        _calendar_half,
    ),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})[ -]?Q(?P<number>[1-4])(?![0-9A-Za-z])", _quarter),
    rule(
        {"fy", "fiscal"},
        rf"(?P<fiscal>FY|fiscal(?:{S}year)?){_GAP}(?P<year>[12]\d{{3}}|\d\d)[ -]?Q(?P<number>[1-4])\b",
        _quarter,
    ),
    rule({"quarter"}, rf"{_NTH}quarter{_LONG_TAIL}", _quarter, lead=_NTH_LEAD),
    rule(
        {"quarter"},
        rf"{_YEAR_FIRST}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>fiscal{S})?quarter\b",
        _quarter,
        lead=rf"{_YEAR_FIRST_LEAD}{_PLAIN_ORDINAL}(?:{S}|-)(?:fiscal{S})?",
    ),
    rule({"quarters"}, _QUARTERS, _quarters, lead=_QUARTERS_LEAD),
    rule({"h"}, rf"H(?P<number>[12]){_TAIL}", _half),
    rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[12])H{_TAIL}", _half),
    rule({"h"}, rf"H(?P<number>[12]){_TAIL}{_LAST}", _half_of_two),
    rule({SHORT_NUMBER + LETTERED}, rf"(?P<number>[12])H{_TAIL}{_LAST}", _half_of_two),
    rule({"half"}, rf"{_NTH}half{_LONG_TAIL}{_LAST}", _half_of_two, lead=_NTH_LEAD),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})[ -]?H(?P<number>[12])(?![0-9A-Za-z])", _half),
    rule({"half"}, rf"{_NTH}half{_LONG_TAIL}", _half, lead=_NTH_LEAD),
    rule(
        {"half"},
        rf"{_YEAR_FIRST}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>)half\b",
        _half,
        lead=rf"{_YEAR_FIRST_LEAD}{_PLAIN_ORDINAL}(?:{S}|-)",
    ),
    rule(
        {"half"},
        rf"{_NTH}half(?={_OF_A_YEAR}|{S}(?:results|earnings|profits?|sales|revenues?|loss(?:es)?|report)\b)",
        _half_of_a_year,
        lead=_NTH_LEAD,
    ),
    rule(
        {SHORT_NUMBER + LETTERED},
        r"(?P<number>[1-4])Q(?![0-9A-Za-z'’])",
        lambda match: quarter_of_year(_ordinal(match)),
        exact_case=True,
    ),
    rule({"cy"}, rf"CY{S}?(?P<year>{SHORT_YEAR})", _calendar_year),
    rule({"calendar"}, rf"calendar{S}(?:years?{S})?(?P<year>{YEAR})", _calendar_year),
    rule(
        {"year", "month", "quarter", "week"},
        rf"(?:the{S})?(?P<unit>year|month|quarter|week)(?:{S}|-)to(?:{S}|-)date\b",
        _to_date,
        lead=rf"(?:the{S})?",
    ),
    rule({"ytd", "mtd", "qtd"}, r"(?P<unit>[YMQ])TD\b", _to_date),
    rule({"ttm", "ltm"}, r"(?:TTM|LTM)\b", lambda _: _TWELVE_MONTHS, exact_case=True),
    rule(
        {"months"},
        rf"(?:the{S})?trailing{S}(?:twelve|12)(?:{S}|-)months\b",
        lambda _: _TWELVE_MONTHS,
        lead=rf"(?:the{S})?trailing{S}(?:twelve|12)(?:{S}|-)",
    ),
    rule({"fy"}, rf"FY{_GAP}(?P<year>{SHORT_YEAR})(?:[-/](?P<last>{SHORT_YEAR}))?", _fiscal_year),
    rule({"fiscal"}, rf"fiscal(?:{S}years?)?{S}(?P<year>{_FISCAL_YEAR})(?:[-/](?P<last>{SHORT_YEAR}))?", _fiscal_year),
    rule(
        {SHORT_NUMBER},
        rf"(?:(?<=and )|(?<=, )|(?<=to )|(?<=through )|(?<=[-–]))['’]?(?P<year>{_TWO_DIGITS})",
        _listed_year,
        lead=r"(?:(?<=and )|(?<=, )|(?<=to )|(?<=through )|(?<=[-–]))['’]?",
    ),
)
