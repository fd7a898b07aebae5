"""Which periods the reports of a company cover, which are only mentioned, and which are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

import numpy as np

from dashboards.facts.timeline.lines import Line, Report
from dashboards.facts.timeline.periods import Period, periods_of
from dashboards.facts.timeline.spoken import Grain
from warehouse.search.absent import COVERED
from warehouse.search.intervals import overlap
from warehouse.search.period_words import days_words
from warehouse.store.spans import day


class Cover(StrEnum):
    """How a period is covered, as it is shown."""

    REPORT = "own report"
    PART = "within other reports"
    MENTIONED = "only mentioned"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Square:
    """A period of a line of the calendar: how it is covered, how often it is named, and the reports of it."""

    period: Period
    cover: Cover
    mentions: int
    reports: tuple[Report, ...]


def squares(line: Line, grain: Grain, since: date, until: date) -> list[Square]:
    """The periods of a line from `since` to before `until`, but for those of which nothing is known or missed.

    A missing period lies between the beginning of the first period that is reported on and the end of the last one.
    """
    found = list(periods_of(line, grain, since, until))
    if not found:
        return []
    known = _days([(each.start, each.end) for each in found])
    mentions = _mentions(line, known)
    covers = _covers(line.reports, known)
    first, last = _expected(line)
    made = []
    for place, (period, start, end) in enumerate(zip(found, *(side.tolist() for side in known), strict=True)):
        cover, own = covers.get(place, (None, ()))
        missed = start >= first - _NEAR and end <= last + _NEAR
        if cover is None:
            cover = Cover.MISSING if missed else Cover.MENTIONED if mentions[place] else None
        elif cover is Cover.PART and missed and _share(own, start, end) < _MOST:
            cover = Cover.MISSING
        if cover:
            made.append(Square(period, cover, mentions[place], own))
    return made


def missing_periods(name: str, line: Sequence[Square]) -> list[str]:
    """A sentence for each period that no report is of, neighbours in one."""
    return [_said(f"No report of {name} covers", run) for run in _runs(line, _is_missing)]


def unreported_quarters(name: str, line: Sequence[Square]) -> list[str]:
    """A sentence for each quarter that only a longer report is of, where other quarters have reports of their own.

    The last quarter of a year is reported by the annual report.
    """
    if not any(square.cover is Cover.REPORT and square.period.quarter for square in line):
        return []
    return [_said(f"Only a longer report of {name} covers", run) for run in _runs(line, _is_unreported)]


_NEAR = 10
"""Days by which the ends of fiscal periods differ from those of months."""
_MOST = 0.7
"""From which share on reports of parts stand for the whole: three quarters of a year do, whose last is in its annual
report."""
_Days = tuple[np.ndarray, np.ndarray]


def _expected(line: Line) -> tuple[int, int]:
    """The days for which there should be reports; none at all for what does not report, or need not follow."""
    if not (line.reports and line.follows):
        return 0, -2 * _NEAR
    return day(min(report.start for report in line.reports)), day(max(report.end for report in line.reports))


def _share(reports: Sequence[Report], start: int, end: int) -> float:
    """How much of a period the reports are of together, 0 to 1."""
    covered, until = 0, start
    for first, last in sorted((day(report.start), min(day(report.end), end)) for report in reports):
        covered += max(0, last - max(first, until))
        until = max(until, last)
    return covered / (end - start)


def _mentions(line: Line, known: _Days) -> list[int]:
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


def _covers(reports: Sequence[Report], known: _Days) -> dict[int, tuple[Cover, tuple[Report, ...]]]:
    """How each period is covered of which some report tells, by its place."""
    told = [days[None, :] for days in _days([(report.start, report.end) for report in reports])]
    asked = [days[:, None] for days in known]
    start, end, low, high = np.broadcast_arrays(*told, *asked)
    whole = overlap(start, end, low, high) >= COVERED
    around = (start <= low + _NEAR) & (end >= high - _NEAR)
    inside = (start >= low - _NEAR) & (end <= high + _NEAR)
    found = {}
    for place in np.flatnonzero((whole | around | inside).any(axis=1)).tolist():
        cover = Cover.REPORT if whole[place].any() else Cover.PART
        own = whole[place] if cover is Cover.REPORT else (around | inside)[place]
        found[place] = cover, tuple(reports[each] for each in np.flatnonzero(own).tolist())
    return found


def _is_missing(square: Square) -> bool:
    return square.cover is Cover.MISSING


def _is_unreported(square: Square) -> bool:
    """Whether it is one of the first three quarters of a year, and a report of much more is all there is of it."""
    if square.cover is not Cover.PART or square.period.quarter not in (1, 2, 3):
        return False
    whole = (square.period.end - square.period.start).days
    return any((report.end - report.start).days > whole + 2 * _NEAR for report in square.reports)


def _runs(line: Sequence[Square], is_chosen: Callable[[Square], bool]) -> Iterator[list[Period]]:
    """The periods of the squares that are chosen, those that follow each other together."""
    run: list[Period] = []
    for period in (square.period for square in line if is_chosen(square)):
        if run and run[-1].end != period.start:
            yield run
            run = []
        run.append(period)
    if run:
        yield run


def _said(words: str, run: Sequence[Period]) -> str:
    first, last = run[0], run[-1]
    called = first.name if len(run) == 1 else f"{first.name} to {last.name}"
    return f"{words} {called} ({days_words(first.start, last.end)})"


def _days(pairs: Sequence[tuple[date, date]]) -> _Days:
    return np.array([day(start) for start, _ in pairs], np.int64), np.array([day(end) for _, end in pairs], np.int64)
