"""The rows and cells of a Word table and how far each cell reaches (ECMA-376 part 1, 17.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.spans import span
from tasks.parsers.word.elements import child, inside, is_on, value

if TYPE_CHECKING:
    from lxml.etree import _Element


@dataclass(slots=True)
class WordCell:
    """A cell as written: its content, None where a row begins later than its table, and what it covers."""

    node: _Element | None
    rows: int = 1
    columns: int = 1


def rows_of(table: _Element) -> list[_Element]:
    """The rows, those that a tracked change deletes left out."""
    return [row for row in inside(table, "tr") if child(row, "trPr", "del") is None]


def header_rows(rows: list[_Element]) -> int | None:
    """How many of the first rows are marked as header, None where none is."""
    count = 0
    while count < len(rows) and is_on(rows[count], "trPr", "tblHeader"):
        count += 1
    return count or None


def cells_of(rows: list[_Element]) -> list[list[WordCell]]:
    """The cells of each row; one that continues the cell above it or before it makes that one larger instead."""
    laid: list[list[WordCell]] = []
    above: dict[int, WordCell] = {}
    for row in rows:
        free = value(row, "trPr", "gridBefore")
        cells = [WordCell(None) for _ in range(min(span(free), 200))] if free not in ("", "0") else []
        column, running = len(cells), dict[int, WordCell]()
        for node in inside(row, "tc"):
            width = span(value(node, "tcPr", "gridSpan"))
            if value(node, "tcPr", "hMerge") == "continue" and cells:
                cells[-1].columns += width
            elif _continues(node) and column in above:
                above[column].rows += 1
                running[column] = above[column]
            else:
                cells.append(WordCell(node, columns=width))
                if child(node, "tcPr", "vMerge") is not None:
                    running[column] = cells[-1]
            column += width
        laid.append(cells)
        above = running
    return laid


def _continues(cell: _Element) -> bool:
    merge = child(cell, "tcPr", "vMerge")
    return merge is not None and value(cell, "tcPr", "vMerge") != "restart"
