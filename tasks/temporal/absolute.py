"""Dates, months and years that need no anchor."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import intervals, readings
from tasks.temporal.grammar import LONG_NUMBER, SHORT_NUMBER, Reading, Rule, rule
from tasks.temporal.intervals import full_year
from tasks.temporal.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    SHORT_YEAR,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    S,
    leading_digits,
    month,
)
from warehouse.records import Grain

_NAMED_DAY = rf"(?:{WEEKDAY},?{S})?"
MONTH_DAY_YEAR = rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})(?:,{S}|,|{S})(?P<year>{YEAR})"
DAY_MONTH_YEAR = rf"(?P<day>{DAY_OF_MONTH})(?:{S}of{S}|{S}|-)(?P<month>{MONTH})(?:,{S}|{S}|-)(?P<year>{YEAR})"

_NOT_A_YEAR_BEFORE = (
    r"(?<![$€£¥#.@/])(?<![0-9][,:-])(?<![0-9]–)"
    r"(?<!section )(?<!windows )(?<!note )(?<!page )(?<!form )(?<!rule )(?<!item )(?<!room )(?<!no\. )(?<!model )"
    r"(?<!office )(?<!figure )(?<!table )(?<!chapter )(?<!article )(?<!part )(?<!iso )(?<!over )(?<!about )"
)
_NOT_A_YEAR_AFTER = (
    r"(?![,.:/][0-9]|[%°€£]|-[0-9]|-(?:bit|mile|page|foot|meter|metre)"
    r"|\s(?:units|people|shares|employees|students|patients|stores|jobs|items|miles|km|kg|mg|ml|feet|meters|metres"
    r"|square|points|votes|copies|words|participants|million|billion|thousand|percent|per|dollars|euros|pounds|years"
    r"|days|hours|men|women|children|members|samples|cells|characters|tokens|rows)\b)"
)


def _day(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_day(date(int(match["year"]), month(match["month"]), leading_digits(match["day"])))


def _iso_day(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_day(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _iso_week(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_week(date.fromisocalendar(int(match["year"]), int(match["week"]), 1))


def _numeric_day(match: re.Match[str], _anchor: date | None) -> Reading:
    """Month first, as filings are written, unless that is impossible or points are used."""
    first, second = int(match["first"]), int(match["second"])
    if first > 12 or (match["mark"] == "." and second <= 12):
        first, second = second, first
    return readings.of_day(date(full_year(match["year"]), first, second))


def _month_year(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_month(full_year(match["year"].lstrip("'’")), month(match["month"]))


def _iso_month(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_month(int(match["year"]), int(match["month"]))


def _year(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_year(int(match["year"]))


def _years(match: re.Match[str], _anchor: date | None) -> Reading | None:
    first, last = int(match["first"]), int(match["last"])
    if not first < last <= first + 200:
        return None
    return Reading(f"{first}/{last}", intervals.of_years(first, last - first + 1), Grain.YEAR)


def _decade(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_decade(int(match["year"]))


_MONTH_HEADS = frozenset(MONTHS)
_WITH_WEEKDAY = _MONTH_HEADS | frozenset(WEEKDAYS)

RULES: tuple[Rule, ...] = (
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)", _iso_day),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)(?![0-9A-Za-z])", _iso_week),
    rule({LONG_NUMBER}, r"(?<![\d][-/.])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?![-0-9A-Za-z])", _iso_month),
    rule(
        {SHORT_NUMBER},
        r"(?<![\d][-/.])(?P<first>\d\d?)(?P<mark>[-/.])(?P<second>\d\d?)(?P=mark)(?P<year>[12]\d{3}|(?<=/)\d\d)"
        r"(?![0-9A-Za-z]|[-/.]\d)",
        _numeric_day,
    ),
    rule(_WITH_WEEKDAY, _NAMED_DAY + MONTH_DAY_YEAR, _day),
    rule({SHORT_NUMBER, *WEEKDAYS}, _NAMED_DAY + DAY_MONTH_YEAR, _day),
    rule(_MONTH_HEADS, rf"(?P<month>{MONTH})(?:{S}of{S}|,{S}|{S}|-)(?P<year>{YEAR})", _month_year),
    rule(_MONTH_HEADS, rf"(?P<month>{MONTH})(?:{S}(?=['’])|-)(?P<year>{SHORT_YEAR})", _month_year),
    rule({LONG_NUMBER}, rf"(?<![\d][-/.])(?P<first>{YEAR}) ?[-–—] ?(?P<last>{YEAR})(?![-/]\d)", _years),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d\d0)['’]?s\b", _decade),
    rule({LONG_NUMBER}, rf"{_NOT_A_YEAR_BEFORE}(?P<year>1[5-9]\d\d|20\d\d)(?![0-9A-Za-z]){_NOT_A_YEAR_AFTER}", _year),
    rule({"year", "calendar"}, rf"(?:calendar{S})?year{S}(?P<year>{YEAR})", _year),
)
