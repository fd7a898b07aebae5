"""As many whole sentences as fit, one chunk after the other, wherever paragraphs and sections end.

The boundaries are those of `tasks.chunkers.sentences`: English and Chinese, with abbreviations, decimals and quotes
known. A sentence of more than half a chunk is cut at its clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tasks.chunkers.atoms import Atom, Seam
from tasks.chunkers.contract import Overlapping, Span
from tasks.chunkers.packer import Packing
from tasks.chunkers.runs import runs
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class SentenceChunker(Overlapping):
    """Chunks overlap by whole sentences, never by a table."""

    name: ClassVar[str] = "sentence"

    size: int = 800
    overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        packing = Packing(ruler, self.size, self.overlap, self.overlap)
        stretches = runs(document, ruler, self.size, max(1, self.size // 2))
        return tuple(span for run in stretches for span in packing.spans(as_sentences(run)))


def as_sentences(atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    """The same atoms, all seams that are stronger made those of sentences."""
    return tuple(replace(atom, seam=max(atom.seam, Seam.SENTENCE)) for atom in atoms)


member = SentenceChunker()
