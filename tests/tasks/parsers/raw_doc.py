"""Word 97 files written by hand ([MS-DOC]), so that a test says exactly what stands in them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tests.tasks.parsers.raw_msg import compound
from warehouse.records import Document

CELL, ROW = b"\x16\x24\x01", b"\x16\x24\x01\x17\x24\x01"
"""Properties of a paragraph in a table, and of one that ends a row."""
HIDDEN, DELETED = b"\x3c\x08\x01", b"\x00\x08\x01"
_TEXT, _PAGE = 0x800, 512
Paragraph = tuple[str, int, bytes]
"""Words with the sign that ends them, the number of a style, properties."""


def p(text: str, style: int = 0, properties: bytes = b"") -> Paragraph:
    """A paragraph."""
    return f"{text}\r", style, properties


def row(*cells: str, edges: Sequence[int] = (), merged: Sequence[int] = ()) -> list[Paragraph]:
    """A row of a table with the edges of its cells and how each is merged."""
    edges = edges or range(0, 2000 * (len(cells) + 1), 2000)
    merged = merged or [0] * len(cells)
    shape = struct.pack(f"<B{len(edges)}h", len(cells), *edges)
    shape += b"".join(struct.pack("<H18x", each) for each in merged)
    own = ROW + struct.pack("<HH", 0xD608, len(shape) + 1) + shape
    return [*((f"{text}\x07", 0, CELL) for text in cells), ("\x07", 0, own)]


def style(number: int, name: str) -> bytes:
    """A paragraph style with the number of one of Word's own."""
    head = struct.pack("<HHHHH", number, 1 | 0xFFF0, 2, 0, 0)
    words = struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0"
    return head + words + b"\x02\0\0\0" + b"\0\0"


def _pages(entries: Iterable[tuple[int, bytes]], end: int, width: int, first: int) -> tuple[bytes, bytes]:
    """Pages of properties by places, one for each entry, and the table that names them."""
    listed = list(entries)
    pages, places = b"", [place for place, _ in listed]
    for at, (place, data) in enumerate(listed):
        stop = places[at + 1] if at + 1 < len(places) else end
        offset = _PAGE - 1 - len(data) - (len(data) + 1) % 2 if data else 0
        page = (struct.pack("<II", place, stop) + bytes([offset // 2])).ljust(8 + width, b"\0")
        page = page.ljust(offset, b"\0") + data if data else page
        pages += page.ljust(_PAGE - 1, b"\0") + b"\x01"
    table = struct.pack(f"<{len(listed) + 1}I", *places, end)
    return pages, table + struct.pack(f"<{len(listed)}I", *range(first, first + len(listed)))


def doc(
    paragraphs: Sequence[Paragraph] = (),
    runs: Mapping[str, bytes] | None = None,
    *,
    styles: Sequence[bytes] = (),
    tables: Mapping[int, bytes] | None = None,
    lengths: Sequence[int] = (),
    narrow: bool = False,
    flags: int = 0,
    version: int = 0xC1,
    **streams: bytes,
) -> bytes:
    """The bytes of a file; `runs` are properties of the first place of some words.

    `tables` are others by their numbers; `lengths` are those of the texts behind the body, at the end of `paragraphs`.
    """
    text = "".join(words for words, _, _ in paragraphs)
    data = text.encode("cp1252" if narrow else "utf-16-le")
    width, units = (1, len(text)) if narrow else (2, len(data) // 2)
    ends = [_TEXT + len(data)]
    papx, place = list[tuple[int, bytes]](), _TEXT
    for words, number, properties in paragraphs:
        own = struct.pack("<H", number) + properties
        own = own if len(own) % 2 else own + b"\0"
        papx.append((place, bytes([(len(own) + 1) // 2]) + own))
        place += len(words.encode("cp1252" if narrow else "utf-16-le"))
    chpx = [(_TEXT, b"")]
    for words, properties in (runs or {}).items():
        at = data.index(words.encode("cp1252" if narrow else "utf-16-le"))
        size = len(words) * width
        chpx += [(_TEXT + at, bytes([len(properties)]) + properties), (_TEXT + at + size, b"")]
    first = -(-ends[0] // _PAGE)
    pages, paragraph_table = _pages(papx, ends[0], 13, first)
    more, run_table = _pages(chpx, ends[0], 1, first + len(pages) // _PAGE)
    where = _TEXT * 2 | 0x40000000 if narrow else _TEXT
    pieces = struct.pack("<IIHIH", 0, units, 0, where, 0)
    sheet = struct.pack("<HHH", 18, len(styles), 10) + bytes(14)
    sheet += b"".join(struct.pack("<H", len(each)) + each for each in styles)
    found = {
        1: sheet, 12: run_table, 13: paragraph_table, 33: b"\x02" + struct.pack("<I", len(pieces)) + pieces,
        **(tables or {}),
    }  # fmt: skip
    header = bytearray(_TEXT)
    struct.pack_into("<HHHHHH", header, 0, 0xA5EC, version, 0, 0, 0, flags)
    struct.pack_into("<8i", header, 0x4C, units - sum(lengths), *lengths, *[0] * (7 - len(lengths)))
    stream = b""
    for number, table in found.items():
        struct.pack_into("<II", header, 0x9A + 8 * number, len(stream), len(table))
        stream += table
    main = bytes(header) + data
    main = main.ljust(first * _PAGE, b"\0") + pages + more
    return compound({"WordDocument": main, "0Table": stream, **streams})


OLD_CELL, OLD_ROW = b"\x18\x01", b"\x18\x01\x19\x01"
OLD_HIDDEN, OLD_DELETED = b"\x5c\x01", b"\x41\x01"


def old_row(*cells: str, merged: Sequence[int] = ()) -> list[Paragraph]:
    """A row of a table as Word 6 writes it."""
    edges = range(0, 2000 * (len(cells) + 1), 2000)
    shape = struct.pack(f"<B{len(edges)}h", len(cells), *edges)
    shape += b"".join(struct.pack("<H8x", each) for each in merged or [0] * len(cells))
    own = OLD_ROW + struct.pack("<BH", 190, len(shape) + 1) + shape
    return [*((f"{text}\x07", 0, OLD_CELL) for text in cells), ("\x07", 0, own)]


def old_style(number: int, name: str) -> bytes:
    """A paragraph style as Word 6 writes it."""
    head = struct.pack("<HHHH", number, 1 | 0xFFF0, 2, 0) + bytes([len(name)]) + name.encode() + b"\0"
    return head + b"\0" * (len(head) % 2) + b"\x02\0\0\0" + b"\0\0"


def older_doc(
    paragraphs: Sequence[Paragraph],
    runs: Mapping[str, bytes] | None = None,
    *,
    styles: Sequence[bytes] = (),
    fonts: Sequence[str] = (),
    tables: Mapping[int, bytes] | None = None,
    lengths: Sequence[int] = (),
    encoding: str = "cp1252",
    pieced: bool = False,
    charset: int = 0,
    flags: int = 0,
) -> bytes:
    """The bytes of a file of Word 6, with the options of `doc`; `pieced` is one that was saved fast."""
    words = [text.encode(encoding) for text, _, _ in paragraphs]
    data, papx, place = b"".join(words), list[tuple[int, bytes]](), _TEXT
    for text, (_, number, properties) in zip(words, paragraphs, strict=True):
        own = struct.pack("<H", number) + properties
        own += b"\0" * (len(own) % 2)
        papx.append((place, bytes([len(own) // 2]) + own))
        place += len(text)
    chpx = [(_TEXT, b"")]
    for text, properties in (runs or {}).items():
        at = _TEXT + data.index(text.encode(encoding))
        chpx += [(at, bytes([len(properties)]) + properties), (at + len(text.encode(encoding)), b"")]
    first = -(-place // _PAGE)
    pages, paragraph_table = _pages(papx, place, 7, first)
    more, run_table = _pages(chpx, place, 1, first + len(pages) // _PAGE)
    sheet = struct.pack("<HHH", 18, len(styles), 8) + bytes(14)
    sheet += b"".join(struct.pack("<H", len(each)) + each + b"\0" * (len(each) % 2) for each in styles)
    named = b"".join(bytes([6 + len(each)]) + bytes(5) + each.encode() + b"\0" for each in fonts)
    pieces = struct.pack("<IIHIH", 0, len(data), 0, _TEXT, 0)
    found = {
        1: sheet, 12: _short(run_table, len(chpx)), 13: _short(paragraph_table, len(papx)),
        15: struct.pack("<H", len(named) + 2) + named, 33: b"\x02" + struct.pack("<I", len(pieces)) + pieces,
        **(tables or {}),
    }  # fmt: skip
    header = bytearray(_TEXT)
    struct.pack_into("<HHHHHH", header, 0, 0xA5DC, 0x65, 0, 0, 0, flags | 4 * pieced)
    struct.pack_into("<H", header, 0x14, charset)
    struct.pack_into("<I", header, 0x18, 0 if pieced else _TEXT)
    struct.pack_into("<8i", header, 0x34, len(data) - sum(lengths), *lengths, *[0] * (7 - len(lengths)))
    main = (bytes(header) + data).ljust(first * _PAGE, b"\0") + pages + more
    for number, table in found.items():
        struct.pack_into("<II", header, (0x58 if number < 38 else 0x62) + 8 * number, len(main), len(table))
        main += table
    return compound({"WordDocument": bytes(header) + main[_TEXT:]})


def _short(table: bytes, count: int) -> bytes:
    """A table of pages whose numbers have two bytes."""
    pages = struct.unpack_from(f"<{count}I", table, 4 * (count + 1))
    return table[: 4 * (count + 1)] + struct.pack(f"<{count}H", *pages)


def read_doc(*args: object, **more: object) -> Document:
    """The document of such a file."""
    return parse_as("doc", Raw("a.doc", doc(*args, **more)))  # type: ignore[arg-type]
