"""Where words stand on their pages: the lines that a span of a document's text touches, and the boxes of the very span.

A line's box is known, that of a character is not: of a line that a span begins or ends inside, the box is cut in
proportion to the characters. A row of a table is a line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from warehouse.records import Box, Region
from warehouse.store.schemas import records_of
from warehouse.store.snapshot import Snapshot

_TOUCHED = """
    SELECT region.start AS start, region."end" AS "end", region.page AS page, region.box AS box
    FROM (SELECT unnest(regions) AS region FROM blocks WHERE document_id = $id AND start < $stop AND "end" > $start)
    WHERE region.start < $stop AND region."end" > $start
    ORDER BY region.start
"""
_PASSAGE = """
    SELECT document_id, start, text FROM chunks WHERE chunk_id = $id
    UNION ALL SELECT document_id, start, text FROM parents WHERE parent_id = $id
"""


def passage(snapshot: Snapshot, passage_id: str) -> tuple[str, int, str] | None:
    """The document, the start in its text and the words of a chunk, or of the parent of some; None without it."""
    found = snapshot.rows(_PASSAGE, {"id": passage_id})
    return found[0] if found else None


def lines_of(snapshot: Snapshot, document_id: str, start: int, end: int) -> tuple[Region, ...]:
    """The lines that a span touches, whole, in order of the text; none in formats without pages."""
    return records_of(Region, snapshot.records(_TOUCHED, {"id": document_id, "start": start, "stop": end}))


def cut_to(lines: Iterable[Region], start: int, end: int) -> tuple[Region, ...]:
    """The lines with what lies outside of the span cut off."""
    return tuple(_cut(line, max(start, line.start), min(end, line.end)) for line in lines)


def _cut(line: Region, start: int, end: int) -> Region:
    width = (line.box.x1 - line.box.x0) / (line.end - line.start)
    left, right = (line.box.x0 + (place - line.start) * width for place in (start, end))
    return replace(line, start=start, end=end, box=Box(left, line.box.top, right, line.box.bottom))
