"""Papers: the abstract whole, then each section for itself, in whole sentences.

No chunk holds parts of two sections, so that "Paper: … | Section: …" above it is true of all of it. Headings that
follow one another stay together with the text below them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from tasks.chunkers.chunker import Overlapping, Span
from tasks.chunkers.parts.atoms import runs
from tasks.chunkers.parts.packer import Packing, heading_cuts
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class SectionChunker(Overlapping):
    """`table_overlap` is the most that two chunks share near a table."""

    name: ClassVar[str] = "section"
    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap", "table_overlap")

    size: int = 800
    overlap: int = 100
    table_overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        packing = Packing(ruler, self.size, self.overlap, min(self.table_overlap, self.overlap))
        found: list[Span] = []
        for run in runs(document, ruler, self.size):
            for first, stop in pairwise([0, *heading_cuts(run), len(run)]):
                found += packing.spans(run[first:stop])
        return tuple(found)


member = SectionChunker()
