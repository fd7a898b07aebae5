"""Excel workbooks (ECMA-376): the sheets in their order, their islands of cells as tables and texts.

Cells are shown as in Excel and formulas by the values that Excel saved. Hidden sheets, rows and columns are left out,
as in Excel, with a finding.
"""

from __future__ import annotations

import re

from tasks.parsers.office.office_package import is_office
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.sheets.sheet_cells import XlsxWorkbook
from tasks.parsers.sheets.sheet_writer import build_workbook_document
from tasks.parsers.sheets.workbook_package import MAIN_NAME
from warehouse.records import Document


class Xlsx:
    """Each sheet is a section; a workbook whose rows are a diary is a text with entries, any other a report."""

    version = 4
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    suffixes: tuple[str, ...] = (".xlsx", ".xlsm", ".xltx", ".xltm")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "xl", MAIN_NAME, Xlsx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        return build_workbook_document(self.media_type, raw.data, XlsxWorkbook)


member = Xlsx()
