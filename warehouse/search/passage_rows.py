"""Rows of passages: their numbers in their table and their days, for the citations of parts of tables."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

import numpy as np

from warehouse.records import CatalogEntry, Chunk, DateOrigin, PassageRow
from warehouse.records.fiscal import DAY, Interval
from warehouse.store.columns.passage_columns import EPOCH, to_day_number
from warehouse.store.snapshot import Snapshot
from warehouse.table_notation import CLOSING, HEAD, OPENING_LINE, find_first_rows_end

_LINE = re.compile(r"[^\n]+")


def read_passage_rows(snapshot: Snapshot, entry: CatalogEntry, chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows of the one table that a passage holds a part of, or whose rows date it; none of any other passage.

    A passage of several tables has none, as the number of a row would say nothing there. Those of a table that it holds
    whole have no number: pieces of a sheet are tables of their own.
    """
    is_later = find_first_rows_end(chunk.text) > 0
    is_cut = is_later or CLOSING not in chunk.text
    if not is_cut and chunk.passage_date_origin is not DateOrigin.ROWS:
        return ()
    rows = with_days(parse_rows(chunk), snapshot, chunk)
    if not is_cut or not rows:
        return rows
    first = snapshot.count_rows_before(entry, chunk.start) if is_later else 0
    return tuple(replace(row, number=number) for number, row in enumerate(rows, first + 1))


def with_days_of_parts(snapshot: Snapshot, chunk: Chunk) -> Chunk:
    """A passage that its rows date, with the days of all passages in it: a larger one is shown for several."""
    if chunk.passage_date_origin is not DateOrigin.ROWS:
        return chunk
    passages, ordinal = snapshot.passages, snapshot.passages.ordinal_of[chunk.document_id]
    document_rows = slice(*np.searchsorted(passages.document, [ordinal, ordinal + 1]))
    parts = (
        (passages.start[document_rows] >= chunk.start)
        & (passages.end[document_rows] <= chunk.end)
        & passages.is_dated_by_rows[document_rows]
    )
    first, after = passages.day[document_rows][parts].min(), passages.day_end[document_rows][parts].max()
    return replace(chunk, passage_date=EPOCH + DAY * int(first), passage_end=EPOCH + DAY * int(after))


def parse_rows(chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows of the one table in a passage, without numbers and days."""
    begins = list(OPENING_LINE.finditer(chunk.text))
    is_later = find_first_rows_end(chunk.text) > 0
    head = HEAD.match(chunk.text, begins[0].start()) if begins else None
    if len(begins) + is_later != 1 or (begins and head is None):
        return ()
    lines = takewhile(lambda line: line[0] != CLOSING, _LINE.finditer(chunk.text, head.end() if head else 0))
    return tuple(PassageRow(chunk.start + line.start(), chunk.start + line.end(), None) for line in lines)


def with_days(rows: tuple[PassageRow, ...], snapshot: Snapshot, chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows of a passage that its rows date, each with the first time that it names of those days."""
    is_dated = chunk.passage_date_origin is DateOrigin.ROWS
    if not is_dated or chunk.passage_date is None or chunk.passage_end is None or not rows:
        return rows
    starts, ends = np.array([(row.start, row.end) for row in rows], np.int64).T
    documents = np.full(len(rows), snapshot.passages.ordinal_of[chunk.document_id], np.int64)
    places, found = snapshot.mentions.find_inside(documents, starts, ends)
    first, after = snapshot.mentions.start_date[found], snapshot.mentions.end_date[found]
    is_own = (first >= to_day_number(chunk.passage_date)) & (after <= to_day_number(chunk.passage_end))
    dated_mentions = zip(places[is_own].tolist(), first[is_own].tolist(), after[is_own].tolist(), strict=True)
    days: dict[int, Interval] = {}
    for place, start, end in dated_mentions:
        days.setdefault(place, (EPOCH + DAY * start, EPOCH + DAY * end))
    return tuple(replace(row, days=days.get(place)) for place, row in enumerate(rows))
