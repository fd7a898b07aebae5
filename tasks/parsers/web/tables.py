"""Tables written as `table`, `tr`, `th`, `td`, in HTML and in JATS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tasks.parsers.sign_columns import join_signs
from tasks.parsers.spans import Laid, SpanCell, lay_out, span
from tasks.parsers.trees import local

if TYPE_CHECKING:
    from lxml.etree import _Element


def read_table(table: _Element, text_of: Callable[[_Element], str]) -> Laid:
    """The rows of a table, its merged cells, and how many rows are its header, None where nothing says so.

    Rows of tables inside its cells are left to `text_of`, which gives the text of a cell.
    """
    rows = _rows(table)
    header = 0
    while header < len(rows) and _is_header(rows[header]):
        header += 1
    laid = [
        [SpanCell(text_of(cell), span(cell.get("rowspan")), span(cell.get("colspan"))) for cell in _cells(row)]
        for row in rows
    ]
    return join_signs(lay_out(laid, header or None))


def cells_of(table: _Element) -> Iterator[_Element]:
    """The cells of a table in reading order, those of tables inside it left out."""
    return (cell for row in _rows(table) for cell in _cells(row))


def _rows(table: _Element) -> list[_Element]:
    """The rows in reading order: a foot that is written before the body comes last."""
    found: list[_Element] = []
    feet: list[_Element] = []
    for part in table:
        tag = local(part)
        if tag == "tr":
            found.append(part)
        elif tag in ("thead", "tbody", "tfoot"):
            (feet if tag == "tfoot" else found).extend(row for row in part if local(row) == "tr")
    return found + feet


def _cells(row: _Element) -> list[_Element]:
    return [cell for cell in row if local(cell) in ("td", "th")]


def _is_header(row: _Element) -> bool:
    parent = row.getparent()
    if parent is not None and local(parent) == "thead":
        return True
    cells = [local(cell) for cell in _cells(row)]
    return bool(cells) and all(tag == "th" for tag in cells)
