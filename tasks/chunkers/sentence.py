"""As many whole sentences as fit, one chunk after the other, wherever paragraphs and sections end.

The boundaries are those of `tasks.chunkers.parts.sentences`: English and Chinese, with abbreviations, decimals and
quotes known. A sentence of more than half a chunk is cut at its clauses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tasks.chunkers.chunker import Overlapping, Span
from tasks.chunkers.parts.atoms import as_sentences, runs
from tasks.chunkers.parts.packer import Packing
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


member = SentenceChunker()
