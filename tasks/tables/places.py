"""Where the cells of a table's shown form stand, by position: `| a | b |` lines, bars in cells escaped."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from warehouse.records import Document, Table

_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Place:
    """The cell at `row` and `column` shows `text[start:end]`, without the white space around it."""

    row: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Grid:
    """A table seen through its text: places and headers."""

    table: Table
    text: str

    def row_at(self, position: int) -> int | None:
        """The row whose line holds a position of the text; None in markers and the `---` separator line."""
        row = bisect_right(self.table.row_spans, position, key=lambda span: span[0]) - 1
        return row if row >= 0 and position < self.table.row_spans[row][1] else None

    def column_at(self, row: int, position: int) -> int:
        """The column of a position in a row's line: the bars before it, so equal values are told apart."""
        start = self.table.row_spans[row][0]
        return max(0, len(_BAR.findall(self.text, start, position)) - 1)

    def places(self, row: int) -> Iterator[Place]:
        """The cells of one row, empty ones too."""
        start, end = self.table.row_spans[row]
        bars = [bar.start() for bar in _BAR.finditer(self.text, start, end)]
        for column, (before, after) in enumerate(pairwise(bars)):
            cell = self.text[before + 1 : after]
            left = before + 1 + len(cell) - len(cell.lstrip())
            yield Place(row, column, left, left + len(cell.strip()))

    @cached_property
    def column_headers(self) -> tuple[str, ...]:
        """For each column its header rows, joined with " / " from the top; a spanning header reaches to the right."""
        rows = self.table.rows[: self.table.header_rows]
        filled = [_reach(row) for row in rows[:-1]] + [list(row) for row in rows[-1:]]
        return tuple(" / ".join(_distinct(parts)) for parts in zip(*filled, strict=True))

    def column_header(self, column: int) -> str:
        """The header of a column, empty beyond the table."""
        return self.column_headers[column] if column < len(self.column_headers) else ""

    def row_header(self, row: int) -> str:
        """The text of the first column of a body row; header rows have none."""
        if row < self.table.header_rows or not self.table.rows[row]:
            return ""
        return self.table.rows[row][0].strip()


def grids(document: Document) -> Iterator[Grid]:
    """A grid for each table."""
    return (Grid(table, document.text) for table in document.tables)


def _reach(row: tuple[str, ...]) -> list[str]:
    """Fill blanks to the right of a header cell, but never from the first column, which heads the row headers."""
    filled = list(row)
    for column in range(2, len(filled)):
        if not filled[column].strip():
            filled[column] = filled[column - 1]
    return filled


def _distinct(parts: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
