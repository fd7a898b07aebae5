"""Fiscal calendar of a company: its months, quarters and years by name, and how its reports cover each of them.

A period is covered by a report of its own, covered as part of other reports, only mentioned, or missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import count

import numpy as np

from tasks.coverage.companies import CoverageRow, PeriodReport
from warehouse.records.fiscal import FiscalCalendar
from warehouse.search.absent import COVERED
from warehouse.search.intervals import overlap
from warehouse.search.period_words import days_words
from warehouse.store.spans import day


class Interval(StrEnum):
    """The interval of a chart: how long a bar is."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


_YEAR = re.compile(r"\d{4}")
_LENGTHS = {Interval.MONTH: 1, Interval.QUARTER: 3, Interval.YEAR: 12}
_BARS = {**_LENGTHS, Interval.DECADE: 120, Interval.CENTURY: 1200}
"""Months of a bar."""
_MIDDLE = 15
"""Fiscal quarters of weeks begin some days before or after a month does: the nearest month is meant."""


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """A period by its name, half-open."""

    name: str
    start: date
    end: date
    quarter: int = 0
    """Its number in its year, 0 for what is no quarter."""


def periods_of(line: CoverageRow, grain: Interval, since: date, until: date) -> Iterator[NamedPeriod]:
    """The periods that touch the days from `since` to before `until`; fiscal where the fiscal year is another.

    Quarters and years are to the day where the company's calendar is known, else of whole months.
    """
    if line.calendar and grain is not Interval.MONTH:
        yield from _own_periods(line.calendar, grain, since, until)
        return
    months = _LENGTHS[grain]
    place = _months(since) - (_months(since) - (line.first_month - 1)) % months
    later = _named_later(line)
    while (start := _first_of_month(place)) is not None and start < until:
        end = _first_of_month(place + months)
        if end is None:
            return
        number = (place - (line.first_month - 1)) % 12 // 3 + 1 if grain is Interval.QUARTER else 0
        yield NamedPeriod(_name(place, grain, line.first_month, later), start, end, number)
        place += months


def _own_periods(calendar: FiscalCalendar, grain: Interval, since: date, until: date) -> Iterator[NamedPeriod]:
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
                    yield NamedPeriod(name, start, end, first // 3 + 1 if months == 3 else 0)
    except (ValueError, OverflowError):
        return


def _name(place: int, grain: Interval, first_month: int, later: int) -> str:
    """Q1 2025, FY2025 or 2025-03: fiscal ones by the year that the company gives them."""
    if grain is Interval.MONTH:
        return f"{place // 12:04}-{place % 12 + 1:02}"
    into = (place - (first_month - 1)) % 12
    year = (place - into) // 12 + later
    own = "fiscal " if first_month > 1 else ""
    if grain is Interval.YEAR:
        return f"FY{year}" if own else f"{year}"
    return f"{own}Q{into // 3 + 1} {year}"


def _named_later(line: CoverageRow) -> int:
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


def _first_of_month(months: int) -> date | None:
    """The first day of a month counted from the year 0; None beyond the calendar."""
    return date(months // 12, months % 12 + 1, 1) if 1 <= months // 12 <= 9999 else None


def next_bar(first: date, grain: Interval) -> date:
    """The day after the period of the calendar that begins on a day."""
    if grain is Interval.DAY:
        return first + timedelta(days=1) if first < date.max else first
    months = _months(first)
    return _first_of_month(months - months % _BARS[grain] + _BARS[grain]) or date.max


def bar_of(moment: date, grain: Interval) -> date:
    """The first day of the period of the calendar that holds a day."""
    if grain is Interval.DAY:
        return moment
    months = _months(moment)
    return _first_of_month(months - months % _BARS[grain]) or date.min


class CoverageKind(StrEnum):
    """How a period is covered, as it is shown."""

    REPORT = "own report"
    PART = "within other reports"
    MENTIONED = "only mentioned"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class PeriodCoverage:
    """A period of a line of the calendar: how it is covered, how often it is named, and the reports of it."""

    period: NamedPeriod
    cover: CoverageKind
    mentions: int
    reports: tuple[PeriodReport, ...]


def period_coverage(line: CoverageRow, grain: Interval, since: date, until: date) -> list[PeriodCoverage]:
    """The periods of a line from `since` to before `until`, but for those of which nothing is known or missed.

    A missing period lies between the beginning of the first period that is reported on and the end of the last one.
    """
    found = list(periods_of(line, grain, since, until))
    if not found:
        return []
    known = _days([(each.start, each.end) for each in found])
    mentions = _mention_counts(line, known)
    covers = _covers(line.reports, known)
    first, last = _expected(line)
    made = []
    for place, (period, start, end) in enumerate(zip(found, *(side.tolist() for side in known), strict=True)):
        cover, own = covers.get(place, (None, ()))
        missed = start >= first - _NEAR and end <= last + _NEAR
        if cover is None:
            cover = CoverageKind.MISSING if missed else CoverageKind.MENTIONED if mentions[place] else None
        elif cover is CoverageKind.PART and missed and _covered_share(own, start, end) < _MOST_COVERED:
            cover = CoverageKind.MISSING
        if cover:
            made.append(PeriodCoverage(period, cover, mentions[place], own))
    return made


def missing_periods(name: str, line: Sequence[PeriodCoverage]) -> list[str]:
    """A sentence for each period that no report is of, neighbours in one."""
    return [_said(f"No report of {name} covers", run) for run in _runs(line, _is_missing)]


def unreported_quarters(name: str, line: Sequence[PeriodCoverage]) -> list[str]:
    """A sentence for each quarter that only a longer report is of, where other quarters have reports of their own.

    The last quarter of a year is reported by the annual report.
    """
    if not any(square.cover is CoverageKind.REPORT and square.period.quarter for square in line):
        return []
    return [_said(f"Only a longer report of {name} covers", run) for run in _runs(line, _is_unreported)]


_NEAR = 10
"""Days by which the ends of fiscal periods differ from those of months."""
_MOST_COVERED = 0.7
"""From which share on reports of parts stand for the whole: three quarters of a year do, whose last is in its annual
report."""
_Days = tuple[np.ndarray, np.ndarray]


def _expected(line: CoverageRow) -> tuple[int, int]:
    """The days for which there should be reports; none at all for what does not report, or need not follow."""
    if not (line.reports and line.follows):
        return 0, -2 * _NEAR
    return day(min(report.start for report in line.reports)), day(max(report.end for report in line.reports))


def _covered_share(reports: Sequence[PeriodReport], start: int, end: int) -> float:
    """How much of a period the reports are of together, 0 to 1."""
    covered, until = 0, start
    for first, last in sorted((day(report.start), min(day(report.end), end)) for report in reports):
        covered += max(0, last - max(first, until))
        until = max(until, last)
    return covered / (end - start)


def _mention_counts(line: CoverageRow, known: _Days) -> list[int]:
    """How often each of the periods, which follow each other, is named; a mention is held against those it touches."""
    starts, ends = _days([(start, end) for start, end, _ in line.mentions])
    counts = np.array([count for _, _, count in line.mentions], np.int64)
    first = np.searchsorted(known[1], starts, side="right")
    touched = np.maximum(np.searchsorted(known[0], ends, side="left") - first, 0)
    which = np.repeat(np.arange(len(counts)), touched)
    place = np.arange(len(which)) + np.repeat(first - np.cumsum(touched) + touched, touched)
    fits = overlap(starts[which], ends[which], known[0][place], known[1][place]) >= COVERED
    sums = np.bincount(place[fits], counts[which[fits]], len(known[0])).astype(np.int64)
    return [int(count) for count in sums]


def _covers(reports: Sequence[PeriodReport], known: _Days) -> dict[int, tuple[CoverageKind, tuple[PeriodReport, ...]]]:
    """How each period is covered of which some report tells, by its place."""
    told = [days[None, :] for days in _days([(report.start, report.end) for report in reports])]
    asked = [days[:, None] for days in known]
    start, end, low, high = np.broadcast_arrays(*told, *asked)
    whole = overlap(start, end, low, high) >= COVERED
    around = (start <= low + _NEAR) & (end >= high - _NEAR)
    inside = (start >= low - _NEAR) & (end <= high + _NEAR)
    found = {}
    for place in np.flatnonzero((whole | around | inside).any(axis=1)).tolist():
        cover = CoverageKind.REPORT if whole[place].any() else CoverageKind.PART
        own = whole[place] if cover is CoverageKind.REPORT else (around | inside)[place]
        found[place] = cover, tuple(reports[each] for each in np.flatnonzero(own).tolist())
    return found


def _is_missing(square: PeriodCoverage) -> bool:
    return square.cover is CoverageKind.MISSING


def _is_unreported(square: PeriodCoverage) -> bool:
    """Whether it is one of the first three quarters of a year, and a report of much more is all there is of it."""
    if square.cover is not CoverageKind.PART or square.period.quarter not in (1, 2, 3):
        return False
    whole = (square.period.end - square.period.start).days
    return any((report.end - report.start).days > whole + 2 * _NEAR for report in square.reports)


def _runs(line: Sequence[PeriodCoverage], is_chosen: Callable[[PeriodCoverage], bool]) -> Iterator[list[NamedPeriod]]:
    """The periods of the squares that are chosen, those that follow each other together."""
    run: list[NamedPeriod] = []
    for period in (square.period for square in line if is_chosen(square)):
        if run and run[-1].end != period.start:
            yield run
            run = []
        run.append(period)
    if run:
        yield run


def _said(words: str, run: Sequence[NamedPeriod]) -> str:
    first, last = run[0], run[-1]
    called = first.name if len(run) == 1 else f"{first.name} to {last.name}"
    return f"{words} {called} ({days_words(first.start, last.end)})"


def _days(pairs: Sequence[tuple[date, date]]) -> _Days:
    return np.array([day(start) for start, _ in pairs], np.int64), np.array([day(end) for _, end in pairs], np.int64)
