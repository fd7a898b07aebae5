"""Tables in ruled grids: each word in its cell; where rules leave rows or columns out, white space parts them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from tasks.parsers.pages.columns import place
from tasks.parsers.pages.drawings import no_words
from tasks.parsers.pages.found import Filled, FoundTable, build
from tasks.parsers.pages.heads import aligned, head_rows
from tasks.parsers.pages.lattice import Lattice, find_lattices
from tasks.parsers.pages.rivers import find_separators
from tasks.parsers.pages.rows import PageRow, read_rows
from tasks.parsers.pages.rules import RuledLines
from tasks.parsers.pages.structure import arrange
from tasks.parsers.pages.table_lines import TableLine
from tasks.parsers.pages.words import PageWord, cut
from tasks.parsers.pages.wrapped_rows import group

_LONGEST_CELL = 1500
_OPEN = 0.3
_MOST_CUT = 0.05
_SEVERAL = 3
_FILLED = 0.9


def ruled_tables(page: int, words: Sequence[PageWord], rules: RuledLines) -> tuple[list[FoundTable], list[PageWord]]:
    """Tables in ruled grids, and the words outside them."""
    tables: list[FoundTable] = []
    outside = list(words)
    for lattice in sorted(find_lattices(rules), key=lambda found: -len(found.cells)):
        inside = [word for word in outside if _holds(lattice, word)]
        table = _fill(page, _Grid(lattice, inside)) if inside else None
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            outside = [word for word in outside if id(word) not in taken]
    return tables, outside


def _holds(lattice: Lattice, word: PageWord) -> bool:
    return lattice.across[0] <= word.center <= lattice.across[-1] and lattice.down[0] <= word.middle <= lattice.down[-1]


class _Grid:
    """A lattice and the words in each of its cells."""

    def __init__(self, lattice: Lattice, words: Sequence[PageWord]) -> None:
        self.lattice = lattice
        self._owner = {
            (row, column): number
            for number, cell in enumerate(lattice.cells)
            for row in range(cell.top, cell.bottom + 1)
            for column in range(cell.left, cell.right + 1)
        }
        self.held: dict[int, list[PageWord]] = {}
        for word in words:
            for part in self._parts(word):
                self.held.setdefault(self._owner[lattice.square(part.center, part.middle)], []).append(part)

    def _parts(self, word: PageWord) -> list[PageWord]:
        """A word, cut where it stands in two cells."""
        across = self.lattice.across
        for x in across[bisect_right(across, word.x0 + 1) : bisect_left(across, word.x1 - 1)]:
            row, column = self.lattice.square(x + 0.01, word.middle)
            parted = column and self._owner[row, column] != self._owner[row, column - 1]
            if parted and (halves := cut(word, x)):
                return [halves[0], *self._parts(halves[1])]
        return [word]

    def open_cells(self) -> list[int]:
        """The cells that hold what are several: figures above each other, or side by side with wide gaps."""
        return [number for number, words in self.held.items() if _is_several(read_rows(words))]

    def cells_above(self, opened: Sequence[int]) -> list[int]:
        """The cells that begin above all of those."""
        first = min(self.lattice.cells[number].top for number in opened)
        return [number for number in self.held if self.lattice.cells[number].bottom < first]


def _is_several(rows: Sequence[PageRow]) -> bool:
    stacked = sum(row.pieces[-1].is_figure and any(mark.isdigit() for mark in row.text) for row in rows)
    return stacked > 1 or any(len(row.pieces) > 1 and row.pieces[-1].is_figure for row in rows)


def _fill(page: int, grid: _Grid) -> FoundTable | None:
    lattice, held = grid.lattice, grid.held
    if any(sum(len(word.text) + 1 for word in words) > _LONGEST_CELL for words in held.values()):
        return None
    if no_words([[word.text for word in words] for words in held.values()]) and not _is_full(grid):
        return None
    opened = grid.open_cells()
    tops = {lattice.cells[number].top for number in held}
    if len({lattice.cells[number].top for number in opened}) > _OPEN * len(tops):
        return _open_table(page, grid, [*grid.cells_above(opened), *opened])
    cells = [
        Filled(cell.top, cell.left, tuple(held.get(number, ())), cell.bottom - cell.top + 1, cell.right - cell.left + 1)
        for number, cell in enumerate(lattice.cells)
    ]
    return build(page, cells, lattice.across, header_rows=None, confidence=1.0)


def _is_full(grid: _Grid) -> bool:
    """Whether several rows and columns of squares are cells with something in nearly each."""
    lattice = grid.lattice
    several = min(lattice.rows, lattice.columns) >= _SEVERAL and len(lattice.cells) == lattice.rows * lattice.columns
    return several and len(grid.held) >= _FILLED * len(lattice.cells)


@dataclass(frozen=True, slots=True)
class _Band:
    """Neighbouring rows of squares; an open band is laid out by white space."""

    top: int
    bottom: int
    is_open: bool


def _bands(lattice: Lattice, opened: Sequence[int]) -> list[_Band]:
    """Rows of squares one by one; those that open cells cover or tie together are one band."""
    ties = [False] * lattice.rows
    is_open = [False] * lattice.rows
    for cell in (lattice.cells[number] for number in opened):
        for row in range(cell.top, cell.bottom + 1):
            is_open[row] = True
            ties[row] = ties[row] or row > cell.top
    bands: list[_Band] = []
    for row in range(lattice.rows):
        if ties[row] and bands:
            bands[-1] = _Band(bands[-1].top, row, is_open=True)
        else:
            bands.append(_Band(row, row, is_open[row]))
    return bands


def _open_table(page: int, grid: _Grid, opened: Sequence[int]) -> FoundTable | None:
    """A table whose closed bands keep their cells and whose open bands are parted by white space as well."""
    lattice = grid.lattice
    bands = _bands(lattice, opened)
    rows = {band: read_rows(_words_in(grid, band)) for band in bands if band.is_open}
    every = [row for held in rows.values() for row in held]
    walls = [x for x in lattice.across[1:-1] if _cuts(every, x) <= _MOST_CUT * len(every)]
    separators = find_separators(every, walls)
    lines = iter(arrange(every, separators, walls, ()))
    starts, count, body = {}, 0, False
    filled: list[Filled] = []
    for band in bands:
        starts[band.top] = count
        held = list(islice(lines, len(rows[band]))) if band.is_open else []
        body = body or any(line.has_data for line in held)
        for grouped in _grouped(held, in_body=body):
            filled += [
                Filled(count, span.first, span.words, 1, span.last - span.first + 1)
                for line in grouped
                for span in line.spans
            ]
            count += 1
        count += not band.is_open
    filled += _closed(grid, bands, starts, separators)
    edges = [lattice.across[0], *separators, lattice.across[-1]]
    return build(page, _gathered(filled), edges, header_rows=None, confidence=0.9)


def _grouped(lines: Sequence[TableLine], *, in_body: bool) -> list[list[TableLine]]:
    """The lines of an open band row by row; those above all figures are headers."""
    if not lines:
        return []
    return group(lines, ())[0] if in_body else [aligned(row) for row in head_rows(lines, ())]


def _words_in(grid: _Grid, band: _Band) -> list[PageWord]:
    return [
        word
        for number, words in grid.held.items()
        if band.top <= grid.lattice.cells[number].top <= band.bottom
        for word in words
    ]


def _cuts(rows: Sequence[PageRow], x: float) -> int:
    return sum(word.x0 + 1 < x < word.x1 - 1 for row in rows for word in row.words)


def _closed(
    grid: _Grid, bands: Sequence[_Band], starts: dict[int, int], separators: Sequence[float]
) -> Iterator[Filled]:
    """The cells of closed bands in the columns of the whole table; one over several of them is parted if it can be."""
    across = grid.lattice.across
    closed = {band.top for band in bands if not band.is_open}
    for number, words in grid.held.items():
        cell = grid.lattice.cells[number]
        if cell.top not in closed:
            continue
        first = bisect_right(separators, across[cell.left] + 2)
        last = max(first, bisect_right(separators, across[cell.right + 1] - 2))
        high = sum(cell.top <= row <= cell.bottom for row in closed)
        spans = [span for row in read_rows(words) for span in place(row, separators)] if last > first else []
        if len({span.first for span in spans}) > 1:
            for span in spans:
                yield Filled(starts[cell.top], span.first, span.words, high, span.last - span.first + 1)
        else:
            yield Filled(starts[cell.top], first, tuple(words), high, last - first + 1)


def _gathered(cells: Sequence[Filled]) -> list[Filled]:
    """Cells that came to stand in one place are one."""
    found = []
    for (row, column), run in groupby(sorted(cells, key=lambda c: (c.row, c.column)), key=lambda c: (c.row, c.column)):
        parts = list(run)
        words = tuple(word for part in parts for word in part.words)
        found.append(Filled(row, column, words, max(p.rows for p in parts), max(p.columns for p in parts)))
    return found
