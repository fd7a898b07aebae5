"""Spans of documents: passages and their neighbours, tables and pages, located and returned as hits to cite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import groupby
from typing import Any

import numpy as np

from tasks.token_budget import short_quote
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Chunk, Hit
from warehouse.search.hits import cite

MOST_CITED = 40  # The most passages that one answer cites.


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """A span of a document's text."""

    document_id: str
    start: int
    end: int


def hits_at(warehouse: Warehouse, place: DocumentSpan) -> tuple[Hit, ...]:
    """The passages that a place touches, in order, each with its part of the place as its excerpt; score 1."""
    found = hits_of(warehouse, _touched_ids(warehouse, place)[:MOST_CITED])
    return tuple(hit.quoted(max(hit.start, place.start), min(hit.end, place.end)) for hit in found)


def first_hits_at(warehouse: Warehouse, places: Sequence[DocumentSpan]) -> list[Hit | None]:
    """The first passage that each place touches, None where none does; score 1."""
    ids = [next(iter(_touched_ids(warehouse, place)), None) for place in places]
    found = {hit.chunk_id: hit for hit in hits_of(warehouse, [each for each in dict.fromkeys(ids) if each])}
    return [found[each] if each else None for each in ids]


def with_row(hit: Hit | None, place: DocumentSpan) -> Hit | None:
    """The hit with the whole line of a span in it, a row of a table, as its excerpt."""
    if hit is None:
        return None
    start = hit.text.rfind("\n", 0, place.start - hit.start) + 1
    end = hit.text.find("\n", place.end - hit.start)
    return hit.quoted(hit.start + start, hit.start + (end if end >= 0 else len(hit.text)))


def _touched_ids(warehouse: Warehouse, place: DocumentSpan) -> list[str]:
    """The ids of the passages that a place touches, in order."""
    passages = warehouse.snapshot.passages
    ordinal = passages.ordinal_of.get(place.document_id)
    if ordinal is None:
        return []
    first, last = np.searchsorted(passages.document, [ordinal, ordinal + 1])
    inside = (passages.start[first:last] < place.end) & (passages.end[first:last] > place.start)
    return [str(each) for each in passages.ids[first:last][inside]]


def hits_of(warehouse: Warehouse, chunk_ids: Sequence[str]) -> tuple[Hit, ...]:
    """Passages by their ids as hits, in order; score 1, for they were requested by their place."""
    snapshot = warehouse.snapshot
    found = snapshot.chunks(chunk_ids)
    entries = snapshot.entries({chunk.document_id for chunk, _ in found.values()})
    folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}
    hits = []
    for chunk_id in chunk_ids:
        chunk, quality = found[chunk_id]
        entry = entries[chunk.document_id]
        citation = cite(entry, chunk, folders[entry.file.root], quality)
        hits.append(
            Hit(
                chunk_id,
                chunk.document_id,
                chunk.start,
                chunk.text,
                1.0,
                dense=None,
                keyword=None,
                citation=citation,
                pages=chunk.pages,
                is_references=chunk.is_references,
            )
        )
    return tuple(hits)


def chunks_of(warehouse: Warehouse, hits: Sequence[Hit]) -> list[tuple[Chunk, ...]]:
    """The chunks of each hit: itself, or its parts where it is a larger passage."""
    ids = [hit.leaves or (hit.chunk_id,) for hit in hits]
    found = warehouse.snapshot.chunks([each for group in ids for each in group])
    return [tuple(found[each][0] for each in group) for group in ids]


def covered_period(chunks: Sequence[Chunk]) -> str:
    """The period that chunks cover, both days included: "2022-07-01 to 2022-12-31"; empty without any."""
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


class PassageExtent(StrEnum):
    """The extent to read: the passage, its larger passage or section, or its table."""

    PASSAGE = "passage"
    PARENT = "parent"
    TABLE = "table"


_PARENT = """
    SELECT p.start, p."end" FROM parents p JOIN chunks c ON c.parent_id = p.parent_id WHERE c.chunk_id = $id LIMIT 1
"""
_CHUNKS = 'SELECT chunk_id, start, "end", section FROM chunks WHERE document_id = $id ORDER BY chunk_index'
_TABLES = """
    SELECT min(start), max("end") FROM tables WHERE document_id = $id AND start < $stop AND "end" > $start
"""
_TABLE = 'SELECT start, "end" FROM tables WHERE document_id = $id AND number = $number'
_PAGE = """
    SELECT min(start), max("end") FROM (
        SELECT region.start AS start, region."end" AS "end", region.page AS page
        FROM (SELECT unnest(regions) AS region FROM blocks WHERE document_id = $id)
        UNION ALL SELECT start, "end", page FROM blocks WHERE document_id = $id AND len(regions) = 0
    ) WHERE page = $page
"""
_BEFORE = """
    SELECT min(start) FROM (
        SELECT start FROM chunks WHERE document_id = $id AND start < $start ORDER BY start DESC LIMIT $count)
"""
_AFTER = """
    SELECT max("end") FROM (
        SELECT "end" FROM chunks WHERE document_id = $id AND "end" > $stop ORDER BY "end" LIMIT $count)
"""


def passage_span(warehouse: Warehouse, passage_id: str, whole: PassageExtent) -> DocumentSpan:
    """The place of a passage, of the larger passage or section it is of, or of the tables in it.

    Raises `BadInput` for a passage that there is not, and for one without a table where that is asked for.
    """
    found = warehouse.passage(passage_id)
    if found is None:
        raise BadInput(
            f"there is no passage '{short_quote(passage_id)}'", "use the id of a passage that a tool returned"
        )
    document_id, start, text = found
    own = DocumentSpan(document_id, start, start + len(text))
    if whole is PassageExtent.TABLE:
        parameters = {"id": document_id, "start": own.start, "stop": own.end}
        return _queried_span(warehouse, own, _TABLES, parameters, "the passage has no table", "leave 'whole' out")
    if whole is PassageExtent.PARENT:
        rows = warehouse.snapshot.rows(_PARENT, {"id": passage_id})
        return replace(own, start=rows[0][0], end=rows[0][1]) if rows else _section(warehouse, own, passage_id)
    return own


def table_span(warehouse: Warehouse, entry: CatalogEntry, number: int) -> DocumentSpan:
    """The place of a table. Raises `BadInput` for one that there is not."""
    problem = f"{entry.file.source} has no table {number}"
    parameters = {"id": entry.document_id, "number": number}
    return _queried_span(
        warehouse, DocumentSpan(entry.document_id, 0, 0), _TABLE, parameters, problem, "document_outline lists them"
    )


def page_span(warehouse: Warehouse, entry: CatalogEntry, page: int) -> DocumentSpan:
    """The place of a page. Raises `BadInput` for one that there is not, or that has no text."""
    pages = f"it has {entry.total_pages} pages" if entry.total_pages else "its format has no pages; give start=0"
    problem = f"{entry.file.source} has no text on page {page}"
    parameters = {"id": entry.document_id, "page": page}
    return _queried_span(warehouse, DocumentSpan(entry.document_id, 0, 0), _PAGE, parameters, problem, pages)


def spans_around(warehouse: Warehouse, place: DocumentSpan, count: int) -> tuple[DocumentSpan, DocumentSpan]:
    """The spans before and after a span, up to `count` passages each; empty where there is nothing."""
    parameters = {"id": place.document_id, "count": count}
    ((first,),) = warehouse.snapshot.rows(_BEFORE, {**parameters, "start": place.start})
    ((last,),) = warehouse.snapshot.rows(_AFTER, {**parameters, "stop": place.end})
    start, end = place.start if first is None else int(first), place.end if last is None else int(last)
    return replace(place, start=start, end=place.start), replace(place, start=place.end, end=end)


def _section(warehouse: Warehouse, place: DocumentSpan, passage_id: str) -> DocumentSpan:
    """The span of the consecutive passages below the same headings as a passage."""
    rows = warehouse.snapshot.rows(_CHUNKS, {"id": place.document_id})
    for _, group in groupby(rows, key=lambda row: row[3]):
        own = list(group)
        if any(row[0] == passage_id for row in own):
            return replace(place, start=min(row[1] for row in own), end=max(row[2] for row in own))
    return place


def _queried_span(
    warehouse: Warehouse, place: DocumentSpan, sql: str, parameters: dict[str, Any], problem: str, cure: str
) -> DocumentSpan:
    rows = warehouse.snapshot.rows(sql, parameters)
    if not rows or rows[0][0] is None:
        raise BadInput(problem, cure)
    return replace(place, start=int(rows[0][0]), end=int(rows[0][1]))
