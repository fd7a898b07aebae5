"""Text on a terminal: boxes on pages, indented lines, and tables whose columns are aligned with spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len, set_cell_size

from warehouse.control_characters import ESCAPES
from warehouse.records import Region, Table

_WIDEST = 60  # Columns of the screen after which a cell is cut; JSON, CSV and Markdown have all of it.


def page_boxes(regions: Sequence[Region]) -> Iterator[str]:
    """The box around the regions of each page, left,top right,bottom in points: "page 3 [72,100 540,118]"."""
    for page, group in groupby(regions, key=lambda region: region.page):
        rectangles = [region.box for region in group]
        left, top = min(box.x0 for box in rectangles), min(box.top for box in rectangles)
        right, bottom = max(box.x1 for box in rectangles), max(box.bottom for box in rectangles)
        yield f"page {page} [{left:.0f},{top:.0f} {right:.0f},{bottom:.0f}]"


def indent_lines(text: str) -> str:
    """The text, indented below the number of a hit."""
    return "\n".join(f"   {line}" for line in text.splitlines())


def table_lines(table: Table) -> Iterator[str]:
    """The lines of a table: labels on the left, figures aligned right, a rule below the header if there is one."""

    def cut(cell: str) -> str:
        return cell if cell_len(cell) <= _WIDEST else f"{set_cell_size(cell, _WIDEST - 1).rstrip()}…"

    rows = [[cut(cell.translate(ESCAPES)) for cell in row] for row in table.rows]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        if number and number == table.header_rows:
            yield "  ".join("-" * width for width in widths)
        spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, spaces, strict=True))
        yield "  ".join(f"{space}{cell}" if column else f"{cell}{space}" for column, (cell, space) in pairs).rstrip()
