"""One table read as data: its figures, and what its headers and its surroundings say of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from tasks.tables.figures import figures
from tasks.tables.frames import Around, Frame, Frames, corrected_frame
from tasks.tables.measures import FigureKind
from tasks.tables.numbers import Number
from tasks.tables.places import CellGrid
from tasks.tables.statements import Statements
from warehouse.records import Document, Table, TableCorrection


class TableReader:
    """The figures of one table and the frame each stands in; everything is worked out when it is first asked for."""

    def __init__(
        self, table: Table, document: Document, around: Around, correction: TableCorrection | None = None
    ) -> None:
        """`table` is one of the document's, `around` what is said around it, `correction` what a person says of it."""
        self.grid = CellGrid(table, document.text)
        self.correction = correction
        self._document = document
        self._around = around

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        return dict(figures(self.grid.table, self._document.language))

    @cached_property
    def _frames(self) -> Frames:
        return Frames(self._around, yuan=self._document.language == "zh")

    @cached_property
    def _scaled_frames(self) -> Frames:
        """The frames where a person's scale stands before what is said around the table."""
        power = self.correction.scale if self.correction else None
        around = self._around if power is None else self._around.scaled(power)
        return Frames(around, yuan=self._document.language == "zh")

    def frame(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it, and what a person says of its table."""
        read = self._read(row, column)
        if self.correction is None:
            return read
        made = read
        if self.correction.scale is not None:
            anew = self._scaled_frames.of(self.grid.row_path(row), self.grid.column_path(column, row))
            made = corrected_frame(read, anew, self.scale_read, self.correction.scale)
        return replace(made, currencies=(self.currency_read, self.correction.currency))

    def _read(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it."""
        return self._frames.of(self.grid.row_path(row), self.grid.column_path(column, row))

    @property
    def scale_read(self) -> int | None:
        """The power of ten that was read of most amounts, whatever a person says; None where there are no amounts."""
        return self._most_read[0]

    @property
    def currency_read(self) -> str:
        """The currency that was read of most amounts, whatever a person says; empty where there is none."""
        return self._most_read[1]

    @cached_property
    def _most_read(self) -> tuple[int | None, str]:
        powers: Counter[int] = Counter()
        currencies: Counter[str] = Counter()
        for (row, column), number in self._numbers.items():
            if row < self.grid.body or column < self.grid.labels:
                continue
            read = self._read(row, column)
            if read.measure_of(number) is FigureKind.AMOUNT and not number.unit:
                currencies[read.money(number)] += 1
                if not number.scaled:
                    powers[read.amount] += 1
        del currencies[""]
        return max(powers, key=powers.__getitem__, default=None), max(
            currencies, key=currencies.__getitem__, default=""
        )

    def number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        found = self._numbers.get((row, column))
        if found is None or found.grouped or self.frame(row, column).measure is not FigureKind.REFERENCE:
            return found
        return None


def readers(document: Document, corrections: Iterable[TableCorrection] = ()) -> Iterator[TableReader]:
    """A reader for each table in the document's order; a table may have its scale from the one before.

    `corrections` are what people say of its tables; one whose table is not found is of none.
    """
    statements = Statements(document)
    said = corrected_tables(document, corrections)
    return (TableReader(table, document, statements.around(table), said.get(table.number)) for table in document.tables)


def corrected_tables(document: Document, corrections: Iterable[TableCorrection]) -> dict[int, TableCorrection]:
    """What people say of the tables of a document, by number. Of two that mean one table the later one counts."""
    found: dict[int, TableCorrection] = {}
    for each in corrections:
        table = each.mark.find(document.tables)
        if table is not None:
            before = found.get(table.number, each)
            scale = before.scale if each.scale is None else each.scale
            found[table.number] = replace(each, scale=scale, currency=each.currency or before.currency)
    return found
