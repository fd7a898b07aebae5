"""Where the cells of a table's shown form stand, by position: `| a | b |` lines, bars in cells escaped."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tasks.tables.heads import Path
from tasks.tables.labels import first_body_row, label_columns, row_paths
from tasks.tables.midway import Headers, headers_of
from warehouse.records import Document, Table

BETWEEN = " / "
"""What stands between the parts of a header path."""
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class CellSpan:
    """The cell at `row` and `column` shows `text[start:end]`, without the white space around it."""

    row: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class CellGrid:
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

    def places(self, row: int) -> Iterator[CellSpan]:
        """The cells of one row, empty ones too."""
        for column, (before, after) in enumerate(pairwise(self._bars(row))):
            yield self._place(row, column, before, after)

    def place(self, row: int, column: int) -> CellSpan:
        """The cell at a row and column."""
        bars = self._bars(row)
        return self._place(row, column, bars[column], bars[column + 1])

    def _bars(self, row: int) -> list[int]:
        """Where the bars of a row's line stand. Each cell of a row is asked for, so they are looked for once."""
        found = self._known_bars.get(row)
        if found is None:
            start, end = self.table.row_spans[row]
            found = self._known_bars[row] = [bar.start() for bar in _BAR.finditer(self.text, start, end)]
        return found

    def _place(self, row: int, column: int, before: int, after: int) -> CellSpan:
        cell = self.text[before + 1 : after]
        left = before + 1 + len(cell) - len(cell.lstrip())
        return CellSpan(row, column, left, left + len(cell.strip()))

    @cached_property
    def _known_bars(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def body(self) -> int:
        """The first row below the header."""
        return first_body_row(self.table)

    @cached_property
    def labels(self) -> int:
        """How many first columns hold the labels of rows."""
        return label_columns(self.table)

    @cached_property
    def headers(self) -> Headers:
        """The column headers."""
        return headers_of(self.table, self.labels)

    @cached_property
    def row_paths(self) -> tuple[Path, ...]:
        """For each row its section labels and its own; nothing for header rows."""
        return row_paths(self.table, self.labels)

    def column_path(self, column: int, row: int | None = None) -> Path:
        """The header texts of a column from the top, as they stand above a row; empty beyond the table."""
        paths = self.headers.above(self.body if row is None else row)
        return paths[column] if column < len(paths) else ()

    def row_path(self, row: int) -> Path:
        """The section labels and the label of a row."""
        return self.row_paths[row] if row < len(self.row_paths) else ()

    def column_header(self, column: int, row: int | None = None) -> str:
        """The header path of a column, joined with " / "."""
        return BETWEEN.join(self.column_path(column, row))

    def row_header(self, row: int) -> str:
        """The label of a body row under its section labels, joined with " / "; header rows have none."""
        return BETWEEN.join(self.row_path(row))


def grids(document: Document) -> Iterator[CellGrid]:
    """A grid for each table."""
    return (CellGrid(table, document.text) for table in document.tables)
