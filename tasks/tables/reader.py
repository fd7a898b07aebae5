"""Tables read as data: the positions of their cells, their figures, and what headers and surroundings say of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tasks.parsers.language import detect_language, has_chinese
from tasks.parsers.written_dates import MONTH_WORD
from tasks.tables.decimal_signs import find_doubtful_points, has_decimal_comma, has_point_groups
from tasks.tables.frames import COLUMN_WORDS, FigureKind, Frame, Frames, Surroundings, is_count, is_time_header
from tasks.tables.headers import (
    ColumnHeaders,
    HeaderPath,
    count_label_columns,
    find_first_body_row,
    find_headers,
    list_row_paths,
)
from tasks.tables.numbers import (
    MONEY,
    Number,
    find_scale,
    parse_number,
    to_currency_code,
)
from tasks.tables.statements import ScaleStatements
from warehouse.records import Document, Table, TableCorrection
from warehouse.table_notation import BAR

PATH_SEPARATOR = " / "  # The text between the parts of a header path.


@dataclass(frozen=True, slots=True)
class CellSpan:
    """The cell at `row` and `column` shows `text[start:end]`, without the white space around it."""

    row: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class CellGrid:
    """A table with its text: the positions of its cells, and its headers."""

    table: Table
    text: str

    def find_row(self, position: int) -> int | None:
        """The row whose line holds a position of the text; None in markers and the `---` separator line."""
        row = bisect_right(self.table.row_spans, position, key=lambda span: span[0]) - 1
        return row if row >= 0 and position < self.table.row_spans[row][1] else None

    def find_column(self, row: int, position: int) -> int:
        """The column of a position in a row's line, by the bars before it, so that equal values are distinguished."""
        start = self.table.row_spans[row][0]
        return max(0, len(BAR.findall(self.text, start, position)) - 1)

    def iter_cells(self, row: int) -> Iterator[CellSpan]:
        """The cells of one row, empty ones too."""
        return (self.get_cell(row, column) for column in range(len(self._bars[row]) - 1))

    def get_cell(self, row: int, column: int) -> CellSpan:
        """The cell at a row and column."""
        left_bar, right_bar = self._bars[row][column : column + 2]
        cell = self.text[left_bar + 1 : right_bar]
        start = left_bar + 1 + len(cell) - len(cell.lstrip())
        return CellSpan(row, column, start, start + len(cell.strip()))

    @cached_property
    def _bars(self) -> list[list[int]]:
        """The positions of the bars in each row's line."""
        return [[bar.start() for bar in BAR.finditer(self.text, *span)] for span in self.table.row_spans]

    @cached_property
    def body(self) -> int:
        """The first row below the header."""
        return find_first_body_row(self.table)

    @cached_property
    def labels(self) -> int:
        """The number of first columns with the labels of rows."""
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
        return self.labels > 1 and all(map(str.isdecimal, first)) and bool(header) and not _DAY_HEADER.search(header)

    @cached_property
    def _year_column(self) -> int | None:
        """A column of years behind the labels: "12 Mar" and "2024" are one day."""
        columns = range(self.labels, len(self.table.rows[0]) if self.table.rows else 0)
        year_columns = (
            column for column in columns if YEARS_HEADER.fullmatch(" ".join(self.get_column_path(column)).strip())
        )
        body = self.table.rows[self.body :]
        return next((index for index in year_columns if all(_YEAR.fullmatch(row[index].strip()) for row in body)), None)

    def iter_paths(self) -> Iterator[tuple[HeaderPath, ...]]:
        """The header paths of all rows, then those of all columns."""
        yield from (self.row_paths, self.headers.get_paths(self.body))

    def get_dated_path(self, row: int) -> HeaderPath:
        """The labels of a row that may name its time: not the row's number, nor days behind the first ("Due date")."""
        path = self.get_row_path(row)
        if self._year_column is not None and path:
            return (*path, self.table.rows[row][self._year_column].strip())
        later_days = [part for part in path if _NUMERIC_DAY.match(part)][1:]
        if self._counts_rows or later_days:
            return tuple(
                label for label in path if label not in later_days and not (self._counts_rows and label.isdecimal())
            )
        return path

    def get_column_path(self, column: int, row: int | None = None) -> HeaderPath:
        """The header texts of a column from the top, as they stand above a row; empty beyond the table."""
        paths = self.headers.get_paths(self.body if row is None else row)
        return paths[column] if column < len(paths) else ()

    def get_row_path(self, row: int) -> HeaderPath:
        """The section labels and the label of a row."""
        return self.row_paths[row] if row < len(self.row_paths) else ()


def _compile_words(name: str, form: str = r"\b(?:{})\b") -> re.Pattern[str]:
    """A pattern of the column words of a name, each put into `form`; Chinese and Japanese words have no boundaries."""
    words, chinese_words = (COLUMN_WORDS.get(key, []) for key in (name, f"{name}_chinese"))
    return re.compile("|".join([form.format("|".join(words)), *chinese_words]), re.IGNORECASE)


_CURRENCY_HEADER = _compile_words("currencies", r"(?:\w+[._ ])?(?:{})")
_UNIT_HEADER = _compile_words("units", "{}")
_MONEY_HEADER, _READING_HEADER, _DAY_HEADER = map(_compile_words, ("money", "readings", "days"))
_QUANTITY_HEADER, YEARS_HEADER = map(_compile_words, ("quantities", "years"))
"""Headers of quantities, and of years."""
_UNIT_IN_BRACKETS = re.compile(
    r"[(\[（][^)\]）]*(?:/|%|€|\$|£|\b(?:[mkµ]?g|[kcm]?m[²³]?|kWh|l|h|U|IU|bpm)\b)[^)\]）]*[)\]）]"
)
_NUMERIC_DAY = re.compile(
    rf"\d{{4}}-\d\d-\d\d(?!\d)|\d{{1,2}}([./])\d{{1,2}}\1\d{{2,4}}(?!\d)|\d{{1,2}}(?:\.\s?\d{{1,2}}\.|/\d{{1,2}})\Z"
    rf"|\d{{1,2}}\.?\s{MONTH_WORD}\.?(?:\s\d{{4}})?\Z|{MONTH_WORD}\.?\s\d{{1,2}}(?:,\s\d{{4}})?\Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LARGE = re.compile(r"(?<![0-9.,])(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,}(?![0-9])")
_GROUPED = re.compile(r"[0-9][,'’ .][0-9]{3}(?![0-9])")
_BARE_MONEY = re.compile(MONEY, re.IGNORECASE)
_MAX_UNIT_LENGTH = 20  # Characters of a unit.
_CLOSING = {")", ")%", "%", ") %", "%)"}


def names_quantity(labels: Iterable[str]) -> bool:
    """Whether headers say that their figures count or measure something, so that 2010 is no year."""
    texts = [label for label in labels if label]
    if any(map(YEARS_HEADER.search, texts)):
        return False
    signs = (_QUANTITY_HEADER.search, _UNIT_IN_BRACKETS.search, is_count, find_scale)
    return any(sign(text) for text in texts for sign in signs)


class TableReader:
    """The figures of one table and the frame of each; everything is computed when it is first requested."""

    def __init__(
        self,
        table: Table,
        document: Document,
        surroundings: Surroundings,
        correction: TableCorrection | None = None,
        *,
        comma: bool = False,
    ) -> None:
        """`table` is one of the document's, `surroundings` are its surroundings, `correction` is a person's, if any.

        `comma` says that the document's other tables write decimals with commas, and none with points.
        """
        self._comma = comma
        self.grid = CellGrid(table, document.text)
        self.titles = surroundings.titles
        self.correction = correction
        text = document.text[table.start : table.end]
        self._yuan = "zh" in (document.language, detect_language(text) if has_chinese(text) else "")
        self._language, self._media_type = document.language, document.media_type
        labels = [path[-1] for path in self.grid.row_paths if path]
        self._frames = self._scaled_frames = Frames(surroundings, yuan=self._yuan, labels=labels)
        if correction is not None and correction.scale is not None:
            # A person's scale takes precedence over the table's surroundings.
            self._scaled_frames = Frames(surroundings.with_scale(correction.scale), yuan=self._yuan, labels=labels)

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], Number]:
        """The numbers of the body by row and column; neighbours and the whole table show how they are meant.

        A bracket, percent or currency sign in the next or last column belongs to the number. A bare 1900 to 2099 is a
        year, unless the table prints other thousands without separators.
        """
        body = self.grid.table.rows[self.grid.body :]
        texts = [cell for row in body for cell in row]
        is_ungrouped = any(map(_LARGE.search, texts)) and not any(map(_GROUPED.search, texts))
        numbers: dict[tuple[int, int], Number] = {}
        for row, cells in enumerate(body, self.grid.body):
            for column, (previous, cell, following) in enumerate(
                zip(("", *cells), cells, (*cells[1:], ""), strict=False)
            ):
                text = f"{cell} {following}" if following in _CLOSING and cell not in _CLOSING else cell
                is_year = _YEAR.fullmatch(text) and not is_ungrouped and not self._is_quantity(row, column)
                number = None if is_year else parse_number(text, comma=self._writes_commas, yuan=self._yuan)
                currency = self._find_row_currency(cells, column) or previous
                if number is not None and currency and not number.currency and _BARE_MONEY.fullmatch(currency):
                    number = replace(number, currency=to_currency_code(currency, yuan=self._yuan), marked=True)
                if number is not None:
                    numbers[row, column] = number
        return numbers

    @cached_property
    def _writes_commas(self) -> bool:
        """Whether decimals are written with a comma, so that a point parts thousands."""
        body = self.grid.table.rows[self.grid.body :]
        cells = [cell for row in body for cell in row]
        return self._comma or has_decimal_comma(cells, self._language) or has_point_groups(body, self.grid.text)

    @cached_property
    def _doubtful_points(self) -> frozenset[tuple[int, int]]:
        body = self.grid.table.rows[self.grid.body :]
        return frozenset() if self._writes_commas else find_doubtful_points(body, self._language, self._media_type)

    def describe_doubt(self, row: int, column: int) -> str:
        """Why the digits of a figure are not sure, or nothing."""
        is_doubtful = (row - self.grid.body, column) in self._doubtful_points
        return "the point may part thousands or decimals" if is_doubtful else ""

    def _is_quantity(self, row: int, column: int) -> bool:
        """Whether headers, the corner or a unit in its row say that a figure is no year."""
        unit = self.grid.table.rows[row][self._unit_column].strip() if self._unit_column is not None else ""
        row_path, column_path = self._get_paths(row, column)
        is_labelled = column >= self.grid.labels
        return names_quantity((*row_path, *column_path)) or (bool(unit) and is_labelled and not parse_number(unit))

    def _find_row_currency(self, cells: Sequence[str], column: int) -> str:
        """The currency that a column of currencies gives a figure on its left: right beside it, or below a money word.

        If a figure is on its right, the currency belongs to that; amounts on its right have it if no other such column
        follows.
        """
        is_money = _MONEY_HEADER.search(" ".join(self.grid.get_column_path(column)))
        currency_column = next((index for index in self._currency_columns if index > column), None)
        if currency_column is None and is_money:  # One column of currencies before all amounts.
            return next((cells[index] for index in self._currency_columns if index < len(cells)), "")
        if (
            currency_column is None
            or currency_column >= len(cells)
            or any(map(parse_number, cells[currency_column + 1 : currency_column + 2]))
        ):
            return ""
        return cells[currency_column] if currency_column == column + 1 or is_money else ""

    def _list_columns_headed(self, pattern: re.Pattern[str]) -> list[int]:
        """The columns whose last header is only a word of a pattern, or ends with it as names of data do."""
        paths = self.grid.headers.get_paths(self.grid.body)
        return [column for column, path in enumerate(paths) if path and pattern.fullmatch(path[-1])]

    @cached_property
    def _currency_columns(self) -> list[int]:
        return self._list_columns_headed(_CURRENCY_HEADER)

    @cached_property
    def _unit_column(self) -> int | None:
        return next(iter(self._list_columns_headed(_UNIT_HEADER)), None)

    def get_row_unit(self, row: int, column: int, *, is_dated: bool) -> str:
        """The unit that a column of units names for a row's readings, which are below days or a word for readings."""
        if self._unit_column is None or self._unit_column == column:
            return ""
        if not is_dated and not _READING_HEADER.search(" ".join(self.grid.get_column_path(column, row))):
            return ""
        unit = self.grid.table.rows[row][self._unit_column].strip()
        return unit if len(unit) <= _MAX_UNIT_LENGTH and parse_number(unit) is None else ""

    def get_frame(self, row: int, column: int) -> Frame:
        """The frame of a body cell by its headers and by a person's correction of its table.

        A label that states another scale than the rest of the table takes precedence over a person's scale.
        """
        path = self._get_paths(row, column)
        frame = self._frames.get_frame(*path)
        if self.correction is None:
            return frame
        corrected_frame, power = frame, self.correction.scale
        if power is not None:
            scaled_frame, usual_power = self._scaled_frames.get_frame(*path), self.scale_read
            is_of_table = frame.amount != scaled_frame.amount or (frame.amount == usual_power and usual_power != 0)
            corrected_frame = replace(scaled_frame, amount=power if is_of_table else frame.amount, corrected=power)
        return replace(corrected_frame, currencies=(self.currency_read, self.correction.currency))

    def _get_paths(self, row: int, column: int) -> tuple[HeaderPath, HeaderPath]:
        row_path = self.grid.get_row_path(row)
        return (*self._corner, *row_path) if self._corner else row_path, self.grid.get_column_path(column, row)

    @cached_property
    def _corner(self) -> HeaderPath:
        """The header of the labels if it says what all rows count and all other headers are times: "Headcount"."""
        paths = self.grid.headers.get_paths(self.grid.body)
        corner = paths[0][-1:] if paths and all(map(is_time_header, paths[1:])) else ()
        return tuple(label for label in corner if is_count(label))

    @property
    def scale_read(self) -> int | None:
        """The power of ten that was read for most amounts, without corrections; None if there are no amounts."""
        return self._usual_scale[0]

    @property
    def currency_read(self) -> str:
        """The currency that was read for most amounts, without corrections; empty if there is none."""
        return self._usual_scale[1]

    @cached_property
    def _usual_scale(self) -> tuple[int | None, str]:
        powers: Counter[int] = Counter()
        currencies: Counter[str] = Counter()
        for (row, column), number in self._numbers.items():
            if row < self.grid.body or column < self.grid.labels:
                continue
            frame = self._frames.get_frame(*self._get_paths(row, column))
            if frame.get_measure(number) is FigureKind.AMOUNT and not number.unit:
                currencies[frame.get_currency(number)] += 1
                if not number.scaled:
                    powers[frame.amount] += 1
        del currencies[""]
        usual_power = max(powers, key=powers.__getitem__, default=None)
        return usual_power, max(currencies, key=currencies.__getitem__, default="")

    def get_number(self, row: int, column: int) -> Number | None:
        """The number a body cell prints; None for text, and for numbers of notes, pages and years."""
        number = self._numbers.get((row, column))
        is_ungrouped = number is not None and not number.grouped
        return None if is_ungrouped and self.get_frame(row, column).measure is FigureKind.REFERENCE else number


def make_readers(document: Document, corrections: Iterable[TableCorrection] = ()) -> Iterator[TableReader]:
    """A reader for each table in the document's order; a table may have its scale from the one before.

    `corrections` are people's corrections of its tables; one whose table is not found is ignored, and if two mean the
    same table the later one is used.
    """
    statements = ScaleStatements(document)
    tables = document.tables if len(document.tables) > 1 else ()
    cells = [cell for table in tables for row in table.rows for cell in row]
    comma = has_decimal_comma(cells, document.language)
    edits: dict[int, TableCorrection] = {}
    for edit in corrections:
        table = edit.mark.find(document.tables)
        if table is not None:
            earlier = edits.get(table.number, edit)
            scale = earlier.scale if edit.scale is None else edit.scale
            edits[table.number] = replace(edit, scale=scale, currency=edit.currency or earlier.currency)
    return (
        TableReader(table, document, statements.find_surroundings(table), edits.get(table.number), comma=comma)
        for table in document.tables
    )
