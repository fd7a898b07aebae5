"""Workbooks of other formats than XLSX: old and binary Excel files (.xls, .xlsb), OpenDocument (.ods, .fods).

They are read like XLSX files; `sheets.old_cells` describes what of .xls is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tasks.parsers import refusals
from tasks.parsers.decoder import decode_head
from tasks.parsers.office.compound_file import identify_compound
from tasks.parsers.office.office_package import list_part_names
from tasks.parsers.office.open_package import is_open_document
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.sheets.binary_cells import BinaryWorkbook
from tasks.parsers.sheets.old_cells import OldWorkbook
from tasks.parsers.sheets.opendocument_cells import OpenDocumentWorkbook
from tasks.parsers.sheets.sheet_writer import Workbook, build_workbook_document
from tasks.parsers.sheets.xml_cells import XmlWorkbook
from tasks.parsers.trees import MARKUP, find_root_tag
from warehouse.records import Document

_OLD_TYPE = "application/vnd.ms-excel"
_BINARY_TYPE = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
_XML_TYPE, _XML_NAMES = "application/xml", "urn:schemas-microsoft-com:office:spreadsheet"
_OPEN_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_OLD_OPEN_TYPE = "application/vnd.sun.xml.calc"
"""The type of OpenOffice 1, the predecessor of OpenDocument."""
_READERS: dict[str, Callable[[bytes, int], Workbook]] = {
    _OPEN_TYPE: OpenDocumentWorkbook, _BINARY_TYPE: BinaryWorkbook, _OLD_TYPE: OldWorkbook, _XML_TYPE: XmlWorkbook,
}  # fmt: skip
_BINARY_MAIN = re.compile(r"(?:xl/)?workbook\d*\.bin", re.IGNORECASE)
_RECORD_STREAM = re.compile(rb"\x09[\0\x02\x04\x08][\x04-\x10]\0")
"""The first bytes of a stream of records outside a compound file, as of Excel 2 to 4: BOF and its length."""


class Workbooks:
    """Each sheet is a section, as in XLSX; `media_type` is that of OpenDocument, each document has its own."""

    version = 6
    media_type = _OPEN_TYPE
    suffixes: tuple[str, ...] = (".xls", ".xlt", ".xlsb", ".ods", ".ots", ".fods", ".sxc")
    heavy = True
    signature: Signature | None = Signature(
        re.compile(rb"\A(?:PK\x03\x04|\xd0\xcf\x11\xe0|\x09)"), MARKUP, lambda raw: bool(_identify_type(raw))
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted file."""
        kind = _identify_type(raw)
        if not kind:
            raise refusals.unknown(raw.data)
        return build_workbook_document(_OLD_TYPE if kind == _XML_TYPE else kind, raw.data, _READERS[kind])


def _identify_type(raw: Raw) -> str:
    """The media type of a workbook, or nothing."""
    if identify_compound(raw) == "xls" or _RECORD_STREAM.match(raw.data):
        return _OLD_TYPE
    if is_open_document(raw, _OPEN_TYPE) or is_open_document(raw, _OLD_OPEN_TYPE):
        return _OPEN_TYPE
    if raw.data.startswith(b"PK"):
        return _BINARY_TYPE if any(map(_BINARY_MAIN.fullmatch, list_part_names(raw.data))) else ""
    beginning = decode_head(raw.data)
    return _XML_TYPE if find_root_tag(beginning) == "workbook" and _XML_NAMES in beginning else ""


member = Workbooks()
