"""The sheets of an OpenDocument spreadsheet (ODF 1.3 part 3, 9), read row by row.

The file is read here, and not by the library that reads binary workbooks: that one shows percentages as fractions and
errors as zeros, knows neither merged nor hidden cells, and expands cells that are repeated a billion times. What a
person hid by hand is left out and counted; what a filter or a collapsed group hides is read. Frozen rows and the areas
of filters are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.numerals import parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.open_package import OpenPackage
from tasks.parsers.sheets.number_formats import NumberFormat, get_number_format
from tasks.parsers.sheets.opendocument_styles import DATA_STYLES, OpenDocumentStyles, get_local_name
from tasks.parsers.sheets.sheet_cells import (
    GENERAL,
    CellKind,
    ReadSheet,
    SheetCell,
    SheetGrid,
    apply_merges,
    make_number_cell,
    to_serial,
)
from tasks.parsers.sheets.workbook_package import LAST_COLUMN, LAST_ROW, Area, format_column
from tasks.parsers.trees import collapse_spaces, get_tag
from warehouse.records import Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTENT = "content.xml"
_PARTS = ("style", *DATA_STYLES, "table-column", "table-row", "shapes", "table")
_ERROR = re.compile(r"#(?:[A-Z]+[/!?]?[A-Z0]*[!?]?)|Err:[0-9]{3}")
_DURATION = re.compile(r"(-?)P(?:(\d{1,6})D)?T?(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,12})?)S)?")
_DATE = get_number_format("yyyy-mm-dd")
_DATE_AND_TIME, _ELAPSED = get_number_format("yyyy-mm-dd hh:mm:ss"), get_number_format("[h]:mm:ss")
_CURRENCY = re.compile(r"[^\W\d_]{1,4}\$?|[^\w\s.,'’()+\-−–%]{1,3}")
_NUMBERS = ("float", "percentage", "currency")
_PERCENT = get_number_format("0.##########%")
_COPY_MARK = "'#$"  # In the name of a sheet that is the saved copy of one of another file.
_MAX_BLANKS = 1_000  # Blanks in a row that one element may stand for.


@dataclass(eq=False)
class OpenDocumentSheet(ReadSheet):
    """A sheet while it is read: `row` and `column` are the last ones."""

    row: int = 0
    column: int = 0
    hidden_columns: set[int] = field(default_factory=set)
    column_styles: dict[int, str] = field(default_factory=dict)
    merges: list[Area] = field(default_factory=list)


class OpenDocumentWorkbook:
    """Reads the sheets of a file; all of them together may have so many cells."""

    def __init__(self, data: bytes, max_cells: int) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        self._package = OpenPackage(data, "OpenDocument spreadsheet")
        if not self._package.has(_CONTENT):
            raise refusals.damaged(self._package.noun, f"there is no {_CONTENT} in it")
        self.read_properties = self._package.read_properties
        self._remaining_cells = max_cells
        self._styles = OpenDocumentStyles()

    @property
    def lost(self) -> Sequence[Finding]:
        """Parts with wrong checksums."""
        return self._package.findings

    def iter_sheets(self) -> Iterator[OpenDocumentSheet]:
        """The sheets in their order, hidden ones without their cells; the last of them where cells were too many."""
        for element in self._package.iter_elements("styles.xml", "style", *DATA_STYLES):
            self._styles.add(element)
        sheet: OpenDocumentSheet | None = None
        for element in self._package.iter_elements(_CONTENT, *_PARTS):
            tag = get_local_name(element)
            if tag == "style" or tag in DATA_STYLES:
                self._styles.add(element)
                continue
            table = element if tag == "table" else _find_sheet(element)
            above = None if table is None else table.getparent()
            if table is None or above is None or get_local_name(above) not in ("spreadsheet", "body"):
                continue  # A table inside a cell, or the saved copy of another file's.
            if sheet is None:
                is_hidden = self._styles.is_hidden(get_attribute(table, "style-name"))
                sheet = OpenDocumentSheet(SheetGrid(get_attribute(table, "name")), is_hidden)
            if tag == "table" or self._remaining_cells < 0:
                sheet.grid.is_cut = self._remaining_cells < 0
                sheet.grid.rows = {row: cells for row, cells in sheet.grid.rows.items() if cells}
                sheet.grid.merges = apply_merges(sheet.grid, sheet.merges)
                if _COPY_MARK not in sheet.grid.name:
                    yield sheet
                if self._remaining_cells < 0:
                    return
                sheet = None
            elif not sheet.is_hidden:
                self._read_element(sheet, tag, element)

    def _read_element(self, sheet: OpenDocumentSheet, tag: str, element: _Element) -> None:
        if tag == "table-row":
            self._read_row(sheet, element)
        elif tag == "table-column":
            _read_column(sheet, element)
        else:
            sheet.boxes += _read_boxes(element)

    def _read_row(self, sheet: OpenDocumentSheet, row: _Element) -> None:
        first = sheet.row + 1
        times = min(_read_count(row, "number-rows-repeated"), LAST_ROW - sheet.row)
        sheet.row += times
        cells: dict[int, SheetCell] = {}
        column = 0
        is_hidden = _is_hidden(row, "table-row-group")
        for element in row:
            if get_local_name(element) not in ("table-cell", "covered-table-cell"):
                continue
            left, width = column + 1, min(_read_count(element, "number-columns-repeated"), LAST_COLUMN - column)
            column += width
            if not len(element) and not get_attribute(element, "value-type") and not get_attribute(element, "formula"):
                continue
            shown_cell = self._read_cell(sheet, row, element, first, left)
            if not is_hidden and get_local_name(element) == "table-cell":
                _read_merge(sheet, element, first, left)
            if not shown_cell.text.strip():
                continue
            self._remaining_cells -= width * times * shown_cell.weight
            if self._remaining_cells < 0:
                return
            for place in range(left, left + width):
                if place in sheet.hidden_columns:
                    sheet.grid.hidden_columns.add(place)
                else:
                    cells[place] = shown_cell
        if cells and is_hidden:
            sheet.grid.hidden_rows += times
        elif cells:
            for number in range(first, first + times):
                sheet.grid.rows[number] = dict(cells)
            sheet.grid.errors += [
                (cell.text, f"{format_column(place)}{first}")
                for place, cell in cells.items()
                if cell.kind is CellKind.ERROR
            ]

    def _read_cell(
        self, sheet: OpenDocumentSheet, row: _Element, cell: _Element, number: int, column: int
    ) -> SheetCell:
        """What a cell shows; its notes and shapes are kept with the sheet."""
        place = f"{format_column(column)}{number}"
        lines = []
        for child in cell:
            tag = get_local_name(child)
            if tag == "p":
                lines.append(_read_text(child))
            elif tag == "annotation":
                note = collapse_spaces(" ".join(_read_text(line) for line in child.iter("{*}p")))
                sheet.notes += [f"{place}: {note}"] if note else []
            else:
                sheet.boxes += _read_boxes(child)
        text = "\n".join(lines)
        kind = get_attribute(cell, "value-type")
        if get_attribute(cell, "formula") and _ERROR.fullmatch(text):
            return SheetCell(text, CellKind.ERROR)
        style = get_attribute(cell, "style-name") or get_attribute(row, "default-cell-style-name")
        style = style or sheet.column_styles.get(column, "")
        sheet_cell = _make_cell(kind, cell, text, self._styles.get_format(style))
        if get_attribute(cell, "formula") and kind != "string" and not sheet_cell.text:
            sheet.grid.uncalculated.append(place)
        return sheet_cell


def _make_cell(kind: str, cell: _Element, text: str, style: NumberFormat | None) -> SheetCell:
    """A cell by the type of its value; `text` is what the program that wrote it shows."""
    if kind in _NUMBERS:
        default_format = _PERCENT if kind == "percentage" else GENERAL
        number = make_number_cell(get_attribute(cell, "value") or text, style or default_format)
        return _add_currency(number, text) if kind == "currency" else number
    if kind == "date":
        value = get_attribute(cell, "date-value")
        return _make_time_cell(
            to_serial(value or text, date1904=False), style, _DATE_AND_TIME if "T" in value else _DATE
        )
    if kind == "time":
        days = _parse_days(get_attribute(cell, "time-value"))
        return SheetCell(text, CellKind.TEXT) if days is None else _make_time_cell(repr(days), style, _ELAPSED)
    if kind == "boolean":
        return SheetCell("TRUE" if get_attribute(cell, "boolean-value") == "true" else "FALSE", CellKind.FLAG)
    return SheetCell(text or get_attribute(cell, "string-value"), CellKind.TEXT)


def _add_currency(cell: SheetCell, shown: str) -> SheetCell:
    """An amount with the sign that its program shows: a style may leave the currency to the machine's language."""
    sign = _CURRENCY.search(shown)
    if sign is None or _CURRENCY.search(cell.text):
        return cell
    is_before = not any(map(str.isdigit, shown[: sign.start()]))
    amount = cell.text.strip()
    return cell._replace(text=re.sub(r"(?=\d)", sign[0], amount, count=1) if is_before else f"{amount} {sign[0]}")


def _make_time_cell(value: str, style: NumberFormat | None, default_format: NumberFormat) -> SheetCell:
    """A date or a time; a style that shows it as a number is that of cells without one of their own."""
    cell = make_number_cell(value, style or default_format)
    return make_number_cell(value, default_format) if cell.kind in (CellKind.NUMBER, CellKind.YEAR) else cell


def _parse_days(length: str) -> float | None:
    """A length of time (XML Schema part 2, 3.2.6) in days; None for what is none."""
    match = _DURATION.fullmatch(length)
    if match is None:
        return None
    days, hours, minutes = (int(match[place] or 0) for place in (2, 3, 4))
    seconds = float((match[5] or "0").replace(",", "."))
    return (-1 if match[1] else 1) * (days + (hours * 3600 + minutes * 60 + seconds) / 86_400)


def _read_text(line: _Element) -> str:
    """The words of a paragraph: runs of blanks, tabs and ends of lines are elements (6.1)."""
    pieces = [line.text or ""]
    for child in line:
        tag = get_local_name(child)
        if tag == "s":
            pieces.append(" " * min(_read_count(child, "c"), _MAX_BLANKS))
        elif tag == "tab":
            pieces.append("\t")
        elif tag == "line-break":
            pieces.append("\n")
        elif tag not in ("annotation", "ruby-text") and get_tag(child) not in ("", "&"):
            pieces.append(_read_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)


def _read_boxes(element: _Element) -> list[str]:
    """The texts of the shapes in an element, a paragraph a line."""
    shapes = list(element) if get_local_name(element) == "shapes" else [element]
    texts = ("\n".join(filter(str.strip, (_read_text(line) for line in shape.iter("{*}p")))) for shape in shapes)
    return [text for text in texts if text]


def _read_column(sheet: OpenDocumentSheet, element: _Element) -> None:
    """Keeps whether columns are hidden, and the style of their cells."""
    width = min(_read_count(element, "number-columns-repeated"), LAST_COLUMN - sheet.column)
    columns = range(sheet.column + 1, sheet.column + 1 + width)
    sheet.column += width
    if _is_hidden(element, "table-column-group"):
        sheet.hidden_columns.update(columns)
    style = get_attribute(element, "default-cell-style-name")
    sheet.column_styles.update(dict.fromkeys(columns, style))


def _read_merge(sheet: OpenDocumentSheet, cell: _Element, row: int, column: int) -> None:
    rows, columns = _read_count(cell, "number-rows-spanned"), _read_count(cell, "number-columns-spanned")
    if rows > 1 or columns > 1:
        sheet.merges.append(Area(row, column, min(row + rows - 1, LAST_ROW), min(column + columns - 1, LAST_COLUMN)))


def _is_hidden(element: _Element, group: str) -> bool:
    """Whether rows or columns are hidden by hand: outside of a group, which is open or closed as a whole."""
    return (
        get_attribute(element, "visibility") == "collapse"
        and next(element.iterancestors(f"{{*}}{group}"), None) is None
    )


def _find_sheet(element: _Element) -> _Element | None:
    return next(element.iterancestors("{*}table"), None)


def _read_count(element: _Element, key: str) -> int:
    """A number of rows, columns or blanks, at least 1."""
    return max(parse_count(get_attribute(element, key)), 1)
