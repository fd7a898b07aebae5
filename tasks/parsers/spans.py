"""Tables with cells that span rows and columns, laid out on a plain grid (HTML 5, 4.9.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST = 200


@dataclass(frozen=True, slots=True)
class SpanCell:
    """A cell as written: how many rows and columns it covers."""

    text: str
    rows: int = 1
    columns: int = 1


def lay_out(rows: Sequence[Sequence[SpanCell]], header_rows: int) -> list[list[str]]:
    """The text at each place of the grid.

    A cell stands again in every row it covers, and in the header in every column it covers too, so that each cell
    finds its row and column header; across the columns of the body it stands once. No row is wider than 200 columns.
    """
    grid: list[dict[int, str]] = [{} for _ in rows]
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in grid[number]:
                column += 1
            if column >= _WIDEST:
                grid[number][column - 1] += f" {cell.text}"
                column -= 1
                continue
            width = min(max(cell.columns, 1), _WIDEST - column)
            for below in range(number, min(number + max(cell.rows, 1), len(rows))):
                for place in range(column, column + width):
                    again = place == column or below < header_rows
                    grid[below].setdefault(place, cell.text if again else "")
            column += width
    return [[row.get(column, "") for column in range(max(row, default=-1) + 1)] for row in grid]


def span(value: str | None) -> int:
    """The number in a `rowspan` or `colspan` attribute, 1 where there is no sensible one."""
    return int(value[:6]) if value and value.isascii() and value.isdigit() and int(value[:6]) > 0 else 1
