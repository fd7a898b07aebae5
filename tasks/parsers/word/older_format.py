"""The text of a Word 6 or 95 file, its properties, styles and fonts in the form of Word 97.

After Microsoft's description of the format of Word 6 (1994), which numbers tables, parts of the text and Word's own
styles as [MS-DOC] does. Numbers and bullets of lists, which such a file stores with each paragraph, are not read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tasks.parsers import refusals
from tasks.parsers.decoder import guess_codepage
from tasks.parsers.office.compound_file import INCONSISTENT, CompoundStorage
from tasks.parsers.word.old_format import (
    FONTS,
    NOUN,
    PARAGRAPHS,
    PIECES,
    RUNS,
    STYLES,
    OldWordText,
    StoredPiece,
    to_number,
)

_VERSION_NUMBERS = range(101, 0xC1)
"""Numbers of the versions of such files; Word 97 begins with 0xC1."""
_FIRST_TWO_BYTE_UNIT = 0x8000  # Units from here on are one character of two bytes.
_IS_PIECED, _IS_WIDE = 0x0004, 0x1000
_CHARSET_OFFSET, _MACINTOSH = 0x14, 256
_TEXT_OFFSET = 0x18
_TABLE_LIST_OFFSET, _LATER_LIST_OFFSET, _FIRST_LATER_TABLE = 0x58, 0x62, 38
"""Offsets in the header of the places of tables, and the number of the table from which the later one counts."""
_LAST_TABLE = 60  # The number of the last table that there is in such a file.
_PAGE_OFFSETS = {RUNS: (0x18A, 0x18E), PARAGRAPHS: (0x18C, 0x190)}
"""Offsets in the header of the number of the first page and of the count of pages."""
_ENCODINGS = {1: {"cp1250", "cp1251", "cp1253"}, 2: {"gb18030", "big5hkscs", "cp932", "cp949"}}
"""Encodings that are sought where a character has one or two bytes."""
_OPERAND_SIZES = {
    **dict.fromkeys((*range(4, 12), 13, 14, 24, 25, 29, 37, 44, 50, 51), 1),
    **dict.fromkeys((2, *range(16, 20), 21, 22, *range(26, 29), *range(30, 37), *range(38, 44), *range(45, 50)), 2),
    **dict.fromkeys((65, 66, 67, 71, 75, *range(85, 93), 94, 98, 100, 101, 102, 104, 117, 118, 119, 185, 186), 1),
    **dict.fromkeys((69, 72, 80, 93, 96, 97, 99, 107, 109, 110, *range(121, 125)), 2),
    **dict.fromkeys((182, 183, 184, 189, 195, 197, 198), 2),
    20: 4, 70: 4, 73: 3, 83: 0, 95: 3, 187: 12, 192: 4, 193: 5, 194: 4, 196: 4, 199: 5, 200: 4,
}  # fmt: skip
"""Bytes of the operand of each property; of all others the first byte states it."""
_TABS_PROPERTY, _TABLE_PROPERTIES = 23, (188, 190)
_EQUAL_PROPERTIES = {24: 0x2416, 25: 0x2417, 65: 0x0800, 80: 0x4A30, 92: 0x083C, 93: 0x4A4F, 186: 0x3404}
"""Properties with the same operand: in a table, the end of a row, deleted, style, hidden, font, header of a table."""
_TABLE_PROPERTY, _SYMBOL_PROPERTY = 190, 74
_NEW_TABLE_PROPERTY, _NEW_SYMBOL_PROPERTY = 0xD608, 0x6A09
_CELL_SIZE, _NEW_CELL_SIZE = 10, 20
_FONT_NAME_OFFSET, _NEW_FONT_NAME_OFFSET = 6, 39
"""Offsets of the name in the record of a font."""
_MAX_NAME_LENGTH = 60  # Characters of the name of a font, whose length is one byte.


class OlderWordText(OldWordText):
    """The text of such a file, and its tables."""

    has_stories = False
    _VERSIONS = _VERSION_NUMBERS
    _LENGTHS_OFFSET = 0x34
    _PARAGRAPH_BYTES = 7

    def _find_table_stream(self, storage: CompoundStorage) -> bytes:
        return self._main

    def _find_header_offset(self, number: int) -> int:
        if number > _LAST_TABLE:
            return len(self._main)
        return (_TABLE_LIST_OFFSET if number < _FIRST_LATER_TABLE else _LATER_LIST_OFFSET) + 8 * number

    def read_table(self, number: int, *, has_following: bool = False) -> bytes:
        """A table by its number in the header, as Word 97 would have written it."""
        data = super().read_table(number, has_following=has_following)
        if number == STYLES:
            return _convert_styles(data, self.encoding)
        return _convert_fonts(data, self.encoding) if number == FONTS else data

    def _read_pieces(self) -> Iterator[StoredPiece]:
        width = 2 if self._flags & _IS_WIDE else 1
        pieces = list(self._iter_listed_pieces(width)) if self._flags & _IS_PIECED else []
        (start,) = struct.unpack_from("<I", self._main, _TEXT_OFFSET)
        pieces = pieces or [StoredPiece(0, sum(self.lengths), start, width, b"")]
        for piece in pieces:
            if not 0 <= piece.start <= piece.end or piece.get_place(piece.end) > len(self._main) or pieces[0].start:
                raise refusals.damaged(NOUN, INCONSISTENT)
        text = b"".join(self._main[piece.place : piece.get_place(piece.end)] for piece in pieces)
        if width == 2:
            text = b"".join(unit.to_bytes(2, "big") for unit in _unpack_units(text) if unit >= _FIRST_TWO_BYTE_UNIT)
        codepage = guess_codepage(text.translate(None, bytes(range(32))))
        is_mac = to_number(self._main[_CHARSET_OFFSET : _CHARSET_OFFSET + 2]) == _MACINTOSH
        self.encoding = "mac_roman" if is_mac else codepage if codepage in _ENCODINGS[width] else self.encoding
        yield from pieces

    def _decode_piece(self, piece: StoredPiece) -> str:
        if piece.width == 1:
            return super()._decode_piece(piece)
        return "".join(map(self._decode_unit, _unpack_units(self._main[piece.place : piece.get_place(piece.end)])))

    def _decode_unit(self, unit: int) -> str:
        """A character kept in two bytes: East Asian, or Western with a flag in the other byte."""
        data = unit.to_bytes(2, "big") if unit >= _FIRST_TWO_BYTE_UNIT else bytes([unit & 0xFF])
        return data.decode(self.encoding if unit >= _FIRST_TWO_BYTE_UNIT or unit <= 0xFF else "cp1252", "replace")[:1]

    def _iter_listed_pieces(self, width: int) -> Iterator[StoredPiece]:
        """The pieces of a file that was saved without being written anew."""
        data, place, changes = self.read_table(PIECES), 0, list[bytes]()
        while data[place] == 1:
            (size,) = struct.unpack_from("<H", data, place + 1)
            changes.append(convert_properties(data[place + 3 : place + 3 + size]))
            place += 3 + size
        count = (len(data) - place - 9) // 12
        places = struct.unpack_from(f"<{count + 1}I", data, place + 5)
        for index in range(count):
            _, position, change = struct.unpack_from("<HIH", data, place + 5 + 4 * (count + 1) + 8 * index)
            is_listed = change & 1 and change >> 1 < len(changes)
            yield StoredPiece(
                places[index], places[index + 1], position, width, changes[change >> 1] if is_listed else b""
            )

    def _list_pages(self, number: int) -> list[int]:
        pages = [to_number(data) for _, data in self.read_places(number, 2)[:-1]]
        first, count = (to_number(self._main[offset : offset + 2]) for offset in _PAGE_OFFSETS[number])
        return pages if count <= len(pages) else list(range(first, first + count))

    def _read_page_properties(self, page: bytes, offset: int, *, is_run: bool) -> bytes:
        first, size = offset + 1, page[offset] * (1 if is_run else 2)
        data = page[first : first + size]
        return convert_properties(data) if is_run else data[:2] + convert_properties(data[2:])


def _unpack_units(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])


def is_older(main: bytes) -> bool:
    """Whether the main stream of a Word file is of Word 6 or 95."""
    return to_number(main[2:4]) in _VERSION_NUMBERS


def convert_properties(data: bytes) -> bytes:
    """Properties as Word 97 writes them, without those that are not read."""
    place, properties = 0, list[bytes]()
    while place < len(data):
        code = data[place]
        place += 1
        size = _OPERAND_SIZES.get(code)
        if size is None:
            size = 1 + data[place] if place < len(data) else 0
            if code in _TABLE_PROPERTIES:
                size = 1 + to_number(data[place : place + 2])
            elif code == _TABS_PROPERTY and data[place : place + 1] == b"\xff":
                deleted_count = to_number(data[place + 1 : place + 2])
                end = place + 2 + 4 * deleted_count
                size = 3 + 4 * deleted_count + 3 * to_number(data[end : end + 1])
        operand = data[place : place + size]
        place += size
        if code in _EQUAL_PROPERTIES:
            properties.append(struct.pack("<H", _EQUAL_PROPERTIES[code]) + operand)
        elif code == _SYMBOL_PROPERTY and len(operand) > 3:
            properties.append(struct.pack("<HHH", _NEW_SYMBOL_PROPERTY, to_number(operand[1:3]), 0xF000 | operand[3]))
        elif code == _TABLE_PROPERTY and len(operand) > 2:
            first = 3 + 2 * (operand[2] + 1)
            cells = (operand[offset : offset + _CELL_SIZE] for offset in range(first, len(operand), _CELL_SIZE))
            columns = operand[2:first] + b"".join(cell.ljust(_NEW_CELL_SIZE, b"\0") for cell in cells)
            properties.append(struct.pack("<HH", _NEW_TABLE_PROPERTY, len(columns) + 1) + columns)
    return b"".join(properties)


def _convert_styles(data: bytes, encoding: str) -> bytes:
    """The styles: their names were bytes, and their properties those of the time."""
    if len(data) < 6:
        return b""
    size, _, base = struct.unpack_from("<HHH", data)
    place, styles = 2 + size, [data[: 2 + size]]
    while place + 2 <= len(data):
        (length,) = struct.unpack_from("<H", data, place)
        style = data[place + 2 : place + 2 + length]
        styles.append(_convert_style(style, base, encoding) if len(style) > base else b"\0\0")
        place += 2 + length + length % 2
    return b"".join(styles)


def _convert_style(style: bytes, base: int, encoding: str) -> bytes:
    (kind, parts), place = struct.unpack_from("<HH", style, 2), base + 2 + style[base]
    name = style[base + 1 : place - 1].decode(encoding, "replace")
    converted_style = style[:base] + struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0"
    for number in range(min(parts & 0xF, 3)):
        place += place % 2
        size = to_number(style[place : place + 2])
        properties = style[place + 2 : place + 2 + size]
        unchanged_size = 2 if kind & 0xF == 1 and not number else 0  # Properties of a paragraph begin with its style.
        properties = properties[:unchanged_size] + convert_properties(properties[unchanged_size:])
        converted_style = _pad_to_even(converted_style) + struct.pack("<H", len(properties)) + properties
        place += 2 + size
    return struct.pack("<H", len(converted_style)) + _pad_to_even(converted_style)


def _pad_to_even(data: bytes) -> bytes:
    return data + bytes(len(data) % 2)


def _convert_fonts(data: bytes, encoding: str) -> bytes:
    place, fonts = 2, list[bytes]()
    while place < len(data) and data[place]:
        font = data[place : place + 1 + data[place]]
        name = font[_FONT_NAME_OFFSET:].partition(b"\0")[0].decode(encoding, "replace")[:_MAX_NAME_LENGTH]
        new_font = bytes(_NEW_FONT_NAME_OFFSET) + name.encode("utf-16-le") + b"\0\0"
        fonts.append(bytes([len(new_font)]) + new_font)
        place += len(font)
    return struct.pack("<HH", len(fonts), 0) + b"".join(fonts)
