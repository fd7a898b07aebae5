"""Dates, months and years that need no anchor."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    SEASON,
    SHORT_YEAR,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    S,
    leading_digits,
    month,
)
from tasks.temporal.grammar import LONG_NUMBER, MARKED, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.units import Numeric
from tasks.temporal.readings import FixedDate, full_year

# A weekday at the end of one line and a day at the beginning of the next belong to two sentences.
_NAMED_DAY = rf"(?:{WEEKDAY}(?:,{S}|[^\S\n]{{1,3}}))?"
MONTH_DAY_YEAR = (
    rf"(?P<month>{MONTH})(?:{S})?(?P<day>{DAY_OF_MONTH})(?:,{S}|,|{S},{S}|{S}(?:of|in){S}|{S})(?P<year>{YEAR})"
)
DAY_MONTH_YEAR = (
    rf"(?P<day>{DAY_OF_MONTH})(?:{S}of{S}|\.?{S}|-)(?P<month>{MONTH})(?:,{S}|{S}(?:of|in){S}|{S}|-)(?P<year>{YEAR})"
)


def _day(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_day(date(int(match["year"]), month(match["month"]), leading_digits(match["day"]))))


def _iso_day(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_day(date(int(match["year"]), int(match["month"]), int(match["day"]))))


def _iso_week(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_week(date.fromisocalendar(int(match["year"]), int(match["week"]), 1)))


def _numeric_day(match: re.Match[str]) -> Numeric:
    return Numeric(int(match["first"]), int(match["second"]), full_year(match["year"]), match["mark"])


def _month_year(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_month(full_year(match["year"].lstrip("'’")), month(match["month"])))


def _iso_month(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_month(int(match["year"]), int(match["month"])))


def _attacks(_match: re.Match[str]) -> FixedDate:
    """The attacks of September 11 are told by that day of 2001, in whatever year."""
    return FixedDate(readings.of_day(date(2001, 9, 11)))


_MONTH_HEADS = frozenset(MONTHS)
_WITH_WEEKDAY = _MONTH_HEADS | frozenset(WEEKDAYS)

RULES: tuple[GrammarRule, ...] = (
    rule(
        {LONG_NUMBER + MARKED},
        r"(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)",
        _iso_day,
    ),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)(?![0-9A-Za-z])", _iso_week),
    rule(
        {LONG_NUMBER + MARKED},
        r"(?<![\d][-/.])(?<!ASU )(?<!update )(?<!no\. )(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?![-0-9A-Za-z])"
        rf"(?!{SEASON})",
        _iso_month,
    ),
    rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<![\d][-/.])|(?<=/\d\d\d\d-))(?P<first>\d\d?)(?P<mark>[-/.])(?P<second>\d\d?)(?P=mark)(?P<year>[12]\d{3}|(?<=/)\d\d)"
        r"(?![0-9A-Za-z]|[/.]\d|-\d(?!\d?/\d\d?/))",
        _numeric_day,
    ),
    rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<=\bon )|(?<=\bback )|(?<=dated )|(?<=since )|(?<=until )|(?<=from ))(?P<first>\d\d?)(?P<mark>-)"
        r"(?P<second>\d\d?)-(?P<year>\d\d)(?![0-9A-Za-z]|[-/.]\d)",
        _numeric_day,
    ),
    rule(_WITH_WEEKDAY, _NAMED_DAY + MONTH_DAY_YEAR, _day),
    rule(
        {"september", "sept", "sep"},
        rf"Sep(?:t\.?|tember){S}11(?:th)?(?=['’]?s?{S}(?:terror|attack|hijack|suicide|atroc|commission)[a-z]{{0,9}}\b)",
        _attacks,
    ),
    rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<=since )|(?<=after )|(?<=before )|(?<=post-)|(?<=pre-)|(?<=the )|(?<=of ))9/11"
        r"(?![0-9A-Za-z/]|[.,][0-9])",
        _attacks,
    ),
    rule({SHORT_NUMBER, *WEEKDAYS}, r"(?<![$€£¥#])(?<![0-9][.,])" + _NAMED_DAY + DAY_MONTH_YEAR, _day),
    rule(_MONTH_HEADS, rf"(?P<month>{MONTH})(?:{S}(?:of|in){S}|\s?,{S}|{S}|-)(?P<year>{YEAR})", _month_year),
    rule(_MONTH_HEADS, rf"(?P<month>{MONTH})(?:{S}(?=['’])|-|{S}of{S})(?P<year>{SHORT_YEAR})", _month_year),
    rule(
        {LONG_NUMBER},
        rf"(?P<year>(?:19|20)[0-9]{{2}}){S}(?-i:(?=[A-Z])|(?=[a-z]{{3,9}}(?:[.;!?]|\Z)))(?!may|march)(?P<month>{MONTH})"
        rf"(?!{S}[0-9])",
        _month_year,
    ),
    rule(
        {SHORT_NUMBER},
        r"(?<![0-9A-Za-z][-/.])(?<![0-9] )(?P<month>0?[1-9]|1[0-2])(?: ?/ ?|-| -| - )"
        r"(?P<year>(?:19|20)[0-9]{2})(?![-/.0-9A-Za-z])",
        _iso_month,
    ),
    rule(
        {LONG_NUMBER},
        r"(?<![0-9A-Za-z][-/.])(?P<year>(?:19|20)[0-9]{2})(?: ?/ ?| -| - )(?P<month>0[1-9]|1[0-2])(?![-/.0-9A-Za-z])",
        _iso_month,
    ),
)
