"""Ruled tables: pdfplumber's grid of lines, filled so that each character stands in exactly one cell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tasks.parsers.pages.lines import Char, read_lines
from tasks.parsers.table_form import Place, tidy
from warehouse.records import Box

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.table import Table

_FEWEST_EDGES = 3
_LONGEST_CELL = 1_500
_TOUCHING = 0.3
_MOST_CUTS = 1

Rectangle = tuple[float, float, float, float]
"""x0, top, x1, bottom."""


@dataclass(frozen=True, slots=True)
class RuledTable:
    """The cells' texts row by row, and the box of each row."""

    box: Box
    rows: tuple[tuple[str, ...], ...]
    boxes: tuple[Box, ...]


def read_ruled(page: Page, chars: Sequence[Char]) -> tuple[list[RuledTable], list[Char]]:
    """The ruled tables of a page in reading order, and the characters outside them.

    What is smaller than two by two, or has a cell as long as a page of prose, is no table and its characters stay
    outside.
    """
    tables: list[RuledTable] = []
    outside = list(chars)
    if not _may_hold_table(page):
        return tables, outside
    for found in sorted(page.find_tables(), key=lambda table: (table.bbox[1], table.bbox[0])):
        box = found.bbox
        inside = [char for char in outside if _holds(box, char)]
        table = _fill(found, inside)
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            outside = [char for char in outside if id(char) not in taken]
    return tables, outside


def _may_hold_table(page: Page) -> bool:
    """Whether there are enough upright and level edges for a grid of two by two cells."""
    drawn = [*page.lines, *page.rects, *page.curves]
    if len(drawn) < _FEWEST_EDGES and not any(True for _ in page.rects):
        return False
    upright = {round(edge["x0"]) for edge in page.edges if edge["orientation"] == "v"}
    level = {round(edge["top"]) for edge in page.edges if edge["orientation"] == "h"}
    return len(upright) >= _FEWEST_EDGES and len(level) >= _FEWEST_EDGES


def _holds(box: Rectangle, char: Char) -> bool:
    x, y = _middle(char)
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _middle(char: Char) -> tuple[float, float]:
    return (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2


@dataclass(slots=True)
class _Squares:
    """A table's cells on the grid of all their edges, to find the cell at a point."""

    cells: list[Rectangle]
    across: list[float] = field(init=False)
    down: list[float] = field(init=False)
    covered: dict[tuple[int, int], int] = field(init=False)

    def __post_init__(self) -> None:
        self.across = sorted({edge for cell in self.cells for edge in (cell[0], cell[2])})
        self.down = sorted({edge for cell in self.cells for edge in (cell[1], cell[3])})
        self.covered = {}
        for number, (x0, top, x1, bottom) in enumerate(self.cells):
            for column in range(self.across.index(x0), self.across.index(x1)):
                for row in range(self.down.index(top), self.down.index(bottom)):
                    self.covered.setdefault((column, row), number)

    def at(self, x: float, y: float) -> int:
        """The cell at a point, or the nearest one where the grid has a hole."""
        place = bisect_right(self.across, x) - 1, bisect_right(self.down, y) - 1
        if (number := self.covered.get(place)) is not None:
            return number
        return min(range(len(self.cells)), key=lambda number: _distance(self.cells[number], x, y))


def _distance(cell: Rectangle, x: float, y: float) -> float:
    return max(cell[0] - x, 0.0, x - cell[2]) + 4 * max(cell[1] - y, 0.0, y - cell[3])


def _fill(found: Table, chars: Sequence[Char]) -> RuledTable | None:
    squares = _Squares(list(found.cells))
    if len(squares.across) <= 2 or len(squares.down) <= 2:
        return None
    if _cuts(squares, chars) > _MOST_CUTS:
        return None
    inside: dict[Rectangle, list[Char]] = {}
    for char in chars:
        inside.setdefault(squares.cells[squares.at(*_middle(char))], []).append(char)
    texts = {cell: _text(held) for cell, held in inside.items()}
    if any(len(text) > _LONGEST_CELL for text in texts.values()):
        return None
    rows = [[texts.get(cell, "") if cell else "" for cell in row.cells] for row in found.rows]
    grid = tidy(rows, [Place(0, _box(row.bbox)) for row in found.rows])
    return RuledTable(_box(found.bbox), grid.rows, tuple(place.box for place in grid.places)) if grid.is_table else None


def _cuts(squares: _Squares, chars: Sequence[Char]) -> int:
    """How many words the grid cuts in two: backgrounds and highlights do that, the rules of a table do not."""
    cuts = 0
    for before, after in pairwise(sorted(chars, key=lambda char: (round(char["top"]), char["x0"]))):
        touch = abs(after["x0"] - before["x1"]) < _TOUCHING and abs(after["top"] - before["top"]) < _TOUCHING
        if touch and before["text"].isalnum() and after["text"].isalnum():
            cuts += squares.at(*_middle(before)) != squares.at(*_middle(after))
    return cuts


def _text(chars: Sequence[Char]) -> str:
    return " ".join(line.text for line in read_lines(chars, 1))


def _box(rectangle: Rectangle) -> Box:
    return Box(*(round(edge, 2) for edge in rectangle))
