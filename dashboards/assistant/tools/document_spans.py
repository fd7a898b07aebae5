"""Spans of documents as hits to cite: the passages at a place, rows of tables, and the periods that they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tasks.ask.collection.records import AnswerLine
from tasks.ask.figures.figure_cells import FigureCell
from warehouse.reader import Warehouse
from warehouse.records import Chunk, Hit
from warehouse.search.hits import cite, read_passage_rows

MAX_CITED = 40  # The most passages that one answer cites.


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """A span of a document's text."""

    document_id: str
    start: int
    end: int


def find_hits_at(warehouse: Warehouse, place: DocumentSpan) -> tuple[Hit, ...]:
    """The passages that a place touches, in order, each with its part of the place as its excerpt; score 1."""
    hits = load_hits(warehouse, _list_touched_ids(warehouse, place)[:MAX_CITED])
    return tuple(hit.with_excerpt(max(hit.start, place.start), min(hit.end, place.end)) for hit in hits)


def find_answer_hits(warehouse: Warehouse, entries: Sequence[AnswerLine]) -> list[Hit | None]:
    """The passage at the start of each place that an answer from the records names; None where there is none."""
    return _find_first_hits(
        warehouse, [DocumentSpan(entry.document_id, entry.start, entry.start + 1) for entry in entries]
    )


def find_row_hits(warehouse: Warehouse, figures: Sequence[FigureCell]) -> list[Hit | None]:
    """The passage of each cell with the whole line of the cell, a row of a table, as its excerpt."""
    hits = _find_first_hits(
        warehouse, [DocumentSpan(figure.document_id, figure.start, figure.end) for figure in figures]
    )
    return [_with_row(hit, figure) if hit else None for hit, figure in zip(hits, figures, strict=True)]


def _with_row(hit: Hit, figure: FigureCell) -> Hit:
    start = hit.text.rfind("\n", 0, figure.start - hit.start) + 1
    end = hit.text.find("\n", figure.end - hit.start)
    return hit.with_excerpt(hit.start + start, hit.start + (end if end >= 0 else len(hit.text)))


def _find_first_hits(warehouse: Warehouse, places: Sequence[DocumentSpan]) -> list[Hit | None]:
    """The first passage that each place touches, None where none does; score 1."""
    ids = [next(iter(_list_touched_ids(warehouse, place)), None) for place in places]
    hits_by_id = {hit.chunk_id: hit for hit in load_hits(warehouse, list(dict.fromkeys(filter(None, ids))))}
    return [hits_by_id[hit_id] if hit_id else None for hit_id in ids]


def _list_touched_ids(warehouse: Warehouse, place: DocumentSpan) -> list[str]:
    """The ids of the passages that a place touches, in order."""
    passages = warehouse.snapshot.passages
    ordinal = passages.ordinal_of.get(place.document_id)
    if ordinal is None:
        return []
    first, last = np.searchsorted(passages.document, [ordinal, ordinal + 1])
    inside = (passages.start[first:last] < place.end) & (passages.end[first:last] > place.start)
    return passages.get_chunk_ids(first + np.flatnonzero(inside))


def load_hits(warehouse: Warehouse, chunk_ids: Sequence[str]) -> tuple[Hit, ...]:
    """Passages by their ids as hits, in order; their score is 1, for no search has found them."""
    snapshot = warehouse.snapshot
    chunks = snapshot.read_chunks(chunk_ids)
    entries = snapshot.read_entries({chunk.document_id for chunk, _ in chunks.values()})
    folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}
    hits = []
    for chunk_id in chunk_ids:
        chunk, quality = chunks[chunk_id]
        entry = entries[chunk.document_id]
        rows = read_passage_rows(snapshot, entry, chunk)
        hits.append(
            Hit(
                chunk_id,
                chunk.document_id,
                chunk.start,
                chunk.text,
                1.0,
                dense=None,
                keyword=None,
                citation=cite(entry, chunk, folders[entry.file.root], quality, rows=rows),
                pages=chunk.pages,
                is_references=chunk.is_references,
                table_head=chunk.table_head,
                rows=rows,
            )
        )
    return tuple(hits)


def format_covered_periods(warehouse: Warehouse, hits: Sequence[Hit]) -> list[str]:
    """The period that each hit covers, by its parts where it is a larger passage; empty where it covers none."""
    groups = [hit.leaves or (hit.chunk_id,) for hit in hits]
    chunks = warehouse.snapshot.read_chunks([chunk_id for group in groups for chunk_id in group])
    return [_format_covered_period([chunks[chunk_id][0] for chunk_id in group]) for group in groups]


def _format_covered_period(chunks: Sequence[Chunk]) -> str:
    starts = [chunk.period_start for chunk in chunks if chunk.period_start]
    ends = [chunk.period_end for chunk in chunks if chunk.period_end]
    return format_period(min(starts, default=None), max(ends, default=None))


def format_period(start: date | None, end: date | None) -> str:
    """A half-open period with its last day: "2022-07-01 to 2022-12-31", "2022-12-31", "until 2020-12-31"."""
    last = end - timedelta(days=1) if end else None
    if start and last:
        return str(start) if start == last else f"{start} to {last}"
    if start:
        return f"from {start}"
    return f"until {last}" if last else ""
