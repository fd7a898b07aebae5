"""The nearest dates and periods to a time that filters demand and no passage has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np

from warehouse.records import Filters
from warehouse.search.filters import build_condition, mask_allowed
from warehouse.search.periods import read_source_and_period
from warehouse.store.columns.passage_columns import EPOCH, NO_DAY, NO_END, NO_START, to_day_number
from warehouse.store.snapshot import Snapshot

_FIRST_SOURCE_SQL = """
    SELECT document_id, source FROM documents WHERE document_id IN (SELECT unnest($ids)) ORDER BY source LIMIT 1
"""
_MENTION_SQL = 'SELECT text FROM mentions WHERE document_id = $id AND start = $start AND "end" = $stop LIMIT 1'


def describe_nearest_dates(snapshot: Snapshot, filters: Filters) -> tuple[str, ...]:
    """The nearest date or period to each time that filters demand, with its source, if the other filters are satisfied.

    That is the nearest day that documents or entries have as their date, and the nearest time that a passage names or a
    document reports on. Dates within the demanded time do not count: other filters exclude them.
    """
    timeless = filters.timeless
    return tuple(
        filter(
            None,
            (*_iter_nearest_periods(snapshot, filters, timeless), *_iter_nearest_dates(snapshot, filters, timeless)),
        )
    )


def _iter_nearest_dates(snapshot: Snapshot, filters: Filters, timeless: Filters) -> Iterator[str]:
    starts = [filters.since, filters.years and date(filters.years[0], 1, 1)]
    ends = [filters.until, filters.years and date(filters.years[1], 12, 31), filters.as_of]
    first, last = max(filter(None, starts), default=None), min(filter(None, ends), default=None)
    if first is None and last is None:
        return
    passages, documents = snapshot.passages, snapshot.mask_documents(*build_condition(timeless))
    earliest_day, latest_day = to_day_number(first or date.min), to_day_number(last or date.max)
    is_outside = (passages.day != NO_DAY) & ((passages.day_end <= earliest_day) | (passages.day >= latest_day))
    rows = np.flatnonzero(is_outside & documents[passages.document])
    if not len(rows):
        return
    days, day_ends = passages.day[rows], passages.day_end[rows]
    gaps = np.where(day_ends <= earliest_day, earliest_day - day_ends + 1, days - latest_day)
    nearest_row = rows[np.lexsort((days, gaps))[0]]
    nearest_rows = rows[(gaps == gaps.min()) & (days == passages.day[nearest_row])]
    ids = {passages.documents[ordinal]: ordinal for ordinal in np.unique(passages.document[nearest_rows]).tolist()}
    ((document, source),) = snapshot.query_rows(_FIRST_SOURCE_SQL, {"ids": list(ids)})
    row = nearest_rows[passages.document[nearest_rows] == ids[document]][0]
    relation = "an entry in" if passages.is_entry[row] else "the date of"
    nearest_day = passages.day_end[row] - 1 if passages.day_end[row] <= earliest_day else passages.day[row]
    yield f"{EPOCH + timedelta(days=int(nearest_day))}, {relation} {source}"


def _iter_nearest_periods(snapshot: Snapshot, filters: Filters, timeless: Filters) -> Iterator[str]:
    if not filters.during or not any(filters.during):
        return
    first, last = (
        to_day_number(end) if end else open_end
        for end, open_end in zip(filters.during, (NO_START, NO_END), strict=True)
    )
    mask = mask_allowed(snapshot, timeless)
    rows = np.arange(len(snapshot.passages)) if mask is None else np.flatnonzero(mask)
    times = [*_iter_reported_periods(snapshot, rows, first, last), *_iter_mentioned_times(snapshot, rows, first, last)]
    yield from (phrase for _, phrase in sorted(times)[:1])


def _iter_reported_periods(snapshot: Snapshot, rows: np.ndarray, first: int, last: int) -> Iterator[tuple[int, str]]:
    times = snapshot.document_times
    documents = np.unique(snapshot.passages.document[rows])
    documents = documents[times.reported_start[documents] != NO_DAY]
    gaps = _count_days_apart(times.reported_start[documents], times.reported_end[documents], first, last)
    if (gaps > 0).any():
        nearest = int(np.where(gaps > 0, gaps, NO_END).argmin())
        source, name = read_source_and_period(snapshot, int(documents[nearest]))
        yield int(gaps[nearest]), f"{name}, which {source} reports on"


def _iter_mentioned_times(snapshot: Snapshot, rows: np.ndarray, first: int, last: int) -> Iterator[tuple[int, str]]:
    passages, mentions = snapshot.passages, snapshot.mentions
    _, mention_rows = mentions.find_inside(passages.document[rows], passages.start[rows], passages.end[rows])
    start, end = mentions.start_date[mention_rows], mentions.end_date[mention_rows]
    is_bounded = (start > NO_START) & (end < NO_END)
    mention_rows, start, end = mention_rows[is_bounded], start[is_bounded], end[is_bounded]
    gaps = _count_days_apart(start, end, first, last)
    if not (gaps > 0).any():
        return
    # Of equally near times the most precise one: the shortest.
    nearest = int(np.lexsort((end - start, np.where(gaps > 0, gaps, NO_END)))[0])
    row, document = mention_rows[nearest], int(mentions.document[mention_rows[nearest]])
    span = {"start": int(mentions.start[row]), "stop": int(mentions.end[row])}
    ((text,),) = snapshot.query_rows(_MENTION_SQL, {"id": passages.documents[document], **span})
    days = f"{EPOCH + timedelta(days=int(start[nearest]))} to {EPOCH + timedelta(days=int(end[nearest]) - 1)}"
    yield (
        int(gaps[nearest]),
        f"“{' '.join(text.split())}” ({days}), in {read_source_and_period(snapshot, document)[0]}",
    )


def _count_days_apart(start: np.ndarray, end: np.ndarray, first: int, last: int) -> np.ndarray:
    """Days between times and the demanded one, all half-open; 0 or less if they overlap."""
    return np.maximum(start.astype(np.int64) - last, first - end.astype(np.int64)) + 1
