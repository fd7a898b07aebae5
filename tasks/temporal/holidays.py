"""Holidays of a year: fixed days, weekdays of a month, feasts that move with Easter, and the Chinese calendar.

Easter is that of the Gregorian calendar. Chinese months are those that the calendars of the time printed, since
1960 those of GB/T 33661-2017; solar terms are computed in China's standard time (`lunar_python`).
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING

from dateutil.easter import easter

from warehouse.months import DAY, Interval

if TYPE_CHECKING:
    from lunar_python import LunarYear

Holiday = Callable[[int], date]
"""The day of the holiday in a year."""

FIRST, LAST = 1850, 2150
"""The Gregorian years for which the Chinese calendar was compared with published tables."""
_JULIAN_DAY = 1_721_425
"""The Julian day number of the day before 1 January of year 1, ordinal 0."""


def fixed(month: int, day: int) -> Holiday:
    """The same day of each year."""
    return lambda year: date(year, month, day)


def nth(count: int, weekday: int, month: int, later: int = 0) -> Holiday:
    """The count-th weekday (Monday is 0; count -1: the last) of a month, and some days later."""

    def find(year: int) -> date:
        first, days = monthrange(year, month)
        day = (weekday - first) % 7 + 1 + 7 * (count - 1)
        if count < 0:
            day = days - (first + days - 1 - weekday) % 7
        return date(year, month, day) + timedelta(days=later)

    return find


def from_easter(days: int) -> Holiday:
    """So many days after Easter Sunday."""
    return lambda year: easter(year) + timedelta(days=days)


@lru_cache(maxsize=64)
def _lunar_year(year: int) -> LunarYear:
    """Kept, since the library computes the moons and terms of a year anew (3 ms) whenever another was asked for."""
    from lunar_python import LunarYear

    return LunarYear(year)


def lunar_month(year: int, month: int, *, leap: bool = False) -> Interval:
    """The month, 1 to 12, of the lunar year that begins in a Gregorian year.

    Raises `ValueError` where there is none, and outside 1850 to 2150.
    """
    found = _lunar_year(year).getMonth(-month if leap else month) if FIRST <= year <= LAST else None
    if found is None:
        raise ValueError(f"the lunar year {year} has no such month {month}, or is not between {FIRST} and {LAST}")
    start = date.fromordinal(int(found.getFirstJulianDay()) - _JULIAN_DAY)
    return start, start + found.getDayCount() * DAY


def lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """A day, 1 to 30, of a lunar month."""
    start, end = lunar_month(year, month, leap=leap)
    found = start + (day - 1) * DAY
    if not start <= found < end:
        raise ValueError(f"the lunar month {month} of {year} has no day {day}")
    return found


def solar_term(year: int, degrees: int) -> date:
    """The day of a Gregorian year on which the sun's longitude is `degrees`: 15 is 清明, 270 is 冬至."""
    if not FIRST - 1 <= year <= LAST + 1:
        raise ValueError(f"the solar terms are known from {FIRST - 1} to {LAST + 1}, not of {year}")
    # The library's list begins with 大雪 (255 degrees) and 冬至 of the December before.
    place = (degrees - 255) % 360 // 15
    instant = _lunar_year(year).getJieQiJulianDays()[place if place > 1 else place + 24]
    return date.fromordinal(floor(instant + 0.5) - _JULIAN_DAY)
