"""Diaries and vaults: each dated entry for itself, in it each of the upper sections, in them whole sentences.

A date that heads an entry and headings of the first three levels below it begin a chunk. A sentence of up to one and a
half sizes stays whole; a longer one is cut. A piece under `smallest` that is not the last of its section is joined with
the next, since nothing of a note may be lost, and so is what stands before the first heading, as front matter does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from tasks.chunkers.chunker import Overlapping, Ruler, Span
from tasks.chunkers.parts.atoms import Atom, as_sentences, runs
from tasks.chunkers.parts.packer import Packing, heading_cuts
from tasks.parsers.written_dates import is_date_heading
from warehouse.records import Block, BlockKind, Document

_DEEPEST = 3  # Headings below this level begin no chunk.


@dataclass(frozen=True, slots=True)
class Dated(Overlapping):
    """`smallest` is the least that a piece should measure before the last of its section."""

    name: ClassVar[str] = "dated"
    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap", "smallest")

    size: int = 900
    smallest: int = 100

    @property
    def bound(self) -> int:
        """One and a half sizes."""
        return self.size * 3 // 2

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        packing = Packing(ruler, self.size, self.overlap, self.overlap, self.bound)
        upper = {block.start for block in document.blocks if _begins_chunk(block)}
        found: list[Span] = []
        for run in runs(document, ruler, self.size, self.bound):
            cuts = [place for place in heading_cuts(run) if run[place].start in upper]
            before = (run[0].start, run[cuts[0] - 1].end) if cuts else None
            if before and before[0] not in upper and self._is_small(before, ruler):
                cuts = cuts[1:]
            for first, stop in pairwise([0, *cuts, len(run)]):
                found += self._joined(run[first:stop], packing, ruler)
        return tuple(found)

    def _joined(self, section: Sequence[Atom], packing: Packing, ruler: Ruler) -> Iterator[Span]:
        """The pieces of a section, small ones with the next where both fit."""
        waiting: Span | None = None
        for start, end in packing.spans(as_sentences(section)):
            if waiting and self._is_small(waiting, ruler) and ruler.length(waiting[0], end) <= self.bound:
                waiting = waiting[0], end
                continue
            if waiting:
                yield waiting
            waiting = start, end
        if waiting:
            yield waiting

    def _is_small(self, span: Span, ruler: Ruler) -> bool:
        return ruler.length(*span) < self.smallest


def _begins_chunk(block: Block) -> bool:
    """Whether a block is a dated heading, or one of the first three levels; levels in an entry count from its date."""
    if block.kind is not BlockKind.HEADING:
        return False
    entry = any(is_date_heading(part) for part in block.section)
    return block.level <= _DEEPEST + entry


member = Dated()
