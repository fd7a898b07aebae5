"""Lines beside a page break that are rows of the table which the break parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.line_kinds import CAPTION
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.outskirts import columns_under
from warehouse.records import Box

_ENDS = re.compile(r"(?<![.…·])(?<![.…·] )\.$")
_LEADERS = re.compile(r"(?<![.…·])(?<![.…·] )(?:[.…·] ?){4,}$")
_LABEL = 0.7
_NEAR = 3.0
_OUT = 4.0


def are_labels(lines: Sequence[TextLine], table: FoundTable, left: float) -> bool:
    """Whether lines beside a table, the nearest first, label rows without figures. None begins further out than `left`.

    Each stands in the first column, close to the one before, and is no sentence.
    """
    boxes = [table.box, *(line.box for line in lines)]
    return all(_is_label(line, table, left) and _is_near(line, box) for line, box in zip(lines, boxes, strict=False))


def _is_label(line: TextLine, table: FoundTable, left: float) -> bool:
    box = table.box
    inside = left - _OUT <= line.box.x0 < table.edges[1] and line.box.x1 < box.x0 + _LABEL * (box.x1 - box.x0)
    return inside and not CAPTION.match(line.text) and not _ENDS.search(line.text)


def _is_near(line: TextLine, box: Box) -> bool:
    return min(abs(line.box.top - box.bottom), abs(box.top - line.box.bottom)) < _NEAR * line.size


def cells_of(line: TextLine, table: FoundTable) -> tuple[str, ...] | None:
    """The pieces of a line in the columns of a table; None where one of them stands in no column of its own."""
    columns = columns_under([(piece.box.x0, piece.box.x1) for piece in line.pieces], table.edges)
    if columns is None:
        return None
    held = dict(zip(columns, line.pieces, strict=True))
    width = len(table.edges) - 1
    return tuple(_without_dots(held[column].text) if column in held else "" for column in range(width))


def row_of(line: TextLine, table: FoundTable) -> tuple[str, ...]:
    """The cells of a line at a page break; a line that does not keep to the columns is a label."""
    cells = cells_of(line, table) if len(line.pieces) > 1 else None
    label = " ".join(filter(None, (_without_dots(piece.text) for piece in line.pieces)))
    return cells or (label, *[""] * (len(table.edges) - 2))


def _without_dots(text: str) -> str:
    return _LEADERS.sub("", text).rstrip()


def leaders_of(lines: Iterable[TextLine]) -> Iterator[AssembledLine]:
    """The leading dots of rows at a page break, as lines of their own."""
    for piece in (piece for line in lines for piece in line.pieces):
        if dots := _LEADERS.search(piece.text):
            yield replace(piece, text=dots[0])
