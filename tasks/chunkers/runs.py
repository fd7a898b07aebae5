"""Stretches of a document that chunks may not leave: between furniture, lessons and abstracts, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from tasks.chunkers.atoms import Atom, Seam, atoms_of
from warehouse.records import Block, BlockKind, Document, Kind

_PIECES_A_CHUNK = 4
"""Atoms are at most this part of a chunk, so that a heading finds room beside what follows."""

Run = tuple[Atom, ...]


def runs(document: Document, size: int) -> Iterator[Run]:
    """The atoms of each stretch. An abstract is a single atom, whatever its length."""
    longest = max(1, size // _PIECES_A_CHUNK)
    for whole, blocks in _stretches(document):
        if whole:
            yield (Atom(blocks[0].start, blocks[-1].end, Seam.HEADING),)
        else:
            run = tuple(_atoms(document.text, blocks, longest, size))
            if run:
                yield run


def _stretches(document: Document) -> Iterator[tuple[bool, list[Block]]]:
    """Neighbouring blocks of one lesson, and whether they are an abstract; furniture parts them and is in none."""

    def key(numbered: tuple[int, Block]) -> tuple[int, int | None, bool]:
        furniture, block = numbered
        return furniture, lesson_at(document, block.start), is_abstract(document, block)

    furniture = 0
    kept: list[tuple[int, Block]] = []
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            furniture += 1
        elif block.end > block.start:
            kept.extend((furniture, part) for part in _by_lesson(document, block))
    for (_, _, whole), group in groupby(kept, key):
        yield whole, [block for _, block in group]


def lesson_at(document: Document, position: int) -> int | None:
    """The number of the lesson that holds a position of the text."""
    for lesson in document.attributes.lessons:
        if lesson.start <= position < lesson.end:
            return lesson.number
    return None


def is_abstract(document: Document, block: Block) -> bool:
    """Whether a block belongs to the abstract of a paper: a section of that name, or what stands below it."""
    return document.kind is Kind.PAPER and any(part.strip(" .:").lower() == "abstract" for part in block.section)


def _by_lesson(document: Document, block: Block) -> Iterator[Block]:
    """A block that reaches over the edge of a lesson, in parts."""
    edges = {edge for lesson in document.attributes.lessons for edge in (lesson.start, lesson.end)}
    cuts = [block.start, *sorted(edge for edge in edges if block.start < edge < block.end), block.end]
    if len(cuts) == 2 or block.kind is BlockKind.TABLE:
        yield block
        return
    for start, end in pairwise(cuts):
        yield replace(block, start=start, end=end)


def _atoms(text: str, blocks: Sequence[Block], longest: int, size: int) -> Iterator[Atom]:
    before: Block | None = None
    for number, block in enumerate(blocks):
        heading = block.kind is BlockKind.HEADING and not _heads_oversized(blocks, number, size)
        seam = Seam.GLUE if before else Seam.HEADING if heading else Seam.BLOCK
        yield from atoms_of(text, block, seam, longest)
        before = block if heading else None


def _heads_oversized(blocks: Sequence[Block], number: int, size: int) -> bool:
    """Whether only headings part a block from a table that must stand alone, which it then cannot stay with."""
    for block in blocks[number + 1 :]:
        if block.kind is not BlockKind.HEADING:
            return block.kind is BlockKind.TABLE and block.end - block.start > 2 * size
    return False
