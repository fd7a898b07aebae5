"""Times of days, and times from one to another: 昨天下午两点到四点, 3月5日至8日, 2015年和2018年之间."""

from __future__ import annotations

import re

from tasks.temporal.chinese.combinations import DATED, NEXT, OF
from tasks.temporal.chinese.lexicon import DASH, WEEKDAY_IN_BRACKETS
from tasks.temporal.grammar import JoinedItems, Signal, SignalRole
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, Timed, hours
from tasks.temporal.meanings.spans import Between
from tasks.temporal.readings import Meaning
from warehouse.records import Grain

_DASHED = re.compile(rf"[^\S\n]{{0,2}}{DASH}[^\S\n]{{0,2}}")
_TO_CLOCK = re.compile(rf"(?:{WEEKDAY_IN_BRACKETS})?[^\S\n]{{0,2}}(?:的|，|,)?[^\S\n]{{0,2}}")
_AFTER_NOON = ("AF", "EV", "NI")
_TIMES = (*DATED, Timed)


def _at(day: Meaning, clock: Clock | Hours) -> Meaning | None:
    return Timed(day, clock) if day.grain is Grain.DAY else None


def _at_hour(day: Timed, clock: Clock) -> Meaning | None:
    """今晚 + 7:30."""
    if isinstance(clock, DayPart) or not isinstance(day.clock, DayPart):
        return None
    return Timed(day.day, clock.in_half(after_noon=day.clock.value in _AFTER_NOON))


def _hours(first: Clock, last: Clock) -> Hours | None:
    return None if isinstance(first, DayPart) or isinstance(last, DayPart) else hours(first, last)


def _timed_hours(first: Timed, last: Clock) -> Meaning | None:
    if not isinstance(first.clock, Clock):
        return None
    both = _hours(first.clock, last)
    return Timed(first.day, both) if both else None


def _hours_to(first: Clock, _to: Signal, last: Clock) -> Hours | None:
    return _hours(first, last)


def _timed_to(first: Timed, _to: Signal, last: Clock) -> Meaning | None:
    return _timed_hours(first, last)


def _from_to(first: Meaning, _to: Signal, last: Meaning) -> Meaning:
    return Between(first, last)


def _between(first: Meaning, _and: Signal, last: Meaning, _between: Signal) -> Meaning:
    return Between(first, last)


TIMES = (
    JoinedItems((DATED, (Clock, Hours)), _at, _TO_CLOCK),
    JoinedItems((Timed, Clock), _at_hour, OF),
    JoinedItems((Timed, Clock), _timed_hours, _DASHED),
    JoinedItems((Timed, SignalRole.TO, Clock), _timed_to, NEXT),
    JoinedItems((Clock, Clock), _hours, _DASHED),
    JoinedItems((Clock, SignalRole.TO, Clock), _hours_to, NEXT),
)
RANGES = (
    JoinedItems((_TIMES, SignalRole.TO, _TIMES), _from_to, NEXT),
    JoinedItems((Clock, SignalRole.TO, Timed), _from_to, NEXT),
    JoinedItems((_TIMES, SignalRole.AND, _TIMES, SignalRole.BETWEEN), _between, NEXT),
    JoinedItems((_TIMES, _TIMES), Between, _DASHED),
    JoinedItems((Clock, Timed), Between, _DASHED),
)
