"""Text for people: citations, passages, facts, boxes on pages, and tables.

On a terminal, prose is wrapped at its width and the columns of tables are drawn within it; headings are bold and
sources are links (OSC 8) unless NO_COLOR is set. In a pipe or file, and with TERM=dumb, lines are as they are and links
are written out.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

import typer

from warehouse.printable_text import ESCAPES
from warehouse.records import Citation, PageUnit, Region, Table
from warehouse.table_notation import BAR, unescape_cell

_MAX_CELL_WIDTH = 60
"""Columns of the screen after which a cell is cut in a pipe; JSON, CSV and Markdown have all of it."""
_INDENT = "   "  # Before the lines below the number of a hit.
_MIN_TEXT_WIDTH = 20  # Columns that are left for text on the narrowest terminal.
_HARD_WRAPPED = 60
"""The columns from which a line of prose counts as continued in the next: pages of PDFs have lines of 80 to 110
columns, and only the last of a paragraph is short. Verses, addresses and transcripts have shorter ones."""
_OWN_LINE = re.compile(r"\s*(?:[-*+•>#|…]|\d{1,3}[.)]\s|\[TABLE |\[END TABLE)")
"""The beginning of a line that does not continue the previous one: a list, quotation, heading, table or omission."""


def is_terminal() -> bool:
    """Whether standard output is a terminal, which has a width."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def is_styled() -> bool:
    """Whether standard output is a terminal that shows bold text and links, and NO_COLOR is not set."""
    return is_terminal() and not os.environ.get("NO_COLOR")


def format_citation_heading(number: str, citation: Citation) -> str:
    """Title, page and day behind a number ("1." or "[1]"), and the section below where it says more than these."""
    heading = ", ".join(filter(None, (citation.label, citation.place, citation.shown_date))).translate(ESCAPES)
    parts = citation.section[citation.unit is PageUnit.SHEET :]
    label_parts = (citation.title, *citation.label.split(" - "))
    sections = [part for part in parts if part not in label_parts]
    # The label of a note names its section already.
    is_named = bool(sections) and citation.label.endswith(f"#{sections[-1]}")
    section = "" if is_named else " > ".join(sections).translate(ESCAPES)
    lines = list(_wrap_line(f"{number} {heading}", _INDENT))
    first = [typer.style(line, bold=True) for line in lines] if is_styled() else lines
    return "\n".join([*first, *(_wrap_line(_INDENT + section, _INDENT) if section else ())])


def format_citation_source(citation: Citation) -> str:
    """The file of a cited passage, and the link that opens it."""
    source, url = citation.source.translate(ESCAPES), citation.url
    if not url:
        return _INDENT + source
    return _INDENT + (f"\x1b]8;;{url}\x1b\\{source}\x1b]8;;\x1b\\" if is_styled() else f"{source}  {url}")


def iter_labelled_lines(label: str, value: str, width: int) -> Iterator[str]:
    """A fact behind its label, which takes `width` columns; on a terminal the value is wrapped next to it."""
    return _wrap_line(f"{label:<{width}} {value}".translate(ESCAPES), " " * (width + 1))


def format_passage(text: str) -> str:
    """A passage, indented; on a terminal, prose is wrapped and rows of tables have their cells below each other."""
    if not is_terminal():
        return indent_lines(text)
    rows: list[str] = []
    for in_table, group in groupby(_join_cut_lines(text.splitlines()), key=lambda line: line.lstrip().startswith("|")):
        lines = list(group)
        if in_table:
            rows += _draw_rows(
                [_split_cells(line) for line in lines if line.strip("|-: ")], get_screen_width() - len(_INDENT)
            )
        else:
            rows += [row for line in lines for row in _wrap_line(line, "", len(_INDENT))]
    return indent_lines("\n".join(rows))


def wrap_text(text: str) -> str:
    """A text whose lines are wrapped on a terminal, those of lists below their first word."""
    lines = (_wrap_line(line, "  " if line.startswith("- ") else "") for line in text.split("\n"))
    return "\n".join(row for rows in lines for row in rows)


def _split_cells(row: str) -> list[str]:
    """The cells of a row of a pipe table, and the text after the row, such as the mark of a source."""
    cells = [unescape_cell(cell.strip()) for cell in BAR.split(row.strip().removeprefix("|"))]
    return cells if cells[-1] else cells[:-1]


def _join_cut_lines(lines: Sequence[str]) -> list[str]:
    """The lines with those of a paragraph that was cut at a fixed width as one."""
    from rich.cells import cell_len

    joined_lines: list[str] = []
    for before, line in pairwise(["", *lines]):
        is_cut = cell_len(before) >= _HARD_WRAPPED and not before.lstrip().startswith("|")
        if is_cut and line.strip() and not _OWN_LINE.match(line):
            joined_lines[-1] += f" {line.strip()}"
        else:
            joined_lines.append(line)
    return joined_lines


def iter_page_boxes(regions: Sequence[Region]) -> Iterator[str]:
    """The box around the regions of each page, left,top right,bottom in points: "page 3 [72,100 540,118]"."""
    for page, group in groupby(regions, key=lambda region: region.page):
        rectangles = [region.box for region in group]
        left, top = min(box.x0 for box in rectangles), min(box.top for box in rectangles)
        right, bottom = max(box.x1 for box in rectangles), max(box.bottom for box in rectangles)
        yield f"page {page} [{left:.0f},{top:.0f} {right:.0f},{bottom:.0f}]"


def indent_lines(text: str) -> str:
    """The text, indented below the number of a hit."""
    return "\n".join(f"{_INDENT}{line}".rstrip() for line in text.splitlines())


def get_screen_width() -> int:
    """The columns of the terminal."""
    from rich.console import Console

    return max(Console().width, _MIN_TEXT_WIDTH + len(_INDENT))


def _wrap_line(line: str, indent: str, margin: int = 0) -> Iterator[str]:
    """The line; on a terminal wrapped to its width less `margin`, with all lines but the first indented."""
    if not is_terminal():
        yield line
        return
    from rich.console import Console
    from rich.text import Text

    width = get_screen_width() - margin
    rows = Text(line).wrap(Console(), width)
    if len(rows) < 2:
        yield line.rstrip()
        return
    yield rows[0].plain.rstrip()
    remaining_text = line[len(rows[0].plain) :].strip()
    for row in Text(remaining_text).wrap(Console(), max(width - len(indent), _MIN_TEXT_WIDTH)):
        yield f"{indent}{row.plain}".rstrip()


def _draw_rows(rows: Sequence[Sequence[str]], width: int, header_rows: int = 0) -> Iterator[str]:
    """The rows within the width: labels on the left, figures aligned right, long cells on several lines."""
    from rich.console import Console
    from rich.rule import Rule
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid.grid(padding=(0, 2, 0, 0))
    columns = max(map(len, rows), default=0)
    for column in range(columns):
        grid.add_column(justify="right" if column else "left", overflow="fold")
    for number, row in enumerate(rows):
        if number and number == header_rows:
            grid.add_row(*(Rule(characters="-", style="none") for _ in range(columns)))
        grid.add_row(*(Text(cell.translate(ESCAPES)) for cell in row))
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(grid)
    for line in capture.get().splitlines():
        yield line.rstrip()


def iter_row_lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table of these rows, of which the first is the header."""
    return iter_table_lines(Table(1, 0, 0, tuple(rows), ()))


def iter_table_lines(table: Table, indent: int = 0) -> Iterator[str]:
    """The lines of a table: labels on the left, figures aligned right, a rule below the header if there is one.

    On a terminal they are not wider than it less `indent`.
    """
    from rich.cells import cell_len, set_cell_size

    if is_terminal():
        yield from _draw_rows(table.rows, get_screen_width() - indent, table.header_rows)
        return

    def cut(cell: str) -> str:
        return cell if cell_len(cell) <= _MAX_CELL_WIDTH else f"{set_cell_size(cell, _MAX_CELL_WIDTH - 1).rstrip()}…"

    rows = [[cut(cell.translate(ESCAPES)) for cell in row] for row in table.rows]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        if number and number == table.header_rows:
            yield "  ".join("-" * width for width in widths)
        spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, spaces, strict=True))
        yield "  ".join(f"{space}{cell}" if column else f"{cell}{space}" for column, (cell, space) in pairs).rstrip()
