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
    """A ruled grid: `x_edges` and `y_edges` are the places of its edges in points, `cells` cover all squares once."""

    x_edges: tuple[float, ...]
    y_edges: tuple[float, ...]
    cells: tuple[GridSquare, ...]

    @property
    def columns(self) -> int:
        """The number of columns of squares."""
        return len(self.x_edges) - 1

    @property
    def rows(self) -> int:
        """The number of rows of squares."""
        return len(self.y_edges) - 1

    def find_square(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of the square at a point, or of the nearest one."""
        column = min(max(bisect_right(self.x_edges, x) - 1, 0), self.columns - 1)
        row = min(max(bisect_right(self.y_edges, y) - 1, 0), self.rows - 1)
        return row, column


def _find_lattices(rules: RuledLines) -> Iterator[Lattice]:
    """A lattice for each group of crossing rules that parts its area at all.

    Edges of shades make none: most shade every other row, and their edges part what belongs together.
    """
    drawn_rules = (
        [rule for rule in rules.horizontal if rule.is_drawn],
        [rule for rule in rules.vertical if rule.is_drawn],
    )
    for horizontal, vertical in _group_crossing_rules(*drawn_rules):
        x_edges = _merge_edges(
            [rule.position for rule in vertical], min(r.start for r in horizontal), max(r.end for r in horizontal)
        )
        y_edges = _merge_edges(
            [rule.position for rule in horizontal], min(r.start for r in vertical), max(r.end for r in vertical)
        )
        if len(x_edges) < 2 or len(y_edges) < 2 or len(x_edges) * len(y_edges) > 20_000:
            continue
        covered_vertical = [_find_covered(vertical, x, list(pairwise(y_edges))) for x in x_edges]
        covered_horizontal = [_find_covered(horizontal, y, list(pairwise(x_edges))) for y in y_edges]
        cells = tuple(_iter_cells(covered_vertical, covered_horizontal))
        if len(cells) > 1:
            yield Lattice(tuple(x_edges), tuple(y_edges), cells)


def _group_crossing_rules(
    horizontal: Sequence[RuledLine], vertical: Sequence[RuledLine]
) -> Iterator[tuple[list[RuledLine], list[RuledLine]]]:
    """Rules that hang together by crossing or touching."""
    places, reach = [rule.position for rule in horizontal], TABLES.grid_tolerance
    parents = list(range(len(horizontal) + len(vertical)))

    def find_root(member: int) -> int:
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    for number, rule in enumerate(vertical, start=len(horizontal)):
        for crossed in range(bisect_left(places, rule.start - reach), bisect_right(places, rule.end + reach)):
            if horizontal[crossed].start - reach <= rule.position <= horizontal[crossed].end + reach:
                parents[find_root(number)] = find_root(crossed)
    groups: dict[int, tuple[list[RuledLine], list[RuledLine]]] = {}
    for number, rule in enumerate((*horizontal, *vertical)):
        groups.setdefault(find_root(number), ([], []))[number >= len(horizontal)].append(rule)
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


def _find_covered(rules: Sequence[RuledLine], position: float, stretches: Sequence[tuple[float, float]]) -> list[bool]:
    """For each stretch along an edge whether a rule covers most of it."""
    nearby_rules = [rule for rule in rules if abs(rule.position - position) <= 2 * TABLES.grid_tolerance]
    lengths = (
        max((min(r.end, end) - max(r.start, start) for r in nearby_rules), default=0.0) for start, end in stretches
    )
    return [
        length >= TABLES.grid_covered_share * (end - start)
        for length, (start, end) in zip(lengths, stretches, strict=True)
    ]


def _iter_cells(
    covered_vertical: Sequence[Sequence[bool]], covered_horizontal: Sequence[Sequence[bool]]
) -> Iterator[GridSquare]:
    """Squares taken together across missing rules, as rectangles: first to the right, then downwards."""
    rows, columns = len(covered_horizontal) - 1, len(covered_vertical) - 1
    is_assigned = [[False] * columns for _ in range(rows)]

    def continues_below(bottom: int, left: int, right: int) -> bool:
        """Whether the squares below are of the same cell: no rule between, none inside, walls at the same places."""
        below = bottom + 1
        return (
            not any(
                covered_horizontal[below][column] or is_assigned[below][column] for column in range(left, right + 1)
            )
            and not any(covered_vertical[column][below] for column in range(left + 1, right + 1))
            and (left == 0 or covered_vertical[left][below] == covered_vertical[left][bottom])
            and covered_vertical[right + 1][below] == covered_vertical[right + 1][bottom]
        )

    for top in range(rows):
        for left in range(columns):
            if is_assigned[top][left]:
                continue
            right = left
            while right + 1 < columns and not is_assigned[top][right + 1] and not covered_vertical[right + 1][top]:
                right += 1
            bottom = top
            while bottom + 1 < rows and continues_below(bottom, left, right):
                bottom += 1
            for row in range(top, bottom + 1):
                is_assigned[row][left : right + 1] = [True] * (right + 1 - left)
            yield GridSquare(top, left, bottom, right)


def find_ruled_tables(
    page: int, words: Sequence[PageWord], rules: RuledLines
) -> tuple[list[FoundTable], list[PageWord]]:
    """Tables in ruled grids, and the words outside them."""
    tables: list[FoundTable] = []
    outside = list(words)
    for lattice in sorted(_find_lattices(rules), key=lambda lattice: -len(lattice.cells)):
        (left, *_, right), (top, *_, bottom) = lattice.x_edges, lattice.y_edges
        inside = [word for word in outside if left <= word.center <= right and top <= word.middle <= bottom]
        table = _make_table(page, _Grid(lattice, inside)) if inside else None
        if table is not None:
            tables.append(table)
            used_ids = set(map(id, inside))
            outside = [word for word in outside if id(word) not in used_ids]
    return tables, outside


class _Grid:
    """A lattice and the words in each of its cells."""

    def __init__(self, lattice: Lattice, words: Sequence[PageWord]) -> None:
        self.lattice = lattice
        self._cell_numbers = {
            (row, column): number
            for number, cell in enumerate(lattice.cells)
            for row in range(cell.top, cell.bottom + 1)
            for column in range(cell.left, cell.right + 1)
        }
        self.words: dict[int, list[PageWord]] = {}
        for word in words:
            for part in self._cut_word(word):
                self.words.setdefault(self._cell_numbers[lattice.find_square(part.center, part.middle)], []).append(
                    part
                )

    def _cut_word(self, word: PageWord) -> list[PageWord]:
        """A word, cut where it stands in two cells."""
        x_edges = self.lattice.x_edges
        for x in x_edges[bisect_right(x_edges, word.x0 + 1) : bisect_left(x_edges, word.x1 - 1)]:
            row, column = self.lattice.find_square(x + 0.01, word.middle)
            has_border = column and self._cell_numbers[row, column] != self._cell_numbers[row, column - 1]
            if has_border and (halves := cut_word(word, x)):
                return [halves[0], *self._cut_word(halves[1])]
        return [word]


def _has_several_values(words: Sequence[PageWord]) -> bool:
    """Whether a cell holds several values: figures above each other, or side by side with wide gaps."""
    rows = read_rows(words)
    stacked_count = sum(row.pieces[-1].is_figure and any(char.isdigit() for char in row.text) for row in rows)
    return stacked_count > 1 or any(len(row.pieces) > 1 and row.pieces[-1].is_figure for row in rows)


def _make_table(page: int, grid: _Grid) -> FoundTable | None:
    lattice, cell_words = grid.lattice, grid.words
    if any(sum(len(word.text) + 1 for word in words) > TABLES.max_cell_length for words in cell_words.values()):
        return None
    # Without words, several rows and columns of squares must be cells with something in nearly each.
    count = len(lattice.cells)
    is_full = (
        min(lattice.rows, lattice.columns) >= TABLES.full_grid_min_side and count == lattice.rows * lattice.columns
    )
    is_full = is_full and len(cell_words) >= TABLES.full_grid_share * count
    if not is_full and not has_words(word.text for words in cell_words.values() for word in words):
        return None
    open_cells = [number for number, words in cell_words.items() if _has_several_values(words)]
    tops = {lattice.cells[number].top for number in cell_words}
    open_tops = {lattice.cells[number].top for number in open_cells}
    if len(open_tops) > TABLES.open_row_share * len(tops):
        cells_above = [number for number in cell_words if lattice.cells[number].bottom < min(open_tops)]
        return _make_open_table(page, grid, [*cells_above, *open_cells])
    cells = [
        FilledCell(cell.top, cell.left, tuple(cell_words.get(number, ())), cell.rows, cell.columns)
        for number, cell in enumerate(lattice.cells)
    ]
    return build_table(page, cells, lattice.x_edges, header_rows=None, confidence=1.0)


def _group_bands(lattice: Lattice, open_cells: Sequence[int]) -> list[tuple[int, int, bool]]:
    """Rows of squares from the first to the last of each band, and whether white space lays it out.

    They stand one by one; those that open cells cover or tie together are one band.
    """
    is_tied = [False] * lattice.rows
    is_open = [False] * lattice.rows
    for cell in (lattice.cells[number] for number in open_cells):
        for row in range(cell.top, cell.bottom + 1):
            is_open[row] = True
            is_tied[row] = is_tied[row] or row > cell.top
    bands: list[tuple[int, int, bool]] = []
    for row in range(lattice.rows):
        if is_tied[row] and bands:
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
    cut_counts = {
        x: sum(word.x0 + 1 < x < word.x1 - 1 for row in all_rows for word in row.words) for x in lattice.x_edges[1:-1]
    }
    rule_positions = [x for x, cuts in cut_counts.items() if cuts <= TABLES.rule_cut_share * len(all_rows)]
    separators = find_separators(all_rows, rule_positions)
    lines = iter(arrange_lines(all_rows, separators, rule_positions, ()))
    starts, count, has_body = {}, 0, False
    filled_cells: list[FilledCell] = []
    for first, _, is_open in bands:
        starts[first] = count
        if not is_open:
            count += 1
            continue
        band_lines = list(islice(lines, len(rows[first])))
        has_body = has_body or any(line.has_data for line in band_lines)
        # Lines above all figures are headers.
        headers = [] if has_body else map(align_header, group_header_rows(band_lines, ()))
        for row_lines in group_rows(band_lines, ())[0] if has_body and band_lines else headers:
            filled_cells += [
                FilledCell(count, span.first, span.words, 1, span.last - span.first + 1)
                for line in row_lines
                for span in line.spans
            ]
            count += 1
    filled_cells += _iter_closed_cells(
        grid, {first: starts[first] for first, _, is_open in bands if not is_open}, separators
    )
    edges = [lattice.x_edges[0], *separators, lattice.x_edges[-1]]
    return build_table(page, _gather_cells(filled_cells), edges, header_rows=None, confidence=0.9)


def _iter_closed_cells(grid: _Grid, starts: Mapping[int, int], separators: Sequence[float]) -> Iterator[FilledCell]:
    """The cells of closed bands in the columns of the whole table; one over several of them is parted if it can be.

    `starts` are the table's rows by the rows of squares of these bands.
    """
    x_edges = grid.lattice.x_edges
    for number, words in grid.words.items():
        cell = grid.lattice.cells[number]
        if cell.top not in starts:
            continue
        first = bisect_right(separators, x_edges[cell.left] + 2)
        last = max(first, bisect_right(separators, x_edges[cell.right + 1] - 2))
        row_count = sum(cell.top <= row <= cell.bottom for row in starts)
        spans = [span for row in read_rows(words) for span in place_pieces(row, separators)] if last > first else []
        parts = [(span.first, span.words, span.last) for span in spans]
        for left, part_words, right in parts if len({part[0] for part in parts}) > 1 else [(first, tuple(words), last)]:
            yield FilledCell(starts[cell.top], left, part_words, row_count, right - left + 1)


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
