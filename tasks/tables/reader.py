"""Tables read as data: where their cells stand, their figures, and what headers and surroundings say of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tasks.parsers.language import has_chinese, language_of
from tasks.tables.frames import Around, FigureKind, Frame, Frames
from tasks.tables.headers import Headers, Path, first_body_row, headers_of, label_columns, row_paths
from tasks.tables.numbers import MONEY, Number, code_of, has_decimal_comma, number
from tasks.tables.statements import Statements
from warehouse.records import Document, Table, TableCorrection
from warehouse.table_notation import BAR

BETWEEN = " / "  # What stands between the parts of a header path.


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
        return max(0, len(BAR.findall(self.text, start, position)) - 1)

    def places(self, row: int) -> Iterator[CellSpan]:
        """The cells of one row, empty ones too."""
        return (self.place(row, column) for column in range(len(self._bars[row]) - 1))

    def place(self, row: int, column: int) -> CellSpan:
        """The cell at a row and column."""
        before, after = self._bars[row][column : column + 2]
        cell = self.text[before + 1 : after]
        left = before + 1 + len(cell) - len(cell.lstrip())
        return CellSpan(row, column, left, left + len(cell.strip()))

    @cached_property
    def _bars(self) -> list[list[int]]:
        """Where the bars of each row's line stand."""
        return [[bar.start() for bar in BAR.finditer(self.text, *span)] for span in self.table.row_spans]

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


_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LARGE = re.compile(r"(?<![0-9.,])(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,}(?![0-9])")
_GROUPED = re.compile(r"[0-9][,'’ .][0-9]{3}(?![0-9])")
_MONEY_ALONE = re.compile(MONEY, re.IGNORECASE)
_CLOSING = {")", ")%", "%", ") %", "%)"}


class TableReader:
    """The figures of one table and the frame each stands in; everything is worked out when it is first asked for."""

    def __init__(
        self, table: Table, document: Document, around: Around, correction: TableCorrection | None = None
    ) -> None:
        """`table` is one of the document's, `around` what is said around it, `correction` what a person says of it."""
        self.grid = CellGrid(table, document.text)
        self.correction = correction
        shown = document.text[table.start : table.end]
        self._yuan = "zh" in (document.language, language_of(shown) if has_chinese(shown) else "")
        self._frames = self._scaled_frames = Frames(around, yuan=self._yuan)
        if correction is not None and correction.scale is not None:
            # A person's scale stands before what is said around the table.
            self._scaled_frames = Frames(around.scaled(correction.scale), yuan=self._yuan)

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        """The numbers of the body by row and column, read as their neighbours and the whole table show they are meant.

        A bracket, percent or currency sign that stands in the next or last column belongs to the number. A bare 1900 to
        2099 is a year, unless the table prints other thousands without setting them apart.
        """
        body = self.grid.table.rows[self.grid.body :]
        every = [cell for row in body for cell in row]
        ungrouped = any(map(_LARGE.search, every)) and not any(map(_GROUPED.search, every))
        comma = has_decimal_comma(every)
        numbers: dict[tuple[int, int], Number] = {}
        for row, cells in enumerate(body, self.grid.body):
            for column, (before, cell, after) in enumerate(zip(("", *cells), cells, (*cells[1:], ""), strict=False)):
                text = f"{cell} {after}" if after in _CLOSING and cell not in _CLOSING else cell
                is_year = _YEAR.fullmatch(text) and not ungrouped
                found = None if is_year else number(text, comma=comma, yuan=self._yuan)
                if found is not None and before and not found.currency and _MONEY_ALONE.fullmatch(before):
                    found = replace(found, currency=code_of(before, yuan=self._yuan), marked=True)
                if found is not None:
                    numbers[row, column] = found
        return numbers

    def frame(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it, and what a person says of its table.

        A label of its own that counts otherwise than the rest of the table does keeps its word before a person's.
        """
        path = self.grid.row_path(row), self.grid.column_path(column, row)
        read = self._frames.of(*path)
        if self.correction is None:
            return read
        made, power = read, self.correction.scale
        if power is not None:
            anew, most = self._scaled_frames.of(*path), self.scale_read
            is_of_table = read.amount != anew.amount or (read.amount == most and most != 0)
            made = replace(anew, amount=power if is_of_table else read.amount, corrected=power)
        return replace(made, currencies=(self.currency_read, self.correction.currency))

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
        for (row, column), found in self._numbers.items():
            if row < self.grid.body or column < self.grid.labels:
                continue
            read = self._frames.of(self.grid.row_path(row), self.grid.column_path(column, row))
            if read.measure_of(found) is FigureKind.AMOUNT and not found.unit:
                currencies[read.money(found)] += 1
                if not found.scaled:
                    powers[read.amount] += 1
        del currencies[""]
        most = max(powers, key=powers.__getitem__, default=None)
        return most, max(currencies, key=currencies.__getitem__, default="")

    def number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        found = self._numbers.get((row, column))
        plain = found is not None and not found.grouped
        return None if plain and self.frame(row, column).measure is FigureKind.REFERENCE else found


def readers(document: Document, corrections: Iterable[TableCorrection] = ()) -> Iterator[TableReader]:
    """A reader for each table in the document's order; a table may have its scale from the one before.

    `corrections` are what people say of its tables; one whose table is not found is of none, and of two that mean one
    table the later one counts.
    """
    statements = Statements(document)
    said: dict[int, TableCorrection] = {}
    for each in corrections:
        table = each.mark.find(document.tables)
        if table is not None:
            before = said.get(table.number, each)
            scale = before.scale if each.scale is None else each.scale
            said[table.number] = replace(each, scale=scale, currency=each.currency or before.currency)
    return (TableReader(table, document, statements.around(table), said.get(table.number)) for table in document.tables)
