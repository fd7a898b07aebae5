"""Moving from an anchor by whole units; shared by the relative expressions of every language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.grammar import Reading
from tasks.temporal.intervals import DAY, WEEK, add_months
from warehouse.records import Grain

_MONTHS = {
    Grain.MONTH: 1,
    Grain.QUARTER: 3,
    Grain.HALF: 6,
    Grain.YEAR: 12,
    Grain.DECADE: 120,
    Grain.CENTURY: 1200,
}
_READ: dict[Grain, Callable[[date], Reading]] = {
    Grain.DAY: readings.of_day,
    Grain.WEEK: readings.of_week,
    Grain.MONTH: lambda day: readings.of_month(day.year, day.month),
    Grain.QUARTER: lambda day: readings.of_quarter(day.year, (day.month + 2) // 3),
    Grain.HALF: lambda day: readings.of_half(day.year, (day.month + 5) // 6),
    Grain.YEAR: lambda day: readings.of_year(day.year),
    Grain.DECADE: lambda day: readings.of_decade(day.year),
    Grain.CENTURY: lambda day: readings.of_century(day.year),
}


def resolved(anchor: date | None, grain: Grain, read: Callable[[date], Reading]) -> Reading:
    """What `read` makes of the anchor, marked relative; without an anchor, an expression of unknown date."""
    if anchor is None:
        return Reading(readings.UNRESOLVED, None, grain, relative=True)
    return replace(read(anchor), relative=True)


def moved(day: date, grain: Grain, count: int) -> date:
    """The day `count` units later (negative: earlier)."""
    if grain is Grain.DAY:
        return day + count * DAY
    if grain is Grain.WEEK:
        return day + count * WEEK
    return add_months(day, count * _MONTHS[grain])


def shifted(anchor: date | None, grain: Grain, count: int) -> Reading:
    """The whole calendar unit `count` units after the one that holds the anchor."""
    return resolved(anchor, grain, lambda day: _READ[grain](moved(day, grain, count)))


def ago(anchor: date | None, grain: Grain, count: int) -> Reading:
    """The calendar unit of that size `count` units before the anchor."""
    return shifted(anchor, grain, -count)


def rolling(anchor: date | None, grain: Grain, count: int) -> Reading:
    """`count` units up to and with the anchor's day, or from it on where `count` is positive."""

    def read(day: date) -> Reading:
        other = moved(day, grain, count)
        interval = (day, other + DAY) if count > 0 else (other, day + DAY)
        return Reading(readings.range_value(interval), interval, grain)

    return resolved(anchor, grain, read)
