"""The text of a Word 6 or 95 file, its properties, styles and fonts in the form of Word 97.

After Microsoft's description of the format of Word 6 (1994), which numbers tables, parts of the text and Word's own
styles as [MS-DOC] does. Numbers and bullets of lists, which such a file keeps beside each paragraph, are not read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tasks.parsers import refusals
from tasks.parsers.compound_file import INCONSISTENT, CompoundStorage
from tasks.parsers.decoder import guess_codepage
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

_VERSIONS = range(101, 0xC1)
"""Numbers of the versions of such files; Word 97 begins with 0xC1."""
_DOUBLE = 0x8000  # Where the characters of two bytes begin.
_IS_PIECED, _IS_WIDE = 0x0004, 0x1000
_CHARSET, _MAC = 0x14, 256
_TEXT_AT = 0x18
_FIRST_PLACES, _LATER_PLACES, _LATER = 0x58, 0x62, 38
"""Where the places of the tables stand in the header, and the number from which on they stand a little later."""
_LAST = 60  # The number of the last table that there is in such a file.
_PAGES = {RUNS: (0x18A, 0x18E), PARAGRAPHS: (0x18C, 0x190)}
"""Where the header says which page is the first one, and how many there are."""
_ENCODINGS = {1: {"cp1250", "cp1251", "cp1253"}, 2: {"gb18030", "big5hkscs", "cp932", "cp949"}}
"""Encodings that are sought where a character has one or two bytes."""
_LENGTHS = {
    **dict.fromkeys((*range(4, 12), 13, 14, 24, 25, 29, 37, 44, 50, 51), 1),
    **dict.fromkeys((2, *range(16, 20), 21, 22, *range(26, 29), *range(30, 37), *range(38, 44), *range(45, 50)), 2),
    **dict.fromkeys((65, 66, 67, 71, 75, *range(85, 93), 94, 98, 100, 101, 102, 104, 117, 118, 119, 185, 186), 1),
    **dict.fromkeys((69, 72, 80, 93, 96, 97, 99, 107, 109, 110, *range(121, 125)), 2),
    **dict.fromkeys((182, 183, 184, 189, 195, 197, 198), 2),
    20: 4, 70: 4, 73: 3, 83: 0, 95: 3, 187: 12, 192: 4, 193: 5, 194: 4, 196: 4, 199: 5, 200: 4,
}  # fmt: skip
"""Bytes of the operand of each property; of all others the first byte says it."""
_TABS, _TABLES = 23, (188, 190)
_SAME = {24: 0x2416, 25: 0x2417, 65: 0x0800, 80: 0x4A30, 92: 0x083C, 93: 0x4A4F, 186: 0x3404}
"""Properties with the same operand: in a table, the end of a row, deleted, style, hidden, font, header of a table."""
_TABLE, _SYMBOL = 190, 74
_NEW_TABLE, _NEW_SYMBOL = 0xD608, 0x6A09
_CELL_SIZE, _NEW_CELL_SIZE = 10, 20
_FONT_NAME, _NEW_FONT_NAME = 6, 39
"""Where the name of a font stands in what describes it."""
_MAX_NAME_LENGTH = 60  # Characters of the name of a font, whose length is one byte.


class OlderWordText(OldWordText):
    """The whole text of such a file, and what its tables say."""

    has_stories = False
    _versions = _VERSIONS
    _lengths_at = 0x34
    _paragraph_width = 7

    def _find_table_stream(self, storage: CompoundStorage) -> bytes:
        return self._main

    def _find_header_offset(self, number: int) -> int:
        if number > _LAST:
            return len(self._main)
        return (_FIRST_PLACES if number < _LATER else _LATER_PLACES) + 8 * number

    def read_table(self, number: int, *, has_following: bool = False) -> bytes:
        """A table by its number in the header, as Word 97 would have written it."""
        data = super().read_table(number, has_following=has_following)
        if number == STYLES:
            return _convert_styles(data, self.encoding)
        return _convert_fonts(data, self.encoding) if number == FONTS else data

    def _read_pieces(self) -> Iterator[StoredPiece]:
        width = 2 if self._flags & _IS_WIDE else 1
        pieces = list(self._iter_listed_pieces(width)) if self._flags & _IS_PIECED else []
        (start,) = struct.unpack_from("<I", self._main, _TEXT_AT)
        pieces = pieces or [StoredPiece(0, sum(self.lengths), start, width, b"")]
        for piece in pieces:
            if not 0 <= piece.start <= piece.end or piece.get_place(piece.end) > len(self._main) or pieces[0].start:
                raise refusals.damaged(NOUN, INCONSISTENT)
        text = b"".join(self._main[piece.place : piece.get_place(piece.end)] for piece in pieces)
        if width == 2:
            text = b"".join(unit.to_bytes(2, "big") for unit in _unpack_units(text) if unit >= _DOUBLE)
        codepage = guess_codepage(text.translate(None, bytes(range(32))))
        is_mac = to_number(self._main[_CHARSET : _CHARSET + 2]) == _MAC
        self.encoding = "mac_roman" if is_mac else codepage if codepage in _ENCODINGS[width] else self.encoding
        yield from pieces

    def _decode_piece(self, piece: StoredPiece) -> str:
        if piece.width == 1:
            return super()._decode_piece(piece)
        return "".join(map(self._decode_unit, _unpack_units(self._main[piece.place : piece.get_place(piece.end)])))

    def _decode_unit(self, unit: int) -> str:
        """A character kept in two bytes: one of the Far East or of the West, which may have a mark beside it."""
        data = unit.to_bytes(2, "big") if unit >= _DOUBLE else bytes([unit & 0xFF])
        return data.decode(self.encoding if unit >= _DOUBLE or unit <= 0xFF else "cp1252", "replace")[:1]

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
        first, count = (to_number(self._main[offset : offset + 2]) for offset in _PAGES[number])
        return pages if count <= len(pages) else list(range(first, first + count))

    def _read_page_properties(self, page: bytes, offset: int, *, is_run: bool) -> bytes:
        first, size = offset + 1, page[offset] * (1 if is_run else 2)
        data = page[first : first + size]
        return convert_properties(data) if is_run else data[:2] + convert_properties(data[2:])


def _unpack_units(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])


def is_older(main: bytes) -> bool:
    """Whether the main stream of a Word file is of Word 6 or 95."""
    return to_number(main[2:4]) in _VERSIONS


def convert_properties(data: bytes) -> bytes:
    """Properties as Word 97 writes them, without those that are not read."""
    place, properties = 0, list[bytes]()
    while place < len(data):
        code = data[place]
        place += 1
        size = _LENGTHS.get(code)
        if size is None:
            size = 1 + data[place] if place < len(data) else 0
            if code in _TABLES:
                size = 1 + to_number(data[place : place + 2])
            elif code == _TABS and data[place : place + 1] == b"\xff":
                deleted = to_number(data[place + 1 : place + 2])
                size = 3 + 4 * deleted + 3 * to_number(data[place + 2 + 4 * deleted : place + 3 + 4 * deleted])
        operand = data[place : place + size]
        place += size
        if code in _SAME:
            properties.append(struct.pack("<H", _SAME[code]) + operand)
        elif code == _SYMBOL and len(operand) > 3:
            properties.append(struct.pack("<HHH", _NEW_SYMBOL, to_number(operand[1:3]), 0xF000 | operand[3]))
        elif code == _TABLE and len(operand) > 2:
            first = 3 + 2 * (operand[2] + 1)
            cells = (operand[offset : offset + _CELL_SIZE] for offset in range(first, len(operand), _CELL_SIZE))
            shape = operand[2:first] + b"".join(cell.ljust(_NEW_CELL_SIZE, b"\0") for cell in cells)
            properties.append(struct.pack("<HH", _NEW_TABLE, len(shape) + 1) + shape)
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
    new = style[:base] + struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0"
    for number in range(min(parts & 0xF, 3)):
        place += place % 2
        size = to_number(style[place : place + 2])
        style_properties = style[place + 2 : place + 2 + size]
        is_of_paragraph = kind & 0xF == 1 and not number
        style_properties = (
            style_properties[:2] + convert_properties(style_properties[2:])
            if is_of_paragraph
            else convert_properties(style_properties)
        )
        new = new.ljust(len(new) + len(new) % 2, b"\0") + struct.pack("<H", len(style_properties)) + style_properties
        place += 2 + size
    return struct.pack("<H", len(new)) + new.ljust(len(new) + len(new) % 2, b"\0")


def _convert_fonts(data: bytes, encoding: str) -> bytes:
    place, fonts = 2, list[bytes]()
    while place < len(data) and data[place]:
        font = data[place : place + 1 + data[place]]
        name = font[_FONT_NAME:].partition(b"\0")[0].decode(encoding, "replace")[:_MAX_NAME_LENGTH]
        new_font = bytes(_NEW_FONT_NAME) + name.encode("utf-16-le") + b"\0\0"
        fonts.append(bytes([len(new_font)]) + new_font)
        place += len(font)
    return struct.pack("<HH", len(fonts), 0) + b"".join(fonts)
