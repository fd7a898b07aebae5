"""When the holidays of a year are: fixed days, weekdays of a month, and the feasts that move with Easter.

Easter is that of the Gregorian calendar (the algorithm printed by Butcher, 1876; Meeus, Astronomical Algorithms, 1991).
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

Holiday = Callable[[int], date]
"""The day of the holiday in a year."""


def easter(year: int) -> date:
    """Easter Sunday."""
    moon = year % 19
    century, rest = divmod(year, 100)
    leap, left = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * moon + century - leap - correction + 15) % 30
    weekday = (32 + 2 * left + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (moon + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


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
