"""Steps of whole calendar units from day to day."""

from __future__ import annotations

from datetime import date, timedelta

from warehouse.months import add_months
from warehouse.records import Grain

_MONTHS = {
    Grain.MONTH: 1,
    Grain.SEASON: 3,
    Grain.QUARTER: 3,
    Grain.HALF: 6,
    Grain.YEAR: 12,
    Grain.DECADE: 120,
    Grain.CENTURY: 1200,
}
_DAYS = {Grain.WEEK: 7, Grain.WEEKEND: 7, Grain.DAY: 1, Grain.PART: 1}
_IN_A_DAY = {Grain.HOUR: 24, Grain.MINUTE: 24 * 60, Grain.SECOND: 24 * 3600}


def moved(day: date, grain: Grain, count: int) -> date:
    """The day `count` units later (negative: earlier); of hours and less only whole days count."""
    if grain in _MONTHS:
        return add_months(day, count * _MONTHS[grain])
    if grain in _IN_A_DAY:
        return day + timedelta(days=int(count / _IN_A_DAY[grain]))
    return day + timedelta(days=count * _DAYS[grain])


def first_day(grain: Grain, day: date) -> date:
    """The first day of the calendar unit that holds the day: the day itself for its hours and parts."""
    if grain is Grain.SEASON:
        return add_months(first_day(Grain.QUARTER, add_months(day, -2)), 2)
    if grain in _MONTHS:
        months = _MONTHS[grain]
        count = (day.year * 12 + day.month - 1) // months * months
        return date(count // 12, count % 12 + 1, 1)
    return day - timedelta(days=day.weekday()) if grain in (Grain.WEEK, Grain.WEEKEND) else day
