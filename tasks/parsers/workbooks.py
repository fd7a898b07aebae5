"""Workbooks of other formats than XLSX: old and binary Excel files (.xls, .xlsb), OpenDocument (.ods, .fods).

They become what an XLSX file becomes; `sheets.old_cells` says what of .xls is lost.
"""

from __future__ import annotations

import re

from tasks.parsers import refusals
from tasks.parsers.compound_file import UNFIT, CompoundStorage, identify_compound
from tasks.parsers.decoder import decode_head
from tasks.parsers.office_package import OfficePackage, list_part_names
from tasks.parsers.office_properties import describe_file, describe_properties
from tasks.parsers.open_package import is_open_document
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.sheets import sheet_writer
from tasks.parsers.sheets.binary_cells import BINARY_WORKBOOK, BinaryWorkbook
from tasks.parsers.sheets.old_cells import OLD_WORKBOOK, OldWorkbook
from tasks.parsers.sheets.opendocument_cells import OpenDocumentReader
from tasks.parsers.sheets.sheet_writer import SheetWriter
from tasks.parsers.sheets.xml_cells import XmlWorkbook
from tasks.parsers.trees import MARKUP, find_root_tag
from warehouse.records import Document

_OLD_TYPE = "application/vnd.ms-excel"
_BINARY_TYPE = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
_XML_TYPE, _XML_NAMES = "application/xml", "urn:schemas-microsoft-com:office:spreadsheet"
_OPEN_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_OLD_OPEN_TYPE = "application/vnd.sun.xml.calc"
"""That of OpenOffice 1, from whose format OpenDocument was made."""
_BINARY_MAIN = re.compile(r"(?:xl/)?workbook\d*\.bin", re.IGNORECASE)
_BARE = re.compile(rb"\x09[\0\x02\x04\x08][\x04-\x10]\0")
"""How a stream of records begins that is no compound file, as Excel 2 to 4 wrote them: BOF and its length."""


class Workbooks:
    """Each sheet is a section, as in XLSX; `media_type` is that of OpenDocument, each document has its own."""

    version = 4
    media_type = _OPEN_TYPE
    suffixes: tuple[str, ...] = (".xls", ".xlt", ".xlsb", ".ods", ".ots", ".fods", ".sxc")
    heavy = True
    signature: Signature | None = Signature(
        re.compile(rb"\A(?:PK\x03\x04|\xd0\xcf\x11\xe0|\x09)"), MARKUP, lambda raw: bool(_identify_type(raw))
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted file."""
        kind = _identify_type(raw)
        if kind == _OPEN_TYPE:
            return _read_opendocument(raw)
        if kind == _BINARY_TYPE:
            return _read_binary(raw)
        if kind == _OLD_TYPE:
            return _read_old(raw)
        if kind == _XML_TYPE:
            return _read_xml(raw)
        raise refusals.unknown(raw.data)


def _identify_type(raw: Raw) -> str:
    """The media type of a workbook, or nothing."""
    if identify_compound(raw) == "xls" or _BARE.match(raw.data):
        return _OLD_TYPE
    if is_open_document(raw, _OPEN_TYPE) or is_open_document(raw, _OLD_OPEN_TYPE):
        return _OPEN_TYPE
    if raw.data.startswith(b"PK"):
        return _BINARY_TYPE if any(map(_BINARY_MAIN.fullmatch, list_part_names(raw.data))) else ""
    beginning = decode_head(raw.data)
    return _XML_TYPE if find_root_tag(beginning) == "workbook" and _XML_NAMES in beginning else ""


def _read_opendocument(raw: Raw) -> Document:
    reader = OpenDocumentReader(raw.data, sheet_writer.MOST_CELLS)
    writer = SheetWriter()
    for sheet in reader.iter_sheets():
        writer.add_sheet(sheet)
    title, authors, dates = describe_file(*reader.package.read_properties())
    return writer.finish(_OPEN_TYPE, title=title, authors=authors, dates=dates)


def _read_xml(raw: Raw) -> Document:
    workbook, writer = XmlWorkbook(raw.data, sheet_writer.MOST_CELLS), SheetWriter()
    for sheet in workbook.iter_sheets():
        writer.add_sheet(sheet)
    title, authors, dates = describe_file(*workbook.read_properties())
    return writer.finish(_OLD_TYPE, title=title, authors=authors, dates=dates)


def _read_binary(raw: Raw) -> Document:
    package = OfficePackage(raw.data, BINARY_WORKBOOK, "xl/workbook.bin")
    writer = SheetWriter()
    for sheet in BinaryWorkbook(package, sheet_writer.MOST_CELLS).iter_sheets():
        writer.add_sheet(sheet)
    title, authors, dates = describe_properties(package.read_core_properties())
    return writer.finish(_BINARY_TYPE, title=title, authors=authors, dates=dates)


def _read_old(raw: Raw) -> Document:
    file = None if _BARE.match(raw.data) else CompoundStorage.open(raw.data, OLD_WORKBOOK)
    stream = raw.data if file is None else file.read_stream("Workbook") or file.read_stream("Book")
    if stream is None:
        raise refusals.damaged(OLD_WORKBOOK, "there is no workbook in it")
    workbook = OldWorkbook(stream, sheet_writer.MOST_CELLS)
    writer = SheetWriter()
    for sheet in workbook.sheets:
        writer.add_sheet(sheet)
    if workbook.lost:
        writer.lost.append(refusals.report_lost_part(workbook.lost, UNFIT))
    title, authors, dates = describe_file(*file.read_properties()) if file else ("", [], [])
    return writer.finish(_OLD_TYPE, title=title, authors=authors, dates=dates)


member = Workbooks()
