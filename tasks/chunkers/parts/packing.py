"""Atoms, the smallest pieces of a chunk, the runs of them that no chunk may leave, and their packing into chunks.

Runs lie between furniture, lessons, dated entries, abstracts and long lists of records, in order. A chunk gets as many
atoms as fit, is cut at the strongest seam of its second half, and overlaps the one before at sentences, not at tables.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby, pairwise
from operator import itemgetter

from tasks.chunkers.chunker import Ruler, Span
from tasks.chunkers.parts.document_spans import find_lesson, find_sentences, is_abstract, trim_span
from tasks.chunkers.parts.long_tables import is_record_list, split_table
from tasks.temporal.entries import find_entries
from warehouse.message_notation import MAIL
from warehouse.records import Block, BlockKind, Document, Table

_CLAUSE = re.compile(r"[;；，、：](?=.)|[,:](?=\s)|\n")
_NEW_LINE = re.compile(r"\n\s*")
_WHITE_SPACE = re.compile(r"\s+")
_ATOMS_PER_CHUNK = 4  # Atoms are at most this part (one in …) of a chunk, so that a heading fits with the next.
_SECTION_SHARE = 4
"""A heading ends a chunk that already has this part (one in …) of the size; smaller sections are joined."""
MAX_SIZES = 2  # A table longer than this many sizes is always a chunk of its own.


class Seam(IntEnum):
    """How natural it is to cut before a piece, the most natural first; `GLUE` follows a heading."""

    HEADING = 0
    BLOCK = 1
    LINE = 2
    SENTENCE = 3
    CLAUSE = 4
    WORD = 5
    GLUE = 6


@dataclass(frozen=True, slots=True)
class Atom:
    """`text[start:end]`, which a chunk has whole or not at all. White space is between atoms, not at their ends."""

    start: int
    end: int
    seam: Seam
    table: bool = False


Run = tuple[Atom, ...]
Range = tuple[int, int]  # A half-open range of the atoms of a run.


def iter_runs(document: Document, ruler: Ruler, size: int, max_atom: int | None = None) -> Iterator[Run]:
    """The atoms of each stretch for chunks of this size. An abstract is a single atom, whatever its length.

    `max_atom` is the most that an atom measures, by default a quarter of the size.
    """
    max_atom = max(1, size // _ATOMS_PER_CHUNK) if max_atom is None else max_atom
    long_tables = {
        table.start: table
        for table in document.tables
        if is_record_list(table) and ruler.measure(table.start, table.end) > MAX_SIZES * size
    }
    for is_abstract_run, blocks in _iter_stretches(document):
        if is_abstract_run:
            yield (Atom(blocks[0].start, blocks[-1].end, Seam.HEADING),)
            continue
        for part in _split_at_tables(blocks, long_tables, ruler, size):
            if run := tuple(_iter_atoms(document.text, part, long_tables, ruler, max_atom, size)):
                yield run


def _split_at_tables(
    blocks: Sequence[Block], long_tables: Mapping[int, Table], ruler: Ruler, size: int
) -> Iterator[Sequence[Block]]:
    """The blocks, split before and after each long list of records; short headings directly above stay with it."""
    begin = 0
    for index, block in enumerate(blocks):
        if block.start not in long_tables:
            continue
        first = index
        while first > begin and blocks[first - 1].kind is BlockKind.HEADING:
            if ruler.measure(blocks[first - 1].start, block.start) > size // 2:
                break
            first -= 1
        yield blocks[begin:first]
        yield blocks[first : index + 1]
        begin = index + 1
    yield blocks[begin:]


def _iter_stretches(document: Document) -> Iterator[tuple[bool, list[Block]]]:
    """Adjacent blocks between furniture, in one lesson and one dated entry, and whether they are an abstract.

    A block that crosses the edge of a lesson or an entry is cut there. Headings directly before an abstract, mostly
    the paper's title, belong to it.
    """
    entries = _list_entry_starts(document)
    edges = sorted({*entries, *(edge for lesson in document.attributes.lessons for edge in (lesson.start, lesson.end))})
    blocks: list[tuple[Block, tuple[int, int | None, int, bool]]] = []
    furniture = 0
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            furniture += 1
        elif block.end > block.start:
            is_table = block.kind is BlockKind.TABLE
            inner = [] if is_table else edges[bisect_right(edges, block.start) : bisect_left(edges, block.end)]
            for start, end in pairwise([block.start, *inner, block.end]):
                part = replace(block, start=start, end=end) if inner else block
                entry = bisect_right(entries, start)
                blocks.append((part, (furniture, find_lesson(document, start), entry, is_abstract(document, block))))
    for index in range(len(blocks) - 2, -1, -1):
        (block, stretch), (_, following) = blocks[index], blocks[index + 1]
        if block.kind is BlockKind.HEADING and following == (*stretch[:3], True):
            blocks[index] = (block, following)
    for (*_, is_abstract_run), group in groupby(blocks, key=itemgetter(1)):
        yield is_abstract_run, [block for block, _ in group]


def _list_entry_starts(document: Document) -> list[int]:
    """The starts of dated entries, without the first one if only properties precede it; of each message of a mail."""
    starts = [entry.start for entry in find_entries(document)[1:]]
    if document.media_type in MAIL:
        return starts
    blocks = (block for block in document.blocks if starts and block.start < starts[0])
    return starts if any(block.kind in (BlockKind.PARAGRAPH, BlockKind.TABLE) for block in blocks) else starts[1:]


def _iter_atoms(
    text: str, blocks: Sequence[Block], long_tables: Mapping[int, Table], ruler: Ruler, max_atom: int, size: int
) -> Iterator[Atom]:
    """The atoms of blocks, at most `max_atom` each except for tables, of which the long ones are cut between rows.

    Headings directly above a table that must be a chunk of its own cannot stay with it.
    """
    headings_of_large_tables, is_oversized = set(), False
    for block in reversed(blocks):
        if block.kind is BlockKind.TABLE:
            is_oversized = block.start not in long_tables and ruler.measure(block.start, block.end) > MAX_SIZES * size
        elif block.kind is not BlockKind.HEADING:
            is_oversized = False
        elif is_oversized:
            headings_of_large_tables.add(block.start)
    follows_heading = False
    for block in blocks:
        is_heading = block.kind is BlockKind.HEADING and block.start not in headings_of_large_tables
        seam = Seam.GLUE if follows_heading else Seam.HEADING if is_heading else Seam.BLOCK
        if block.start in long_tables:
            used = ruler.measure(blocks[0].start, block.start)
            for start, end in split_table(long_tables[block.start], ruler, size, used):
                yield Atom(start, end, seam if start == block.start else Seam.LINE, table=True)
        elif block.kind is BlockKind.TABLE:
            yield Atom(block.start, block.end, seam, table=True)
        else:
            yield from _iter_prose_atoms(text, block, seam, ruler, max_atom)
        follows_heading = is_heading


def _iter_prose_atoms(text: str, block: Block, first: Seam, ruler: Ruler, max_atom: int) -> Iterator[Atom]:
    """A block cut at items, lines of code and sentences; longer pieces at the last line, clause or word that fits.

    Lines of a printed page are not used, as they end only because the page does.
    """
    seams = {block.start: first}
    if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
        seams |= dict.fromkeys(find_sentences(text, block.start, block.end), Seam.SENTENCE)
    if block.kind in (BlockKind.LIST, BlockKind.CODE):
        lines = _NEW_LINE.finditer(text, block.start, block.end)
        seams |= {line.end(): Seam.LINE for line in lines if line.end() < block.end}
    for start, end in pairwise([*sorted(seams), block.end]):
        cuts = [start]
        cut_seams = [seams[start]]
        while ruler.measure(cuts[-1], end) > max_atom:
            limit = ruler.find_limit(cuts[-1], max_atom)
            new_lines, clauses, words = (
                [match.end() for match in pattern.finditer(text, cuts[-1] + 1, limit)]
                for pattern in (_NEW_LINE, _CLAUSE, _WHITE_SPACE)
            )
            new_lines = [] if block.regions else new_lines
            cuts.append((new_lines or clauses or words or [limit])[-1])
            cut_seams.append(Seam.LINE if new_lines else Seam.CLAUSE if clauses else Seam.WORD)
        for piece, seam in zip(pairwise([*cuts, end]), cut_seams, strict=True):
            if span := trim_span(text, *piece):
                yield Atom(*span, seam)


def limit_to_sentences(atoms: Sequence[Atom]) -> Run:
    """The same atoms, with all stronger seams weakened to those of sentences."""
    return tuple(replace(atom, seam=max(atom.seam, Seam.SENTENCE)) for atom in atoms)


def find_heading_cuts(atoms: Sequence[Atom]) -> list[int]:
    """The indexes of atoms at which sections of a run begin, without the first atom."""
    return [index for index in range(1, len(atoms)) if atoms[index].seam is Seam.HEADING]


@dataclass(frozen=True, slots=True)
class Packing:
    """Limits in the ruler's unit: `table_overlap` applies near a table; there is no overlap if one touches the cut.

    An atom that is longer than the size but not than `max_size` stays with the headings above it, if they fit in it.
    """

    ruler: Ruler
    size: int
    overlap: int = 0
    table_overlap: int = 0
    max_size: int = 0

    def iter_spans(self, atoms: Sequence[Atom]) -> Iterator[Span]:
        """The spans of the chunks of one run, in order; each adds at least one atom to those before."""
        return ((atoms[start].start, atoms[stop - 1].end) for start, stop in self.iter_ranges(atoms))

    def iter_ranges(self, atoms: Sequence[Atom]) -> Iterator[Range]:
        """The chunks as half-open ranges of atoms."""
        previous = first = 0
        while first < len(atoms):
            start = self._find_start(atoms, previous, first)
            stop = self._find_stop(atoms, start, first)
            yield start, stop
            previous, first = start, stop

    def _find_start(self, atoms: Sequence[Atom], previous: int, first: int) -> int:
        """The start of the chunk whose first new atom is `first`: at a sentence within the allowed overlap."""
        if first == 0 or atoms[first].table or atoms[first].seam in (Seam.HEADING, Seam.GLUE):
            return first
        last_end = self.ruler.find_limit(atoms[first].start, self.size)
        nearby = atoms[previous : bisect_right(atoms, last_end, lo=first, key=lambda atom: atom.start)]
        limit = self.table_overlap if any(atom.table for atom in nearby) else self.overlap
        best = index = first
        while index - 1 > previous and not atoms[index - 1].table:
            index -= 1
            exceeds_overlap = self.ruler.measure(atoms[index].start, atoms[first].start) > limit
            if exceeds_overlap or self.ruler.measure(atoms[index].start, atoms[first].end) > self.size:
                break
            if atoms[index].seam <= Seam.SENTENCE or atoms[index].seam is Seam.GLUE:
                best = index
            if atoms[index].seam in (Seam.HEADING, Seam.GLUE):
                break
        return best

    def _find_stop(self, atoms: Sequence[Atom], start: int, first: int) -> int:
        """The index after the chunk's last atom."""
        stop = first + 1
        if self._is_alone(atoms[first]):
            return stop
        while stop < len(atoms):
            if self._is_alone(atoms[stop]) or self.ruler.measure(atoms[start].start, atoms[stop].end) > self.size:
                return self._find_cut(atoms, start, first, stop)
            length = self.ruler.measure(atoms[first].start, atoms[stop].start)
            if atoms[stop].seam is Seam.HEADING and length * _SECTION_SHARE >= self.size:
                return stop
            stop += 1
        return stop

    def _is_alone(self, atom: Atom) -> bool:
        return atom.table and self.ruler.measure(atom.start, atom.end) > MAX_SIZES * self.size

    def _find_cut(self, atoms: Sequence[Atom], start: int, first: int, stop: int) -> int:
        """The best place to cut before `stop`, which no longer fits: strongest in the later half, then latest."""
        stops = range(first + 1, stop + 1)
        half, quarter = (self.ruler.find_limit(atoms[start].start, self.size // part) for part in (2, 4))
        for min_end, weakest in ((half, Seam.SENTENCE), (quarter, Seam.SENTENCE), (half, Seam.WORD), (0, Seam.WORD)):
            fitting_cuts = [cut for cut in stops if atoms[cut - 1].end >= min_end and atoms[cut].seam <= weakest]
            if fitting_cuts:
                return min(fitting_cuts, key=lambda cut: (atoms[cut].seam, -cut))
        # Only headings came before: a table stays with them even if they exceed the size together.
        stays_with_headings = atoms[stop].table and not self._is_alone(atoms[stop])
        return (
            stop + 1
            if stays_with_headings or self.ruler.measure(atoms[start].start, atoms[stop].end) <= self.max_size
            else stop
        )


@dataclass(frozen=True, slots=True)
class Fitting:
    """Chunks of at most `size`; a table may exceed it, alone or with the headings directly above it."""

    ruler: Ruler
    size: int

    def fits(self, atoms: Sequence[Atom], first: int, stop: int) -> bool:
        """Whether `atoms[first:stop]` may be one chunk."""
        length = self.ruler.measure(atoms[first].start, atoms[stop - 1].end)
        if length <= self.size or stop - first == 1:
            return True
        is_table_below_headings = atoms[stop - 1].table and all(
            atom.seam is Seam.GLUE for atom in atoms[first + 1 : stop]
        )
        return (
            is_table_below_headings
            and not any(atom.table for atom in atoms[first : stop - 1])
            and length <= MAX_SIZES * self.size
        )

    def find_start(self, atoms: Sequence[Atom], previous: int, chunk: Range, overlap: int) -> int:
        """The start of a chunk that repeats up to `overlap` of the one before, which began at `previous`."""
        first, stop = chunk
        index = first
        while index - 1 > previous and not atoms[index].table and not atoms[index - 1].table:
            start = atoms[index - 1].start
            exceeds_overlap = self.ruler.measure(start, atoms[first].start) > overlap
            if exceeds_overlap or self.ruler.measure(start, atoms[stop - 1].end) > self.size:
                break
            index -= 1
        return index
