"""TAB001 split-table: a passage that holds a part of a table.

What: a `[TABLE n]` marker without its `[END TABLE]`, or the other way round.
Why it hurts retrieval: rows without their header are numbers without meaning, and the Markdown no longer reads as a
table.
Example: rows of figures that end in `[END TABLE]`, the header rows being in the passage before.
Cure: use a chunker that keeps tables whole, such as `structural`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import DocumentRule, Scope, Violation, of_chunk
from warehouse.records import Chunk, Severity, Table
from warehouse.table_notation import tables_are_whole


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Unpaired markers, and rows cut out of the middle of a table, which hold no marker at all."""
    for chunk in subject.chunks:
        cut = [table.number for table in _near(subject.document.tables, chunk) if _cuts(chunk, table.start, table.end)]
        if cut:
            yield of_chunk(chunk, f"the passage holds only a part of table {', '.join(map(str, cut))}")
        elif not tables_are_whole(chunk.text):
            yield of_chunk(chunk, "the passage holds a table marker without its counterpart")


def _near(tables: Sequence[Table], chunk: Chunk) -> Sequence[Table]:
    """The tables that share a character with a chunk; they are in order and apart."""
    first = bisect_right(tables, chunk.start, key=lambda table: table.end)
    return tables[first : bisect_left(tables, chunk.end, key=lambda table: table.start)]


def _cuts(chunk: Chunk, start: int, end: int) -> bool:
    overlaps = chunk.start < end and start < chunk.end
    return overlaps and not (chunk.start <= start and end <= chunk.end)


member = DocumentRule("TAB001", "split-table", Severity.ERROR, 0.5, Scope.CHUNK, __doc__, _found)
