"""ISO 8601 and its kin: "2016-11-07T16:12:00Z", "2023-W09-1", "2023-064", "2023-01-01/2023-03-31", "2019-aug-01"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from tasks.temporal import readings
from tasks.temporal.english.clocks import ZONED, zone_of
from tasks.temporal.english.lexicon import MONTHS, S, any_of, month
from tasks.temporal.grammar import LONG_NUMBER, MARKED, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.clocks import Timed, of_hands
from tasks.temporal.meanings.spans import Between
from tasks.temporal.readings import FixedDate, Meaning

_DAY = r"(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)"
_HANDS = r"[T ](?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
_NAME = rf"(?P<month>{any_of(MONTHS)})\.?"


_UNIX = (
    rf"{_NAME}{S}(?P<day>[0-3]?\d){S}(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d){S}"
    rf"(?:(?P<utc>UTC|GMT){S}|[A-Z]{{3,4}}{S})?(?P<year>[12]\d{{3}})(?!\d)"
)


def _day(match: re.Match[str], prefix: str = "") -> FixedDate:
    name = match[f"{prefix}month"]
    number = int(name) if name.isdigit() else month(name)
    return FixedDate(readings.of_day(date(int(match[f"{prefix}year"]), number, int(match[f"{prefix}day"]))))


def _moment(match: re.Match[str]) -> Timed:
    second = int(match["second"]) if match["second"] else None
    return Timed(_day(match), of_hands(int(match["hour"]), int(match["minute"]), second, zone_of(match)))


def _weekday(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_day(date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"]))))


def _ordinal(match: re.Match[str]) -> FixedDate:
    year, day = int(match["year"]), int(match["day"])
    found = date(year, 1, 1) + timedelta(days=day - 1)
    if day == 0 or found.year != year:
        raise ValueError(f"{year} has no day {day}")
    return FixedDate(readings.of_day(found))


def _interval(match: re.Match[str]) -> Meaning:
    return Between(_day(match), _day(match, "last_"))


RULES: tuple[GrammarRule, ...] = (
    rule({LONG_NUMBER + MARKED}, rf"(?<![0-9][-/.]){_DAY}{_HANDS}(?![0-9:]){ZONED}", _moment),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)-?(?P<day>[1-7])(?![0-9A-Za-z])", _weekday),
    rule(
        {LONG_NUMBER + MARKED},
        r"(?<![0-9][-/.])(?-i:(?<![A-Z] ))(?<![:：号第])(?<![:：] )(?P<year>(?:19|20)\d\d)-(?P<day>[0-3]\d\d)"
        r"(?![-/.]?[0-9A-Za-z])",
        _ordinal,
    ),
    rule({LONG_NUMBER + MARKED}, rf"{_DAY}(?:/|--){_DAY.replace('P<', 'P<last_')}(?![0-9A-Za-z])", _interval),
    rule({LONG_NUMBER + MARKED}, rf"(?P<year>[12]\d{{3}})(?P<mark>[-/]){_NAME}(?P=mark)(?P<day>[0-3]?\d)(?!\d)", _day),
    rule({LONG_NUMBER + MARKED}, rf"(?P<year>[12]\d{{3}})/(?P<day>[0-3]?\d)/{_NAME}", _day),
    rule({SHORT_NUMBER + MARKED}, rf"(?<![0-9][-/.])(?P<day>[0-3]?\d)/{_NAME}/(?P<year>[12]\d{{3}})(?!\d)", _day),
    rule(MONTHS, rf"{_NAME}[-/](?P<day>[0-3]?\d)[-/](?P<year>[12]\d{{3}})(?!\d)", _day),
    rule(MONTHS, _UNIX, _moment),
    rule({LONG_NUMBER}, rf"(?P<year>[12]\d{{3}}) {_NAME} (?P<day>[0-3]?\d)(?![0-9A-Za-z]|,?\s[12]\d{{3}})", _day),
)
