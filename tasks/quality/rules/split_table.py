"""TAB001 split-table: a chunk that holds a part of a table.

What: a `[TABLE n]` marker without its `[END TABLE]`, or the other way round.
Why it hurts retrieval: rows without their header are numbers without meaning, and the Markdown no longer reads as a
table.
Example: rows of figures that end in `[END TABLE]`, the header rows being in the chunk before.
Cure: use a chunker that keeps tables whole, such as `structural`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.chunkers.markers import tables_are_whole
from tasks.quality.contract import finding
from warehouse.records import Chunk, Document, Finding, Severity


class SplitTable:
    """Fires on unpaired markers, and on rows cut out of the middle of a table, which hold no marker at all."""

    code: ClassVar[str] = "TAB001"
    name: ClassVar[str] = "split-table"
    severity: ClassVar[Severity] = Severity.ERROR
    penalty: ClassVar[float] = 0.5

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        cut = [table.number for table in document.tables if _cuts(chunk, table.start, table.end)]
        if cut:
            yield finding(self, chunk, f"the chunk holds only a part of table {', '.join(map(str, cut))}")
        elif not tables_are_whole(chunk.text):
            yield finding(self, chunk, "the chunk holds a table marker without its counterpart")


def _cuts(chunk: Chunk, start: int, end: int) -> bool:
    overlaps = chunk.start < end and start < chunk.end
    return overlaps and not (chunk.start <= start and end <= chunk.end)


member = SplitTable()
