"""Which periods the reports of a company cover, which are only spoken of, and which are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

import numpy as np

from dashboards.facts.coverage_lines import Line, Report
from dashboards.facts.coverage_periods import Period, periods_of
from dashboards.facts.timeline import Grain
from warehouse.search.absent import COVERED
from warehouse.search.intervals import overlap
from warehouse.store.spans import day


class Cover(StrEnum):
    """How a period is covered, as it is shown."""

    REPORT = "a report of it"
    PART = "in a longer report, or in parts"
    SPOKEN = "only spoken of"
    HOLE = "no report"


@dataclass(frozen=True, slots=True)
class Square:
    """A period of a line of the calendar: how it is covered, how often it is named, and the reports of it."""

    period: Period
    cover: Cover
    mentions: int
    reports: tuple[Report, ...]


def squares(line: Line, grain: Grain, since: date, until: date) -> list[Square]:
    """The periods of a line from `since` to before `until`, but for those of which nothing is known or missed.

    A hole lies between the beginning of the first fiscal year that is reported on and the end of the last report.
    """
    found = list(periods_of(line, grain, since, until))
    if not found:
        return []
    starts, ends = _days([(each.start, each.end) for each in found])
    reported = _days([(report.start, report.end) for report in line.reports])
    named = _days([(start, end) for start, end, _ in line.mentions])
    counts = np.array([count for _, _, count in line.mentions], np.int64)
    first, last = _expected(line)
    made = []
    for period, start, end in zip(found, starts.tolist(), ends.tolist(), strict=True):
        asked = np.int64(start), np.int64(end)
        mentions = int(counts[overlap(*named, *_alike(asked, named[0])) >= COVERED].sum()) if len(counts) else 0
        cover, own = _cover(line.reports, reported, asked)
        if cover is None:
            missed = start >= first - _NEAR and end <= last + _NEAR
            cover = Cover.HOLE if missed else Cover.SPOKEN if mentions else None
        if cover:
            made.append(Square(period, cover, mentions, own))
    return made


def holes(name: str, line: Sequence[Square]) -> list[str]:
    """A sentence for each period that no report is of, neighbours in one."""
    return [_said(name, run) for run in _runs(line)]


_NEAR = 10
"""Days by which the ends of fiscal periods differ from those of months."""
_Days = tuple[np.ndarray, np.ndarray]


def _expected(line: Line) -> tuple[int, int]:
    """The days for which there should be reports; none at all for what does not report, or need not follow."""
    if not (line.reports and line.follows):
        return 0, -2 * _NEAR
    first, last = min(report.start for report in line.reports), max(report.end for report in line.reports)
    return day(next(periods_of(line, Grain.YEAR, first + timedelta(days=_NEAR), date.max)).start), day(last)


def _cover(
    reports: Sequence[Report], reported: _Days, asked: tuple[np.int64, np.int64]
) -> tuple[Cover | None, tuple[Report, ...]]:
    if not reports:
        return None, ()
    start, end = _alike(asked, reported[0])
    whole = overlap(*reported, start, end) >= COVERED
    if whole.any():
        return Cover.REPORT, tuple(reports[place] for place in np.flatnonzero(whole).tolist())
    around = (reported[0] <= start + _NEAR) & (reported[1] >= end - _NEAR)
    inside = (reported[0] >= start - _NEAR) & (reported[1] <= end + _NEAR)
    partly = np.flatnonzero(around | inside).tolist()
    return (Cover.PART if partly else None), tuple(reports[place] for place in partly)


def _runs(line: Sequence[Square]) -> Iterator[list[Period]]:
    run: list[Period] = []
    for square in line:
        if square.cover is Cover.HOLE:
            run.append(square.period)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _said(name: str, run: Sequence[Period]) -> str:
    first, last = run[0], run[-1]
    called = first.name if len(run) == 1 else f"{first.name} to {last.name}"
    return f"No report of {name} covers {called} ({first.start} to {last.end - timedelta(days=1)})"


def _days(pairs: Sequence[tuple[date, date]]) -> _Days:
    return np.array([day(start) for start, _ in pairs], np.int64), np.array([day(end) for _, end in pairs], np.int64)


def _alike(asked: tuple[np.int64, np.int64], shape: np.ndarray) -> _Days:
    return np.full_like(shape, asked[0]), np.full_like(shape, asked[1])
