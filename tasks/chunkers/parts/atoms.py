"""Atoms, the smallest pieces of a chunk, each with the seam before it; and runs of them that no chunk may leave.

Runs lie between furniture, lessons and abstracts, in order.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby, pairwise

from tasks.chunkers.chunker import Ruler
from tasks.chunkers.parts.document_spans import is_abstract, lesson_at
from tasks.chunkers.parts.sentences import find_sentences
from warehouse.records import Block, BlockKind, Document

_CLAUSE = re.compile(r"[;；，、：](?=.)|[,:](?=\s)|\n")
_NEW_LINE = re.compile(r"\n\s*")
_WHITE = re.compile(r"\s+")
OVERSIZED = 2  # A table longer than this many sizes always stands alone.


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
    """`text[start:end]`, which a chunk holds whole or not at all. White space lies between atoms, not at their ends."""

    start: int
    end: int
    seam: Seam
    table: bool = False


def atoms_of(text: str, block: Block, first: Seam, ruler: Ruler, longest: int) -> Iterator[Atom]:
    """A block in atoms that measure at most `longest`, tables whole; `first` is the seam before the block."""
    if block.kind is BlockKind.TABLE:
        yield Atom(block.start, block.end, first, table=True)
        return
    cuts = [(block.start, first), *_seams(text, block), (block.end, Seam.WORD)]
    for (start, seam), (end, _) in pairwise(cuts):
        for piece_start, piece_end, piece_seam in _pieces(text, (start, end), seam, ruler, longest):
            tidy = trim_span(text, piece_start, piece_end)
            if tidy:
                yield Atom(*tidy, piece_seam)


def _seams(text: str, block: Block) -> list[tuple[int, Seam]]:
    """The inner seams of a block: list items, lines of code, sentences; a heading has none."""
    found: dict[int, Seam] = {}
    if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
        found |= dict.fromkeys(find_sentences(text, block.start, block.end), Seam.SENTENCE)
    if block.kind in (BlockKind.LIST, BlockKind.CODE):
        lines = _NEW_LINE.finditer(text, block.start, block.end)
        found |= {line.end(): Seam.LINE for line in lines if line.end() < block.end}
    return sorted(found.items())


def _pieces(
    text: str, span: tuple[int, int], seam: Seam, ruler: Ruler, longest: int
) -> Iterator[tuple[int, int, Seam]]:
    """Cut what is too long at the last clause that fits, else the last word, else anywhere."""
    start, end = span
    while ruler.length(start, end) > longest:
        stop, next_seam = _last_cut(text, start, ruler.limit(start, longest))
        yield start, stop, seam
        start, seam = stop, next_seam
    yield start, end, seam


def _last_cut(text: str, start: int, limit: int) -> tuple[int, Seam]:
    for pattern, seam in ((_CLAUSE, Seam.CLAUSE), (_WHITE, Seam.WORD)):
        last = max((match.end() for match in pattern.finditer(text, start + 1, limit)), default=0)
        if last > start:
            return last, seam
    return limit, Seam.WORD


def trim_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without the white space at its ends; None where nothing is left."""
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    return (left, left + len(piece.strip())) if piece.strip() else None


def as_sentences(atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    """The same atoms, all seams that are stronger made those of sentences."""
    return tuple(replace(atom, seam=max(atom.seam, Seam.SENTENCE)) for atom in atoms)


_PIECES_A_CHUNK = 4  # Atoms are at most this part of a chunk, so that a heading finds room beside what follows.

Run = tuple[Atom, ...]


def runs(document: Document, ruler: Ruler, size: int, longest: int | None = None) -> Iterator[Run]:
    """The atoms of each stretch for chunks of this size. An abstract is a single atom, whatever its length.

    `longest` is the most that an atom measures, a quarter of the size where it is not given.
    """
    longest = max(1, size // _PIECES_A_CHUNK) if longest is None else longest
    for whole, blocks in _stretches(document):
        if whole:
            yield (Atom(blocks[0].start, blocks[-1].end, Seam.HEADING),)
        else:
            run = tuple(_atoms(document.text, blocks, ruler, longest, size))
            if run:
                yield run


@dataclass(frozen=True, slots=True)
class _Place:
    """What parts a block from its neighbours: how much furniture came before, its lesson, whether it is an abstract."""

    furniture: int
    lesson: int | None
    abstract: bool


def _stretches(document: Document) -> Iterator[tuple[bool, list[Block]]]:
    """Neighbouring blocks of one place, and whether they are an abstract; furniture is in none."""
    placed = _with_title(list(_placed(document)))
    for place, group in groupby(placed, key=lambda pair: pair[1]):
        yield place.abstract, [block for block, _ in group]


def _placed(document: Document) -> Iterator[tuple[Block, _Place]]:
    furniture = 0
    edges = sorted({edge for lesson in document.attributes.lessons for edge in (lesson.start, lesson.end)})
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            furniture += 1
        elif block.end > block.start:
            for part in _by_lesson(edges, block):
                yield part, _Place(furniture, lesson_at(document, part.start), is_abstract(document, part))


def _with_title(placed: list[tuple[Block, _Place]]) -> list[tuple[Block, _Place]]:
    """Headings straight before an abstract, a paper's title above all, go with it."""
    for number in range(len(placed) - 2, -1, -1):
        (block, place), (_, after) = placed[number], placed[number + 1]
        if block.kind is BlockKind.HEADING and after == replace(place, abstract=True):
            placed[number] = (block, after)
    return placed


def _by_lesson(edges: Sequence[int], block: Block) -> Iterator[Block]:
    """A block that reaches over the edge of a lesson, in parts; `edges` are those of all lessons in rising order."""
    inner = edges[bisect_right(edges, block.start) : bisect_left(edges, block.end)]
    cuts = [block.start, *inner, block.end]
    if len(cuts) == 2 or block.kind is BlockKind.TABLE:
        yield block
        return
    for start, end in pairwise(cuts):
        yield replace(block, start=start, end=end)


def _atoms(text: str, blocks: Sequence[Block], ruler: Ruler, longest: int, size: int) -> Iterator[Atom]:
    lone = _heading_oversized(blocks, ruler, size)
    headed = False
    for block in blocks:
        heading = block.kind is BlockKind.HEADING and block.start not in lone
        seam = Seam.GLUE if headed else Seam.HEADING if heading else Seam.BLOCK
        yield from atoms_of(text, block, seam, ruler, longest)
        headed = heading


def _heading_oversized(blocks: Sequence[Block], ruler: Ruler, size: int) -> frozenset[int]:
    """Where headings begin that only headings part from a table that must stand alone: they cannot stay with it."""
    lone, is_oversized = set(), False
    for block in reversed(blocks):
        if block.kind is not BlockKind.HEADING:
            is_table = block.kind is BlockKind.TABLE
            is_oversized = is_table and ruler.length(block.start, block.end) > OVERSIZED * size
        elif is_oversized:
            lone.add(block.start)
    return frozenset(lone)
