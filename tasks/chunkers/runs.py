"""Stretches of a document that chunks may not leave: between furniture, lessons and abstracts, in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tasks.chunkers.atoms import Atom, Seam, atoms_of
from tasks.chunkers.packer import OVERSIZED
from tasks.chunkers.rulers import Ruler
from warehouse.records import Block, BlockKind, Document, Kind

_PIECES_A_CHUNK = 4
"""Atoms are at most this part of a chunk, so that a heading finds room beside what follows."""

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


def lesson_at(document: Document, position: int) -> int | None:
    """The number of the lesson that holds a position of the text; lessons stand in its order and do not overlap."""
    lessons = document.attributes.lessons
    after = bisect_right(lessons, position, key=lambda lesson: lesson.start)
    return lessons[after - 1].number if after and position < lessons[after - 1].end else None


def is_abstract(document: Document, block: Block) -> bool:
    """Whether a block belongs to the abstract of a paper: a section of that name or what stands below it, no table."""
    if document.kind is not Kind.PAPER or block.kind is BlockKind.TABLE:
        return False
    return any(part.strip(" .:").lower() == "abstract" for part in block.section)


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
