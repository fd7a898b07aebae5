"""Workbooks of other formats than XLSX: OpenDocument and .xlsb written by hand, .xls by xlwt."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO

import xlwt
from xlwt.CompoundDoc import XlsDoc

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tests.tasks.parsers.raw_office import Parts, archive, links
from warehouse.records import Document

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
OPEN_NAMES = (
    f'xmlns:office="{OASIS}:office:1.0" xmlns:table="{OASIS}:table:1.0" xmlns:text="{OASIS}:text:1.0" '
    f'xmlns:style="{OASIS}:style:1.0" xmlns:number="{OASIS}:datastyle:1.0" xmlns:meta="{OASIS}:meta:1.0" '
    f'xmlns:draw="{OASIS}:drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
OPEN_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
Cell = str | float | bool | None


def cell(value: Cell, extra: str = "", inside: str = "") -> str:
    """A cell of a value, or empty; what stands in `extra` goes before its own attributes."""
    if isinstance(value, bool):
        return (
            f'<table:table-cell {extra} office:value-type="boolean" office:boolean-value="{str(value).lower()}">'
            f"{inside}</table:table-cell>"
        )
    if isinstance(value, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in value.split("\n"))
        return f'<table:table-cell {extra} office:value-type="string">{inside}{lines}</table:table-cell>'
    if value is None:
        return f"<table:table-cell {extra}>{inside}</table:table-cell>"
    return typed("float", "value", str(value), f"{value}", extra)


def typed(kind: str, key: str, value: str, shown: str, extra: str = "") -> str:
    """A cell of a type other than text, and how the program that wrote it shows it."""
    return (
        f'<table:table-cell {extra} office:value-type="{kind}" office:{key}="{value}">'
        f"<text:p>{escape(shown)}</text:p></table:table-cell>"
    )


def row(*cells: Cell, extra: str = "") -> str:
    """A row; cells that begin with `<` are as they stand."""
    inner = "".join(each if isinstance(each, str) and each.startswith("<") else cell(each) for each in cells)
    return f"<table:table-row {extra}>{inner}</table:table-row>"


def table(*rows: str, name: str = "One", style: str = "") -> str:
    """A sheet."""
    return f'<table:table table:name="{escape(name)}" table:style-name="{style}">{"".join(rows)}</table:table>'


def opendocument(*sheets: str, styles: str = "", meta: str = "", parts: Parts | None = None) -> bytes:
    """The bytes of an OpenDocument spreadsheet."""
    automatic = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    body = f"<office:body><office:spreadsheet>{''.join(sheets)}</office:spreadsheet></office:body>"
    content: Parts = {
        "mimetype": OPEN_TYPE,
        "content.xml": f"<office:document-content {OPEN_NAMES}>{automatic}{body}</office:document-content>",
        "meta.xml": f"<office:document-meta {OPEN_NAMES}><office:meta>{meta}</office:meta></office:document-meta>",
        **(parts or {}),
    }
    return archive(content, packed=False)


def read_open(*sheets: str, **options: str) -> Document:
    """The document of such a spreadsheet."""
    return parse_as("workbooks", Raw("a.ods", opendocument(*sheets, **options)))  # type: ignore[arg-type]


def saved(book: xlwt.Workbook) -> bytes:
    """The bytes of an .xls."""
    target = BytesIO()
    book.save(target)
    return target.getvalue()


def read_old(book: xlwt.Workbook, *records: bytes) -> Document:
    """The document of an .xls; records go to the end of its last sheet."""
    stream = book.get_biff_data()
    return parse_as("workbooks", Raw("a.xls", old_file(stream[:-4] + b"".join(records) + stream[-4:])))


def old_file(stream: bytes) -> bytes:
    """The bytes of an .xls by the stream of its workbook."""
    target = BytesIO()
    XlsDoc().save(target, stream)
    return target.getvalue()


def old_record(kind: int, data: bytes = b"") -> bytes:
    """A record of .xls ([MS-XLS] 2.1.4)."""
    return struct.pack("<HH", kind, len(data)) + data


def old_object(kind: int, number: int, text: str) -> bytes:
    """An object with a text: 6 for a text box, 25 for a note."""
    common = struct.pack("<HHHHH12x", 0x15, 18, kind, number, 0) + bytes(4)
    head = struct.pack("<HH6xHHHH", 0, 0, len(text), 16, 0, 0)
    runs = struct.pack("<HH4xHH4x", 0, 0, len(text), 0)
    records = (0x5D, common), (0x01B6, head), (0x3C, b"\1" + text.encode("utf-16-le")), (0x3C, runs)
    return b"".join(old_record(*each) for each in records)


def old_note(row: int, column: int, number: int) -> bytes:
    """The place of a note, from 0, whose text is that of an object."""
    return old_record(0x1C, struct.pack("<HHHHHB", row, column, 0, number, 2, 0) + b"Bo\0")


def old_filter(top: int, bottom: int, right: int) -> bytes:
    """A filter on the first sheet that hides rows: its area, from 0, and that it is in use."""
    area = struct.pack("<BHHHHH", 0x3B, 0, top, bottom, 0, right)
    name = struct.pack("<HBBHHH4x", 0x21, 0, 1, len(area), 0, 1) + b"\0\x0d" + area
    return old_record(0x18, name) + old_record(0x9B)


def record(kind: int, data: bytes = b"") -> bytes:
    """A record of .xlsb ([MS-XLSB] 2.1.4)."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, rest = b"", len(data)
    while True:
        size += bytes([rest & 0x7F | (0x80 if rest > 0x7F else 0)])
        rest >>= 7
        if not rest:
            return head + size + data


def wide(text: str) -> bytes:
    """A text with its length before it."""
    data = text.encode("utf-16-le")
    return struct.pack("<I", len(data) // 2) + data


def binary_sheet(rows: Mapping[int, Mapping[int, tuple[Cell, int]]]) -> bytes:
    """A part of cells, each with a value and its style, by row and column from 0."""
    last = max((column for cells in rows.values() for column in cells), default=0)
    found = record(148, struct.pack("<IIII", min(rows, default=0), max(rows, default=0), 0, last)) + record(145)
    for number, cells in rows.items():
        found += binary_row(number)
        for column, (value, style) in cells.items():
            head = struct.pack("<II", column, style)
            if isinstance(value, bool):
                found += record(4, head + bytes([value]))
            elif isinstance(value, str):
                found += record(6, head + wide(value))
            elif value is not None:
                found += record(5, head + struct.pack("<d", value))
    return found + record(146)


def binary_row(number: int, *, is_hidden: bool = False) -> bytes:
    """The record of a row from 0."""
    return record(0, struct.pack("<IIHBBBI", number, 0, 300, 0, 0x10 * is_hidden, 0, 0))


def binary(*sheets: tuple[str, int, bytes], formats: Sequence[int] = (0, 14, 22), parts: Parts | None = None) -> bytes:
    """The bytes of an .xlsb: its sheets by name, state (0 shown, 1 hidden) and part; styles by numbers of formats."""
    listed = b"".join(
        record(156, struct.pack("<II", state, at) + wide(f"s{at}") + wide(name))
        for at, (name, state, _) in enumerate(sheets, 1)
    )
    related = {f"s{at}": ("worksheet", f"worksheets/sheet{at}.bin") for at in range(1, len(sheets) + 1)}
    related["styles"] = ("styles", "styles.bin")
    return archive({
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": links({"a": ("officeDocument", "xl/workbook.bin")}),
        "xl/workbook.bin": record(131) + record(143) + listed + record(144) + record(132),
        "xl/_rels/workbook.bin.rels": links(related),
        "xl/styles.bin": record(278) + styles_of(formats) + record(279),
        **{f"xl/worksheets/sheet{at}.bin": data for at, (_, _, data) in enumerate(sheets, 1)},
        **(parts or {}),
    })  # fmt: skip


def styles_of(formats: Sequence[int]) -> bytes:
    """The styles of cells by the numbers of their formats."""
    found = b"".join(record(47, struct.pack("<HHHHHHHH", 0, number, 0, 0, 0, 0, 0, 0)) for number in formats)
    return record(617, struct.pack("<I", len(formats))) + found + record(618)


def read_binary(*sheets: tuple[str, int, bytes]) -> Document:
    """The document of an .xlsb."""
    return parse_as("workbooks", Raw("a.xlsb", binary(*sheets)))
