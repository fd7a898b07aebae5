"""The quarters or years of a company's own calendar, by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count

from dashboards.facts.timeline.lines import Line
from dashboards.facts.timeline.spoken import Grain
from warehouse.records.fiscal import FiscalCalendar

_YEAR = re.compile(r"\d{4}")
_LENGTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}
_BARS = {**_LENGTHS, Grain.DECADE: 120, Grain.CENTURY: 1200}
"""Months of a bar."""
_MIDDLE = 15
"""Fiscal quarters of weeks begin some days before or after a month does: the nearest month is meant."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period by its name, half-open."""

    name: str
    start: date
    end: date
    quarter: int = 0
    """Its number in its year, 0 for what is no quarter."""


def periods_of(line: Line, grain: Grain, since: date, until: date) -> Iterator[Period]:
    """The periods that touch the days from `since` to before `until`; fiscal where the fiscal year is another.

    Quarters and years are to the day where the company's calendar is known, else of whole months.
    """
    if line.calendar and grain is not Grain.MONTH:
        yield from _own_periods(line.calendar, grain, since, until)
        return
    months = _LENGTHS[grain]
    place = _months(since) - (_months(since) - (line.first_month - 1)) % months
    later = _named_later(line)
    while (start := _day(place)) is not None and start < until:
        end = _day(place + months)
        if end is None:
            return
        number = (place - (line.first_month - 1)) % 12 // 3 + 1 if grain is Grain.QUARTER else 0
        yield Period(_name(place, grain, line.first_month, later), start, end, number)
        place += months


def _own_periods(calendar: FiscalCalendar, grain: Grain, since: date, until: date) -> Iterator[Period]:
    months, own = _LENGTHS[grain], "fiscal " if calendar.first_month > 1 else ""
    try:
        for year in count(calendar.year_of(since)):
            for first in range(1, 13, months):
                start, end = calendar.months(year, first, months)
                if start >= until:
                    return
                if end > since:
                    quarter = f"{own}Q{first // 3 + 1} {year}"
                    name = quarter if months == 3 else f"FY{year}" if own else f"{year}"
                    yield Period(name, start, end, first // 3 + 1 if months == 3 else 0)
    except (ValueError, OverflowError):
        return


def _name(place: int, grain: Grain, first_month: int, later: int) -> str:
    """Q1 2025, FY2025 or 2025-03: fiscal ones by the year that the company gives them."""
    if grain is Grain.MONTH:
        return f"{place // 12:04}-{place % 12 + 1:02}"
    into = (place - (first_month - 1)) % 12
    year = (place - into) // 12 + later
    own = "fiscal " if first_month > 1 else ""
    if grain is Grain.YEAR:
        return f"FY{year}" if own else f"{year}"
    return f"{own}Q{into // 3 + 1} {year}"


def _named_later(line: Line) -> int:
    """How many years after they begin its fiscal years are named: as its reports do, mostly by the year they end in."""
    if line.first_month == 1:
        return 0
    told: Counter[int] = Counter()
    for report in line.reports:
        year = _YEAR.search(report.name)
        begins = _nearest_month(report.start)
        if year:
            told[int(year[0]) - (begins - (begins - (line.first_month - 1)) % 12) // 12] += 1
    return told.most_common(1)[0][0] if told else 1


def _nearest_month(day: date) -> int:
    return _months(day) + (day.day > _MIDDLE)


def _months(day: date) -> int:
    return day.year * 12 + day.month - 1


def _day(months: int) -> date | None:
    """The first day of a month counted from the year 0; None beyond the calendar."""
    return date(months // 12, months % 12 + 1, 1) if 1 <= months // 12 <= 9999 else None


def next_bar(first: date, grain: Grain) -> date:
    """The day after the period of the calendar that begins on a day."""
    if grain is Grain.DAY:
        return first + timedelta(days=1) if first < date.max else first
    months = _months(first)
    return _day(months - months % _BARS[grain] + _BARS[grain]) or date.max


def bar_of(moment: date, grain: Grain) -> date:
    """The first day of the period of the calendar that holds a day."""
    if grain is Grain.DAY:
        return moment
    months = _months(moment)
    return _day(months - months % _BARS[grain]) or date.min
