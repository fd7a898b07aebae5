"""Tables read as data: where their cells stand, their figures, and what headers and surroundings say of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tasks.parsers.language import detect_language, has_chinese
from tasks.tables.frames import COLUMN_WORDS, FigureKind, Frame, Frames, Surroundings, is_count, is_time_header
from tasks.tables.headers import (
    ColumnHeaders,
    HeaderPath,
    count_label_columns,
    find_first_body_row,
    find_headers,
    list_row_paths,
)
from tasks.tables.numbers import MONEY, Number, has_decimal_comma, has_point_groups, parse_number, to_currency_code
from tasks.tables.statements import ScaleStatements
from warehouse.records import Document, Table, TableCorrection
from warehouse.table_notation import BAR

PATH_SEPARATOR = " / "  # What stands between the parts of a header path.


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

    def find_row(self, position: int) -> int | None:
        """The row whose line holds a position of the text; None in markers and the `---` separator line."""
        row = bisect_right(self.table.row_spans, position, key=lambda span: span[0]) - 1
        return row if row >= 0 and position < self.table.row_spans[row][1] else None

    def find_column(self, row: int, position: int) -> int:
        """The column of a position in a row's line: the bars before it, so equal values are told apart."""
        start = self.table.row_spans[row][0]
        return max(0, len(BAR.findall(self.text, start, position)) - 1)

    def iter_cells(self, row: int) -> Iterator[CellSpan]:
        """The cells of one row, empty ones too."""
        return (self.get_cell(row, column) for column in range(len(self._bars[row]) - 1))

    def get_cell(self, row: int, column: int) -> CellSpan:
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
        return find_first_body_row(self.table)

    @cached_property
    def labels(self) -> int:
        """How many first columns hold the labels of rows."""
        return count_label_columns(self.table)

    @cached_property
    def headers(self) -> ColumnHeaders:
        """The column headers."""
        return find_headers(self.table, self.labels)

    @cached_property
    def row_paths(self) -> tuple[HeaderPath, ...]:
        """For each row its section labels and its own; nothing for header rows."""
        return list_row_paths(self.table, self.labels)

    @cached_property
    def _counts_rows(self) -> bool:
        """Whether the first column has numbers of rows, which are no days: "Pmt #" before "Feb 2024"."""
        first = [row[0].strip() for row in self.table.rows[self.body :] if row[0].strip()]
        header = " ".join(self.get_column_path(0))
        return self.labels > 1 and all(map(str.isdecimal, first)) and bool(header) and not _OF_DAYS.search(header)

    def iter_paths(self) -> Iterator[tuple[HeaderPath, ...]]:
        """The header paths of all rows, then those of all columns."""
        yield from (self.row_paths, self.headers.get_paths(self.body))

    def get_dated_path(self, row: int) -> HeaderPath:
        """The labels of a row that may name its time, which the number of a row does not."""
        path = self.get_row_path(row)
        return tuple(part for part in path if not part.isdecimal()) if self._counts_rows else path

    def get_column_path(self, column: int, row: int | None = None) -> HeaderPath:
        """The header texts of a column from the top, as they stand above a row; empty beyond the table."""
        paths = self.headers.get_paths(self.body if row is None else row)
        return paths[column] if column < len(paths) else ()

    def get_row_path(self, row: int) -> HeaderPath:
        """The section labels and the label of a row."""
        return self.row_paths[row] if row < len(self.row_paths) else ()


def _compile_words(name: str, around: str = r"\b(?:{})\b") -> re.Pattern[str]:
    """The words of columns of a name, standing as `around` says; those of Chinese and Japanese have no ends."""
    words, chinese = (COLUMN_WORDS.get(key, []) for key in (name, f"{name}_chinese"))
    return re.compile("|".join([around.format("|".join(words)), *chinese]), re.IGNORECASE)


_OF_CURRENCIES = _compile_words("currencies", r"(?:\w+[._ ])?(?:{})")
_OF_UNITS = _compile_words("units", "{}")
_OF_MONEY, _OF_READINGS, _OF_DAYS = map(_compile_words, ("money", "readings", "days"))
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LARGE = re.compile(r"(?<![0-9.,])(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,}(?![0-9])")
_GROUPED = re.compile(r"[0-9][,'’ .][0-9]{3}(?![0-9])")
_MONEY_ALONE = re.compile(MONEY, re.IGNORECASE)
_LONGEST_UNIT = 20  # Characters of a unit.
_CLOSING = {")", ")%", "%", ") %", "%)"}


class TableReader:
    """The figures of one table and the frame each stands in; everything is worked out when it is first asked for."""

    def __init__(
        self, table: Table, document: Document, around: Surroundings, correction: TableCorrection | None = None
    ) -> None:
        """`table` is one of the document's, `around` what is said around it, `correction` what a person says of it."""
        self.grid = CellGrid(table, document.text)
        self.correction = correction
        shown = document.text[table.start : table.end]
        self._yuan = "zh" in (document.language, detect_language(shown) if has_chinese(shown) else "")
        self._language = document.language
        labels = [path[-1] for path in self.grid.row_paths if path]
        self._frames = self._scaled_frames = Frames(around, yuan=self._yuan, labels=labels)
        if correction is not None and correction.scale is not None:
            # A person's scale stands before what is said around the table.
            self._scaled_frames = Frames(around.with_scale(correction.scale), yuan=self._yuan, labels=labels)

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        """The numbers of the body by row and column, read as their neighbours and the whole table show they are meant.

        A bracket, percent or currency sign that stands in the next or last column belongs to the number. A bare 1900 to
        2099 is a year, unless the table prints other thousands without setting them apart.
        """
        body = self.grid.table.rows[self.grid.body :]
        every = [cell for row in body for cell in row]
        ungrouped = any(map(_LARGE.search, every)) and not any(map(_GROUPED.search, every))
        comma = has_decimal_comma(every, self._language) or has_point_groups(body, self.grid.text)
        numbers: dict[tuple[int, int], Number] = {}
        for row, cells in enumerate(body, self.grid.body):
            for column, (before, cell, after) in enumerate(zip(("", *cells), cells, (*cells[1:], ""), strict=False)):
                text = f"{cell} {after}" if after in _CLOSING and cell not in _CLOSING else cell
                is_year = _YEAR.fullmatch(text) and not ungrouped
                found = None if is_year else parse_number(text, comma=comma, yuan=self._yuan)
                named = self._find_row_currency(cells, column) or before
                if found is not None and named and not found.currency and _MONEY_ALONE.fullmatch(named):
                    found = replace(found, currency=to_currency_code(named, yuan=self._yuan), marked=True)
                if found is not None:
                    numbers[row, column] = found
        return numbers

    def _find_row_currency(self, cells: Sequence[str], column: int) -> str:
        """What a column of currencies says of a figure on its left: right beside it, or below a word for money.

        A figure on its right is nearer where there is one; amounts on its right have it where no other column follows.
        """
        of_money = _OF_MONEY.search(" ".join(self.grid.get_column_path(column)))
        place = next((each for each in self._currency_columns if each > column), None)
        if place is None and of_money:  # One column of currencies before all amounts.
            return next((cells[each] for each in self._currency_columns if each < len(cells)), "")
        if place is None or place >= len(cells) or any(map(parse_number, cells[place + 1 : place + 2])):
            return ""
        return cells[place] if place == column + 1 or of_money else ""

    def _list_columns_headed(self, pattern: re.Pattern[str]) -> list[int]:
        """The columns whose header is nothing but a word of a pattern, or ends with it as names of data do."""
        paths = self.grid.headers.get_paths(self.grid.body)
        return [column for column, path in enumerate(paths) if path and pattern.fullmatch(path[-1])]

    @cached_property
    def _currency_columns(self) -> list[int]:
        return self._list_columns_headed(_OF_CURRENCIES)

    @cached_property
    def _unit_column(self) -> int | None:
        return next(iter(self._list_columns_headed(_OF_UNITS)), None)

    def get_row_unit(self, row: int, column: int, *, is_dated: bool) -> str:
        """The unit that a column of units names for the readings of a row, which stand below days or such a word."""
        if self._unit_column is None or self._unit_column == column:
            return ""
        if not is_dated and not _OF_READINGS.search(" ".join(self.grid.get_column_path(column, row))):
            return ""
        unit = self.grid.table.rows[row][self._unit_column].strip()
        return unit if len(unit) <= _LONGEST_UNIT and parse_number(unit) is None else ""

    def get_frame(self, row: int, column: int) -> Frame:
        """What the headers of a body cell say of it, and what a person says of its table.

        A label of its own that counts otherwise than the rest of the table does keeps its word before a person's.
        """
        path = self._get_paths(row, column)
        read = self._frames.get_frame(*path)
        if self.correction is None:
            return read
        made, power = read, self.correction.scale
        if power is not None:
            anew, most = self._scaled_frames.get_frame(*path), self.scale_read
            is_of_table = read.amount != anew.amount or (read.amount == most and most != 0)
            made = replace(anew, amount=power if is_of_table else read.amount, corrected=power)
        return replace(made, currencies=(self.currency_read, self.correction.currency))

    def _get_paths(self, row: int, column: int) -> tuple[HeaderPath, HeaderPath]:
        return (*self._corner, *self.grid.get_row_path(row)), self.grid.get_column_path(column, row)

    @cached_property
    def _corner(self) -> HeaderPath:
        """The header of the labels where it says what all rows count, above times alone: "Headcount"."""
        paths = self.grid.headers.get_paths(self.grid.body)
        corner = paths[0][-1:] if paths and all(map(is_time_header, paths[1:])) else ()
        return tuple(label for label in corner if is_count(label))

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
            read = self._frames.get_frame(*self._get_paths(row, column))
            if read.get_measure(found) is FigureKind.AMOUNT and not found.unit:
                currencies[read.get_currency(found)] += 1
                if not found.scaled:
                    powers[read.amount] += 1
        del currencies[""]
        most = max(powers, key=powers.__getitem__, default=None)
        return most, max(currencies, key=currencies.__getitem__, default="")

    def get_number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        found = self._numbers.get((row, column))
        plain = found is not None and not found.grouped
        return None if plain and self.get_frame(row, column).measure is FigureKind.REFERENCE else found


def make_readers(document: Document, corrections: Iterable[TableCorrection] = ()) -> Iterator[TableReader]:
    """A reader for each table in the document's order; a table may have its scale from the one before.

    `corrections` are what people say of its tables; one whose table is not found is of none, and of two that mean one
    table the later one counts.
    """
    statements = ScaleStatements(document)
    corrections_of_tables: dict[int, TableCorrection] = {}
    for each in corrections:
        table = each.mark.find(document.tables)
        if table is not None:
            before = corrections_of_tables.get(table.number, each)
            scale = before.scale if each.scale is None else each.scale
            corrections_of_tables[table.number] = replace(each, scale=scale, currency=each.currency or before.currency)
    return (
        TableReader(table, document, statements.find_surroundings(table), corrections_of_tables.get(table.number))
        for table in document.tables
    )
