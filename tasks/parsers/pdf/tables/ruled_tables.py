"""Tables in ruled grids: each word in its cell; where rules leave rows or columns out, white space parts them."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines
from tasks.parsers.pdf.lines.column_finder import find_separators, place_pieces
from tasks.parsers.pdf.lines.page_rows import PageRow, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, cut_word
from tasks.parsers.pdf.tables.found_tables import FilledCell, FoundTable, build_table
from tasks.parsers.pdf.tables.table_confidence import has_no_words
from tasks.parsers.pdf.tables.table_layout import arrange_lines
from tasks.parsers.pdf.tables.table_rows import TableLine, align_header, group_header_rows, group_rows
from tasks.parsers.pdf.tables.table_settings import TABLES


@dataclass(frozen=True, slots=True)
class GridSquare:
    """Squares of a grid that no rule parts: the first and last row and column, all included."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def rows(self) -> int:
        """How many rows it covers."""
        return self.bottom - self.top + 1

    @property
    def columns(self) -> int:
        """How many columns it covers."""
        return self.right - self.left + 1


@dataclass(frozen=True, slots=True)
class Lattice:
    """A ruled grid: `across` and `down` are the places of its edges in points, `cells` cover all squares once."""

    across: tuple[float, ...]
    down: tuple[float, ...]
    cells: tuple[GridSquare, ...]

    @property
    def columns(self) -> int:
        """The number of columns of squares."""
        return len(self.across) - 1

    @property
    def rows(self) -> int:
        """The number of rows of squares."""
        return len(self.down) - 1

    def square(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of the square at a point, or of the nearest one."""
        column = min(max(bisect_right(self.across, x) - 1, 0), self.columns - 1)
        row = min(max(bisect_right(self.down, y) - 1, 0), self.rows - 1)
        return row, column


def find_lattices(rules: RuledLines) -> Iterator[Lattice]:
    """A lattice for each group of crossing rules that parts its area at all.

    Edges of shades make none: most shade every other row, and their edges part what belongs together.
    """
    drawn = [rule for rule in rules.level if rule.drawn], [rule for rule in rules.upright if rule.drawn]
    for level, upright in _groups(*drawn):
        lattice = _lattice(level, upright)
        if lattice is not None and len(lattice.cells) > 1:
            yield lattice


def _groups(
    level: Sequence[RuledLine], upright: Sequence[RuledLine]
) -> Iterator[tuple[list[RuledLine], list[RuledLine]]]:
    """Rules that hang together by crossing or touching."""
    places = [rule.at for rule in level]
    owner = list(range(len(level) + len(upright)))

    def find(one: int) -> int:
        while owner[one] != one:
            owner[one] = owner[owner[one]]
            one = owner[one]
        return one

    for number, rule in enumerate(upright, start=len(level)):
        first, last = (
            bisect_left(places, rule.start - TABLES.grid_tolerance),
            bisect_right(places, rule.end + TABLES.grid_tolerance),
        )
        for crossed in range(first, last):
            if level[crossed].start - TABLES.grid_tolerance <= rule.at <= level[crossed].end + TABLES.grid_tolerance:
                owner[find(number)] = find(crossed)
    groups: dict[int, tuple[list[RuledLine], list[RuledLine]]] = {}
    for number in range(len(owner)):
        group = groups.setdefault(find(number), ([], []))
        if number < len(level):
            group[0].append(level[number])
        else:
            group[1].append(upright[number - len(level)])
    yield from (group for group in groups.values() if len(group[0]) > 1 and group[1])


def _lattice(level: Sequence[RuledLine], upright: Sequence[RuledLine]) -> Lattice | None:
    across = _edges([rule.at for rule in upright], min(r.start for r in level), max(r.end for r in level))
    down = _edges([rule.at for rule in level], min(r.start for r in upright), max(r.end for r in upright))
    if len(across) < 2 or len(down) < 2 or len(across) * len(down) > 20_000:
        return None
    walls = [_covered(upright, x, list(itertools.pairwise(down))) for x in across]
    floors = [_covered(level, y, list(itertools.pairwise(across))) for y in down]
    return Lattice(tuple(across), tuple(down), tuple(_cells(walls, floors)))


def _edges(places: Sequence[float], first: float, last: float) -> list[float]:
    """The places in order, those too near to each other taken together."""
    groups: list[list[float]] = []
    for place in sorted([*places, first, last]):
        if groups and place - groups[-1][-1] <= TABLES.grid_tolerance:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [sum(group) / len(group) for group in groups]


def _covered(rules: Sequence[RuledLine], at: float, stretches: Sequence[tuple[float, float]]) -> list[bool]:
    """For each stretch along an edge whether rules cover most of it."""
    near = [rule for rule in rules if abs(rule.at - at) <= 2 * TABLES.grid_tolerance]
    found = []
    for start, end in stretches:
        length = max((min(rule.end, end) - max(rule.start, start) for rule in near), default=0.0)
        found.append(length >= TABLES.grid_covered * (end - start))
    return found


def _cells(walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]) -> Iterator[GridSquare]:
    """Squares taken together across missing rules, as rectangles: first to the right, then downwards."""
    rows, columns = len(floors) - 1, len(walls) - 1
    taken = [[False] * columns for _ in range(rows)]

    def goes_on(bottom: int, left: int, right: int) -> bool:
        """Whether the squares below are of the same cell: no rule between, none inside, walls at the same places."""
        below = bottom + 1
        return (
            not any(floors[below][column] or taken[below][column] for column in range(left, right + 1))
            and not any(walls[column][below] for column in range(left + 1, right + 1))
            and (left == 0 or walls[left][below] == walls[left][bottom])
            and walls[right + 1][below] == walls[right + 1][bottom]
        )

    for top in range(rows):
        for left in range(columns):
            if taken[top][left]:
                continue
            right = left
            while right + 1 < columns and not taken[top][right + 1] and not walls[right + 1][top]:
                right += 1
            bottom = top
            while bottom + 1 < rows and goes_on(bottom, left, right):
                bottom += 1
            for row in range(top, bottom + 1):
                taken[row][left : right + 1] = [True] * (right + 1 - left)
            yield GridSquare(top, left, bottom, right)


def ruled_tables(page: int, words: Sequence[PageWord], rules: RuledLines) -> tuple[list[FoundTable], list[PageWord]]:
    """Tables in ruled grids, and the words outside them."""
    tables: list[FoundTable] = []
    outside = list(words)
    for lattice in sorted(find_lattices(rules), key=lambda found: -len(found.cells)):
        (left, *_, right), (top, *_, bottom) = lattice.across, lattice.down
        inside = [word for word in outside if left <= word.center <= right and top <= word.middle <= bottom]
        table = _fill(page, _Grid(lattice, inside)) if inside else None
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            outside = [word for word in outside if id(word) not in taken]
    return tables, outside


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
            if parted and (halves := cut_word(word, x)):
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
    if any(sum(len(word.text) + 1 for word in words) > TABLES.longest_cell for words in held.values()):
        return None
    if has_no_words([[word.text for word in words] for words in held.values()]) and not _is_full(grid):
        return None
    opened = grid.open_cells()
    tops = {lattice.cells[number].top for number in held}
    if len({lattice.cells[number].top for number in opened}) > TABLES.open_share * len(tops):
        return _open_table(page, grid, [*grid.cells_above(opened), *opened])
    cells = [
        FilledCell(cell.top, cell.left, tuple(held.get(number, ())), cell.rows, cell.columns)
        for number, cell in enumerate(lattice.cells)
    ]
    return build_table(page, cells, lattice.across, header_rows=None, confidence=1.0)


def _is_full(grid: _Grid) -> bool:
    """Whether several rows and columns of squares are cells with something in nearly each."""
    lattice = grid.lattice
    squares = len(lattice.cells) == lattice.rows * lattice.columns
    several = min(lattice.rows, lattice.columns) >= TABLES.full_grid
    return squares and several and len(grid.held) >= TABLES.full_grid_share * len(lattice.cells)


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
    tops = {number: lattice.cells[number].top for number in grid.held}
    rows = {
        band: read_rows(
            word for number, top in tops.items() if band.top <= top <= band.bottom for word in grid.held[number]
        )
        for band in bands
        if band.is_open
    }
    every = [row for held in rows.values() for row in held]
    inner = {x: sum(word.x0 + 1 < x < word.x1 - 1 for row in every for word in row.words) for x in lattice.across[1:-1]}
    walls = [x for x, cuts in inner.items() if cuts <= TABLES.wall_cuts * len(every)]
    separators = find_separators(every, walls)
    lines = iter(arrange_lines(every, separators, walls, ()))
    starts, count, body = {}, 0, False
    filled: list[FilledCell] = []
    for band in bands:
        starts[band.top] = count
        held = list(islice(lines, len(rows[band]))) if band.is_open else []
        body = body or any(line.has_data for line in held)
        for grouped in _grouped(held, in_body=body) if held else ():
            filled += [
                FilledCell(count, span.first, span.words, 1, span.last - span.first + 1)
                for line in grouped
                for span in line.spans
            ]
            count += 1
        count += not band.is_open
    filled += _closed(grid, bands, starts, separators)
    edges = [lattice.across[0], *separators, lattice.across[-1]]
    return build_table(page, _gathered(filled), edges, header_rows=None, confidence=0.9)


def _grouped(lines: Sequence[TableLine], *, in_body: bool) -> list[list[TableLine]]:
    """The lines of an open band row by row; those above all figures are headers."""
    return group_rows(lines, ())[0] if in_body else [align_header(row) for row in group_header_rows(lines, ())]


def _closed(
    grid: _Grid, bands: Sequence[_Band], starts: dict[int, int], separators: Sequence[float]
) -> Iterator[FilledCell]:
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
        spans = [span for row in read_rows(words) for span in place_pieces(row, separators)] if last > first else []
        if len({span.first for span in spans}) > 1:
            for span in spans:
                yield FilledCell(starts[cell.top], span.first, span.words, high, span.last - span.first + 1)
        else:
            yield FilledCell(starts[cell.top], first, tuple(words), high, last - first + 1)


def _gathered(cells: Sequence[FilledCell]) -> list[FilledCell]:
    """Cells that came to stand in one place are one."""
    places: dict[tuple[int, int], list[FilledCell]] = {}
    for cell in cells:
        places.setdefault((cell.row, cell.column), []).append(cell)
    return [
        FilledCell(
            *place,
            tuple(word for part in parts for word in part.words),
            max(part.rows for part in parts),
            max(part.columns for part in parts),
        )
        for place, parts in sorted(places.items())
    ]
