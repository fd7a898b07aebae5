"""Excel workbooks (ECMA-376): the sheets in their order, their islands of cells as tables and texts.

Cells are shown as Excel shows them and formulas by the values that Excel saved. Sheets, rows and columns that somebody
hid are left out, as Excel leaves them out, and a finding says so.
"""

from __future__ import annotations

import re

from tasks.parsers.office_package import is_office
from tasks.parsers.office_properties import describe_properties
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.sheets import sheet_writer
from tasks.parsers.sheets.sheet_cells import SheetReader
from tasks.parsers.sheets.sheet_writer import SheetWriter
from tasks.parsers.sheets.workbook_package import MAIN_NAME, WorkbookPackage, iter_text_boxes
from warehouse.records import Document


class Xlsx:
    """Each sheet is a section; a workbook whose rows are a diary is a text with entries, any other a report."""

    version = 3
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    suffixes: tuple[str, ...] = (".xlsx", ".xlsm", ".xltx", ".xltm")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "xl", MAIN_NAME, Xlsx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = WorkbookPackage(raw.data)
        writer = SheetWriter()
        reader = SheetReader(package, sheet_writer.MOST_CELLS)
        for entry in package.sheets:
            if entry.is_hidden:
                writer.hidden.append(entry.name)
                continue
            grid = reader.read(entry)
            notes = [f"{note.place}: {note.text}" for note in package.read_notes(entry.part)]
            writer.add_grid(grid, list(iter_text_boxes(package, entry.part)), notes)
            if grid.is_cut:
                break
        title, authors, dates = describe_properties(package.read_core_properties())
        return writer.finish(self.media_type, title=title, authors=authors, dates=dates)


member = Xlsx()
