"""Rows of a table that stand outside what shows it: beyond the last rule of its grid, or in the page's margin."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from tasks.parsers.assembly import around
from tasks.parsers.pages.found import FoundTable, leaders_in, text_of
from tasks.parsers.pages.rows import PageRow
from warehouse.records import Merge

_OVER = 0.3
_WIDER = 1.3
_CLOSE = 0.6


def columns_under(reaches: Sequence[tuple[float, float]], edges: Sequence[float]) -> list[int] | None:
    """The column between `edges` in which each stretch of a line stands; None where one has no column of its own."""
    columns: list[int] = []
    for x0, x1 in reaches:
        column = bisect_right(edges, (x0 + x1) / 2) - 1
        if not 0 <= column < len(edges) - 1 or column in columns:
            return None
        out = max(0.0, edges[column] - x0) + max(0.0, x1 - edges[column + 1])
        if out > _OVER * (x1 - x0):
            return None
        columns.append(column)
    return columns


def with_rows_below(table: FoundTable, rows: Sequence[PageRow], *, fewest: int = 2) -> tuple[FoundTable, int]:
    """The table with the first of the `rows` that follow it, as long as they are rows of it, and their number.

    They have `fewest` pieces at least.
    """
    count = 0
    for row in rows:
        close = row.top - table.box.bottom <= _reach(table, row) and len(row.pieces) >= fewest
        cells = _cells(table, row) if close else None
        if cells is None:
            break
        table, count = _extended(table, row, cells, len(table.rows)), count + 1
    return table, count


def with_rows_above(table: FoundTable, rows: Sequence[PageRow], *, fewest: int) -> tuple[FoundTable, int]:
    """The table with the last of the `rows` that come before it, the nearest first, and their number.

    They have `fewest` pieces at least; the uppermost may be the header of a table that has none.
    """
    count = 0
    for row in reversed(rows):
        close = table.box.top - row.bottom <= _reach(table, row) and len(row.pieces) >= fewest
        cells = _cells(table, row) if close else None
        header = cells is None and close and table.header_rows == 0 and _heads(table, row)
        if header:
            cells = _texts(table, row)
        if cells is None:
            break
        table, count = _extended(table, row, cells, 0), count + 1
        if header:
            return replace(table, header_rows=1), count
    return table, count


def _reach(table: FoundTable, row: PageRow) -> float:
    """How far from a table its next row may stand: no further than its rows from each other."""
    gaps = [below.top - above.bottom for above, below in pairwise(table.boxes)]
    return max(_CLOSE * row.size, _WIDER * median(gaps))


def _cells(table: FoundTable, row: PageRow) -> tuple[str, ...] | None:
    """The cells of a line that has a label and, in columns of the table, nothing but figures beside it."""
    cells = _texts(table, row)
    labelled = cells is not None and bool(cells[0]) and not row.pieces[0].is_figure
    figured = len(row.pieces) > 1 and all(piece.is_figure for piece in row.pieces[1:])
    return cells if labelled and figured else None


def _heads(table: FoundTable, row: PageRow) -> bool:
    """Whether a line has a word for every column but the first at least."""
    return _texts(table, row) is not None and len(row.pieces) >= len(table.edges) - 2


def _texts(table: FoundTable, row: PageRow) -> tuple[str, ...] | None:
    columns = columns_under([(piece.x0, piece.x1) for piece in row.pieces], table.edges)
    if columns is None:
        return None
    held = {column: text_of(piece.words) for column, piece in zip(columns, row.pieces, strict=True)}
    return tuple(held.get(column, "") for column in range(len(table.edges) - 1))


def _extended(table: FoundTable, row: PageRow, cells: tuple[str, ...], place: int) -> FoundTable:
    """The table with a row put in at its head or foot."""
    down = 0 if place else 1
    boxes = (*table.boxes[:place], row.box, *table.boxes[place:])
    return replace(
        table,
        box=around(boxes),
        rows=(*table.rows[:place], cells, *table.rows[place:]),
        boxes=boxes,
        merges=tuple(Merge(merge.row + down, merge.column, merge.rows, merge.columns) for merge in table.merges),
        leaders=(*table.leaders, *(line for piece in row.pieces for line in leaders_in(table.page, piece.words))),
    )
