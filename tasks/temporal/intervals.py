"""Calendar arithmetic on half-open intervals of days, [start, end).

Quarters, halves and weeks are those of ISO 8601 and the Gregorian calendar. Every function raises `ValueError` (or
`OverflowError`) where the date does not exist.
"""

from __future__ import annotations

from datetime import date, timedelta

from warehouse.months import DAY, WEEK, Interval, add_months


def span_of_months(year: int, month: int, months: int) -> Interval:
    """`months` whole months from the first of `month` in `year`."""
    start = date(year, month, 1)
    return start, add_months(start, months)


def of_day(day: date) -> Interval:
    """That day alone."""
    return day, day + DAY


def of_week(day: date) -> Interval:
    """The ISO week, Monday to Sunday, that holds the day."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + WEEK


def of_month(year: int, month: int) -> Interval:
    """A calendar month."""
    return span_of_months(year, month, 1)


def of_quarter(year: int, quarter: int) -> Interval:
    """A calendar quarter, 1 to 4."""
    return span_of_months(year, quarter * 3 - 2, 3)


def of_half(year: int, half: int) -> Interval:
    """Half a calendar year, 1 or 2."""
    return span_of_months(year, half * 6 - 5, 6)


def of_years(year: int, years: int = 1) -> Interval:
    """`years` calendar years from `year` on."""
    return span_of_months(year, 1, 12 * years)


def months_until(last: date, months: int) -> Interval:
    """The `months` months whose last day is `last`: twelve until 30 September begin on 1 October."""
    end = last + DAY
    return add_months(end, -months), end


def full_year(digits: str) -> int:
    """Two digits are read as POSIX reads them: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068."""
    year = int(digits)
    if len(digits) != 2:
        return year
    return year + (1900 if year >= 69 else 2000)
