"""The smallest pieces a chunk is made of, each with the seam that parts it from the piece before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from tasks.chunkers.rulers import Ruler
from tasks.chunkers.sentences import starts
from warehouse.records import Block, BlockKind

_CLAUSE = re.compile(r"[;；，、：](?=.)|[,:](?=\s)|\n")
_NEW_LINE = re.compile(r"\n\s*")
_WHITE = re.compile(r"\s+")


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
            tidy = trimmed(text, piece_start, piece_end)
            if tidy:
                yield Atom(*tidy, piece_seam)


def _seams(text: str, block: Block) -> list[tuple[int, Seam]]:
    """The inner seams of a block: list items, lines of code, sentences; a heading has none."""
    found: dict[int, Seam] = {}
    if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
        found |= dict.fromkeys(starts(text, block.start, block.end), Seam.SENTENCE)
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


def trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without the white space at its ends; None where nothing is left."""
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    return (left, left + len(piece.strip())) if piece.strip() else None
