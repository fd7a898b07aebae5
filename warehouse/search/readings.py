"""The days that a question's time may mean for each document: as the question reads it, and by the document's company.

"Q2 2023" is April to June for one company and October to December 2022 for another; only the document knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np

from warehouse.records import Window
from warehouse.records.fiscal import FiscalCalendar
from warehouse.store.clocks import Clocks
from warehouse.store.spans import FAR_OFF, LONG_AGO, day

OTHERWISE = 0.5
"""What a reading counts that the document's own calendar contradicts, where the words do not say "fiscal".

By judgement: 0 to .75 make no difference to questions to filings.
"""


@dataclass(frozen=True, slots=True, eq=False)
class WindowReading:
    """One reading of a window for each of some documents: half-open days since 1970 and what it counts, in [0, 1].

    All have the shape (documents,).
    """

    start: np.ndarray
    end: np.ndarray
    weight: np.ndarray


def readings(window: Window, clocks: Clocks, documents: np.ndarray) -> list[WindowReading]:
    """The readings of a window for documents by their ordinals."""
    own = _own(window, clocks, documents)
    known = own.weight > 0
    otherwise = np.where(known, 0.0 if window.fiscal else OTHERWISE, 1.0)
    ones = np.ones(len(documents), np.int64)
    asked = [WindowReading(start * ones, end * ones, otherwise) for start, end in _asked(window)]
    return [*asked, own] if known.any() else asked


def _asked(window: Window) -> Iterator[tuple[int, int]]:
    sides = [(window.start, window.end), (window.other_start, window.other_end)]
    return ((_day(start, LONG_AGO), _day(end, FAR_OFF)) for start, end in sides if start or end)


def _day(moment: date | None, missing: int) -> int:
    return missing if moment is None else day(moment)


def _own(window: Window, clocks: Clocks, documents: np.ndarray) -> WindowReading:
    """The days that a year, half or quarter has in the fiscal years of each document; no weight where unknown.

    By the calendar of its company; by whole months where only the one is known in which its years begin.
    """
    year, month, count = window.period or (1970, 1, 0)
    first = clocks.first_month[documents].astype(np.int64)
    begins = year - ((first > 1) & ~clocks.early[documents])
    start = (begins - 1970) * 12 + first - 1 + month - 1
    weight = ((first > 0) & (count > 0)).astype(np.float64)
    starts, ends = _first_day(start), _first_day(start + count)
    calendar = clocks.calendar[documents]
    for place in set(calendar.tolist()) - {-1} if count else ():
        own = calendar == place
        days = _span(clocks.calendars[place], year, month, count)
        weight[own] = days is not None
        if days is not None:
            starts[own], ends[own] = days
    return WindowReading(starts, ends, weight)


def _span(calendar: FiscalCalendar, year: int, month: int, count: int) -> tuple[int, int] | None:
    """The days of fiscal months; None beyond the years of the Gregorian calendar."""
    try:
        start, end = calendar.months(year, month, count)
    except (ValueError, OverflowError):
        return None
    return day(start), day(end)


def _first_day(months: np.ndarray) -> np.ndarray:
    """The first days of months counted from January 1970."""
    return np.asarray(months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64))
