"""Courses: each lesson in whole sentences and in passages of like length, since a transcript has no other structure.

A lesson gets as few passages as its length asks for, and the smallest size that needs no more of them, so that none
is a remnant. What stands before the first lesson and after the last is cut in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tasks.chunkers.chunker import Overlapping, Ruler, Span
from tasks.chunkers.parts.atoms import Atom, as_sentences, runs
from tasks.chunkers.parts.packer import Packing
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class LessonChunker(Overlapping):
    """Chunks overlap by whole sentences."""

    name: ClassVar[str] = "lesson"

    size: int = 800
    overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        stretches = runs(document, ruler, self.size)
        return tuple(span for run in stretches for span in self._even(as_sentences(run), ruler))

    def _even(self, atoms: Sequence[Atom], ruler: Ruler) -> list[Span]:
        """The passages of one lesson, by the least size of the later half that gives no more of them."""
        best = self._packed(atoms, ruler, self.size)
        low, high = max(self.size // 2, self.overlap + 1), self.size
        while low < high:
            middle = (low + high) // 2
            found = self._packed(atoms, ruler, middle)
            if len(found) <= len(best):
                best, high = found, middle
            else:
                low = middle + 1
        return best

    def _packed(self, atoms: Sequence[Atom], ruler: Ruler, size: int) -> list[Span]:
        return list(Packing(ruler, size, self.overlap, self.overlap).spans(atoms))


member = LessonChunker()
