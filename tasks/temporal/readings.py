"""Readings of the common calendar units, with their TIMEX3 values (ISO-TimeML, ISO 24617-1)."""

from __future__ import annotations

from datetime import date

from tasks.temporal import intervals
from tasks.temporal.grammar import Reading
from tasks.temporal.intervals import DAY, Interval
from warehouse.records import Calendar, Grain

UNRESOLVED = "XXXX"


def of_day(day: date) -> Reading:
    """2023-03-05."""
    return Reading(day.isoformat(), intervals.of_day(day), Grain.DAY)


def of_week(day: date) -> Reading:
    """2023-W09, the ISO week that holds the day."""
    year, week, _ = day.isocalendar()
    return Reading(f"{year:04}-W{week:02}", intervals.of_week(day), Grain.WEEK)


def of_month(year: int, month: int) -> Reading:
    """2023-03."""
    return Reading(f"{year:04}-{month:02}", intervals.of_month(year, month), Grain.MONTH)


def of_quarter(year: int, quarter: int, *, fiscal: bool = False) -> Reading:
    """2023-Q1; fiscal FY2023-Q1, which spans the calendar quarter for want of the fiscal calendar."""
    return _named(f"{year:04}-Q{quarter}", intervals.of_quarter(year, quarter), Grain.QUARTER, fiscal=fiscal)


def of_half(year: int, half: int, *, fiscal: bool = False) -> Reading:
    """2023-H1; fiscal FY2023-H1, which spans the calendar half for want of the fiscal calendar."""
    return _named(f"{year:04}-H{half}", intervals.of_half(year, half), Grain.HALF, fiscal=fiscal)


def of_year(year: int, *, fiscal: bool = False) -> Reading:
    """2023; fiscal FY2023, which spans the calendar year for want of the fiscal calendar."""
    return _named(f"{year:04}", intervals.of_years(year), Grain.YEAR, fiscal=fiscal)


def of_decade(year: int) -> Reading:
    """199 for the 1990s."""
    first = year // 10 * 10
    return Reading(f"{first // 10:03}", intervals.of_years(first, 10), Grain.DECADE)


def of_century(year: int) -> Reading:
    """20 for the years 2000 to 2099."""
    first = year // 100 * 100
    return Reading(f"{first // 100:02}", intervals.of_years(first, 100), Grain.CENTURY)


def of_months_until(last: date, months: int) -> Reading:
    """The months that end with `last`: a calendar unit's value where they are one, else first day/last day."""
    start, end = intervals.months_until(last, months)
    if start.day == 1 and (start.month - 1) % months == 0:
        if months == 3:
            return of_quarter(start.year, start.month // 3 + 1)
        if months == 6:
            return of_half(start.year, start.month // 6 + 1)
        if months == 12:
            return of_year(start.year)
    grain = {3: Grain.QUARTER, 6: Grain.HALF, 12: Grain.YEAR}.get(months, Grain.MONTH)
    return Reading(range_value((start, end)), (start, end), grain)


def range_value(interval: Interval) -> str:
    """First day/last day, both included, as people write ranges of dates."""
    return f"{interval[0].isoformat()}/{(interval[1] - DAY).isoformat()}"


def _named(value: str, interval: Interval, grain: Grain, *, fiscal: bool) -> Reading:
    if fiscal:
        return Reading(f"FY{value}", interval, grain, calendar=Calendar.FISCAL)
    return Reading(value, interval, grain)
