"""Tables read as data: where their cells stand, their figures, and what headers and surroundings say of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tasks.tables.frames import Around, FigureKind, Frame, Frames, corrected_frame
from tasks.tables.headers import Headers, Path, first_body_row, headers_of, label_columns, row_paths
from tasks.tables.numbers import MONEY, Number, code_of, has_decimal_comma, number
from tasks.tables.statements import Statements
from warehouse.records import Document, Table, TableCorrection
from warehouse.table_notation import BAR

BETWEEN = " / "
"""What stands between the parts of a header path."""


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
            found = self._known_bars[row] = [bar.start() for bar in BAR.finditer(self.text, start, end)]
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


_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LARGE = re.compile(r"(?<![0-9.,])(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,}(?![0-9])")
_GROUPED = re.compile(r"[0-9][,'’ .][0-9]{3}(?![0-9])")
_MONEY_ALONE = re.compile(MONEY, re.IGNORECASE)
_CLOSING = {")", ")%", "%", ") %", "%)"}

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How the table writes: `comma` decimals, ¥ for the `yuan`, and whether it sets thousands apart."""

    comma: bool
    yuan: bool
    ungrouped: bool


def figures(table: Table, language: str) -> Mapping[tuple[int, int], Number]:
    """The numbers of the body by row and column.

    A bracket, percent or currency sign that stands in the next or last column belongs to the number. A bare 1900 to
    2099 is a year, unless the table prints other thousands without setting them apart.
    """
    first = first_body_row(table)
    body = table.rows[first:]
    every = [cell for row in body for cell in row]
    ungrouped = any(map(_LARGE.search, every)) and not any(map(_GROUPED.search, every))
    reading = NumberStyle(has_decimal_comma(every), language == "zh", ungrouped)
    return {(row, column): found for row, cells in enumerate(body, first) for column, found in _in_row(cells, reading)}


def _in_row(cells: Sequence[str], reading: NumberStyle) -> Iterator[tuple[int, Number]]:
    for column, cell in enumerate(cells):
        after = cells[column + 1] if column + 1 < len(cells) and cells[column + 1] in _CLOSING else ""
        found = _number(f"{cell} {after}" if after and cell not in _CLOSING else cell, reading)
        if found is None:
            continue
        before = cells[column - 1] if column else ""
        if before and not found.currency and _MONEY_ALONE.fullmatch(before):
            found = replace(found, currency=code_of(before, yuan=reading.yuan), marked=True)
        yield column, found


def _number(text: str, reading: NumberStyle) -> Number | None:
    if _YEAR.fullmatch(text) and not reading.ungrouped:
        return None
    return number(text, comma=reading.comma, yuan=reading.yuan)


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
        for (row, column), found in self._numbers.items():
            if row < self.grid.body or column < self.grid.labels:
                continue
            read = self._read(row, column)
            if read.measure_of(found) is FigureKind.AMOUNT and not found.unit:
                currencies[read.money(found)] += 1
                if not found.scaled:
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
