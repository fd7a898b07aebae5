"""How English times of day join the days they belong to: "3:30 pm on Friday", "tomorrow morning at 8"."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.english.clockspans import DASH, Side, clock_of, span_of
from tasks.temporal.english.combinations import DATED
from tasks.temporal.grammar import JoinedItems, Signal, SignalRole
from tasks.temporal.meanings.clocks import Bare, Bares, Clock, DayPart, Hours, Timed, with_day_part
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import Recurring, Within
from tasks.temporal.meanings.spans import Between, Open
from tasks.temporal.meanings.units import day_of_month
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

_SPACE = re.compile(r"\s{1,3}(?:the\s)?", re.IGNORECASE)
_TIME_AFTER_DAY = re.compile(r",?\s{1,3}(?:at\s|for\s|in\s(?:the\s)?)?|\)?-|:\s", re.IGNORECASE)
_DAY_AFTER_TIME = re.compile(r",?\s{1,3}(?:on\s|in\s)?(?:the\s)?|,?\s\(", re.IGNORECASE)
_PART_AFTER_TIME = re.compile(r",?\s{1,3}(?:in\s)?(?:the\s|at\s)?", re.IGNORECASE)
_IN_THE = re.compile(r"\s{1,3}in\s(?:the\s)?", re.IGNORECASE)

Dated = Meaning


def _timed(day: Dated, side: Side | Hours) -> Timed | None:
    clock = clock_of(side)
    return Timed(day, clock) if clock and day.grain is Grain.DAY else None


def _with_part(timed: Timed, clock: Side | Hours) -> Timed | None:
    """Tomorrow morning at 8: the part tells the half of the day."""
    found = _in_part(clock, timed.clock) if isinstance(timed.clock, DayPart) else None
    return Timed(timed.day, found) if found else None


def _part_after(timed: Timed, part: DayPart) -> Timed | None:
    """Twenty past five tomorrow morning."""
    return None if isinstance(timed.clock, DayPart) else Timed(timed.day, with_day_part(timed.clock, part))


def _in_part(clock: Side | Hours, part: DayPart) -> Clock | Hours | None:
    found = clock_of(clock)
    return None if found is None or isinstance(found, DayPart) else with_day_part(found, part)


def _numbers_in_part(numbers: Bares, part: DayPart) -> Clock | Hours | None:
    """Between 5 and 6 in the afternoon."""
    clocks = span_of(numbers.first, numbers.last)
    return with_day_part(clocks, part) if clocks else None


def _bounded(day: Dated, signal: Signal, clock: Clock) -> Open | None:
    """Today before 4pm."""
    timed = _timed(day, clock)
    return Open(timed, signal.modifier) if timed and signal.modifier else None


def _until(timed: Timed, clock: Clock) -> Timed | None:
    """December 12th at 4 - 6:30 pm."""
    clocks = span_of(timed.clock, clock) if isinstance(timed.clock, Clock) else None
    return Timed(timed.day, clocks) if clocks else None


def _in_week(timed: Timed, week: Dated) -> Timed | None:
    """Wednesday evening next week."""
    day = timed.day
    fits = isinstance(day, Recurring) and week.grain is day.parent
    return Timed(Within(day, week), timed.clock) if isinstance(day, Recurring) and fits else None


def _about(signal: Signal, clock: Clock) -> Clock | None:
    return replace(clock, modifier=signal.modifier) if signal.modifier is Modifier.APPROX else None


def _day_or_days(numbers: Bares, time: Dated) -> Meaning | None:
    """From 5 to 7 today, from 4 to 22 this month."""
    if time.grain is Grain.MONTH:
        last = Within(day_of_month(numbers.last.number), time)
        return Between(day_of_month(numbers.first.number), last)
    clocks = span_of(numbers.first, numbers.last)
    return _timed(time, clocks) if clocks else None


def _told_days(numbers: Bares, day: Dated) -> Meaning | None:
    """Without "from" or "between" two numbers are times only of a day near the speaker."""
    return _day_or_days(numbers, day) if numbers.bounded or isinstance(day, Shift) else None


def _hours_on(day: Dated, numbers: Bares) -> Meaning | None:
    return _day_or_days(numbers, day) if numbers.bounded and day.grain is Grain.DAY else None


_DAYS = (*DATED,)

TIMES: tuple[JoinedItems, ...] = (
    JoinedItems((_DAYS, SignalRole.BOUND, Clock), _bounded, _SPACE),
    JoinedItems((_DAYS, SignalRole.FROM, Clock), lambda day, _from, clock: _timed(day, clock), _SPACE),
    JoinedItems((Timed, Clock), _until, DASH),
    JoinedItems((Timed, (Shift, Within)), _in_week, _SPACE),
    JoinedItems((Hours, Timed), lambda clocks, timed: _with_part(timed, clocks), _DAY_AFTER_TIME),
    JoinedItems((SignalRole.AT, Clock), lambda _at, clock: clock, _SPACE, extent=(1, None)),
    JoinedItems((SignalRole.LENGTH, Clock), _about, _SPACE),
    JoinedItems((Timed, (Clock, Hours)), _with_part, _TIME_AFTER_DAY),
    JoinedItems((Timed, DayPart), _part_after, _PART_AFTER_TIME),
    JoinedItems((Timed, SignalRole.AT, Bare), lambda timed, _at, number: _with_part(timed, number), _SPACE),
    JoinedItems((Timed, SignalRole.LENGTH, Bare), lambda timed, _about, number: _with_part(timed, number), _SPACE),
    JoinedItems((Clock, Timed), lambda clock, timed: _with_part(timed, clock), _DAY_AFTER_TIME),
    JoinedItems(((Clock, Hours), DayPart), _in_part, _PART_AFTER_TIME),
    JoinedItems((Bare, DayPart), _in_part, _IN_THE),
    JoinedItems((DayPart, SignalRole.AT, Bare), lambda part, _at, number: _in_part(number, part), _SPACE),
    JoinedItems((Bares, DayPart), _numbers_in_part, _IN_THE),
    JoinedItems((DayPart, (Clock, Hours)), lambda part, clock: _in_part(clock, part), _TIME_AFTER_DAY),
    JoinedItems((_DAYS, (Clock, Hours)), _timed, _TIME_AFTER_DAY),
    JoinedItems((_DAYS, SignalRole.AT, Bare), lambda day, _at, number: _timed(day, number), _SPACE),
    JoinedItems((_DAYS, SignalRole.LENGTH, Bare), lambda day, _about, number: _timed(day, number), _SPACE),
    JoinedItems(((Clock, Hours), _DAYS), lambda clock, day: _timed(day, clock), _DAY_AFTER_TIME),
    JoinedItems(((Clock, Hours), SignalRole.OF, _DAYS), lambda clock, _of, day: _timed(day, clock), _SPACE),
    JoinedItems(
        (SignalRole.AT, Bare, _DAYS), lambda _at, number, day: _timed(day, number), _DAY_AFTER_TIME, extent=(1, None)
    ),
    JoinedItems(
        (SignalRole.AT, Bare, Timed),
        lambda _at, number, day: _with_part(day, number),
        _DAY_AFTER_TIME,
        extent=(1, None),
    ),
    JoinedItems((Bares, _DAYS), _told_days, _DAY_AFTER_TIME),
    JoinedItems((Bares, SignalRole.OF, _DAYS), lambda numbers, _of, day: _told_days(numbers, day), _SPACE),
    JoinedItems((_DAYS, Bares), _hours_on, _TIME_AFTER_DAY),
)
