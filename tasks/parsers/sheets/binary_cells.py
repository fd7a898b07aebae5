"""The sheets of old and of binary Excel workbooks (.xls, .xlsb), read by python-calamine.

The library tells what type a value is of and not its format, nor what is hidden inside a sheet. Lost are therefore the
formats of numbers (12.5% is shown as 0.125, a price without its currency) and of dates (all of them whole, in the
order of ISO 8601: a header "Mar 2025" is 2025-03-01), errors (their cells are blank), hidden rows and columns (they
are read), frozen rows, filters, notes and text boxes, formulas without a saved value and, of .xlsb, merged cells.
"""

from __future__ import annotations

import os
import re
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office_package import OfficePackage
from tasks.parsers.sheets.number_formats import number_format
from tasks.parsers.sheets.sheet_cells import CellKind, SheetCell, SheetGrid, number_cell, shown_merges
from tasks.parsers.sheets.workbook_package import LAST_COLUMN, LAST_ROW, Area

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

Value = int | float | str | bool | time | date | datetime | timedelta
_GENERAL = number_format("General")
_MOST_PLACES = 20_000_000
"""Places of cells between the first and the last one of a sheet, blank ones included, all of which the library keeps in
memory, 32 bytes each. A sheet of .xls has 16.8 million."""
_PANIC = "PanicException"
"""What the library raises where it fails in a way that it does not expect; it derives from no `Exception`."""
_PASSWORD = re.compile(rb"\x09\x08(?:\x10\0\0\x06.{14}|\x08\0\0\x05.{6})(?:\x86\0\0\0)?\x2f\0[\x01-\xff]", re.DOTALL)
"""The beginning of a workbook that is encrypted: BOF, WriteProtect and FilePass ([MS-XLS] 2.4.21, 2.4.349, 2.4.117)."""
_HEADER, _SHIFT, _FOLDER, _SHORT_TABLE, _TABLES = 512, 30, 48, 60, 76
"""A compound file's header in bytes, and where in it the size of sectors stands (a power of two), the first sector of
the folder and of the table of short sectors, and those of the table of sectors ([MS-CFB] 2.2)."""
_SHIFTS, _NO_SECTOR = (9, 12), 0xFFFFFFFA
_OLD, _UNFIT = "XLS file", "its parts do not fit together"
_ROW, _CELLS = 0, range(1, 12)
"""Records of a sheet in .xlsb: the beginning of a row and its cells ([MS-XLSB] 2.5.97 and 2.3.1)."""


class BinaryWorkbook:
    """An open workbook. `noun` names the format in messages: "XLS file"."""

    def __init__(self, data: bytes, noun: str) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted workbook."""
        from python_calamine import CalamineWorkbook

        self._noun = noun
        with _failures_named(noun):
            self._workbook: CalamineWorkbook = CalamineWorkbook.from_filelike(BytesIO(data))

    def sheets(self) -> Iterator[tuple[str, bool]]:
        """The names of the sheets of cells in the order of their tabs, and whether each is hidden."""
        from python_calamine import SheetTypeEnum, SheetVisibleEnum

        for sheet in self._workbook.sheets_metadata:
            if sheet.typ is SheetTypeEnum.WorkSheet:
                yield sheet.name, sheet.visible is not SheetVisibleEnum.Visible

    def grid(self, name: str, most_cells: int) -> tuple[SheetGrid, int]:
        """The grid of a sheet with so many cells at the most, and how many more there may be."""
        grid = SheetGrid(name)
        with _failures_named(self._noun):
            sheet = self._workbook.get_sheet_by_name(name)
            # The rows begin with the first that holds anything, their columns likewise.
            first_row, first_column = sheet.start or (0, 0)
            for number, values in enumerate(sheet.iter_rows(), first_row + 1):
                cells = {
                    column: cell
                    for column, value in enumerate(values, first_column + 1)
                    if value != "" and (cell := cell_of(value)).text.strip()
                }
                most_cells -= len(cells)
                if most_cells < 0:
                    grid.is_cut = True
                    break
                if cells:
                    grid.rows[number] = cells
            grid.merges = shown_merges(grid, _merges(sheet))
        return grid, most_cells


def cell_of(value: Value) -> SheetCell:
    """A value as it is shown without its format."""
    if isinstance(value, bool):
        return SheetCell("TRUE" if value else "FALSE", CellKind.FLAG)
    if isinstance(value, int | float):
        return number_cell(repr(value), _GENERAL)
    if isinstance(value, str):
        return SheetCell(value, CellKind.TEXT)
    if isinstance(value, timedelta):
        seconds = round(abs(value).total_seconds())
        sign = "-" if value < timedelta() else ""
        return SheetCell(f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}", CellKind.TIME)
    if isinstance(value, time):
        return SheetCell(_clock(value), CellKind.TIME)
    if isinstance(value, datetime):
        return SheetCell(f"{value.date().isoformat()} {_clock(value.time())}", CellKind.DATE)
    return SheetCell(value.isoformat(), CellKind.DATE)


def _clock(moment: time) -> str:
    return moment.strftime("%H:%M:%S" if moment.second else "%H:%M")


def _merges(sheet: CalamineSheet) -> list[Area]:
    found = (
        (top + 1, left + 1, bottom + 1, right + 1) for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()
    )
    return [Area(*area) for area in sorted(found) if area[2] <= LAST_ROW and area[3] <= LAST_COLUMN]


@contextmanager
def _failures_named(noun: str) -> Iterator[None]:
    """Makes every failure of the library a refusal, without what it writes to the standard error meanwhile.

    Workbooks are read in processes of their own, one at a time, so that nothing else writes there.
    """
    from python_calamine import PasswordError

    sys.stderr.flush()
    kept, silent = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)
    try:
        yield
    except PasswordError as error:
        raise refusals.encrypted() from error
    except MemoryError:
        raise
    except Exception as error:
        raise refusals.damaged(noun, _UNFIT) from error
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise refusals.damaged(noun, _UNFIT) from error
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silent)


def check_old(data: bytes) -> None:
    """Refuses an .xls that needs a password, whose end is missing or whose sectors follow each other in a circle.

    The library does not notice all passwords, and goes round a circle until the memory is full: of 400 copies of a file
    that were damaged in one way each, 34 had one.
    """
    if _PASSWORD.search(data):
        raise refusals.encrypted()
    if len(data) < _HEADER:
        raise refusals.truncated(_OLD)
    if data[_SHIFT] not in _SHIFTS:
        raise refusals.damaged(_OLD, _UNFIT)
    size = 1 << data[_SHIFT]
    tables = [sector for sector in struct.unpack_from("<109I", data, _TABLES) if sector < _NO_SECTOR]
    folder, short = (struct.unpack_from("<I", data, place)[0] for place in (_FOLDER, _SHORT_TABLE))
    if any((sector + 1) * size >= len(data) for sector in [folder, *tables]):
        raise refusals.truncated(_OLD)
    following = _numbers(data, tables, size)
    shorts = _numbers(data, _chain(following, short), size)
    if _has_circle(following) or _has_circle(shorts):
        raise refusals.damaged(_OLD, _UNFIT)


def _numbers(data: bytes, sectors: Iterable[int], size: int) -> list[int]:
    """The numbers in some sectors, one after the other."""
    found: list[int] = []
    for sector in sectors:
        part = data[(sector + 1) * size : (sector + 2) * size]
        found += struct.unpack(f"<{len(part) // 4}I", part[: len(part) // 4 * 4])
    return found


def _chain(following: Sequence[int], first: int) -> Iterator[int]:
    """The sectors from one on, at most all there are."""
    for _ in following:
        if first >= len(following):
            return
        yield first
        first = following[first]


def _has_circle(following: Sequence[int]) -> bool:
    """Whether sectors lead back to themselves; `following` is the next one of each."""
    seen = [0] * len(following)
    for start in range(len(following)):
        sector = start
        while sector < len(following) and not seen[sector]:
            seen[sector] = start + 1
            sector = following[sector]
        if sector < len(following) and seen[sector] == start + 1:
            return True
    return False


def check_extent(package: OfficePackage) -> None:
    """Refuses an .xlsb a sheet of which lies between cells so far apart that reading it would take all memory.

    Raises `UnreadableFile` too where a part is damaged or swells, which the library does not look at.
    """
    for name in package.names:
        data = package.data(name) or b"" if name.endswith(".bin") else b""
        if "/worksheets/" in name and _places(data) > _MOST_PLACES:
            raise refusals.too_large(f"{_MOST_PLACES // 10**6} million places for the cells of a sheet")


def _places(data: bytes) -> int:
    """The area between the first and the last cell of a sheet of .xlsb."""
    row, rows, columns = 0, set[int](), set[int]()
    place = 0
    while place + 2 <= len(data):
        kind, place = _varying(data, place, 2)
        size, place = _varying(data, place, 4)
        if (kind == _ROW or kind in _CELLS) and place + 4 <= len(data):
            number = struct.unpack_from("<I", data, place)[0]
            if kind == _ROW:
                row = number
            else:
                rows.add(row)
                columns.add(number)
        place += size
    if not rows:
        return 0
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)


def _varying(data: bytes, place: int, most: int) -> tuple[int, int]:
    """A number of seven bits a byte, at most so many bytes ([MS-XLSB] 2.1.4), and where it ends."""
    number = 0
    for shift in range(most):
        if place >= len(data):
            break
        byte = data[place]
        number |= (byte & 0x7F) << 7 * shift
        place += 1
        if byte < 0x80:
            break
    return number, place
