"""Chunkers that pack as many atoms as fit: by structure (the default), section, sentence, lesson or dated entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from tasks.chunkers.chunker import Chunker, OverlappingChunker, Ruler, Span
from tasks.chunkers.parts.packing import Atom, Packing, Run, find_heading_cuts, iter_runs, limit_to_sentences
from tasks.parsers.written_dates import is_date_heading
from warehouse.errors import BadInput
from warehouse.records import Block, BlockKind, Document

_MAX_LEVEL = 3  # Headings below this level begin no chunk of a diary.


@dataclass(frozen=True, slots=True)
class StructuralChunker(OverlappingChunker):
    """The default chunker: by section and paragraph, tables whole, after the table-aware rules of the reference.

    Chunks end at the strongest seam that fits (heading, block, list item, sentence, clause, word), headings stay with
    the text after them, tables are atoms, a table of more than twice the size is a chunk of its own or, if it is a long
    list of records, is cut between rows, and chunks overlap by whole sentences: fully in plain text, at most by
    `table_overlap` near a table, not at all if a table or a heading touches the cut.
    """

    name: ClassVar[str] = "structural"
    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap", "table_overlap")

    overlap: int = 200
    table_overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        packing = Packing(ruler, self.size, self.overlap, min(self.table_overlap, self.overlap))
        parts = (part for run in iter_runs(document, ruler, self.size) for part in self.split_run(run))
        return tuple(span for part in parts for span in packing.iter_spans(part))

    def split_run(self, run: Run) -> Iterator[Run]:
        """The parts of a run that no chunk leaves."""
        yield run


@dataclass(frozen=True, slots=True)
class SectionChunker(StructuralChunker):
    """Papers: the abstract whole, then each section by itself.

    No chunk has parts of two sections, so that "Paper: … | Section: …" above it is true of all of it. Consecutive
    headings stay together with the text below them.
    """

    name: ClassVar[str] = "section"

    size: int = 800
    overlap: int = 100

    def split_run(self, run: Run) -> Iterator[Run]:
        """The sections."""
        return (run[first:stop] for first, stop in pairwise([0, *find_heading_cuts(run), len(run)]))


@dataclass(frozen=True, slots=True)
class SentenceChunker(OverlappingChunker):
    """As many whole sentences as fit, one chunk after the other, wherever paragraphs and sections end.

    The boundaries are those of `find_sentences`. A sentence of more than half a chunk is cut at its clauses. Chunks
    overlap by whole sentences, never by a table.
    """

    name: ClassVar[str] = "sentence"

    size: int = 800
    overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        packing = Packing(ruler, self.size, self.overlap, self.overlap)
        stretches = iter_runs(document, ruler, self.size, max(1, self.size // 2))
        return tuple(span for run in stretches for span in packing.iter_spans(limit_to_sentences(run)))


@dataclass(frozen=True, slots=True)
class LessonChunker(OverlappingChunker):
    """Courses: each lesson in whole sentences and passages of like length, as a transcript has no other structure.

    A lesson gets as few passages as its length allows, and the smallest size that needs no more of them, so that none
    is a remnant. The text before the first lesson and after the last is cut in the same way.
    """

    name: ClassVar[str] = "lesson"

    size: int = 800
    overlap: int = 100

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        stretches = iter_runs(document, ruler, self.size)
        return tuple(span for run in stretches for span in self._pack_evenly(limit_to_sentences(run), ruler))

    def _pack_evenly(self, atoms: Sequence[Atom], ruler: Ruler) -> list[Span]:
        """The passages of one lesson, by the least size of the later half that gives no more of them."""

        def pack(size: int) -> list[Span]:
            return list(Packing(ruler, size, self.overlap, self.overlap).iter_spans(atoms))

        best = pack(self.size)
        low, high = max(self.size // 2, self.overlap + 1), self.size
        while low < high:
            middle = (low + high) // 2
            spans = pack(middle)
            if len(spans) <= len(best):
                best, high = spans, middle
            else:
                low = middle + 1
        return best


@dataclass(frozen=True, slots=True)
class DatedChunker(OverlappingChunker):
    """Diaries and vaults: each dated entry by itself, in it each of the upper sections, in them whole sentences.

    The date above an entry and headings of the first three levels below it begin a chunk. A sentence of up to one and
    a half sizes stays whole; a longer one is cut. A piece that measures less than `smallest` and is not the last of its
    section is joined with the next, since nothing of a note may be lost, and so is the text before the first heading,
    such as front matter.
    """

    name: ClassVar[str] = "dated"
    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap", "smallest")

    size: int = 900
    smallest: int = 100

    @property
    def max_size(self) -> int:
        """One and a half sizes."""
        return self.size * 3 // 2

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        packing = Packing(ruler, self.size, self.overlap, self.overlap, self.max_size)
        upper = {block.start for block in document.blocks if _begins_chunk(block)}
        spans: list[Span] = []
        for run in iter_runs(document, ruler, self.size, self.max_size):
            cuts = [index for index in find_heading_cuts(run) if run[index].start in upper]
            if cuts and run[0].start not in upper:
                is_small = ruler.measure(run[0].start, run[cuts[0] - 1].end) < self.smallest
                cuts = cuts[is_small:]
            for first, stop in pairwise([0, *cuts, len(run)]):
                section: list[Span] = []
                for span in packing.iter_spans(limit_to_sentences(run[first:stop])):
                    previous = section[-1] if section else None
                    is_small = previous is not None and ruler.measure(*previous) < self.smallest
                    if previous and is_small and ruler.measure(previous[0], span[1]) <= self.max_size:
                        section[-1] = previous[0], span[1]
                    else:
                        section.append(span)
                spans += section
        return tuple(spans)


def _begins_chunk(block: Block) -> bool:
    """Whether a block is a dated heading, or one of the first three levels; levels in an entry count from its date."""
    return block.kind is BlockKind.HEADING and block.level <= _MAX_LEVEL + any(map(is_date_heading, block.section))


@dataclass(frozen=True, slots=True)
class HierarchicalChunker(Chunker):
    """Small chunks to be found, each within a larger passage to be read, for auto-merging retrieval.

    The leaves are the chunks. A parent has `leaves` times the size of a leaf and follows the structure as
    `structural` does; no leaf crosses from one parent to another, and neither overlap.
    """

    name: ClassVar[str] = "hierarchical"

    size: int = 400
    leaves: int = 4

    def __post_init__(self) -> None:
        Chunker.__post_init__(self)
        if self.leaves < 2:
            raise BadInput(f"a parent needs at least 2 leaves, not {self.leaves}", "give 2 leaves or more")

    def spans(self, document: Document) -> tuple[Span, ...]:
        """The leaves; see `Chunker`."""
        ruler = self.make_ruler(document)
        packing = Packing(ruler, self.size)
        return tuple(span for part in self._iter_parts(document, ruler) for span in packing.iter_spans(part))

    def parents(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        return tuple((part[0].start, part[-1].end) for part in self._iter_parts(document, self.make_ruler(document)))

    def _iter_parts(self, document: Document, ruler: Ruler) -> Iterator[Run]:
        packing = Packing(ruler, self.size * self.leaves)
        for run in iter_runs(document, ruler, self.size):
            for first, stop in packing.iter_ranges(run):
                yield run[first:stop]


members: dict[str, Chunker] = {
    chunker.name: chunker
    for chunker in (
        StructuralChunker(),
        SectionChunker(),
        SentenceChunker(),
        LessonChunker(),
        DatedChunker(),
        HierarchicalChunker(),
    )
}
