"""Holidays of a year: fixed days, weekdays of a month, feasts that move with Easter, and the Chinese calendar.

Easter is that of the Gregorian calendar. Chinese months are those of the printed calendars of the time, since 1960
those of GB/T 33661-2017; solar terms are computed in China's standard time (`lunar_python`).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING

from dateutil.easter import easter

from warehouse.records.calendars import DAY, Interval

if TYPE_CHECKING:
    from lunar_python import LunarYear

Holiday = Callable[[int], date]  # The day of the holiday in a year.

FIRST, LAST = 1850, 2150  # The Gregorian years for which the Chinese calendar was compared with published tables.
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_JULIAN_DAY = 1_721_425  # The Julian day number of the day before 1 January of year 1, ordinal 0.


def read_holidays(path: Path) -> dict[str, tuple[Holiday, str]]:
    """Each holiday by name, with its TIMEX3 value where the year is unknown; lines are `day TAB name|name`."""
    holidays: dict[str, tuple[Holiday, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        day, names = line.split("\t")
        holidays |= dict.fromkeys(names.split("|"), parse_holiday(day))
    return holidays


def parse_holiday(day: str) -> tuple[Holiday, str]:
    """A holiday, with its TIMEX3 value where the year is unknown.

    The day is `12-25`, `4 Thu 11` (the fourth Thursday of November; -1 is the last), `Easter`, `lunar 08-15`, or
    `sun 15` (the sun's longitude in degrees), and a number of days later or earlier: `4 Thu 11 +1`, `Easter -2`.
    """
    return _parse_day_rule(day.split()), f"XXXX-{day}" if re.fullmatch("[0-9]{2}-[0-9]{2}", day) else "XXXX-XX-XX"


def _parse_day_rule(words: list[str]) -> Holiday:
    """The function that gives the day of a holiday in a year, from the words of a rule as in `parse_holiday`."""
    offset = int(words.pop()) * DAY if words[-1][0] in "+-" else 0 * DAY
    match words:
        case ["Easter"]:
            return lambda year: easter(year) + offset
        case ["lunar", day]:
            return lambda year: compute_lunar_day(year, *_parse_month_day(day)) + offset
        case ["sun", degrees]:
            return lambda year: compute_solar_term(year, int(degrees)) + offset
        case [count, weekday, month]:
            return lambda year: _find_nth_weekday(year, int(month), int(count), _WEEKDAYS.index(weekday)) + offset
    return lambda year: date(year, *_parse_month_day(words[0]))


def _parse_month_day(text: str) -> tuple[int, int]:
    month, day = text.split("-")
    return int(month), int(day)


def _find_nth_weekday(year: int, month: int, count: int, weekday: int) -> date:
    """The count-th weekday (Monday is 0; count -1: the last) of a month."""
    first, days = monthrange(year, month)
    day = (weekday - first) % 7 + 1 + 7 * (count - 1)
    if count < 0:
        day = days - (first + days - 1 - weekday) % 7
    return date(year, month, day)


@lru_cache(maxsize=64)
def _load_lunar_year(year: int) -> LunarYear:
    """A lunar year, cached: the library computes its moons and terms again (3 ms) after a call for another year."""
    from lunar_python import LunarYear

    return LunarYear(year)


def compute_lunar_month(year: int, month: int, *, leap: bool = False) -> Interval:
    """The month, 1 to 12, of the lunar year that begins in a Gregorian year.

    Raises `ValueError` where there is none, and outside 1850 to 2150.
    """
    lunar_month = _load_lunar_year(year).getMonth(-month if leap else month) if FIRST <= year <= LAST else None
    if lunar_month is None:
        raise ValueError(f"the lunar year {year} has no such month {month}, or is not between {FIRST} and {LAST}")
    start = date.fromordinal(int(lunar_month.getFirstJulianDay()) - _JULIAN_DAY)
    return start, start + lunar_month.getDayCount() * DAY


def compute_lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """A day, 1 to 30, of a lunar month."""
    start, end = compute_lunar_month(year, month, leap=leap)
    lunar_day = start + (day - 1) * DAY
    if not start <= lunar_day < end:
        raise ValueError(f"the lunar month {month} of {year} has no day {day}")
    return lunar_day


def compute_solar_term(year: int, degrees: int) -> date:
    """The day of a Gregorian year on which the sun's longitude is `degrees`: 15 is 清明, 270 is 冬至."""
    if not FIRST - 1 <= year <= LAST + 1:
        raise ValueError(f"the solar terms are known from {FIRST - 1} to {LAST + 1}, not of {year}")
    # The library's list begins with 大雪 (255 degrees) and 冬至 of the December before.
    index = (degrees - 255) % 360 // 15
    instant = _load_lunar_year(year).getJieQiJulianDays()[index if index > 1 else index + 24]
    return date.fromordinal(floor(instant + 0.5) - _JULIAN_DAY)
