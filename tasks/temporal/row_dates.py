"""Days of table rows: the rows of a log or list are dated by its column of days.

A file of prices, orders or readings is a table in which each row has a day, while the file itself has none. Its
passages are dated by their rows, from the first day to the last. That holds for documents which consist mostly of such
tables: a price list, a sheet, a page with one long table. A table of days in a report, of maturities or of births, is
part of its content and does not say when it was written; a financial statement has its dates above its columns.

A column whose header says that something falls due or that somebody was born dates no row either: a bond was not
recorded in the year in which it matures. A calendar has such tables for repeated events, however small.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from tasks.parsers.mail.calendar_times import CALENDAR
from tasks.parsers.table_form import are_pairs
from tasks.parsers.written_dates import MONTH_WORD, compute_calendar_days, parse_whole_date
from tasks.tables.headers import HeaderPath
from tasks.tables.reader import CellGrid
from tasks.temporal.english.partial_dates import are_days
from tasks.temporal.entries import Entry, find_entries, find_entry
from tasks.temporal.tagger import tag
from warehouse.records import BlockKind, Document, Kind, Table
from warehouse.records.calendars import DAY, Interval, add_months

LEAST_SHARE = 0.5
"""The share of a document's characters, without its furniture, that tables with a column of days must have."""
FEWEST_ROWS = 2  # Rows with a day that such a document has: a single row does not show that it is a list.
_CELLS_PER_BLANK = 10  # One cell in this many may have no day: a remark, a total.
_FEWEST_WITH_TOTAL = 4  # Rows from which on one cell may have no day, as the total of four quarters.
_MAX_TOTALS = 3  # Rows at the end that may have no day together: totals, and a balance carried forward.
_SAMPLE = 20  # Cells of a column that are read first, so that columns without days cost little.

_CLOCK = re.compile(
    r"(?:T|,?\s+)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$",
    re.IGNORECASE,
)
"""The hour at the end of a cell; it does not change the day, whatever its zone."""
_YEAR_CELL = re.compile(r"\d{4}\s*年?")
_SHORT_YEAR = re.compile(rf"(?:(?P<d>\d{{1,2}})[-\s])?(?P<name>{MONTH_WORD})\.?[-’'](?P<y>\d{{2}})", re.IGNORECASE)
"""Days and months as spreadsheets write them: "5-Jan-24", "Jan-24"."""
_DOTTED_YEAR = re.compile(r"(?P<d>\d{2})\.(?P<m>\d{2})\.(?P<y>\d{2})")
"""The days of German banks: in a column they are no versions."""
_DECEMBER = 12
_CENTURY = 69  # Years of two digits from here on are of the 1900s, as POSIX reads them.
_UNRELATED_HEADER = re.compile(
    r"\b(?:born|birth\w*|dob|matur\w*|expir\w*|due|deadline|valid|until|geb(?:oren|urt\w*)|f[äa]llig\w*|ablauf\w*"
    r"|g[üu]ltig\w*)\b|出生|生日|到期|截止|有效",
    re.IGNORECASE,
)
"""Headers of days that belong to the subject of a row, not to its writing."""
_YEARS = re.compile(r"(?:(?:fiscal|calendar) )?(?:year|yr)|fy|jahr|année|año|年份?|年度", re.IGNORECASE)
_QUARTERS = re.compile(r"(?:(?:fiscal|calendar) )?(?:quarter|qtr)|q|quartal|trimestre|季度?", re.IGNORECASE)
_MONTHS = re.compile(r"months?|monat|mois|mes|月份?", re.IGNORECASE)
_DAYS = re.compile(r"days?(?: of (?:the )?month)?|tag|jour|día|日", re.IGNORECASE)
_QUARTER = re.compile(r"q?\s?(?P<q>[1-4])", re.IGNORECASE)
_MONTH = re.compile(rf"(?P<m>\d{{1,2}})|(?P<name>{MONTH_WORD})\.?", re.IGNORECASE)
_DAY = re.compile(r"(?P<d>\d{1,2})")
_SLASHED = re.compile(r"(?:(?:M|Mo|T|Tu|W|We|Th|R|F|Fr|Sa|Su|S)\.?,?\s)?(?P<first>\d{1,2})/(?P<second>\d{1,2})")
"""A day without its year, which may follow the code of its weekday."""
_DOTTED = re.compile(r"(?P<first>\d{1,2})\.\s?(?P<second>\d{1,2})\.")
_SLASHED_RANGE = re.compile(r"(?P<first>\d{1,2})/(?P<second>\d{1,2})\s?[-–—]\s?\d{1,2}/\d{1,2}")
_CELLS = {_QUARTERS: _QUARTER, _MONTHS: _MONTH, _DAYS: _DAY}
"""The patterns of cells by the pattern of their header."""

Days = tuple[Interval | None, ...]


@dataclass(frozen=True, slots=True)
class DatedRow:
    """A row of a table, `text[start:end]` of its document, and its half-open days."""

    start: int
    end: int
    days: Interval


@dataclass(frozen=True, slots=True)
class RowDates:
    """The rows of a document that have days, in the order of the text.

    `first_table` is the offset of the first table with a column of days, None in a document that does not consist
    mostly of such tables. Columns of other times give no `rows`, nor do tables in an entry that has days.
    """

    rows: tuple[DatedRow, ...] = ()
    first_table: int | None = None

    def find_days(self, start: int, end: int) -> Interval | None:
        """From the first day of the rows in a span to the day after their last; None where it holds none."""
        first = bisect_left(self.rows, start, key=lambda row: row.start)
        last = bisect_left(self.rows, end, lo=first, key=lambda row: row.start)
        days = [row.days for row in self.rows[first:last]]
        return (min(day for day, _ in days), max(after for _, after in days)) if days else None

    @property
    def last_days(self) -> tuple[date, ...]:
        """The last day of the rows of each month, rising: which of them are past depends on the day of reading."""
        last_by_month: dict[tuple[int, int], date] = {}
        for row in self.rows:
            day = row.days[1] - DAY
            month = day.year, day.month
            last_by_month[month] = max(day, last_by_month.get(month, day))
        return tuple(sorted(last_by_month.values()))


def find_row_dates(document: Document) -> RowDates:
    """The days of a document's rows; quarters are those of the calendar.

    A paper, a course, a book and a mailbox have none, whatever tables are in them.
    """
    if document.kind not in (Kind.REPORT, Kind.NOTE, Kind.TEXT):
        return RowDates()
    order = document.attributes.day_order
    day_columns = [(table, column) for table in document.tables if (column := _find_day_column(table, order))]
    length = sum(block.end - block.start for block in document.blocks if block.kind is not BlockKind.FURNITURE)
    is_calendar = document.media_type == CALENDAR
    if not day_columns or (
        sum(table.end - table.start for table, _ in day_columns) < LEAST_SHARE * length and not is_calendar
    ):
        return RowDates()
    entries = () if is_calendar else find_entries(document)
    rows = tuple(
        DatedRow(*table.row_spans[table.header_rows + index], days)
        for table, column in day_columns
        if is_calendar or (column.dates_rows and _is_outside(entries, table))
        for index, days in enumerate(column.days)
        if days is not None
    )
    return RowDates(rows if is_calendar or len(rows) >= FEWEST_ROWS else (), day_columns[0][0].start)


def _is_outside(entries: Sequence[Entry], table: Table) -> bool:
    """Whether a table is in no entry with days."""
    entry = find_entry(entries, table.start)
    return entry is None or entry.days is None


DAY_FOLLOWS = {True: "am ", False: "on "}
"""The words after which the rules of every language read 8/28 as a day, and those of German "28.08."."""


def find_days_of_rows(
    grid: CellGrid, table_days: Interval | None, language: str, day_order: str
) -> dict[HeaderPath, Interval]:
    """The day of each row that a column of labels gives without its year, in or near the `table_days`.

    Or only by its number, below "Day" in a table of one month.
    """
    if table_days is None:
        return {}
    days_of_rows: dict[HeaderPath, Interval] = {}
    if add_months(table_days[0], 1) == table_days[1] and _DAYS.fullmatch(" ".join(grid.get_column_path(0)).strip()):
        labels = [(row, cells[0].strip()) for row, cells in enumerate(grid.table.rows[grid.body :], grid.body)]
        for number, label in labels if all(_DAY.fullmatch(label) or not label for _, label in labels) else ():
            day = table_days[0] + (int(label or 0) - 1) * DAY
            if table_days[0] <= day < table_days[1]:
                days_of_rows[grid.get_dated_path(number)] = day, day + DAY
    for start, end in iter_days_of_columns(grid, grid.labels):
        row, text = grid.find_row(start), grid.text[start:end]
        lead = DAY_FOLLOWS[text.endswith(".")]
        mention = next(iter(tag(lead + text, None, language, day_order=day_order, period=table_days)), None)
        if row is not None and mention and mention.days:
            days_of_rows.setdefault(grid.get_dated_path(row), mention.days)
    return days_of_rows


def iter_days_of_columns(grid: CellGrid, columns: int | None = None) -> Iterator[tuple[int, int]]:
    """The offsets of days without a year in a column of such days: "8/28", "T 9/12", "8/28 - 9/1", "28.08.".

    At least half of its cells are such numbers, and those with slashes rise like days, across one New Year at most.
    Only the first `columns` are read; without that, all.
    """
    table = grid.table
    for column in range(len(table.rows[0]) if table.rows else 0)[:columns]:
        cells = [
            (row, cell.strip())
            for row in range(table.header_rows, len(table.rows))
            if (cell := table.rows[row][column])
        ]
        days = [
            (row, match)
            for row, cell in cells
            if (match := _SLASHED.fullmatch(cell) or _SLASHED_RANGE.fullmatch(cell) or _DOTTED.fullmatch(cell))
        ]
        if (
            not days
            or 2 * len(days) < len(cells)
            or not (
                all(match.re is _DOTTED for _, match in days)
                or are_days(_rotate_to_january([(match["first"], match["second"]) for _, match in days]))
            )
        ):
            continue
        for row, match in days:
            span = grid.get_cell(row, column)
            yield span.start + match.start("first"), span.start + match.end()


def _rotate_to_january(numbers: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The numbers in the order of one year: those from January on first, if they continue after December."""
    for index, (first_numbers, next_numbers) in enumerate(pairwise(numbers), 1):
        if any(int(first_numbers[part]) == _DECEMBER and int(next_numbers[part]) == 1 for part in (0, 1)):
            return [*numbers[index:], *numbers[:index]]
    return numbers


@dataclass(frozen=True, slots=True)
class _DayColumn:
    """The days of each row below a table's header; `dates_rows` says that they date the rows."""

    days: Days
    dates_rows: bool

    @property
    def is_ordered(self) -> bool:
        """Whether the rows follow each other in time, forwards or backwards."""
        first_days = [days[0] for days in self.days if days is not None]
        return all(a <= b for a, b in pairwise(first_days)) or all(a >= b for a, b in pairwise(first_days))


def _find_day_column(table: Table, order: str) -> _DayColumn | None:
    """The column with the day of each row: the first whose days are in order, else the first."""
    if len(table.rows) <= table.header_rows:
        return None
    headers = [" ".join(row[column] for row in table.rows[: table.header_rows]) for column in range(len(table.rows[0]))]
    read_cell = _make_cell_reader(order)
    columns = [
        _DayColumn(days, _UNRELATED_HEADER.search(header) is None)
        for column, header in enumerate(headers)
        if (days := _read_column(_list_cell_texts(table, column), read_cell)) is not None
    ]
    if not table.header_rows and are_pairs(table.rows):
        return None  # A name and its day in each row: the days of an order, its delivery and its bill.
    columns = columns or list(_iter_part_columns(table, headers))
    return min(columns, key=lambda column: (not column.dates_rows, not column.is_ordered), default=None)


def _iter_part_columns(table: Table, headers: Sequence[str]) -> Iterator[_DayColumn]:
    """The days of rows by a column of years together with columns of months and days, of months, or of quarters."""
    for header_patterns in ((_MONTHS, _DAYS), (_MONTHS,), (_QUARTERS,)):
        columns = [
            next((column for column, header in enumerate(headers) if pattern.fullmatch(header.strip())), None)
            for pattern in (_YEARS, *header_patterns)
        ]
        if None in columns:
            continue
        parts = zip(*(_list_cell_texts(table, column) for column in columns if column is not None), strict=True)
        read_parts = _make_parts_reader([_CELLS[pattern] for pattern in header_patterns])
        days = _read_column(["\t".join(texts) for texts in parts], read_parts)
        if days is not None:
            yield _DayColumn(days, dates_rows=True)
            return


def _make_parts_reader(forms: Sequence[re.Pattern[str]]) -> Callable[[str], Interval | None]:
    """A function that reads a year and the parts after it, such as "2023", "May" and "12", with tabs between them."""

    def read(text: str) -> Interval | None:
        year, *part_texts = text.split("\t")
        matches = [form.fullmatch(part_text) for form, part_text in zip(forms, part_texts, strict=True)]
        if not _YEAR_CELL.fullmatch(year) or None in matches:
            return None
        parts = {name: value for match in matches if match for name, value in match.groupdict().items()}
        return compute_calendar_days({"y": year[:4], **parts})

    return read


def _list_cell_texts(table: Table, column: int) -> list[str]:
    """The cells of a column below the header; a cell over several rows is that of each."""
    texts = [row[column] for row in table.rows]
    for merge in table.merges:
        if merge.rows > 1 and merge.column <= column < merge.column + merge.columns:
            for row in range(merge.row + 1, min(merge.row + merge.rows, len(texts))):
                texts[row] = texts[row] or table.rows[merge.row][merge.column]
    return [text.strip() for text in texts[table.header_rows :]]


def _read_column(texts: Sequence[str], read_cell: Callable[[str], Interval | None]) -> Days | None:
    """The days of the cells of a column; None where too many have none. The last rows may be totals."""
    for sample in (texts[:_SAMPLE], texts):
        days = tuple(map(read_cell, sample))
        missing = days.count(None)
        trailing_blanks = next((index for index, day in enumerate(reversed(days)) if day), 0)
        if 1 < trailing_blanks <= _MAX_TOTALS and len(days) - trailing_blanks >= _FEWEST_WITH_TOTAL:
            missing -= trailing_blanks - 1
        most_missing = max(len(sample) // _CELLS_PER_BLANK, int(len(sample) >= _FEWEST_WITH_TOTAL))
        if missing > most_missing or missing == len(sample):
            return None
    return days


def _make_cell_reader(order: str) -> Callable[[str], Interval | None]:
    """A function that reads the days of a cell, with a cache: one day may be in thousands of cells."""
    days_by_text: dict[str, Interval | None] = {}

    def read(cell: str) -> Interval | None:
        text = _CLOCK.sub("", cell)
        if text not in days_by_text:
            days_by_text[text] = _read_cell(text, order)
        return days_by_text[text]

    return read


def _read_cell(text: str, order: str) -> Interval | None:
    """The days of a cell that is a day, week, month or quarter; a year alone may be any number of four digits."""
    if not text or _YEAR_CELL.fullmatch(text):
        return None
    if short_date := _SHORT_YEAR.fullmatch(text) or _DOTTED_YEAR.fullmatch(text):
        year = int(short_date["y"])
        return compute_calendar_days({**short_date.groupdict(), "y": str(year + (1900 if year >= _CENTURY else 2000))})
    return parse_whole_date(text, order)
