"""The default chunker: by section and paragraph, tables whole, after the table-aware rules of the reference.

Chunks end at the strongest seam that fits (heading, block, list item, sentence, clause, word), headings stay with what
follows them, tables are atoms, a table of more than twice the size stands alone, and chunks overlap by whole sentences:
fully in plain text, hardly near a table, not at all where a table or a heading touches the cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tasks.chunkers.contract import Span
from tasks.chunkers.packing import Packing
from tasks.chunkers.runs import runs
from warehouse.errors import BadInput
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Structural:
    """Sizes in characters. Raises `BadInput` where the overlap is not smaller than the size."""

    name: ClassVar[str] = "structural"
    version: ClassVar[int] = 1

    size: int = 1000
    overlap: int = 200
    table_overlap: int = 100

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size or self.table_overlap < 0:
            raise BadInput(
                f"chunks of {self.size} characters cannot overlap by {self.overlap}",
                "give a size above the overlap, and no overlap below 0",
            )

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        packing = Packing(self.size, self.overlap, min(self.table_overlap, self.overlap))
        return tuple(span for run in runs(document, self.size) for span in packing.spans(run))


member = Structural()
