"""Quarters, halves and fiscal years, and periods named by the day they end: the calendar of reports."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.absolute import DAY_MONTH_YEAR, MONTH_DAY_YEAR
from tasks.temporal.grammar import LONG_NUMBER, SHORT_NUMBER, Reading, Rule, rule
from tasks.temporal.intervals import DAY, WEEK, full_year
from tasks.temporal.lexicon import COUNT, NUMBERS, ORDINALS, SHORT_YEAR, YEAR, S, any_of, leading_digits, month, number
from warehouse.records import Calendar, Grain

_GAP = rf"(?:{S}|-|,{S})?"
_FISCAL = rf"(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?"
_TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?{_FISCAL}(?P<year>{SHORT_YEAR})"
_ORDINAL = rf"(?P<number>{any_of(ORDINALS)})"
_LONG_TAIL = (
    rf"(?:{S}|,{S})(?:of{S})?(?:the{S})?(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?(?:(?:calendar{S})?year{S})?"
    rf"(?P<year>{YEAR}|(?<=FY)[0-9][0-9](?![0-9A-Za-z]))"
)
_END = rf"(?:ended|ending){S}(?:on{S})?(?:{MONTH_DAY_YEAR}|{DAY_MONTH_YEAR.replace('P<', 'P<eu_')})"


def _year_of(match: re.Match[str]) -> int:
    return full_year(match["year"].lstrip("'’"))


def _is_fiscal(match: re.Match[str]) -> bool:
    groups = match.groupdict()
    return bool(groups.get("fiscal") or groups.get("fiscal_before"))


def _ordinal(match: re.Match[str]) -> int:
    text = match["number"].lower()
    return ORDINALS[text] if text in ORDINALS else int(text)


def _quarter(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_quarter(_year_of(match), _ordinal(match), fiscal=_is_fiscal(match))


def _half(match: re.Match[str], _anchor: date | None) -> Reading | None:
    if _ordinal(match) > 2:
        return None
    return readings.of_half(_year_of(match), _ordinal(match), fiscal=_is_fiscal(match))


def _fiscal_year(match: re.Match[str], _anchor: date | None) -> Reading:
    year = match["last"] or match["year"]
    return readings.of_year(full_year(year.lstrip("'’")), fiscal=True)


def _last_day(match: re.Match[str]) -> date:
    kind = "" if match["month"] else "eu_"
    return date(int(match[f"{kind}year"]), month(match[f"{kind}month"]), leading_digits(match[f"{kind}day"]))


def _months_ended(match: re.Match[str], _anchor: date | None) -> Reading | None:
    months = number(match["count"])
    return readings.of_months_until(_last_day(match), months) if 1 <= months <= 36 else None


def _weeks_ended(match: re.Match[str], _anchor: date | None) -> Reading | None:
    """52 and 53-week years and their quarters of 13 or 14 weeks."""
    weeks, end = number(match["count"]), _last_day(match) + DAY
    if not 1 <= weeks <= 106:
        return None
    interval = end - weeks * WEEK, end
    grain = Grain.YEAR if weeks in (52, 53) else Grain.QUARTER if weeks in (12, 13, 14, 16) else Grain.WEEK
    return Reading(readings.range_value(interval), interval, grain)


def _quarter_ended(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_months_until(_last_day(match), 3)


def _year_ended(match: re.Match[str], _anchor: date | None) -> Reading:
    last = _last_day(match)
    reading = readings.of_months_until(last, 12)
    if not match["fiscal_before"]:
        return reading
    return Reading(f"FY{last.year:04}", reading.interval, Grain.YEAR, calendar=Calendar.FISCAL)


_COUNTS = {SHORT_NUMBER, "fifty", *NUMBERS}

RULES: tuple[Rule, ...] = (
    rule({"q"}, rf"Q(?P<number>[1-4]){_TAIL}", _quarter),
    rule({SHORT_NUMBER}, rf"(?P<number>[1-4])Q{_TAIL}", _quarter),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})[ -]?Q(?P<number>[1-4])(?![0-9A-Za-z])", _quarter),
    rule(
        {"fy", "fiscal"},
        rf"(?P<fiscal>FY|fiscal(?:{S}year)?){_GAP}(?P<year>{YEAR}|\d\d)[ -]?Q(?P<number>[1-4])\b",
        _quarter,
    ),
    rule(
        {*ORDINALS, SHORT_NUMBER},
        rf"{_ORDINAL}(?:{S}|-)(?P<fiscal_before>fiscal{S})?quarter{_LONG_TAIL}",
        _quarter,
    ),
    rule({"h"}, rf"H(?P<number>[12]){_TAIL}", _half),
    rule({SHORT_NUMBER}, rf"(?P<number>[12])H{_TAIL}", _half),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})[ -]?H(?P<number>[12])(?![0-9A-Za-z])", _half),
    rule({*ORDINALS, SHORT_NUMBER}, rf"{_ORDINAL}(?:{S}|-)half{_LONG_TAIL}", _half),
    rule({"fy"}, rf"FY{_GAP}(?P<year>{SHORT_YEAR})(?:[-/](?P<last>{SHORT_YEAR}))?", _fiscal_year),
    rule({"fiscal"}, rf"fiscal(?:{S}years?)?{S}(?P<year>{YEAR})(?:[-/](?P<last>{SHORT_YEAR}))?", _fiscal_year),
    rule(_COUNTS, rf"(?P<count>{COUNT})(?:{S}|-)months?{S}(?:period{S})?{_END}", _months_ended),
    rule(_COUNTS, rf"(?P<count>{COUNT})(?:{S}|-)weeks?{S}(?:period{S})?{_END}", _weeks_ended),
    rule({"quarter", "quarterly", "fiscal"}, rf"(?:fiscal{S})?quarter(?:ly{S}period)?{S}{_END}", _quarter_ended),
    rule({"year", "years", "fiscal"}, rf"(?P<fiscal_before>fiscal{S})?years?{S}{_END}", _year_ended),
)
