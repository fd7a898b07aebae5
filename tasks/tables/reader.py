"""One table read as data: its figures, and what its headers and its surroundings say of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tasks.tables.figures import figures
from tasks.tables.frames import Around, Frame, Frames
from tasks.tables.measures import Measure
from tasks.tables.numbers import Number
from tasks.tables.places import Grid
from tasks.tables.statements import Statements
from warehouse.records import Document, Table


class TableReader:
    """The figures of one table and the frame each stands in; everything is worked out when it is first asked for."""

    def __init__(self, table: Table, document: Document, around: Around) -> None:
        """`table` is one of the document's, `around` what is said around it."""
        self.grid = Grid(table, document.text)
        self._document = document
        self._around = around

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        return dict(figures(self.grid.table, self._document.language))

    @cached_property
    def _frames(self) -> Frames:
        return Frames(self._around, yuan=self._document.language == "zh")

    def frame(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it."""
        return self._frames.of(self.grid.row_path(row), self.grid.column_path(column, row))

    def number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        found = self._numbers.get((row, column))
        if found is None or found.grouped or self.frame(row, column).measure is not Measure.REFERENCE:
            return found
        return None


def readers(document: Document) -> Iterator[TableReader]:
    """A reader for each table in the document's order; a table may have its scale from the one before."""
    statements = Statements(document)
    return (TableReader(table, document, statements.around(table)) for table in document.tables)
