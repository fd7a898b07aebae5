"""The cells of a sheet of an old Excel workbook (.xls, [MS-XLS]) as Excel shows them, read by xlrd.

xlrd gives values, the formats of cells, hidden rows and columns, merged cells, notes and frozen rows; our own formats
show the values. The records are gone through once before it, for the areas of filters and the texts of shapes. Records
that xlrd reads and nobody needs here are taken out on the way: a damaged one makes it refuse the whole file, and a link
over all cells fills the memory. Lost are the texts of charts and controls, and that formulas were saved as 0 by a
program that calculated none; saved as blanks they are named.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from tasks.parsers import refusals
from tasks.parsers.office.compound_file import COMPOUND, INCONSISTENT, CompoundStorage
from tasks.parsers.office.office_properties import EMPTY_DESCRIPTION, FileDescription
from tasks.parsers.sheets.number_formats import BUILT_IN, NumberFormat, get_number_format
from tasks.parsers.sheets.sheet_cells import (
    ERRORS,
    GENERAL,
    CellKind,
    ReadSheet,
    SheetCell,
    SheetGrid,
    apply_merges,
    make_number_cell,
)
from tasks.parsers.sheets.workbook_package import LAST_COLUMN, LAST_ROW, Area, format_column
from warehouse.records import Finding

if TYPE_CHECKING:
    from xlrd.book import Book
    from xlrd.sheet import Sheet

_NOUN = "XLS file"
_FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
)
"""What xlrd raises for damaged files beside errors of its own."""
_PASSWORD, _SHEET, _NAME, _END, _FILTERING = 0x2F, 0x85, 0x18, 0x0A, 0x9B
"""Records: FilePass, BoundSheet8, Lbl, EOF and FilterMode (2.3.1)."""
_NOTE, _OBJECT, _TEXT, _CONTINUE = 0x1C, 0x5D, 0x01B6, 0x3C
"""Note, Obj, TxO and Continue: notes and shapes with a text."""
_FALLBACKS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("", ()), ("notes", (_NOTE, _OBJECT, _TEXT)), ("formats of cells, hidden rows and notes", (_NOTE, _OBJECT, _TEXT)),
)  # fmt: skip
"""The parts that are left out if a workbook cannot be read whole, and the records of each."""
_FORMULA, _CALCULATOR = 0x06, 0x01C1
"""Formula, and RecalcId, in which Excel names the version that calculated."""
_BLANK = re.compile(rb"\x03.{5}\xff\xff", re.DOTALL)
"""The result of a formula that is an empty text (2.5.133)."""
_UNNEEDED = frozenset({
    _NAME, 0x17, 0x23, 0x01AE, 0x01B8, 0x0800,  # Lbl, ExternSheet, ExternName, SupBook, HLink, HLinkTooltip
    0x31, 0x92, 0x0293, 0x01B0, 0x01B1,  # Font, Palette, Style, CondFmt, CF
    0x55, 0x99, 0x0225, 0xAB, 0xA0, 0x1A, 0x1B,  # Sizes of cells and of the view, breaks of pages
    0x5C, 0x8C, 0x015F,  # WriteAccess, Country, LabelRanges
})  # fmt: skip
_SKIPPED_RECORD = struct.pack("<H", 0x4D)
"""Pls, the settings of a printer, which xlrd passes over."""
_WORKSHEET = 0
_VERSION_97 = struct.pack("<H", 0x0600)  # The version of Excel 97 and later.
_FILTER_NAME = (0x20, b"\x0d")
"""A name is one of Excel's own, and it is that of the area of a filter (2.4.150)."""
_SHAPE_KINDS = (0x02, 0x03, 0x06, 0x1E)
"""Kinds of objects: rectangle, oval, text box and other shapes (2.5.143)."""
_AREA_TOKENS = (0x3B, 0x5B, 0x7B)  # A formula that begins with an area on a sheet (2.5.198.28).
_DAY, _DATE_AND_TIME, _TIME_OF_DAY = (
    get_number_format("yyyy-mm-dd"),
    get_number_format("yyyy-mm-dd hh:mm:ss"),
    get_number_format("hh:mm:ss"),
)


class _NullLog(StringIO):
    """A file that keeps nothing: xlrd writes its warnings to one."""

    def write(self, text: str, /) -> int:
        """Drops the text."""
        return len(text)


class OldWorkbook:
    """The sheets of a workbook; all of them together may have so many cells.

    `lost` says which part of it could not be read, as a damaged one lets xlrd refuse the whole file.
    """

    def __init__(self, data: bytes, max_cells: int) -> None:
        """A compound file, or a bare stream of records. Raises `UnreadableFile` where it is damaged or encrypted."""
        self._file = CompoundStorage.open(data, _NOUN) if data.startswith(COMPOUND[:4]) else None
        stream = data if self._file is None else self._file.read_stream("Workbook") or self._file.read_stream("Book")
        if stream is None:
            raise refusals.damaged(_NOUN, "there is no workbook in it")
        problem: Exception | None = None
        for lost_part, unneeded in _FALLBACKS:
            try:
                self._sheets = _read_sheets(
                    _Records(stream, unneeded), max_cells, has_formats="formats" not in lost_part
                )
            except _list_failures() as error:
                problem = error
            else:
                self.lost: Sequence[Finding] = [refusals.report_lost_part(lost_part, INCONSISTENT)] if lost_part else []
                return
        raise refusals.damaged(_NOUN, INCONSISTENT) from problem

    def iter_sheets(self) -> Iterator[ReadSheet]:
        """The sheets in the order of their tabs, hidden ones without their cells."""
        return iter(self._sheets)

    def read_properties(self) -> FileDescription:
        """Title, authors and days."""
        return self._file.read_properties() if self._file else EMPTY_DESCRIPTION


def _list_failures() -> tuple[type[Exception], ...]:
    from xlrd import XLRDError

    return (*_FAILURES, XLRDError)


class _Records:
    """The records of a workbook's stream; `stream` is without those that are not needed, nor those of `unneeded`.

    By number of the sheet of cells, from 0: `filters` are areas of filters, `filtering` sheets where one hides rows,
    `boxes` texts of shapes, `uncalculated` places of formulas in a workbook that has none with a result.
    """

    def __init__(self, stream: bytes, unneeded: Collection[int] = ()) -> None:
        """Raises `UnreadableFile` where a password is needed."""
        self.stream = bytearray(stream)
        self.filters: dict[int, Area] = {}
        self.filtering: set[int] = set()
        self.boxes: dict[int, list[str]] = {}
        self.uncalculated: dict[int, list[str]] = {}
        self._is_calculated = False
        self._is_new = stream[4:6] == _VERSION_97
        self._entries: list[tuple[int, bool]] = []  # Where each sheet begins, and whether it is one of cells.
        self._numbers: dict[int, int] = {}  # The numbers of the sheets of cells by where they begin.
        self._starts: list[int] = []
        is_shape, remaining_letters = False, 0
        for place, kind, data in _iter_records(stream):
            if kind == _OBJECT:
                is_shape = data[4:5] != b"" and data[4] in _SHAPE_KINDS
            elif kind == _TEXT:
                remaining_letters = struct.unpack_from("<H", data, 10)[0] if is_shape and len(data) >= 12 else 0
                if remaining_letters:
                    self.boxes.setdefault(self._find_sheet(place), []).append("")
            elif kind == _CONTINUE and remaining_letters and data:
                text = data[1:].decode("utf-16-le" if data[0] & 1 else "latin-1", "replace")[:remaining_letters]
                remaining_letters -= len(text)
                self.boxes[self._find_sheet(place)][-1] += text.replace("\r", "\n")
            else:
                remaining_letters = 0
                self._store_record(place, kind, data)
            if kind in _UNNEEDED or kind in unneeded:
                self.stream[place : place + 2] = _SKIPPED_RECORD
        if self._is_calculated:
            self.uncalculated = {}

    def _store_record(self, place: int, kind: int, data: bytes) -> None:
        """Keeps what a record of the workbook or of a filter says."""
        if kind == _PASSWORD and not self._starts:
            raise refusals.encrypted()
        if kind == _FORMULA and not self._is_calculated and len(data) >= 14:
            row, column = struct.unpack_from("<HH", data)
            self._is_calculated = _BLANK.match(data, 6) is None
            self.uncalculated.setdefault(self._find_sheet(place), []).append(f"{format_column(column + 1)}{row + 1}")
        elif kind == _CALCULATOR:
            self._is_calculated = True
        elif kind == _SHEET and len(data) > 6:
            self._entries.append((struct.unpack_from("<I", data)[0], data[5] == _WORKSHEET))
        elif kind == _END and not self._starts:
            cells = [start for start, is_of_cells in self._entries if is_of_cells]
            self._numbers = {start: number for number, start in enumerate(cells)}
            self._starts = sorted({0, *(start for start, _ in self._entries)})
        elif kind == _FILTERING:
            self.filtering.add(self._find_sheet(place))
        elif kind == _NAME and self._is_new and (filter_area := _parse_filter_area(data)):
            sheet, area = filter_area
            if 0 <= sheet < len(self._entries) and self._entries[sheet][1]:
                self.filters[sum(is_of_cells for _, is_of_cells in self._entries[:sheet])] = area

    def _find_sheet(self, place: int) -> int:
        """The number of the sheet of cells that a place of the stream lies in; -1 for any other place."""
        index = bisect_right(self._starts, place)
        return self._numbers.get(self._starts[index - 1], -1) if index else -1


def _iter_records(stream: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Each record: where it begins, its kind and its content."""
    place = 0
    while place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        yield place, kind, stream[place + 4 : place + 4 + length]
        place += 4 + length


def _parse_filter_area(data: bytes) -> tuple[int, Area] | None:
    """The number of the sheet, from 0, and the area of a filter that a name is for; None for other names."""
    if len(data) < 27 or not data[0] & _FILTER_NAME[0] or data[3] != 1 or data[15:16] != _FILTER_NAME[1]:
        return None
    if data[16] not in _AREA_TOKENS:
        return None
    sheet = struct.unpack_from("<H", data, 8)[0] - 1
    top, bottom, left, right = struct.unpack_from("<HHHH", data, 19)
    return sheet, Area(top + 1, (left & 0xFF) + 1, bottom + 1, (right & 0xFF) + 1)


def _read_sheets(records: _Records, max_cells: int, *, has_formats: bool) -> list[ReadSheet]:
    """The sheets in the order of their tabs, to the one with more cells than may be read."""
    from xlrd import open_workbook

    book = open_workbook(
        file_contents=bytes(records.stream),
        logfile=_NullLog(),
        formatting_info=has_formats,
        on_demand=True,
        ragged_rows=True,
    )
    reader = _SheetReader(book, max_cells, has_formats=has_formats)
    sheets = []
    for number in range(book.nsheets):
        sheet = book.sheet_by_index(number)
        if sheet.visibility & 3:
            sheets.append(ReadSheet(SheetGrid(sheet.name), is_hidden=True))
        else:
            filtered = records.filters.get(number)
            grid = SheetGrid(sheet.name, frozen=_count_frozen_rows(sheet), filtered=filtered)
            grid.uncalculated = records.uncalculated.get(number, [])
            reader.read(sheet, grid, filtered if number in records.filtering else None)
            boxes = ["\n".join(filter(str.strip, text.split("\n"))) for text in records.boxes.get(number, ())]
            sheets.append(
                ReadSheet(grid, is_hidden=False, boxes=[text for text in boxes if text], notes=_read_notes(sheet))
            )
        if sheets[-1].grid.is_cut:
            break
        book.unload_sheet(number)
    return sheets


class _SheetReader:
    """Reads sheets of a workbook, with formats or with dates alone."""

    def __init__(self, book: Book, max_cells: int, *, has_formats: bool) -> None:
        self._date1904 = book.datemode == 1
        self._remaining_cells = max_cells
        self._has_formats = has_formats
        self._formats = _read_formats(book)

    def read(self, sheet: Sheet, grid: SheetGrid, filtering: Area | None) -> None:
        """Fills a grid; what `filtering` hides is read."""
        hidden_columns = {
            index + 1 for index, column in sheet.colinfo_map.items() if column.hidden and not column.outline_level
        }
        for number in range(sheet.nrows):
            cells = self._read_row(sheet, number, hidden_columns, grid)
            if self._remaining_cells < 0:
                grid.is_cut = True
                break
            row = sheet.rowinfo_map.get(number)
            by_filter = filtering is not None and filtering.top <= number + 1 <= filtering.bottom
            if cells and row is not None and row.hidden and not row.outline_level and not by_filter:
                grid.hidden_rows += 1
            elif cells:
                grid.rows[number + 1] = cells
                grid.errors += [
                    (cell.text, f"{format_column(column)}{number + 1}")
                    for column, cell in cells.items()
                    if cell.kind is CellKind.ERROR
                ]
        grid.merges = apply_merges(grid, _read_merges(sheet))

    def _read_row(self, sheet: Sheet, number: int, hidden_columns: set[int], grid: SheetGrid) -> dict[int, SheetCell]:
        from xlrd import XL_CELL_BLANK, XL_CELL_EMPTY

        values, cells = sheet.row_values(number), dict[int, SheetCell]()
        for place, kind in enumerate(sheet.row_types(number)):
            if kind in (XL_CELL_EMPTY, XL_CELL_BLANK):
                continue
            cell = self._read_cell(kind, values[place], sheet.cell_xf_index(number, place) if self._has_formats else -1)
            if not cell.text.strip():
                continue
            self._remaining_cells -= cell.weight
            if self._remaining_cells < 0:
                break
            if place + 1 in hidden_columns:
                grid.hidden_columns.add(place + 1)
            else:
                cells[place + 1] = cell
        return cells

    def _read_cell(self, kind: int, value: Any, style: int) -> SheetCell:
        from xlrd import XL_CELL_BOOLEAN, XL_CELL_DATE, XL_CELL_ERROR, XL_CELL_TEXT

        style_format = self._formats[style] if 0 <= style < len(self._formats) else GENERAL
        if kind == XL_CELL_TEXT:
            return SheetCell(style_format.format_text(value), CellKind.TEXT)
        if kind == XL_CELL_BOOLEAN:
            return SheetCell("TRUE" if value else "FALSE", CellKind.FLAG)
        if kind == XL_CELL_ERROR:
            return SheetCell(ERRORS.get(value, ERRORS[0x2A]), CellKind.ERROR)
        if kind == XL_CELL_DATE and not self._has_formats:
            style_format = _TIME_OF_DAY if 0 <= value < 1 else _DATE_AND_TIME if value % 1 else _DAY
        return make_number_cell(repr(value), style_format, date1904=self._date1904)


def _read_formats(book: Book) -> list[NumberFormat]:
    """The number format of each style of cells."""
    codes = BUILT_IN | {number_format.format_key: number_format.format_str for number_format in book.format_list}
    return [get_number_format(codes.get(style.format_key) or "General") for style in book.xf_list]


def _read_merges(sheet: Sheet) -> list[Area]:
    """The merged cells, of which xlrd gives the end behind the last row and column."""
    areas = sorted((top + 1, left + 1, bottom, right) for top, bottom, left, right in sheet.merged_cells)
    return [Area(*area) for area in areas if area[2] <= LAST_ROW and area[3] <= LAST_COLUMN]


def _read_notes(sheet: Sheet) -> list[str]:
    """The notes on cells, in their order."""
    notes = ((row, column, " ".join(note.text.split())) for (row, column), note in sheet.cell_note_map.items())
    return [f"{format_column(column + 1)}{row + 1}: {text}" for row, column, text in sorted(notes) if text]


def _count_frozen_rows(sheet: Sheet) -> int:
    """The rows that stay in sight at the top."""
    return int(sheet.horz_split_pos) if sheet.panes_are_frozen else 0
