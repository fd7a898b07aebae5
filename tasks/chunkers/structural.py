"""The default chunker: by section and paragraph, tables whole, after the table-aware rules of the reference.

Chunks end at the strongest seam that fits (heading, block, list item, sentence, clause, word), headings stay with what
follows them, tables are atoms, a table of more than twice the size stands alone, and chunks overlap by whole sentences:
fully in plain text, hardly near a table, not at all where a table or a heading touches the cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tasks.chunkers.chunker import Overlapping, Span
from tasks.chunkers.parts.atoms import runs
from tasks.chunkers.parts.packer import Packing
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Structural(Overlapping):
    """`table_overlap` is the most that two chunks share near a table."""

    name: ClassVar[str] = "structural"
    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap", "table_overlap")

    overlap: int = 200
    table_overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        packing = Packing(ruler, self.size, self.overlap, min(self.table_overlap, self.overlap))
        return tuple(span for run in runs(document, ruler, self.size) for span in packing.spans(run))


member = Structural()
