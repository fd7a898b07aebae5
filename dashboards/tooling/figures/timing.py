"""How well the time of a cell fits the times asked about, by the calendar of its document's company."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dashboards.tooling.figures.candidates import Figure
from warehouse.reader import Warehouse
from warehouse.records import Window
from warehouse.search.intervals import SHORTEST, SLACK, overlap
from warehouse.search.readings import Reading, readings
from warehouse.store.clocks import UNKNOWN, Clocks
from warehouse.store.spans import day

UNDATED = 0.4
"""What a figure without a time of its own counts, by the period that its document reports on."""
AT_END = 0.9
"""What a balance counts at the end of the time that is asked about."""
AT_START = 0.1
"""What it counts at its start."""
YEAR = 365.25


def time_fits(warehouse: Warehouse, figures: Sequence[Figure], windows: Sequence[Window]) -> np.ndarray:
    """How well each figure fits the best of the times, in [0, 1]; by its age where no time is asked for."""
    if not figures:
        return np.zeros(0)
    snapshot = warehouse.snapshot
    ordinals = snapshot.passages.ordinal_of
    # A document all of whose text is too short for a passage has no clock.
    known = np.array([figure.document_id in ordinals for figure in figures])
    documents = np.array([ordinals.get(figure.document_id, 0) for figure in figures], np.int64)
    clocks = snapshot.clocks
    if not windows:
        return np.where(known, _newness(figures, clocks, documents), 0.0)
    each = [_fits(figures, reading, clocks, documents) for w in windows for reading in readings(w, clocks, documents)]
    return np.where(known, np.max(each, axis=0), 0.0)


def _fits(figures: Sequence[Figure], asked: Reading, clocks: Clocks, documents: np.ndarray) -> np.ndarray:
    start, end, dated = _days(figures)
    own = np.where(end - start <= 1, _balance(start, end, asked), overlap(start, end, asked.start, asked.end))
    named = overlap(*_fiscal_years(figures, clocks, documents), asked.start, asked.end)
    reported = clocks.reported_start[documents].astype(np.int64), clocks.reported_end[documents].astype(np.int64)
    by_document = np.where(reported[0] != UNKNOWN, UNDATED * overlap(*reported, asked.start, asked.end), 0.0)
    return np.asarray(asked.weight * np.where(dated, np.maximum(own, named), by_document))


def _balance(start: np.ndarray, end: np.ndarray, asked: Reading) -> np.ndarray:
    """How well single days fit: the balance of a year is that at its end; at its start it was the year before's."""
    plain = overlap(start, end, asked.start, asked.end)
    long = asked.end - asked.start >= SHORTEST
    ends = long & (np.abs(end - asked.end) <= SLACK)
    begins = long & (np.abs(end - asked.start) <= SLACK)
    return np.select([ends, begins], [np.maximum(plain, AT_END), np.minimum(plain, AT_START)], plain)


def _fiscal_years(figures: Sequence[Figure], clocks: Clocks, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The fiscal years that columns headed by a bare year may mean, else nothing (an empty time long ago)."""
    years = np.array([_bare_year(figure) for figure in figures], np.int64)
    first = clocks.first_month[documents].astype(np.int64)
    begins = years - ((first > 1) & ~clocks.early[documents])
    start = ((begins - 1970) * 12 + first - 1).astype("datetime64[M]")
    applies = (years > 0) & (first > 1)
    days = [np.where(applies, side.astype("datetime64[D]").astype(np.int64), 0) for side in (start, start + 12)]
    return days[0], np.where(applies, days[1], 0)


def _bare_year(figure: Figure) -> int:
    """The calendar year that a figure is of, by its headers, 0 where it is of another time."""
    start, end = figure.period_start, figure.period_end
    if start is None or end is None or (start.month, start.day, end.month, end.day) != (1, 1, 1, 1):
        return 0
    return start.year if end.year == start.year + 1 else 0


def _newness(figures: Sequence[Figure], clocks: Clocks, documents: np.ndarray) -> np.ndarray:
    """1 for what ends with its document's period, less for what lies before or after; newer documents count more."""
    _, end, dated = _days(figures)
    fiscal = _fiscal_years(figures, clocks, documents)[1]
    end = np.where(fiscal > 0, fiscal, end)
    reported, published = (side[documents].astype(np.int64) for side in (clocks.reported_end, clocks.published))
    until = np.where(reported != UNKNOWN, reported, published)
    newest = until.max()
    age = np.abs(np.where(dated, end, until - YEAR) - until) / YEAR
    late = np.where(until == UNKNOWN, 5.0, np.minimum((newest - until) / YEAR, 5.0))
    return np.asarray(1 / (1 + np.minimum(age, 50.0) + 0.5 * late))


def _days(figures: Sequence[Figure]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts and ends in days since 1970, and which figures have them."""
    pairs = [(figure.period_start, figure.period_end) for figure in figures]
    dated = np.array([start is not None and end is not None for start, end in pairs])
    start = np.array([day(start) if start and end else 0 for start, end in pairs], np.int64)
    end = np.array([day(end) if start and end else 0 for start, end in pairs], np.int64)
    return start, end, dated
