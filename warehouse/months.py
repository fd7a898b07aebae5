"""Arithmetic of days and months in the Gregorian calendar."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Interval = tuple[date, date]  # Half-open.

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)


def add_months(day: date, months: int) -> date:
    """The same day of the month `months` later (negative: earlier), or that month's last day where it has none."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"the year {year} is outside the calendar")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
