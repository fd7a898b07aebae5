"""Small chunks to be found, each within a larger passage to be read: what auto-merging retrieval merges.

The leaves are the chunks. The parents follow the structure as `structural` does, and no leaf crosses from one parent
to another; neither overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tasks.chunkers.chunker import Chunker, Ruler, Span
from tasks.chunkers.parts.atoms import Run, runs
from tasks.chunkers.parts.packer import Packing
from warehouse.errors import BadInput
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Hierarchical(Chunker):
    """A parent holds `leaves` times the size of a leaf."""

    name: ClassVar[str] = "hierarchical"

    size: int = 400
    leaves: int = 4

    def __post_init__(self) -> None:
        Chunker.__post_init__(self)
        if self.leaves < 2:
            raise BadInput(f"a parent needs at least 2 leaves, not {self.leaves}", "give 2 leaves or more")

    def spans(self, document: Document) -> tuple[Span, ...]:
        """The leaves; see `Chunker`."""
        ruler = self.ruler(document)
        packing = Packing(ruler, self.size)
        return tuple(span for part in self._parts(document, ruler) for span in packing.spans(part))

    def parents(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        return tuple((part[0].start, part[-1].end) for part in self._parts(document, self.ruler(document)))

    def _parts(self, document: Document, ruler: Ruler) -> Iterator[Run]:
        packing = Packing(ruler, self.size * self.leaves)
        for run in runs(document, ruler, self.size):
            for first, stop in packing.ranges(run):
                yield run[first:stop]


member = Hierarchical()
