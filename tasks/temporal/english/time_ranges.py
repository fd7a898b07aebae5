"""English times from one to another: "5 to 6pm", "between 10 and 11:30", "9:30-4:30pm"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from tasks.temporal.english.signals import THE
from tasks.temporal.grammar import JoinedItems, Signal, SignalRole
from tasks.temporal.meanings.clocks import BareNumber, BareNumberRange, Clock, DayPart, Hours, hours
from tasks.temporal.readings import Meaning
from warehouse.records import Modifier

DASH = re.compile(r"\s?[-–—~]\s?")

Side = BareNumber | Clock
Make = Callable[[Side, Side], Meaning | None]


def clock_of(side: Side | Hours) -> Clock | Hours | None:
    """The time of a number, where a clock shows it."""
    return side.clock if isinstance(side, BareNumber) else side


def clock_span(first: Side, last: Side) -> Hours | None:
    """From one time to the other; parts of a day do not bound a time: from morning to night."""
    start, end = clock_of(first), clock_of(last)
    if not isinstance(start, Clock) or not isinstance(end, Clock) or {type(start), type(end)} & {DayPart}:
        return None
    return hours(start, end)


def _numbers(first: Side, last: Side, *, bounded: bool) -> Meaning | None:
    """Two numbers are hours or days, unless they have minutes: "two thirty to two forty-five"."""
    if not isinstance(first, BareNumber) or not isinstance(last, BareNumber):
        return None
    return clock_span(first, last) if first.minute and last.minute else BareNumberRange(first, last, bounded)


def _spans(left: type, right: type, bounded: Make, plain: Make) -> Iterator[JoinedItems]:
    """From one to the other, between one and the other, one to the other."""

    def until(make: Make, signal: Signal, first: Side, last: Side) -> Meaning | None:
        return make(first, last) if signal.modifier in (None, Modifier.ON_OR_BEFORE) else None

    yield JoinedItems(
        (SignalRole.FROM, left, SignalRole.TO, right), lambda _from, a, to, b: until(bounded, to, a, b), THE
    )
    yield JoinedItems(
        (SignalRole.BETWEEN, left, SignalRole.TO, right), lambda _between, a, to, b: until(bounded, to, a, b), THE
    )
    yield JoinedItems(
        (SignalRole.BETWEEN, left, SignalRole.AND, right), lambda _between, a, _and, b: bounded(a, b), THE
    )
    yield JoinedItems((left, SignalRole.TO, right), lambda a, to, b: until(plain, to, a, b), THE)
    for word in (SignalRole.FROM, SignalRole.BETWEEN):
        yield JoinedItems((word, left, right), lambda _word, a, b: bounded(a, b), (THE, DASH))


JOINS: tuple[JoinedItems, ...] = (
    *_spans(Clock, Clock, clock_span, clock_span),
    *_spans(BareNumber, Clock, clock_span, clock_span),
    *_spans(Clock, BareNumber, clock_span, clock_span),
    *_spans(BareNumber, BareNumber, partial(_numbers, bounded=True), partial(_numbers, bounded=False)),
    *(JoinedItems(parts, clock_span, DASH) for parts in ((Clock, Clock), (BareNumber, Clock), (Clock, BareNumber))),
)
