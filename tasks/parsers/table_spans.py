"""Tables with cells that span rows and columns, laid out on a plain grid (HTML 5, 4.9.12).

Columns that only hold the sign of a number, as filings set them, join it: `$ | 1,204 | )` is the one cell `$ 1,204)`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from warehouse.records import Merge

_WIDEST = 200
_BEFORE = frozenset(["$", "€", "£", "¥", "(", "$(", "$ (", "US$", "C$", "A$", "HK$", "RMB"])
_AFTER = frozenset([")", "%", ")%", ") %", "*", "†"])


@dataclass(frozen=True, slots=True)
class SpanCell:
    """A cell as written: how many rows and columns it covers."""

    text: str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Laid:
    """A table on its grid: each text once, at the first place of its cell, and the cells that cover more places.

    `header_rows` is None where the format marks none.
    """

    rows: list[list[str]]
    header_rows: int | None
    merges: list[Merge]

    @property
    def is_table(self) -> bool:
        """Whether words stand in at least two rows and two columns; else it is a frame around its content."""
        rows = [row for row in self.rows if any(text.strip() for text in row)]
        columns = {place for row in rows for place, text in enumerate(row) if text.strip()}
        return len(rows) > 1 and len(columns) > 1


def lay_out(rows: Sequence[Sequence[SpanCell]], header_rows: int | None = None) -> Laid:
    """The cells at their places. No row is wider than 200 columns; what stands further right joins the last cell."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    taken: list[set[int]] = [set() for _ in rows]
    merges: list[Merge] = []
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in taken[number]:
                column += 1
            if column >= _WIDEST:
                above, left = _holder(merges, number, _WIDEST - 1)
                grid[above][left] = f"{grid[above].get(left, '')} {cell.text}"
                continue
            merge = _place(taken, number, column, cell)
            grid[number][column] = cell.text
            if merge.rows > 1 or merge.columns > 1:
                merges.append(merge)
            column += merge.columns
    return Laid(
        [[row.get(column, "") for column in range(max(row, default=-1) + 1)] for row in grid], header_rows, merges
    )


def _holder(merges: Sequence[Merge], row: int, column: int) -> tuple[int, int]:
    """The first place of the cell that covers a place."""
    holders = (
        (merge.row, merge.column)
        for merge in reversed(merges)
        if merge.row <= row < merge.row + merge.rows and merge.column <= column < merge.column + merge.columns
    )
    return next(holders, (row, column))


def _place(taken: list[set[int]], number: int, column: int, cell: SpanCell) -> Merge:
    """Takes the cell's places, as many as are free and in the table."""
    width = min(max(cell.columns, 1), _WIDEST - column)
    while any(place in taken[number] for place in range(column, column + width)):
        width -= 1
    height = min(max(cell.rows, 1), len(taken) - number)
    for below in range(number, number + height):
        taken[below].update(range(column, column + width))
    return Merge(number, column, height, width)


def span(value: str | None) -> int:
    """The number in a `rowspan` or `colspan` attribute, 1 where there is no sensible one."""
    return int(value[:6]) if value and value.isascii() and value.isdigit() and int(value[:6]) > 0 else 1


def join_signs(laid: Laid) -> Laid:
    """The table with every such column joined to the one whose numbers it belongs to.

    A currency stands before its number, a closing parenthesis or a percent sign behind it. A column with any other
    text stays, unless that is a header over both columns.
    """
    width = max(map(len, laid.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in laid.rows]
    wide = {(merge.row, merge.column) for merge in laid.merges if merge.columns > 1}
    gone: list[int] = []
    for column in range(width):
        headed = {number for number in range(len(rows)) if (number, column) in wide}
        if column + 1 < width and _is_sign_of(rows, column, column + 1, _BEFORE, headed):
            for row in rows:
                row[column + 1] = " ".join(filter(None, (row[column].strip(), row[column + 1].strip())))
            gone.append(column)
        elif column and column - 1 not in gone and _is_sign_of(rows, column, column - 1, _AFTER, ()):
            for row in rows:
                row[column - 1] = row[column - 1].strip() + row[column].strip()
            gone.append(column)
    return _without(replace(laid, rows=rows), gone) if gone else laid


def _is_sign_of(rows: list[list[str]], signs: int, numbers: int, known: frozenset[str], headed: Container[int]) -> bool:
    """Whether a column holds signs, each beside a number or alone, and else nothing but headers over both columns."""
    found = False
    for place, row in enumerate(rows):
        sign, text = row[signs].strip(), row[numbers].strip()
        if sign in known and (not text or _is_number(text)):
            found = True
        elif sign and not (place in headed and not text):
            return False
    return found


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) or text in ("-", "—", "–")


def _without(laid: Laid, gone: list[int]) -> Laid:
    """The table less some columns; their merged cells keep what is left of them."""

    def moved(column: int) -> int:
        return column - bisect_left(gone, column)

    spans = [(merge, moved(merge.column), moved(merge.column + merge.columns)) for merge in laid.merges]
    merges = [
        replace(merge, column=first, columns=last - first)
        for merge, first, last in spans
        if last - first > 1 or (last > first and merge.rows > 1)
    ]
    kept = [column for column in range(len(laid.rows[0])) if column not in gone]
    rows = [[row[column] for column in kept] for row in laid.rows]
    return Laid(rows, laid.header_rows, merges)
