"""Text for people: citations, passages, boxes on pages, and tables whose columns are aligned with spaces.

On a terminal, headings are bold, sources are links (OSC 8) and prose is wrapped at its width. In a pipe or file, and
with NO_COLOR or TERM=dumb, all is plain text and links are written out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from warehouse.control_characters import ESCAPES
from warehouse.records import Citation, PageUnit, Region, Table

_WIDEST = 60  # Columns of the screen after which a cell is cut; JSON, CSV and Markdown have all of it.
_INDENT = "   "  # Before the lines below the number of a hit.


def is_styled() -> bool:
    """Whether standard output is a terminal that shows bold text and links, and NO_COLOR is not set."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def citation_heading(number: str, citation: Citation) -> str:
    """Title, page and day behind a number ("1." or "[1]"), and the section below where it says more than these."""
    heading = ", ".join(filter(None, (citation.label, citation.place, citation.shown_date))).translate(ESCAPES)
    parts = citation.section[citation.unit is PageUnit.SHEET :]
    section = " > ".join(part for part in parts if part != citation.title).translate(ESCAPES)
    first = f"{number} {heading}"
    return "\n".join(
        filter(None, [typer.style(first, bold=True) if is_styled() else first, section and _INDENT + section])
    )


def citation_source(citation: Citation) -> str:
    """The file of a cited passage, and the link that opens it."""
    source, url = citation.source.translate(ESCAPES), citation.url
    if not url:
        return _INDENT + source
    return _INDENT + (f"\x1b]8;;{url}\x1b\\{source}\x1b]8;;\x1b\\" if is_styled() else f"{source}  {url}")


def passage_lines(text: str) -> str:
    """A passage, indented; on a terminal its prose is wrapped, rows of tables are not."""
    if not is_styled():
        return indent_lines(text)
    console = Console()
    width = max(console.width - len(_INDENT), 20)
    rows = (
        [line] if line.startswith("|") else [row.plain.rstrip() for row in Text(line).wrap(console, width)] or [""]
        for line in text.splitlines()
    )
    return indent_lines("\n".join(row for group in rows for row in group))


def page_boxes(regions: Sequence[Region]) -> Iterator[str]:
    """The box around the regions of each page, left,top right,bottom in points: "page 3 [72,100 540,118]"."""
    for page, group in groupby(regions, key=lambda region: region.page):
        rectangles = [region.box for region in group]
        left, top = min(box.x0 for box in rectangles), min(box.top for box in rectangles)
        right, bottom = max(box.x1 for box in rectangles), max(box.bottom for box in rectangles)
        yield f"page {page} [{left:.0f},{top:.0f} {right:.0f},{bottom:.0f}]"


def indent_lines(text: str) -> str:
    """The text, indented below the number of a hit."""
    return "\n".join(f"{_INDENT}{line}".rstrip() for line in text.splitlines())


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
