"""Where two configurations part: the first stage that made something else of the place where an answer stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from warehouse.reader import Warehouse
from warehouse.records import GoldPlace, TrialRecord
from warehouse.store.layout import Layout

_STAGES = ("parse", "tables", "chunk", "embed")
_QUERIES = {
    "parse": "SELECT text[$start + 1:$end] FROM contents WHERE document_id = $id",
    "tables": """
        SELECT row_header, column_header, text, value, period_start, period_end FROM cells
        WHERE document_id = $id AND start < $end AND "end" > $start
    """,
    "chunk": """
        SELECT text, prefix FROM chunks
        WHERE document_id = $id AND start < $end AND "end" > $start ORDER BY start, "end"
    """,
    "embed": """
        SELECT v.vector_id FROM chunk_vectors v JOIN chunks c USING (chunk_id)
        WHERE c.document_id = $id AND c.start < $end AND c."end" > $start ORDER BY ALL
    """,
}
"""What each stage made of a span of a document's text."""

Rows = list[tuple[Any, ...]]


class ConfigurationOutputs:
    """What one configuration made of the documents."""

    def __init__(self, home: Layout, record: TrialRecord) -> None:
        """`record` is of a trial whose warehouse lies beside `home`."""
        folder = home.experiments / record.fingerprint
        self._warehouse = Warehouse(folder).at(record.generation)

    def keys(self, document_id: str) -> dict[str, str]:
        """The key of each stage's output for a document; the same key is the same output."""
        rows = self._warehouse.snapshot.rows(
            "SELECT stage, key FROM outputs WHERE document_id = $id", {"id": document_id}
        )
        return dict(rows)

    def made(self, stage: str, place: GoldPlace) -> Rows:
        """What a stage made of a place."""
        start, end = self._span(place)
        return self._warehouse.snapshot.rows(_QUERIES[stage], {"id": place.document_id, "start": start, "end": end})

    def _span(self, place: GoldPlace) -> tuple[int, int]:
        """The span itself, else that of the page, else that of the document."""
        if place.start is not None and place.end is not None:
            return place.start, place.end
        sql = 'SELECT coalesce(min(start), 0), coalesce(max("end"), 0) FROM blocks WHERE document_id = $id'
        page = {} if place.page is None else {"page": place.page}
        ((start, end),) = self._warehouse.snapshot.rows(
            sql + (" AND page = $page" if page else ""), {"id": place.document_id, **page}
        )
        return start, end


def parting(
    ways: tuple[ConfigurationOutputs, ConfigurationOutputs], gold: Sequence[GoldPlace]
) -> Iterator[tuple[str, str]]:
    """The stages whose outputs differ where the answer stands, the first first."""
    for stage in _STAGES:
        for place in gold:
            keys = [way.keys(place.document_id).get(stage) for way in ways]
            if keys[0] == keys[1]:
                continue
            made = [way.made(stage, place) for way in ways]
            if made[0] != made[1]:
                yield stage, _difference(stage, *made)


def _difference(stage: str, was: Rows, now: Rows) -> str:
    """What differs, in words."""
    if stage == "chunk":
        if [text for text, _ in was] == [text for text, _ in now]:
            return f"the same passages, embedded with {_prefix(was)}, now with {_prefix(now)}"
        return f"the answer lay in {_lengths(was)}, now in {_lengths(now)}"
    if stage == "embed":
        return f"{len(was)} vectors of its passages, now {len(now)}" if len(was) != len(now) else "other vectors"
    if stage == "tables":
        return f"{len(was)} cells there, now {len(now)}" if len(was) != len(now) else "cells were read otherwise"
    return "the text there was read otherwise"


def _lengths(rows: Rows) -> str:
    sizes = sorted((len(row[0]) for row in rows), reverse=True)
    if len(sizes) == 1:
        return f"a passage of {sizes[0]} characters"
    return f"{len(sizes)} passages of up to {sizes[0]} characters" if sizes else "no passage"


def _prefix(rows: Rows) -> str:
    found = next((prefix for _, prefix in rows if prefix), "")
    return f"'{' '.join(found.split())[:60]}' before them" if found else "nothing before them"
