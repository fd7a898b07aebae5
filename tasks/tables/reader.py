"""One table read as data: its figures, and what its headers, caption and the line above say of each."""

from __future__ import annotations

from functools import cached_property

from tasks.tables.context import line_above
from tasks.tables.figures import figures
from tasks.tables.frames import Frame, Frames
from tasks.tables.measures import Measure
from tasks.tables.numbers import Number
from tasks.tables.places import Grid
from warehouse.records import Document, Table


class TableReader:
    """The figures of one table and the frame each stands in; everything is worked out when it is first asked for."""

    def __init__(self, table: Table, document: Document) -> None:
        """`table` is one of the document's."""
        self.grid = Grid(table, document.text)
        self._document = document

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        return dict(figures(self.grid.table, self._document.language))

    @cached_property
    def _frames(self) -> Frames:
        corner = [text for column in range(self.grid.labels) for text in self.grid.column_path(column)]
        table = self.grid.table
        around = [*corner, table.caption, line_above(self._document, table.start)]
        return Frames(around, yuan=self._document.language == "zh")

    def frame(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it."""
        return self._frames.of(self.grid.row_path(row), self.grid.column_path(column, row))

    def number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        found = self._numbers.get((row, column))
        if found is None or found.grouped or self.frame(row, column).measure is not Measure.REFERENCE:
            return found
        return None
