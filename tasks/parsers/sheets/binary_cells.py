"""The sheets of binary Excel workbooks (.xlsb, [MS-XLSB]) as Excel shows them, read record by record.

They are read as XLSX files are, without threads of comments, whose text is in notes too. A formula without a saved
value is empty.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from tasks.parsers import refusals
from tasks.parsers.office.compound_file import INCONSISTENT, refuse_damage
from tasks.parsers.office.office_package import OfficePackage
from tasks.parsers.sheets.number_formats import BUILT_IN, NumberFormat, get_number_format
from tasks.parsers.sheets.sheet_cells import (
    ERRORS,
    GENERAL,
    CellKind,
    ReadSheet,
    SheetCell,
    SheetGrid,
    SheetParts,
    apply_merges,
    make_number_cell,
)
from tasks.parsers.sheets.workbook_package import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    ListObject,
    format_column,
    iter_text_boxes,
    list_linked_parts,
)
from warehouse.records import Finding

_NOUN = "XLSB file"
_ROW, _CELLS, _SHORT_CELLS, _RICH = 0, range(1, 12), range(12, 19), 62
"""Records (2.3.1): a row, its cells, cells that stand right of the one before and do not say their column, and a text
with runs. Kinds of cells, those of both from 1: blank, small number, error, flag, number, text, shared text, and four
results of formulas."""
_SMALL_NUMBER, _ERRORS, _FLAGS, _NUMBERS, _TEXTS, _SHARED = 2, (3, 11), (4, 10), (5, 9), (6, 8, _RICH), 7
_FORMAT, _STYLE, _STYLES_BEGIN, _STYLES_END, _STRING = 44, 47, 617, 618, 19
_COLUMN, _PANE, _MERGE, _FILTER, _FILTERED_COLUMN = 60, 151, 176, 161, 163
_SHEET, _WORKBOOK, _TABLE, _NOTE, _NOTE_TEXT = 156, 153, 343, 635, 637


def iter_records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The kind and the content of each record (2.1.4), as far as they are whole."""
    place = 0
    while place + 2 <= len(data):
        kind, place = _read_varying(data, place, 2)
        size, place = _read_varying(data, place, 4)
        if place + size > len(data):
            return
        yield kind, data[place : place + size]
        place += size


def _read_varying(data: bytes, position: int, max_bytes: int) -> tuple[int, int]:
    """A number of seven bits a byte, at most so many bytes, and where it ends."""
    number = 0
    for shift in range(max_bytes):
        if position >= len(data):
            break
        byte = data[position]
        number |= (byte & 0x7F) << 7 * shift
        position += 1
        if byte < 0x80:
            break
    return number, position


class BinaryWorkbook:
    """Reads the sheets of a file; all of them together may have so many cells."""

    def __init__(self, data: bytes, max_cells: int) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted workbook."""
        package = OfficePackage(data, _NOUN, "xl/workbook.bin")
        main = package.read_part(package.main_part)
        if main is None:
            raise refusals.damaged(_NOUN, "there is no workbook part in it")
        self._package = package
        self._remaining_cells = max_cells
        self._related = package.read_relations(package.main_part)
        with refuse_damage(_NOUN):
            self._entries = [(kind, data) for kind, data in iter_records(main) if kind in (_SHEET, _WORKBOOK)]
            self._strings = [
                _read_wide(data, 1)[0] for kind, data in self._iter_records("sharedStrings") if kind == _STRING
            ]
            self._formats = list(self._read_formats())
        if not any(kind == _SHEET for kind, _ in self._entries):
            raise refusals.damaged(_NOUN, INCONSISTENT)
        self._date1904 = any(kind == _WORKBOOK and data[:1] and data[0] & 1 for kind, data in self._entries)
        self.read_properties = package.read_properties

    @property
    def lost(self) -> Sequence[Finding]:
        """Parts with wrong checksums."""
        return self._package.findings

    def iter_sheets(self) -> Iterator[ReadSheet]:
        """The sheets of cells in the order of their tabs, hidden ones without their cells."""
        for kind, data in self._entries:
            if kind != _SHEET:
                continue
            with refuse_damage(_NOUN):
                state = struct.unpack_from("<I", data)[0]
                relation, place = _read_wide(data, 8)
                name = _read_wide(data, place)[0]
                link_kind, part = self._related.get(relation, ("", ""))
                sheet = ReadSheet(SheetGrid(name), is_hidden=state != 0)
                if link_kind == "worksheet" and not sheet.is_hidden:
                    self._read_sheet(sheet, part)
            if link_kind == "worksheet":
                yield sheet
            if sheet.grid.is_cut:
                return

    def _iter_records(self, kind: str) -> Iterator[tuple[int, bytes]]:
        part = next((target for part_kind, target in self._related.values() if part_kind == kind), "")
        return iter_records(self._package.read_part(part) or b"" if part else b"")

    def _read_formats(self) -> Iterator[NumberFormat]:
        """The number format of each style of cells."""
        codes, is_of_cells = dict(BUILT_IN), False
        for kind, data in self._iter_records("styles"):
            if kind == _FORMAT:
                codes[struct.unpack_from("<H", data)[0]] = _read_wide(data, 2)[0]
            elif kind in (_STYLES_BEGIN, _STYLES_END):
                is_of_cells = kind == _STYLES_BEGIN
            elif kind == _STYLE and is_of_cells:
                yield get_number_format(codes.get(struct.unpack_from("<H", data, 2)[0], "General"))

    def _read_sheet(self, sheet: ReadSheet, part: str) -> None:
        grid = sheet.grid
        parts = SheetParts(grid)
        grid.tables = [
            table for target in list_linked_parts(self._package, part, "table") if (table := self._read_table(target))
        ]
        column = 0
        for kind, data in iter_records(self._package.read_part(part) or b""):
            if kind == _ROW:
                column = 0
                parts.row = min(struct.unpack_from("<I", data)[0] + 1, LAST_ROW)
                parts.grid.rows.setdefault(parts.row, {})
                if data[11] & 0x10 and not data[11] & 0x07:  # Of no height, and in no group.
                    parts.closed_rows.append(parts.row)
            elif kind in _CELLS or kind in _SHORT_CELLS or kind == _RICH:
                column = column + 1 if kind in _SHORT_CELLS else struct.unpack_from("<I", data)[0] + 1
                cell = self._read_cell(kind - 11, data) if kind in _SHORT_CELLS else self._read_cell(kind, data[4:])
                if cell.text.strip() and column <= LAST_COLUMN:
                    self._remaining_cells -= cell.weight
                    if self._remaining_cells < 0:
                        grid.is_cut = True
                        break
                    parts.put_cell(column, cell)
            else:
                _store_record(parts, kind, data)
        parts.close_rows()
        grid.merges = apply_merges(grid, parts.merges)
        sheet.boxes = list(iter_text_boxes(self._package, part))
        sheet.notes = [
            note for target in list_linked_parts(self._package, part, "comments") for note in self._iter_notes(target)
        ]

    def _read_cell(self, kind: int, data: bytes) -> SheetCell:
        """A cell by its kind and what stands in it: its style, then its value (2.4.30 and following)."""
        style = struct.unpack_from("<I", data)[0] & 0xFFFFFF
        style_format = self._formats[style] if style < len(self._formats) else GENERAL
        if kind in _TEXTS:
            return SheetCell(style_format.format_text(_read_wide(data, 5 if kind == _RICH else 4)[0]), CellKind.TEXT)
        if kind == _SHARED:
            number = struct.unpack_from("<I", data, 4)[0]
            return SheetCell(
                style_format.format_text(self._strings[number] if number < len(self._strings) else ""), CellKind.TEXT
            )
        if kind in _FLAGS:
            return SheetCell("TRUE" if data[4] else "FALSE", CellKind.FLAG)
        if kind in _ERRORS:
            return SheetCell(ERRORS.get(data[4], ERRORS[0x2A]), CellKind.ERROR)
        if kind not in _NUMBERS and kind != _SMALL_NUMBER:
            return SheetCell("", CellKind.TEXT)
        value = (
            _decode_small(struct.unpack_from("<i", data, 4)[0])
            if kind == _SMALL_NUMBER
            else struct.unpack_from("<d", data, 4)[0]
        )
        return make_number_cell(repr(value), style_format, date1904=self._date1904)

    def _read_table(self, part: str) -> ListObject | None:
        """A table of Excel's own (2.4.101)."""
        data = next(
            (content for kind, content in iter_records(self._package.read_part(part) or b"") if kind == _TABLE), None
        )
        return (
            None if data is None else ListObject(_read_area(data), min(struct.unpack_from("<I", data, 24)[0], LAST_ROW))
        )

    def _iter_notes(self, part: str) -> Iterator[str]:
        """The notes on cells in their order."""
        notes: list[tuple[int, int, str]] = []
        row = column = 0
        for kind, data in iter_records(self._package.read_part(part) or b""):
            if kind == _NOTE:
                row, _, column = struct.unpack_from("<III", data, 4)
            elif kind == _NOTE_TEXT:
                notes.append((row, column, " ".join(_read_wide(data, 1)[0].split())))
        for row, column, text in sorted(notes):
            if text:
                yield f"{format_column(column + 1)}{row + 1}: {text}"


def _store_record(parts: SheetParts, kind: int, data: bytes) -> None:
    """Keeps what a record beside the rows says of its sheet."""
    if kind == _COLUMN:
        first, last, _, _, flags = struct.unpack_from("<IIIIH", data)
        if flags & 1 and not flags >> 8 & 0x07:
            parts.hidden_columns |= set(range(first + 1, min(last + 1, LAST_COLUMN) + 1))
    elif kind == _PANE and data[28] & 0x03:
        parts.grid.frozen = int(min(max(struct.unpack_from("<d", data, 8)[0], 0), LAST_ROW))
    elif kind == _MERGE:
        parts.merges.append(_read_area(data))
    elif kind == _FILTER:
        parts.grid.filtered = _read_area(data)
    elif kind == _FILTERED_COLUMN:
        parts.is_filtering = True


def _read_area(data: bytes) -> Area:
    top, bottom, left, right = struct.unpack_from("<IIII", data)
    return Area(top + 1, left + 1, min(bottom + 1, LAST_ROW), min(right + 1, LAST_COLUMN))


def _read_wide(data: bytes, place: int) -> tuple[str, int]:
    """A text with its length before it (2.5.168), and where it ends; one that is absent is empty."""
    length = struct.unpack_from("<I", data, place)[0]
    length = 0 if length == 0xFFFFFFFF else length
    end = place + 4 + 2 * length
    if end > len(data):
        raise ValueError("a text is longer than its record")
    return data[place + 4 : end].decode("utf-16-le", "replace"), end


def _decode_small(value: int) -> float:
    """A number of thirty bits (2.5.122): whole or the upper half of a larger one, and perhaps a hundred times it."""
    number = float(value >> 2) if value & 2 else struct.unpack("<d", struct.pack("<iI", 0, value & 0xFFFFFFFC))[0]
    return float(number / 100 if value & 1 else number)
