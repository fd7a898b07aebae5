"""The Chinese calendar: its months and days, and the solar terms, as days of the Gregorian calendar.

Rules of GB/T 33661-2017: a month begins on the day of the new moon in China, month 11 holds the winter solstice, and
where thirteen months lie between two solstices the first without a principal term repeats the month before it. Valid
from 1850 to 2150; raises `ValueError` outside.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from math import floor

from tasks.temporal.sky import new_moon, number_of_moon, sun_reaches
from warehouse.months import DAY, Interval

FIRST, LAST = 1850, 2150
_ORDINAL = 1721424.5
_SOLSTICE = 270
_TERM = 30


def lunar_month(year: int, month: int, *, leap: bool = False) -> Interval:
    """The month, 1 to 12, of the lunar year that begins in a Gregorian year."""
    starts = _sui(year) | _sui(year + 1)
    for (named, number, is_leap), start in starts.items():
        if (named, number, is_leap) == (year, month, leap):
            return start, min(other for other in starts.values() if other > start)
    raise ValueError(f"the lunar year {year} has no such month {month}")


def lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """A day, 1 to 30, of a lunar month."""
    start, end = lunar_month(year, month, leap=leap)
    found = start + (day - 1) * DAY
    if not start <= found < end:
        raise ValueError(f"the lunar month {month} of {year} has no day {day}")
    return found


def solar_term(year: int, degrees: int) -> date:
    """The day of a Gregorian year on which the sun's longitude is `degrees`: 15 is 清明, 270 is 冬至."""
    _check(year)
    near = date(year, 3, 20).toordinal() + _ORDINAL + ((degrees + 80) % 360 - 80) / 360 * 365.2422
    return _day_in_china(sun_reaches(degrees, near))


Month = tuple[int, int, bool]


@lru_cache(maxsize=64)
def _sui(year: int) -> dict[Month, date]:
    """The months from the one of the solstice of the year before to the next such, as (year, month, leap)."""
    first, last = _month_of(solar_term(year - 1, _SOLSTICE)), _month_of(solar_term(year, _SOLSTICE))
    starts = [_day_in_china(new_moon(number)) for number in range(first, last + 1)]
    months: dict[Month, date] = {}
    number, leap_due = 11, last - first == 13
    for index, start in enumerate(starts[:-1]):
        leap = leap_due and index > 0 and not _has_term(start, starts[index + 1])
        if leap:
            leap_due = False
        elif index:
            number = number % 12 + 1
        months[year - (number > 10), number, leap] = start
    return months


def _month_of(day: date) -> int:
    """The number of the new moon whose month holds the day."""
    number = number_of_moon(day.toordinal() + _ORDINAL) + 1
    while _day_in_china(new_moon(number)) > day:
        number -= 1
    return number


def _has_term(start: date, end: date) -> bool:
    """Whether a principal term, a multiple of 30 degrees, falls in the month."""
    near = start.toordinal() + _ORDINAL + 15
    degrees = round(((start - date(start.year, 3, 20)).days + 15) / 365.2422 * 12) * _TERM % 360
    days = (_day_in_china(sun_reaches(each % 360, near)) for each in (degrees - _TERM, degrees, degrees + _TERM))
    return any(start <= day < end for day in days)


def _day_in_china(instant: float) -> date:
    """The civil day in China: Beijing's local mean time before 1929, since then 8 hours ahead of universal time."""
    ordinal = instant - _ORDINAL
    zone = 8 / 24 if ordinal >= date(1929, 1, 1).toordinal() else 116.4 / 360
    return date.min + timedelta(days=floor(ordinal + zone) - 1)


def _check(year: int) -> None:
    if not FIRST - 1 <= year <= LAST + 1:
        raise ValueError(f"no lunar calendar for {year}")
