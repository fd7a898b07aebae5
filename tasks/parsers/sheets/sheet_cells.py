"""The cells of a sheet as Excel shows them, read row by row (ECMA-376 part 1, 18.3).

Rows and columns that were hidden by hand are left out and counted; those that a filter or a collapsed group hides are
read. Cells under a merged one are not visible and are left out too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tasks.parsers.numerals import parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.sheets.number_formats import NumberFormat, ValueKind, get_number_format
from tasks.parsers.sheets.workbook_package import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    ListObject,
    SheetEntry,
    WorkbookPackage,
    format_column,
    is_true,
    iter_text_boxes,
    parse_area,
    parse_place,
    read_rich_text,
    unescape_text,
)
from warehouse.records import Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = ("pane", "col", "row", "mergeCell", "autoFilter")
_MAX_MERGED = 2_000_000
"""Rows of all merged cells of a sheet together that are looked at; merges after that are not known."""
_MAX_CACHED_CELLS = 20_000  # Numbers, each with its format, whose cells are kept: the same come again and again.
GENERAL = get_number_format("General")
_TEXT_WEIGHT_LENGTH = 100  # Characters of a text that counts for several cells.


class CellKind(Enum):
    """What a cell shows; a year is a number that may be one."""

    TEXT = "text"
    NUMBER = "number"
    YEAR = "year"
    DATE = "date"
    TIME = "time"
    FLAG = "flag"
    ERROR = "error"


ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}  # fmt: skip
"""What the codes of errors in binary files are shown as ([MS-XLS] 2.5.10)."""
_KINDS = {ValueKind.NUMBER: CellKind.NUMBER, ValueKind.DATE: CellKind.DATE, ValueKind.TIME: CellKind.TIME}


class SheetCell(NamedTuple):
    """What a cell shows, and as what."""

    text: str
    kind: CellKind

    @property
    def weight(self) -> int:
        """How many cells it counts for where cells are bounded: thousands may share one long text."""
        return 1 + len(self.text) // _TEXT_WEIGHT_LENGTH


@dataclass(eq=False)
class SheetGrid:
    """What is shown on a sheet: cells by row and column, from 1, and the merged ones.

    `frozen` are the rows that stay in sight at the top; `filtered` is the area of a filter. `hidden_rows` and
    `hidden_columns` were left out, `errors` and `uncalculated` are places of cells ("B7"). `is_cut` says that the sheet
    has more cells than may be read.
    """

    name: str
    rows: dict[int, dict[int, SheetCell]] = field(default_factory=dict)
    merges: list[Area] = field(default_factory=list)
    tables: list[ListObject] = field(default_factory=list)
    frozen: int = 0
    filtered: Area | None = None
    hidden_rows: int = 0
    hidden_columns: set[int] = field(default_factory=set)
    errors: list[tuple[str, str]] = field(default_factory=list)
    uncalculated: list[str] = field(default_factory=list)
    is_cut: bool = False


@dataclass(eq=False)
class ReadSheet:
    """A sheet: its cells, the texts of its shapes and the notes on cells; of a hidden one no more than the name."""

    grid: SheetGrid
    is_hidden: bool
    boxes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(eq=False)
class SheetParts:
    """What a part says of its sheet as it is read.

    `row` is the number of the last row, `zeros` are formulas that give 0, `closed_rows` rows that are hidden by hand or
    by a filter.
    """

    grid: SheetGrid
    row: int = 0
    formulas: int = 0
    zeros: list[tuple[int, int]] = field(default_factory=list)
    closed_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    merges: list[Area] = field(default_factory=list)
    is_filtering: bool = False

    def keep_element(self, tag: str, element: _Element) -> None:
        """Keeps what an element other than a row says of the sheet."""
        if tag == "col":
            self.hidden_columns |= _find_hidden_columns(element)
        elif tag == "mergeCell" and (area := parse_area(element.get("ref") or "")):
            self.merges.append(area)
        elif tag == "autoFilter":
            self.grid.filtered, self.is_filtering = parse_area(element.get("ref") or ""), len(element) > 0
        elif tag == "pane" and element.get("state") in ("frozen", "frozenSplit"):
            self.grid.frozen = parse_count(get_attribute(element, "ySplit").partition(".")[0])

    def put_cell(self, column: int, cell: SheetCell) -> None:
        """Puts a cell that shows something into the row that is read."""
        if not cell.text.strip():
            return
        if column in self.hidden_columns:
            self.grid.hidden_columns.add(column)
            return
        self.grid.rows[self.row][column] = cell
        if cell.kind is CellKind.ERROR:
            self.grid.errors.append((cell.text, f"{format_column(column)}{self.row}"))

    def empty_zeros(self) -> None:
        """Empties formulas that all give 0 where the program that wrote them calculated none."""
        if len(self.zeros) == self.formulas:
            for row, column in self.zeros:
                self.grid.rows[row].pop(column, None)
                self.grid.uncalculated.append(f"{format_column(column)}{row}")

    def close_rows(self) -> None:
        """Takes out blank rows, and those that are hidden by hand: outside of a filter that is in use."""
        filters = [self.grid.filtered] if self.grid.filtered and self.is_filtering else []
        filters += [table.area for table in self.grid.tables]
        for row in self.closed_rows:
            if not any(area.top <= row <= area.bottom for area in filters) and self.grid.rows.pop(row, {}):
                self.grid.hidden_rows += 1
        self.grid.rows = {row: cells for row, cells in self.grid.rows.items() if cells}


class XlsxWorkbook:
    """Reads the sheets of a file; all of them together may have so many cells."""

    def __init__(self, data: bytes, max_cells: int) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        self._package = WorkbookPackage(data)
        self._remaining_cells = max_cells
        self._formats = self._package.formats or [GENERAL]
        self._column_numbers: dict[str, int] = {}
        self.read_properties = self._package.read_properties

    @property
    def lost(self) -> Sequence[Finding]:
        """Parts with wrong checksums."""
        return self._package.findings

    def iter_sheets(self) -> Iterator[ReadSheet]:
        """The sheets in the order of their tabs, hidden ones without their cells."""
        for entry in self._package.sheets:
            if entry.is_hidden:
                yield ReadSheet(SheetGrid(entry.name), is_hidden=True)
                continue
            grid, part = self._read_grid(entry), entry.part
            notes = self._package.read_notes(part)
            yield ReadSheet(grid, is_hidden=False, boxes=list(iter_text_boxes(self._package, part)), notes=notes)
            if grid.is_cut:
                return

    def _read_grid(self, entry: SheetEntry) -> SheetGrid:
        grid = SheetGrid(entry.name, tables=self._package.list_objects(entry.part))
        parts = SheetParts(grid)
        for element in self._package.iter_elements(entry.part, *_PARTS):
            tag = str(element.tag).rpartition("}")[2]
            if tag == "row":
                self._read_row(element, parts)
                if self._remaining_cells < 0:
                    grid.is_cut = True
                    break
            else:
                parts.keep_element(tag, element)
        if self._package.is_uncalculated:
            parts.empty_zeros()
        parts.close_rows()
        grid.merges = apply_merges(grid, parts.merges)
        return grid

    def _read_row(self, row: _Element, parts: SheetParts) -> None:
        number = parts.row = min(parse_count(row.get("r") or "", parts.row + 1), LAST_ROW)
        if is_true(row.get("hidden") or "") and not row.get("outlineLevel"):
            parts.closed_rows.append(number)
        parts.grid.rows.setdefault(number, {})
        column = 0
        for element in row:
            letters = (element.get("r") or "").rstrip("0123456789")
            if letters not in self._column_numbers:
                place = parse_place(f"{letters}1")
                self._column_numbers[letters] = place[1] if place else 0
            column = self._column_numbers[letters] or column + 1
            if column > LAST_COLUMN:
                break
            value, formula, inline = _read_parts(element)
            if value is None and not inline and not formula:
                continue
            kind = element.get("t") or "n"
            if formula:
                parts.formulas += 1
                if not value and kind != "str":
                    parts.grid.uncalculated.append(f"{format_column(column)}{number}")
                    continue
                if value == "0":
                    parts.zeros.append((number, column))
            cell = self._read_cell(kind, value or "", inline, element.get("s") or "")
            self._remaining_cells -= cell.weight
            if self._remaining_cells < 0:
                return
            parts.put_cell(column, cell)

    def _read_cell(self, kind: str, value: str, inline: str, style: str) -> SheetCell:
        place = parse_count(style)
        style_format = self._formats[place] if place < len(self._formats) else GENERAL
        if kind == "s":
            strings = self._package.strings
            number = parse_count(value, len(strings))
            return SheetCell(style_format.format_text(strings[number]) if number < len(strings) else "", CellKind.TEXT)
        if kind == "inlineStr" or inline:
            return SheetCell(style_format.format_text(inline), CellKind.TEXT)
        if kind == "b":
            return SheetCell("TRUE" if is_true(value) else "FALSE", CellKind.FLAG)
        if kind == "e":
            return SheetCell(value, CellKind.ERROR)
        if kind == "str":
            return SheetCell(style_format.format_text(unescape_text(value)), CellKind.TEXT)
        if kind == "d":
            value = to_serial(value, date1904=self._package.date1904)
        return make_number_cell(value, style_format, date1904=self._package.date1904)


@lru_cache(_MAX_CACHED_CELLS)
def make_number_cell(value: str, style: NumberFormat, *, date1904: bool = False) -> SheetCell:
    """A number as its format shows it; what is no finite number is a text."""
    try:
        number = float(value)
    except ValueError:
        return SheetCell(value, CellKind.TEXT)
    if not math.isfinite(number):
        return SheetCell(value, CellKind.TEXT)
    text, shown_as = style.format_value(number, date1904=date1904)
    kind = _KINDS.get(shown_as, CellKind.TEXT)
    if kind is CellKind.NUMBER and len(text) == 4 and text.isdigit() and text[:2] in ("19", "20"):
        kind = CellKind.YEAR
    return SheetCell(text, kind)


def _read_parts(cell: _Element) -> tuple[str | None, bool, str]:
    """The value of a cell, whether it has a formula, and its own text."""
    value, formula, inline = None, False, ""
    for part in cell:
        tag = str(part.tag)
        if tag.endswith("}v"):
            value = part.text or ""
        elif tag.endswith("}f"):
            formula = True
        elif tag.endswith("}is"):
            inline = read_rich_text(part)
    return value, formula, inline


def to_serial(value: str, *, date1904: bool) -> str:
    """The serial number of a date in the form of ISO 8601, or the value itself."""
    with suppress(ValueError, OverflowError):
        time = datetime.fromisoformat(value).replace(tzinfo=None)
        # Excel counts a February 29, 1900.
        first = datetime(1904, 1, 1) if date1904 else datetime(1899, 12, 30)  # noqa: DTZ001
        return repr((time - first).total_seconds() / 86_400)
    return value


def _find_hidden_columns(element: _Element) -> set[int]:
    """The columns that an element of columns hides by hand."""
    if not is_true(element.get("hidden") or "") or element.get("outlineLevel"):
        return set()
    ends = [element.get(name) or "" for name in ("min", "max")]
    if not all(end.isascii() and end.isdigit() for end in ends):
        return set()
    first, last = (min(int(end[:6]), LAST_COLUMN) for end in ends)
    return set(range(first, last + 1))


def apply_merges(grid: SheetGrid, merges: list[Area]) -> list[Area]:
    """The merged cells that show something, cut to the rows and columns in use; what lies under them is taken out."""
    if not grid.rows:
        return []
    last_row = max(grid.rows)
    last_column = max(max(cells) for cells in grid.rows.values())
    spans_by_row: dict[int, list[tuple[int, int]]] = {}
    areas: list[Area] = []
    remaining_rows = _MAX_MERGED
    for merge in merges:
        area = Area(merge.top, merge.left, min(merge.bottom, last_row), min(merge.right, last_column))
        height = area.bottom - area.top + 1
        if height < 1 or area.right < area.left:
            continue
        remaining_rows -= height
        if remaining_rows < 0:
            break
        rows = range(area.top, area.bottom + 1)
        if any(start <= area.right and area.left <= end for row in rows for start, end in spans_by_row.get(row, ())):
            continue
        for row in rows:
            spans_by_row.setdefault(row, []).append((area.left, area.right))
            cells = grid.rows.get(row, {})
            for column in [column_number for column_number in cells if area.left <= column_number <= area.right]:
                if (row, column) != (area.top, area.left):
                    del cells[column]
        if area.left in grid.rows.get(area.top, {}):
            areas.append(area)
    grid.rows = {row: cells for row, cells in grid.rows.items() if cells}
    return areas
