"""A table drawn with spaces: labels to the left, figures to the right, a rule below the header."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from warehouse.escaping import ESCAPES
from warehouse.records import Table

_WIDEST = 60
"""What is longer in a cell is cut here; JSON, CSV and Markdown have all of it."""


def grid_lines(table: Table) -> Iterator[str]:
    """The lines of the drawing, with no rule where there is no header."""
    rows = [[_cut(cell.translate(ESCAPES)) for cell in row] for row in table.rows]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        if number and number == table.header_rows:
            yield "  ".join("-" * width for width in widths)
        cells = [
            _padded(cell, width, left=not column) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _cut(cell: str) -> str:
    return cell if cell_len(cell) <= _WIDEST else f"{set_cell_size(cell, _WIDEST - 1).rstrip()}…"


def _padded(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - cell_len(cell))
    return f"{cell}{space}" if left else f"{space}{cell}"
