"""Tables in ruled grids: each word in its cell; where rules leave rows or columns out, white space parts them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines
from tasks.parsers.pdf.lines.column_finder import find_separators, place_pieces
from tasks.parsers.pdf.lines.page_rows import read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, cut_word
from tasks.parsers.pdf.tables.found_tables import FilledCell, FoundTable, build_table, has_words
from tasks.parsers.pdf.tables.table_layout import arrange_lines
from tasks.parsers.pdf.tables.table_rows import align_header, group_header_rows, group_rows
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

    def find_square(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of the square at a point, or of the nearest one."""
        column = min(max(bisect_right(self.across, x) - 1, 0), self.columns - 1)
        row = min(max(bisect_right(self.down, y) - 1, 0), self.rows - 1)
        return row, column


def _find_lattices(rules: RuledLines) -> Iterator[Lattice]:
    """A lattice for each group of crossing rules that parts its area at all.

    Edges of shades make none: most shade every other row, and their edges part what belongs together.
    """
    drawn_rules = [rule for rule in rules.level if rule.drawn], [rule for rule in rules.upright if rule.drawn]
    for level, upright in _group_crossing_rules(*drawn_rules):
        across = _merge_edges([rule.at for rule in upright], min(r.start for r in level), max(r.end for r in level))
        down = _merge_edges([rule.at for rule in level], min(r.start for r in upright), max(r.end for r in upright))
        if len(across) < 2 or len(down) < 2 or len(across) * len(down) > 20_000:
            continue
        walls = [_find_covered(upright, x, list(pairwise(down))) for x in across]
        floors = [_find_covered(level, y, list(pairwise(across))) for y in down]
        cells = tuple(_iter_cells(walls, floors))
        if len(cells) > 1:
            yield Lattice(tuple(across), tuple(down), cells)


def _group_crossing_rules(
    level: Sequence[RuledLine], upright: Sequence[RuledLine]
) -> Iterator[tuple[list[RuledLine], list[RuledLine]]]:
    """Rules that hang together by crossing or touching."""
    places, reach = [rule.at for rule in level], TABLES.grid_tolerance
    owner = list(range(len(level) + len(upright)))

    def find_root(one: int) -> int:
        while owner[one] != one:
            owner[one] = owner[owner[one]]
            one = owner[one]
        return one

    for number, rule in enumerate(upright, start=len(level)):
        for crossed in range(bisect_left(places, rule.start - reach), bisect_right(places, rule.end + reach)):
            if level[crossed].start - reach <= rule.at <= level[crossed].end + reach:
                owner[find_root(number)] = find_root(crossed)
    groups: dict[int, tuple[list[RuledLine], list[RuledLine]]] = {}
    for number, rule in enumerate((*level, *upright)):
        groups.setdefault(find_root(number), ([], []))[number >= len(level)].append(rule)
    yield from (group for group in groups.values() if len(group[0]) > 1 and group[1])


def _merge_edges(places: Sequence[float], first: float, last: float) -> list[float]:
    """The places in order, those too near to each other taken together."""
    groups: list[list[float]] = []
    for place in sorted([*places, first, last]):
        if groups and place - groups[-1][-1] <= TABLES.grid_tolerance:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [sum(group) / len(group) for group in groups]


def _find_covered(rules: Sequence[RuledLine], at: float, stretches: Sequence[tuple[float, float]]) -> list[bool]:
    """For each stretch along an edge whether a rule covers most of it."""
    near = [rule for rule in rules if abs(rule.at - at) <= 2 * TABLES.grid_tolerance]
    lengths = (max((min(r.end, end) - max(r.start, start) for r in near), default=0.0) for start, end in stretches)
    return [
        length >= TABLES.grid_covered * (end - start) for length, (start, end) in zip(lengths, stretches, strict=True)
    ]


def _iter_cells(walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]) -> Iterator[GridSquare]:
    """Squares taken together across missing rules, as rectangles: first to the right, then downwards."""
    rows, columns = len(floors) - 1, len(walls) - 1
    is_taken = [[False] * columns for _ in range(rows)]

    def continues_below(bottom: int, left: int, right: int) -> bool:
        """Whether the squares below are of the same cell: no rule between, none inside, walls at the same places."""
        below = bottom + 1
        return (
            not any(floors[below][column] or is_taken[below][column] for column in range(left, right + 1))
            and not any(walls[column][below] for column in range(left + 1, right + 1))
            and (left == 0 or walls[left][below] == walls[left][bottom])
            and walls[right + 1][below] == walls[right + 1][bottom]
        )

    for top in range(rows):
        for left in range(columns):
            if is_taken[top][left]:
                continue
            right = left
            while right + 1 < columns and not is_taken[top][right + 1] and not walls[right + 1][top]:
                right += 1
            bottom = top
            while bottom + 1 < rows and continues_below(bottom, left, right):
                bottom += 1
            for row in range(top, bottom + 1):
                is_taken[row][left : right + 1] = [True] * (right + 1 - left)
            yield GridSquare(top, left, bottom, right)


def find_ruled_tables(
    page: int, words: Sequence[PageWord], rules: RuledLines
) -> tuple[list[FoundTable], list[PageWord]]:
    """Tables in ruled grids, and the words outside them."""
    tables: list[FoundTable] = []
    outside = list(words)
    for lattice in sorted(_find_lattices(rules), key=lambda each: -len(each.cells)):
        (left, *_, right), (top, *_, bottom) = lattice.across, lattice.down
        inside = [word for word in outside if left <= word.center <= right and top <= word.middle <= bottom]
        table = _make_table(page, _Grid(lattice, inside)) if inside else None
        if table is not None:
            tables.append(table)
            taken_ids = set(map(id, inside))
            outside = [word for word in outside if id(word) not in taken_ids]
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
        self.words: dict[int, list[PageWord]] = {}
        for word in words:
            for part in self._cut_word(word):
                self.words.setdefault(self._owner[lattice.find_square(part.center, part.middle)], []).append(part)

    def _cut_word(self, word: PageWord) -> list[PageWord]:
        """A word, cut where it stands in two cells."""
        across = self.lattice.across
        for x in across[bisect_right(across, word.x0 + 1) : bisect_left(across, word.x1 - 1)]:
            row, column = self.lattice.find_square(x + 0.01, word.middle)
            has_border = column and self._owner[row, column] != self._owner[row, column - 1]
            if has_border and (halves := cut_word(word, x)):
                return [halves[0], *self._cut_word(halves[1])]
        return [word]


def _is_several(words: Sequence[PageWord]) -> bool:
    """Whether a cell holds several values: figures above each other, or side by side with wide gaps."""
    rows = read_rows(words)
    stacked = sum(row.pieces[-1].is_figure and any(mark.isdigit() for mark in row.text) for row in rows)
    return stacked > 1 or any(len(row.pieces) > 1 and row.pieces[-1].is_figure for row in rows)


def _make_table(page: int, grid: _Grid) -> FoundTable | None:
    lattice, cell_words = grid.lattice, grid.words
    if any(sum(len(word.text) + 1 for word in words) > TABLES.longest_cell for words in cell_words.values()):
        return None
    # Without words, several rows and columns of squares must be cells with something in nearly each.
    count = len(lattice.cells)
    full = min(lattice.rows, lattice.columns) >= TABLES.full_grid and count == lattice.rows * lattice.columns
    full = full and len(cell_words) >= TABLES.full_grid_share * count
    if not full and not has_words(word.text for words in cell_words.values() for word in words):
        return None
    open_cells = [number for number, words in cell_words.items() if _is_several(words)]
    tops = {lattice.cells[number].top for number in cell_words}
    open_tops = {lattice.cells[number].top for number in open_cells}
    if len(open_tops) > TABLES.open_share * len(tops):
        above = [number for number in cell_words if lattice.cells[number].bottom < min(open_tops)]
        return _make_open_table(page, grid, [*above, *open_cells])
    cells = [
        FilledCell(cell.top, cell.left, tuple(cell_words.get(number, ())), cell.rows, cell.columns)
        for number, cell in enumerate(lattice.cells)
    ]
    return build_table(page, cells, lattice.across, header_rows=None, confidence=1.0)


def _group_bands(lattice: Lattice, open_cells: Sequence[int]) -> list[tuple[int, int, bool]]:
    """Rows of squares from the first to the last of each band, and whether white space lays it out.

    They stand one by one; those that open cells cover or tie together are one band.
    """
    ties = [False] * lattice.rows
    is_open = [False] * lattice.rows
    for cell in (lattice.cells[number] for number in open_cells):
        for row in range(cell.top, cell.bottom + 1):
            is_open[row] = True
            ties[row] = ties[row] or row > cell.top
    bands: list[tuple[int, int, bool]] = []
    for row in range(lattice.rows):
        if ties[row] and bands:
            bands[-1] = bands[-1][0], row, True
        else:
            bands.append((row, row, is_open[row]))
    return bands


def _make_open_table(page: int, grid: _Grid, open_cells: Sequence[int]) -> FoundTable | None:
    """A table whose closed bands keep their cells and whose open bands are parted by white space as well."""
    lattice = grid.lattice
    bands = _group_bands(lattice, open_cells)
    tops = {number: lattice.cells[number].top for number in grid.words}
    rows = {
        first: read_rows(word for number, top in tops.items() if first <= top <= last for word in grid.words[number])
        for first, last, is_open in bands
        if is_open
    }
    all_rows = [row for band_rows in rows.values() for row in band_rows]
    inner = {
        x: sum(word.x0 + 1 < x < word.x1 - 1 for row in all_rows for word in row.words) for x in lattice.across[1:-1]
    }
    walls = [x for x, cuts in inner.items() if cuts <= TABLES.wall_cuts * len(all_rows)]
    separators = find_separators(all_rows, walls)
    lines = iter(arrange_lines(all_rows, separators, walls, ()))
    starts, count, body = {}, 0, False
    filled_cells: list[FilledCell] = []
    for first, _, is_open in bands:
        starts[first] = count
        if not is_open:
            count += 1
            continue
        band_lines = list(islice(lines, len(rows[first])))
        body = body or any(line.has_data for line in band_lines)
        # Lines above all figures are headers.
        headers = [] if body else map(align_header, group_header_rows(band_lines, ()))
        for row_lines in group_rows(band_lines, ())[0] if body and band_lines else headers:
            filled_cells += [
                FilledCell(count, span.first, span.words, 1, span.last - span.first + 1)
                for line in row_lines
                for span in line.spans
            ]
            count += 1
    filled_cells += _iter_closed_cells(
        grid, {first: starts[first] for first, _, is_open in bands if not is_open}, separators
    )
    edges = [lattice.across[0], *separators, lattice.across[-1]]
    return build_table(page, _gather_cells(filled_cells), edges, header_rows=None, confidence=0.9)


def _iter_closed_cells(grid: _Grid, starts: Mapping[int, int], separators: Sequence[float]) -> Iterator[FilledCell]:
    """The cells of closed bands in the columns of the whole table; one over several of them is parted if it can be.

    `starts` are the table's rows by the rows of squares of these bands.
    """
    across = grid.lattice.across
    for number, words in grid.words.items():
        cell = grid.lattice.cells[number]
        if cell.top not in starts:
            continue
        first = bisect_right(separators, across[cell.left] + 2)
        last = max(first, bisect_right(separators, across[cell.right + 1] - 2))
        high = sum(cell.top <= row <= cell.bottom for row in starts)
        spans = [span for row in read_rows(words) for span in place_pieces(row, separators)] if last > first else []
        parts = [(span.first, span.words, span.last) for span in spans]
        for left, part_words, right in parts if len({part[0] for part in parts}) > 1 else [(first, tuple(words), last)]:
            yield FilledCell(starts[cell.top], left, part_words, high, right - left + 1)


def _gather_cells(cells: Sequence[FilledCell]) -> list[FilledCell]:
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
