"""How Chinese times join: the greater unit before the smaller, parts and bounds behind what they bend."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.grammar import JoinedItems, Signal, SignalRole
from tasks.temporal.meanings.company import Ended, Period
from tasks.temporal.meanings.offsets import Away, Corresponding, Origin, Rolling, Shift
from tasks.temporal.meanings.recurrences import Ranked, Recurring, Stepped, Within
from tasks.temporal.meanings.spans import Duration, Edge, Modified, Numbered, NumberedIn, Open
from tasks.temporal.meanings.units import EraYear, Numeric, OfYear
from tasks.temporal.readings import FixedDate, Meaning, Vague
from warehouse.records import Grain, Modifier

OF = re.compile(r"[^\S\n]{0,2}的?[^\S\n]{0,2}")
NEXT = re.compile(r"[^\S\n]{0,2}")
_WEEKDAY_GAP = re.compile(r"[，,、]?[^\S\n]{0,2}")
_BRACKET = re.compile(r"[^\S\n]{0,1}\(")

DATED = (
    FixedDate,
    Numeric,
    Period,
    Ended,
    EraYear,
    OfYear,
    Recurring,
    Stepped,
    Within,
    Shift,
    Away,
    Modified,
    Corresponding,
    NumberedIn,
)


def _in_year(year: Period | EraYear, unit: Recurring) -> Meaning | None:
    if year.grain is not Grain.YEAR or unit.parent is not Grain.YEAR:
        return None
    return OfYear(unit, year)


def _inside(outer: Meaning, unit: Recurring) -> Meaning | None:
    return Within(unit, outer) if outer.grain is unit.parent else None


def _ranked(outer: Meaning, unit: Ranked) -> Meaning:
    return Within(unit.recurring, outer, unit.index)


def _numbered(outer: Meaning, unit: Numbered) -> Meaning:
    return NumberedIn(unit, outer)


def _edge(outer: Meaning, part: Rolling | Edge) -> Meaning | None:
    """去年的前10天: the first of that year, not the last before today."""
    if isinstance(part, Edge):
        return replace(part, outer=outer)
    if part.count > 0:
        return None
    return Edge(Duration(((-part.count, part.grain),)), first=True, outer=outer)


def _same_month(year: Shift, month: Shift) -> Meaning | None:
    """去年本月."""
    if year.grain is not Grain.YEAR or month.grain is not Grain.MONTH or month.count:
        return None
    return Shift(Grain.MONTH, 0, back=-12 * year.count)


def _with_weekday(day: Meaning, weekday: Recurring) -> Meaning | None:
    """10月12号，星期一: the weekday says nothing more."""
    return day if day.grain is Grain.DAY and weekday.parent is Grain.WEEK else None


def _away(length: Duration, signal: Signal) -> Meaning | None:
    """三个月前 is counted from now, 三个月后 from what the text last spoke of."""
    count = length.count
    if count is None:
        return None
    if signal.modifier is Modifier.BEFORE:
        return Away(length.grain, -count, Shift(Grain.DAY, 0))
    if signal.modifier is Modifier.AFTER:
        return Shift(length.grain, count, Origin.TOLD)
    return Rolling(length.grain, -count, length.value)


def _part(whole: Meaning, signal: Signal) -> Meaning | None:
    return Modified(whole, signal.modifier) if signal.modifier else None


def _about(length: Duration, signal: Signal) -> Duration:
    return replace(length, modifier=signal.modifier)


def _bounded(bound: Meaning, signal: Signal) -> Meaning | None:
    return Open(bound, signal.modifier) if signal.modifier else None


def _led(signal: Signal, bound: Meaning) -> Meaning | None:
    """截至 a day is how reports name the day itself."""
    if signal.modifier is Modifier.ON_OR_BEFORE and bound.grain is Grain.DAY:
        return bound
    return _bounded(bound, signal)


def _until_now(first: Meaning, _to: Signal, now: Vague) -> Meaning | None:
    return Open(first, Modifier.ON_OR_AFTER) if now.value == "PRESENT_REF" else None


DATES = (
    JoinedItems(((Period, EraYear), Recurring), _in_year, OF),
    JoinedItems((DATED, Recurring), _inside, OF),
    JoinedItems((DATED, Recurring), _with_weekday, _WEEKDAY_GAP),
    JoinedItems((DATED, Recurring), _with_weekday, _BRACKET, (0, 1)),
    JoinedItems((Shift, Shift), _same_month, OF),
    JoinedItems((DATED, Ranked), _ranked, OF),
    JoinedItems((DATED, Numbered), _numbered, OF),
    JoinedItems((DATED, (Rolling, Edge)), _edge, OF),
    JoinedItems((Duration, SignalRole.TRAILING_BOUND), _away, NEXT),
)
PARTS = (
    JoinedItems((DATED, SignalRole.TRAILING_PART), _part, NEXT),
    JoinedItems((DATED, SignalRole.TRAILING_LENGTH), _part, NEXT),
    JoinedItems((Duration, SignalRole.TRAILING_LENGTH), _about, NEXT),
)
BOUNDS = (
    JoinedItems((DATED, SignalRole.TO, Vague), _until_now, NEXT),
    JoinedItems((DATED, SignalRole.TRAILING_BOUND), _bounded, NEXT, (0, 1)),
    JoinedItems((SignalRole.LEADING_BOUND, DATED), _led, NEXT, (1, 2)),
)
