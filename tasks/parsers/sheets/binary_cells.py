"""The sheets of binary Excel workbooks (.xlsb), read by python-calamine.

The library tells what type a value is of and not its format, nor what is hidden inside a sheet. Lost are therefore the
formats of numbers (12.5% is shown as 0.125, a price without its currency) and of dates (all of them whole, in the
order of ISO 8601: a header "Mar 2025" is 2025-03-01), errors (their cells are blank), hidden rows and columns (they
are read), merged cells, frozen rows, filters, notes and text boxes, and formulas without a saved value.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office_package import OfficePackage
from tasks.parsers.sheets.number_formats import number_format
from tasks.parsers.sheets.sheet_cells import CellKind, SheetCell, SheetGrid, number_cell

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

Value = int | float | str | bool | time | date | datetime | timedelta
_GENERAL = number_format("General")
_MOST_PLACES = 20_000_000
"""Places of cells between the first and the last one of a sheet, blank ones included, all of which the library keeps in
memory, 32 bytes each."""
_PANIC = "PanicException"
"""What the library raises where it fails in a way that it does not expect; it derives from no `Exception`."""
_NOUN, _UNFIT = "XLSB file", "its parts do not fit together"
_ROW, _CELLS = 0, range(1, 12)
"""Records of a sheet in .xlsb: the beginning of a row and its cells ([MS-XLSB] 2.5.97 and 2.3.1)."""


class BinaryWorkbook:
    """An open workbook."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted workbook."""
        from python_calamine import CalamineWorkbook

        with _failures_named():
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
        with _failures_named():
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


@contextmanager
def _failures_named() -> Iterator[None]:
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
        raise refusals.damaged(_NOUN, _UNFIT) from error
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise refusals.damaged(_NOUN, _UNFIT) from error
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silent)


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
