"""A table as found on one page, before it is joined with its other parts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks.parsers.assembly import AssembledLine, around
from tasks.parsers.pages.rows import read_rows
from tasks.parsers.pages.words import PageWord, around_words
from warehouse.records import Box, Merge

_DOTS = re.compile(r"(?<!\.)\.{4,}$|(?<![.…])(?<![.…] )(?:…|\. ?){2,}$|^[.…·_]+$")
_WIDE = re.compile(r"[\u3400-\u9fff]")
_FEWEST_DOTS = 4


@dataclass(frozen=True, slots=True)
class FoundTable:
    """Cells row by row with the box of each row; `edges` are the left edges of its columns and its right edge.

    `leaders` are the dots that lead from labels to figures; no cell shows them.
    """

    page: int
    box: Box
    rows: tuple[tuple[str, ...], ...]
    boxes: tuple[Box, ...]
    merges: tuple[Merge, ...]
    header_rows: int | None
    confidence: float
    edges: tuple[float, ...]
    leaders: tuple[AssembledLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """A cell with its words: it begins at `row` and `column` and covers `rows` and `columns`."""

    row: int
    column: int
    words: tuple[PageWord, ...]
    rows: int = 1
    columns: int = 1


def build(
    page: int,
    cells: Sequence[Filled],
    edges: Sequence[float],
    *,
    header_rows: int | None,
    confidence: float,
) -> FoundTable | None:
    """A table of these cells, rows and columns without words left out; None where less than two by two remain."""
    filled = [cell for cell in cells if cell.words]
    rows, columns = sorted({cell.row for cell in filled}), sorted({cell.column for cell in filled})
    if len(rows) < 2 or len(columns) < 2:
        return None
    texts = [[""] * len(columns) for _ in rows]
    words: list[list[PageWord]] = [[] for _ in rows]
    dots: list[AssembledLine] = []
    reach: dict[tuple[int, int], tuple[int, int]] = {}
    for cell in filled:
        row, column = bisect_left(rows, cell.row), bisect_left(columns, cell.column)
        texts[row][column] = " ".join(filter(None, (texts[row][column], text_of(cell.words))))
        words[row] += cell.words
        dots += leaders_in(page, cell.words)
        known = reach.get((row, column), (1, 1))
        high = bisect_left(rows, cell.row + cell.rows) - row
        wide = bisect_left(columns, cell.column + cell.columns) - column
        reach[row, column] = max(high, known[0]), max(wide, known[1])
    boxes = tuple(map(around_words, words))
    header = None if header_rows is None else bisect_left(rows, header_rows)
    kept = (*(edges[column] for column in columns), edges[-1])
    grid = tuple(map(tuple, texts))
    return FoundTable(page, around(boxes), grid, boxes, tuple(_clear(reach)), header, confidence, kept, tuple(dots))


def _clear(reach: Mapping[tuple[int, int], tuple[int, int]]) -> Iterator[Merge]:
    """The merges of cells that reach over several rows and columns, each only as far as no other cell stands."""
    taken = set(reach)
    for (row, column), (high, wide) in sorted(reach.items()):
        across = next((n for n in range(1, wide) if (row, column + n) in taken), wide)
        down = next((n for n in range(1, high) if any((row + n, column + m) in taken for m in range(across))), high)
        if across > 1 or down > 1:
            taken.update((row + n, column + m) for n in range(down) for m in range(across))
            yield Merge(row, column, down, across)


def leaders_in(page: int, cell: Sequence[PageWord]) -> list[AssembledLine]:
    """The dots of a cell as a line of their own."""
    dots = [(word, text) for word in cell if (text := _dots(word, cell))]
    if not dots:
        return []
    return [AssembledLine(" ".join(text for _, text in dots), page, around_words(word for word, _ in dots))]


def _dots(word: PageWord, cell: Sequence[PageWord]) -> str:
    """The leading dots that a word is or ends in; a lone dot is the sign for a missing figure."""
    if len(cell) == 1 and len(word.text) < _FEWEST_DOTS:
        return ""
    match = _DOTS.search(word.text)
    return match[0] if match else ""


def text_of(words: Sequence[PageWord]) -> str:
    """The words of a cell line by line, without leading dots.

    No space stands in a word that a line's end parts, or in Chinese.
    """
    text = ""
    for row in read_rows(words):
        own = " ".join(filter(None, (word.text.removesuffix(_dots(word, words)) for word in row.words)))
        own = own.replace("\u00ad", "-")
        if own:
            parted = text.endswith("-") and text[-2:-1].isalpha() and own[0].islower()
            joint = "" if parted or (_WIDE.match(text[-1:]) and _WIDE.match(own)) else " "
            text = f"{text}{joint}{own}" if text else own
    return text
