"""Passages to cite, where a tool found a place in a document and not a hit of the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from warehouse.reader import Warehouse
from warehouse.records import Chunk, Hit
from warehouse.search.citing import cite

MOST = 40
"""Passages that one answer cites at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a document's text."""

    document_id: str
    start: int
    end: int


def hits_at(warehouse: Warehouse, place: Place) -> tuple[Hit, ...]:
    """The passages that a place touches, in order, each with its part of the place as its excerpt; score 1."""
    found = hits_of(warehouse, _touched(warehouse, place)[:MOST])
    return tuple(hit.quoted(max(hit.start, place.start), min(hit.end, place.end)) for hit in found)


def first_hits_at(warehouse: Warehouse, places: Sequence[Place]) -> list[Hit | None]:
    """The first passage that each place touches, None where none does; score 1."""
    ids = [next(iter(_touched(warehouse, place)), None) for place in places]
    found = {hit.chunk_id: hit for hit in hits_of(warehouse, [each for each in dict.fromkeys(ids) if each])}
    return [found[each] if each else None for each in ids]


def with_row(hit: Hit | None, place: Place) -> Hit | None:
    """The hit with the whole line that a place in it stands on, a row of a table, as its excerpt."""
    if hit is None:
        return None
    start = hit.text.rfind("\n", 0, place.start - hit.start) + 1
    end = hit.text.find("\n", place.end - hit.start)
    return hit.quoted(hit.start + start, hit.start + (end if end >= 0 else len(hit.text)))


def _touched(warehouse: Warehouse, place: Place) -> list[str]:
    """The ids of the passages that a place touches, in order."""
    passages = warehouse.snapshot.passages
    ordinal = passages.ordinal_of.get(place.document_id)
    if ordinal is None:
        return []
    first, last = np.searchsorted(passages.document, [ordinal, ordinal + 1])
    inside = (passages.start[first:last] < place.end) & (passages.end[first:last] > place.start)
    return [str(each) for each in passages.ids[first:last][inside]]


def hits_of(warehouse: Warehouse, chunk_ids: Sequence[str]) -> tuple[Hit, ...]:
    """Passages by their ids as hits, in order, for they were asked for by place: score 1."""
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
    """The chunks that each hit is, or stands for where it is a larger passage."""
    ids = [hit.leaves or (hit.chunk_id,) for hit in hits]
    found = warehouse.snapshot.chunks([each for group in ids for each in group])
    return [tuple(found[each][0] for each in group) for group in ids]


def spoken_of(chunks: Sequence[Chunk]) -> str:
    """The days that chunks speak of, both included: "2022-07-01 to 2022-12-31"; empty without any."""
    starts = [chunk.period_start for chunk in chunks if chunk.period_start]
    ends = [chunk.period_end for chunk in chunks if chunk.period_end]
    return days(min(starts, default=None), max(ends, default=None))


def days(start: date | None, end: date | None) -> str:
    """A half-open period with its last day: "2022-07-01 to 2022-12-31", "2022-12-31", "until 2020-12-31"."""
    last = end - timedelta(days=1) if end else None
    if start and last:
        return str(start) if start == last else f"{start} to {last}"
    if start:
        return f"from {start}"
    return f"until {last}" if last else ""
