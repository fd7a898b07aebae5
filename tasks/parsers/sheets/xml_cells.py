"""The sheets of an XML spreadsheet of Excel 2003 as Excel shows them; many programs export it as .xls or .xml.

Microsoft calls it SpreadsheetML 2003 (XML Spreadsheet Reference, urn:schemas-microsoft-com:office:spreadsheet).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.numerals import parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.office_properties import FileDescription, describe_file
from tasks.parsers.sheets.number_formats import NumberFormat, get_number_format
from tasks.parsers.sheets.sheet_cells import (
    CellKind,
    ReadSheet,
    SheetCell,
    SheetGrid,
    SheetParts,
    apply_merges,
    make_number_cell,
    to_serial,
)
from tasks.parsers.sheets.workbook_package import LAST_COLUMN, LAST_ROW, Area, format_column
from tasks.parsers.trees import collapse_spaces, collect_text, recover_xml
from warehouse.records import Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAMED_FORMATS = {
    "General Number": "General", "General Date": "m/d/yyyy h:mm", "Long Date": "d-mmm-yy", "Medium Date": "d-mmm-yy",
    "Short Date": "m/d/yyyy", "Long Time": "h:mm:ss AM/PM", "Medium Time": "h:mm AM/PM", "Short Time": "h:mm",
    "Currency": '"$"#,##0.00;-"$"#,##0.00', "Euro Currency": '"€"#,##0.00;-"€"#,##0.00', "Fixed": "0.00",
    "Standard": "#,##0.00", "Percent": "0.00%", "Scientific": "0.00E+00", "Yes/No": '"Yes";"Yes";"No"',
    "True/False": '"True";"True";"False"', "On/Off": '"On";"On";"Off"',
}  # fmt: skip
"""Formats by the names that a style may call them by."""
_MIDNIGHT = re.compile(r"T00:00:00(?:\.0*)?$")
_AREA = re.compile(r"R(\d{1,7})C(\d{1,5}):R(\d{1,7})C(\d{1,5})")
_MAX_DEPTH = 10  # Styles that one style is based on.


class XmlWorkbook:
    """Reads the sheets of a file; all of them together may have so many cells."""

    lost: Sequence[Finding] = ()

    def __init__(self, data: bytes, max_cells: int) -> None:
        """Raises `UnreadableFile` where there is no workbook in it."""
        root = recover_xml(data)
        if root is None or root.find("Worksheet") is None:
            raise refusals.damaged("XML spreadsheet", "there is no sheet in it")
        self._root = root
        self._remaining_cells = max_cells
        styles = {get_attribute(style, "ID"): style for style in root.iterfind("Styles/Style")}
        self._codes = {name: _find_code(style, styles) for name, style in styles.items()}

    def iter_sheets(self) -> Iterator[ReadSheet]:
        """The sheets in the order of their tabs, hidden ones without their cells."""
        for node in self._root.iterfind("Worksheet"):
            options = node.find("WorksheetOptions")
            state = "" if options is None else options.findtext("Visible", "")
            sheet = ReadSheet(
                SheetGrid(get_attribute(node, "Name")), is_hidden=state in ("SheetHidden", "SheetVeryHidden")
            )
            if not sheet.is_hidden:
                self._read_sheet(sheet, node, options)
            yield sheet
            if sheet.grid.is_cut:
                return

    def read_properties(self) -> FileDescription:
        """Title, authors, and the days of creation and of the last change."""
        texts = {
            name: collapse_spaces(self._root.findtext(f"DocumentProperties/{name}", "")) for name in ("Title", "Author")
        }
        times = []
        for name in ("Created", "LastSaved"):
            match = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)", self._root.findtext(f"DocumentProperties/{name}", ""))
            times += [datetime.fromisoformat(match[1])] if match else []
        return describe_file(texts["Title"], texts["Author"], times)

    def _read_sheet(self, sheet: ReadSheet, node: _Element, options: _Element | None) -> None:
        parts = SheetParts(sheet.grid)
        area = _AREA.fullmatch(get_attribute(node.find("AutoFilter"), "Range"))
        if area:
            top, left, bottom, right = map(int, area.groups())
            parts.grid.filtered, parts.is_filtering = Area(top, left, bottom, right), True
        if options is not None and options.find("FreezePanes") is not None:
            parts.grid.frozen = parse_count(options.findtext("SplitHorizontal", ""), 0, LAST_ROW)
        styles: dict[int, str] = {}
        column = 0
        for column_node in node.iterfind("Table/Column"):
            column = parse_count(get_attribute(column_node, "Index"), column + 1, LAST_COLUMN)
            columns = range(
                column, min(column + parse_count(get_attribute(column_node, "Span"), 0, LAST_COLUMN), LAST_COLUMN) + 1
            )
            column = columns[-1]
            styles |= dict.fromkeys(columns, get_attribute(column_node, "StyleID"))
            if get_attribute(column_node, "Hidden") == "1":
                parts.hidden_columns |= set(columns)
        for row in node.iterfind("Table/Row"):
            parts.row = parse_count(get_attribute(row, "Index"), parts.row + 1, LAST_ROW)
            self._read_row(sheet, parts, row, styles)
            parts.row = min(parts.row + parse_count(get_attribute(row, "Span"), 0, LAST_ROW), LAST_ROW)
            if self._remaining_cells < 0:
                parts.grid.is_cut = True
                break
        parts.close_rows()
        sheet.grid.merges = apply_merges(sheet.grid, parts.merges)

    def _read_row(self, sheet: ReadSheet, parts: SheetParts, row: _Element, styles: dict[int, str]) -> None:
        parts.grid.rows.setdefault(parts.row, {})
        if get_attribute(row, "Hidden") == "1":
            parts.closed_rows.append(parts.row)
        column = 0
        for cell in row.iterfind("Cell"):
            column = parse_count(get_attribute(cell, "Index"), column + 1, LAST_COLUMN)
            data, style = cell.find("Data"), get_attribute(cell, "StyleID") or get_attribute(row, "StyleID")
            if data is not None:
                sheet_cell = _read_cell(data, self._codes.get(style or styles.get(column, ""), ""))
                self._remaining_cells -= sheet_cell.weight
                if self._remaining_cells < 0:
                    return
                parts.put_cell(column, sheet_cell)
            elif get_attribute(cell, "Formula"):
                parts.grid.uncalculated.append(f"{format_column(column)}{parts.row}")
            note = collapse_spaces(collect_text(cell.find("Comment/Data")))
            sheet.notes += [f"{format_column(column)}{parts.row}: {note}"] if note else []
            width, height = (
                parse_count(get_attribute(cell, f"Merge{direction}"), 0, LAST_ROW) for direction in ("Across", "Down")
            )
            right, bottom = min(column + width, LAST_COLUMN), min(parts.row + height, LAST_ROW)
            if width or height:
                parts.merges.append(Area(parts.row, column, bottom, right))
            column = right


def _read_cell(data: _Element, code: str) -> SheetCell:
    """A cell by the type of its value."""
    kind, value = get_attribute(data, "Type"), collect_text(data)
    if kind == "Boolean":
        return SheetCell("TRUE" if value.strip() == "1" else "FALSE", CellKind.FLAG)
    if kind == "Error":
        return SheetCell(value.strip(), CellKind.ERROR)
    if kind not in ("DateTime", "Number"):
        return SheetCell(_get_format(code).format_text(value), CellKind.TEXT)
    value = value.strip()
    if kind == "DateTime" and not code:
        code = "yyyy-mm-dd" if _MIDNIGHT.search(value) else "yyyy-mm-dd hh:mm:ss"
    return make_number_cell(to_serial(value, date1904=False) if kind == "DateTime" else value, _get_format(code))


def _get_format(code: str) -> NumberFormat:
    return get_number_format(_NAMED_FORMATS.get(code, code) or "General")


def _find_code(style: _Element, styles: dict[str, _Element]) -> str:
    """The format of a style, or of the one that it is based on."""
    current: _Element | None = style
    for _ in range(_MAX_DEPTH):
        if current is None:
            break
        code = get_attribute(current.find("NumberFormat"), "Format")
        if code:
            return code
        current = styles.get(
            get_attribute(current, "Parent") or ("" if get_attribute(current, "ID") == "Default" else "Default")
        )
    return ""
