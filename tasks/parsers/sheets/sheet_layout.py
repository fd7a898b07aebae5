"""The islands of cells on a sheet: rectangles that blank rows and columns part, in reading order.

A sheet is cut at its blank rows, each band of it at its blank columns, and so on (a recursive X-Y cut, Nagy and Seth,
1984). What people part inside one table is put together again: figures that a narrow column sets apart from their
labels, and rows below a blank one that go on without a header of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parsers.sheets.sheet_cells import CellKind, SheetCell, SheetGrid
from tasks.parsers.sheets.workbook_package import Area, ListObject

_MAX_DEPTH = 8  # Cuts inside each other.
_MAX_ADJACENT = 40  # Islands side by side: what has more is one table with blanks in it.
_MAX_BLANK_ROWS = 2
"""Blank rows inside a table at the most."""
_MAX_ISLANDS_BACK = 20  # Islands before one that may be the same table.
_COLONS = (":", "：")
_MAX_LABEL_LENGTH = 40  # Characters of a form's label that has no colon; longer cells are sentences.
_FIGURES = frozenset({CellKind.NUMBER, CellKind.ERROR})
_LABELS = frozenset({CellKind.TEXT, CellKind.DATE, CellKind.YEAR})

Rows = dict[int, dict[int, SheetCell]]


@dataclass(eq=False)
class Island:
    """Neighbouring cells: their rows in order, none of them blank, between two columns, from 1.

    `table` is the table of Excel's own that it is, if it is one.
    """

    rows: list[int]
    left: int
    right: int
    cells: Rows
    table: ListObject | None = None

    @property
    def top(self) -> int:
        """The first row."""
        return self.rows[0]

    @property
    def bottom(self) -> int:
        """The last row."""
        return self.rows[-1]

    def get_row(self, number: int) -> list[tuple[int, SheetCell]]:
        """The cells of a row in order, with their columns."""
        row = self.cells[number]
        return [(column, row[column]) for column in sorted(row) if self.left <= column <= self.right]


def find_islands(grid: SheetGrid) -> list[Island]:
    """The islands of a sheet from the top, those that begin in one row from the left."""
    islands: list[Island] = []
    other_rows = grid.rows
    for table in grid.tables:
        rows, other_rows = _split_off_area(other_rows, table.area)
        if rows:
            islands.append(Island(sorted(rows), table.area.left, table.area.right, rows, table))
    if other_rows:
        last = max(max(row) for row in other_rows.values())
        islands += _join_islands(list(_cut_islands(other_rows, sorted(other_rows), 1, last, 0)))
    return sorted(islands, key=lambda island: (island.top, island.left))


def _split_off_area(rows: Rows, area: Area) -> tuple[Rows, Rows]:
    """The cells of an area, and all others."""
    inside: Rows = {}
    outside: Rows = {}
    for number, row in rows.items():
        if not area.top <= number <= area.bottom:
            outside[number] = row
            continue
        area_cells = {column: cell for column, cell in row.items() if area.left <= column <= area.right}
        if area_cells:
            inside[number] = area_cells
        if len(area_cells) < len(row):
            outside[number] = {column: cell for column, cell in row.items() if column not in area_cells}
    return inside, outside


def _cut_islands(cells: Rows, rows: Sequence[int], left: int, right: int, depth: int) -> Iterator[Island]:
    """The islands between two columns in some rows, none of which is blank there."""
    ends = [place for place, (before, after) in enumerate(pairwise(rows), 1) if after - before > 1]
    for start, stop in pairwise([0, *ends, len(rows)]):
        band = rows[start:stop]
        columns = sorted({column for row in band for column in cells[row] if left <= column <= right})
        gaps = [place for place, (before, after) in enumerate(pairwise(columns), 1) if after - before > 1]
        runs = [(columns[first], columns[last - 1]) for first, last in pairwise([0, *gaps, len(columns)])]
        if len(runs) > 1:
            runs = [] if len(runs) > _MAX_ADJACENT else _with_their_labels(cells, band, runs)
        if len(runs) < 2 or depth == _MAX_DEPTH:
            yield Island(list(band), columns[0], columns[-1], cells)
            continue
        for first, last in runs:
            run_rows = [row for row in band if _has_cells(cells[row], first, last)]
            is_whole = any(first <= columns[gap] <= last and first <= columns[gap - 1] for gap in gaps)
            if is_whole:
                yield Island(run_rows, first, last, cells)
            else:
                yield from _cut_islands(cells, run_rows, first, last, depth + 1)


def _has_cells(row: dict[int, SheetCell], left: int, right: int) -> bool:
    if len(row) <= right - left:
        return any(left <= column <= right for column in row)
    return any(column in row for column in range(left, right + 1))


def _with_their_labels(cells: Rows, band: Sequence[int], runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs of columns, figures put together with the labels at their left, and the fields of forms with theirs.

    Figures are one column apart from their labels in the same rows, the values of a form at any distance.
    """
    joined_runs = [runs[0]]
    for run in runs[1:]:
        left, right = joined_runs[-1][0], run[1]
        is_table = run[0] - joined_runs[-1][1] == 2 and _begins_with_figures(cells, band, joined_runs[-1], run)
        if is_table or _is_filled_in(cells, band, joined_runs[-1], run, is_alone=len(runs) == 2):
            joined_runs[-1] = (left, right)
        else:
            joined_runs.append(run)
    return joined_runs


def _begins_with_figures(cells: Rows, band: Sequence[int], label_run: tuple[int, int], run: tuple[int, int]) -> bool:
    """Whether a run of columns begins with figures whose rows are labelled in the columns before it."""
    figures = label_count = 0
    numbers: list[str] = []
    for row in band:
        cell, label = cells[row].get(run[0]), cells[row].get(label_run[0])
        if cell is None or cell.kind not in _FIGURES:
            continue
        figures += 1
        numbers.append(cell.text)
        label_count += label is not None and label.kind in _LABELS
    filled = sum(run[0] in cells[row] for row in band)
    is_count = numbers == [str(number) for number in range(1, len(numbers) + 1)] and len(numbers) > 2
    return bool(figures) and not is_count and 2 * figures >= filled and label_count == figures


def _is_filled_in(
    cells: Rows, band: Sequence[int], label_run: tuple[int, int], run: tuple[int, int], *, is_alone: bool
) -> bool:
    """Whether a column has what is filled in beside the labels of the column before it, each in the row of its own.

    Labels end in a colon; where nothing else stands in these rows and most are filled in, short ones without will do.
    """
    if label_run[0] != label_run[1] or run[0] != run[1]:
        return False
    filled_rows = [row for row in band if run[0] in cells[row]]
    labels = [cells[row].get(label_run[0]) for row in filled_rows]
    texts = [label.text.rstrip() for label in labels if label is not None and label.kind is CellKind.TEXT]
    if len(texts) < len(filled_rows) or any(cells[row][run[0]].text.rstrip().endswith(_COLONS) for row in filled_rows):
        return False
    is_usual = is_alone and len(texts) > 1 and 2 * len(filled_rows) > len(band)
    is_short = is_usual and all(len(text) <= _MAX_LABEL_LENGTH for text in texts)
    return is_short or all(text.endswith(_COLONS) for text in texts)


def _join_islands(islands: list[Island]) -> list[Island]:
    """The islands, those put together that are rows of one table with blank rows between."""
    joined_islands: list[Island] = []
    for island in islands:
        candidates = (other for other in reversed(joined_islands[-_MAX_ISLANDS_BACK:]) if _may_follow(other, island))
        above = next(candidates, None)
        if above is not None:
            above.rows += island.rows
        else:
            joined_islands.append(island)
    return joined_islands


def _may_follow(above: Island, below: Island) -> bool:
    """Whether an island goes on with the table above it: in its columns, with figures below its figures, unheaded."""
    gap = below.top - above.bottom - 1
    if not 0 < gap <= _MAX_BLANK_ROWS or below.left != above.left or below.right > above.right:
        return False
    if below.right == below.left or above.right == above.left or len(above.rows) < 2:
        return False
    first = next((row for row in (below.get_row(number) for number in below.rows) if len(row) > 1), None)
    if first is None or not any(cell.kind in _FIGURES for _, cell in first[1:]):
        return False
    figures = {column for number in above.rows[1:] for column, cell in above.get_row(number) if cell.kind in _FIGURES}
    return all(column in figures for column, cell in first[1:] if cell.kind in _FIGURES)


def find_rows_between(rows: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """The places of the rows from `first` to `last` in a list of rows, half-open."""
    return bisect_left(rows, first), bisect_right(rows, last)
