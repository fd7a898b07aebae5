"""The ladder of separators: headings, paragraphs, lines and list items, sentences, clauses, words.

A text that is too long is split at its strongest separator, each part again if necessary, and neighbours that fit are
joined (LangChain's RecursiveCharacterTextSplitter). Chinese separators count as well: 。！？ before ；，、 before any
other. Headings stay with the text after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from tasks.chunkers.chunker import OverlappingChunker, Span
from tasks.chunkers.parts.packing import Atom, Fitting, Range, Seam, iter_runs
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class RecursiveChunker(OverlappingChunker):
    """Chunks overlap by whole sentences or clauses, never by a table."""

    name: ClassVar[str] = "recursive"

    size: int = 800
    overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        fitting = Fitting(ruler, self.size)
        spans: list[Span] = []
        for run in iter_runs(document, ruler, self.size):
            previous = 0
            for first, stop in _split_range(fitting, run, (0, len(run)), Seam.HEADING):
                previous = fitting.find_start(run, previous, (first, stop), self.overlap)
                spans.append((run[previous].start, run[stop - 1].end))
        return tuple(spans)


def _split_range(fitting: Fitting, atoms: Sequence[Atom], atom_range: Range, seam: Seam) -> Iterator[Range]:
    """The ranges that `atom_range` is split into, at `seam` or stronger if possible."""
    first, stop = atom_range
    if fitting.fits(atoms, first, stop) or stop - first == 1:
        yield atom_range
        return
    cuts = [index for index in range(first + 1, stop) if atoms[index].seam <= seam]
    if not cuts:
        yield from _split_range(fitting, atoms, atom_range, Seam(seam + 1))
        return
    start = first
    for left, right in pairwise([first, *cuts, stop]):
        if fitting.fits(atoms, start, right):
            continue
        if start < left:
            yield start, left
        start = left
        if not fitting.fits(atoms, left, right):
            yield from _split_range(fitting, atoms, (left, right), seam)
            start = right
    if start < stop:
        yield start, stop


member = RecursiveChunker()
