"""The text of a Word 97 to 2003 file and the properties of its paragraphs and characters ([MS-DOC]).

The text is kept in pieces, each in code page 1252 or UTF-16. A character is found by its place in the text, its
properties by its place in the file. The text of notes, headers and boxes follows that of the body.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tasks.parsers import refusals
from tasks.parsers.office.compound_file import INCONSISTENT, CompoundStorage

NOUN = "old Word file"
_FIRST_VERSION = 0x00C1  # Of Word 97.
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_TABLE_LIST_OFFSET = 0x9A  # Of the list of tables in the header (2.5.6).
_MIN_HEADER_BYTES = 0x200  # Bytes of the shortest header.
STYLES, FOOTNOTES, SECTIONS, HEADERS, FONTS, ENDNOTES, LISTS, LIST_USES = 1, (2, 3), 6, 11, 15, (46, 47), 73, 74
SHAPES, HEADER_SHAPES, BOXES, HEADER_BOXES = 40, 41, 56, 58
RUNS, PARAGRAPHS, PIECES = 12, 13, 33
"""Numbers of the tables in the header."""
_PAGE_BYTES = 512
_SINGLE_BYTE_FLAG = 0x40000000
_OPERAND_SIZES = (1, 1, 2, 4, 2, 2, 0, 3)
"""Bytes of an operand by the first three bits of its property; 0 where its first byte states it (2.2.5.1)."""
_TABLE_PROPERTY, _TABS_PROPERTY, _STREAM_PROPERTIES = 0xD608, 0xC615, (0x6645, 0x6646, 0x646B)
"""Properties that state their length, and those whose operand is an offset in the stream `Data`."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def iter_properties(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The properties in a list of them and their operands (2.6), up to the first incomplete one."""
    place = 0
    while place + 2 < len(data):
        (code,) = struct.unpack_from("<H", data, place)
        place += 2
        size = _OPERAND_SIZES[code >> 13]
        if code == _TABLE_PROPERTY:
            size = struct.unpack_from("<H", data.ljust(place + 2, b"\0"), place)[0] + 1
        elif not size:
            size = 1 + data[place]
            if code == _TABS_PROPERTY and data[place] == 0xFF:
                deleted_count = data[place + 1] if place + 1 < len(data) else 0
                added_count = data[place + 2 + 4 * deleted_count] if place + 2 + 4 * deleted_count < len(data) else 0
                size = 3 + 4 * deleted_count + 3 * added_count
        yield code, data[place : place + size]
        place += size


def to_number(operand: bytes) -> int:
    """An operand as a number."""
    return int.from_bytes(operand, "little")


@dataclass(frozen=True, slots=True)
class CharacterProperties:
    """Visibility, style, font and symbol of a run. `hidden` is None where its style decides."""

    hidden: bool | None = None
    is_deleted: bool = False
    style: int = 0
    font: int = -1
    symbol: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StoredPiece:
    """Consecutive characters: their places in the text, the offset of the first in the file, and the bytes of each."""

    start: int
    end: int
    place: int
    width: int
    changes: bytes

    def get_place(self, character: int) -> int:
        """The place of a character in the file."""
        return self.place + (character - self.start) * self.width


class OldWordText:
    """The text of a file, the `lengths` of its parts, and its tables."""

    encoding = "cp1252"
    """The encoding of pieces that have a byte for each character."""
    has_stories = True
    """Whether each section has as many headers and footers as there can be."""
    _VERSIONS = range(_FIRST_VERSION, 0x10000)
    _LENGTHS_OFFSET = 0x4C
    """Of the lengths of the texts in the header (2.5.4)."""
    _PARAGRAPH_BYTES = 13
    """Bytes of an entry in a page of paragraphs, of which the first is the offset of its properties."""

    def __init__(self, storage: CompoundStorage, main: bytes) -> None:
        """`main` is the stream of the text. Raises `UnreadableFile` for a damaged, encrypted or older file."""
        self._main = main
        if len(self._main) < _MIN_HEADER_BYTES:
            raise refusals.damaged(NOUN, "there is no text in it")
        version, self._flags = to_number(self._main[2:4]), to_number(self._main[10:12])
        if version not in self._VERSIONS:
            raise refusals.too_old("a file of a Word before Word 6", "DOCX")
        if self._flags & _ENCRYPTED:
            raise refusals.encrypted()
        self._data_stream = storage.read_stream("Data") or b""
        self._table_stream = self._find_table_stream(storage)
        self.lengths = [max(length, 0) for length in struct.unpack_from("<8i", self._main, self._LENGTHS_OFFSET)]
        """The lengths of the body, footnotes, headers, macros, comments, endnotes, boxes, and boxes of headers."""
        self._pieces = list(self._read_pieces())
        self._piece_starts = [piece.start for piece in self._pieces]
        self._paragraphs = self._read_formats(PARAGRAPHS)
        self._runs = self._read_formats(RUNS)
        self.text = "".join(map(self._decode_piece, self._pieces))
        if len(self.text) < self.lengths[0]:
            raise refusals.damaged(NOUN, INCONSISTENT)
        self._parse_cached = cache(_parse_character_properties)

    def _find_table_stream(self, storage: CompoundStorage) -> bytes:
        return storage.read_stream("1Table" if self._flags & _SECOND_TABLE else "0Table") or b""

    def _find_header_offset(self, number: int) -> int:
        """The offset in the header of the place of a table."""
        return _TABLE_LIST_OFFSET + 8 * number

    def read_table(self, number: int, *, has_following: bool = False) -> bytes:
        """A table by its number in the header; with all bytes that follow it if `has_following`."""
        offset = self._find_header_offset(number)
        start, length = struct.unpack_from("<II", self._main, offset) if offset + 8 <= len(self._main) else (0, 0)
        if not length:
            return b""
        return self._table_stream[start:] if has_following else self._table_stream[start : start + length]

    def read_places(self, number: int, size: int) -> list[tuple[int, bytes]]:
        """The places in a table of places and data of this size (2.2.2); the last one has no data."""
        data = self.read_table(number)
        count = max((len(data) - 4) // (4 + size), 0)
        places = struct.unpack_from(f"<{count + 1}I", data) if len(data) >= 4 else ()
        offset = 4 * (count + 1)
        return [
            (place, data[offset + size * index : offset + size * (index + 1)]) for index, place in enumerate(places)
        ]

    def _read_pieces(self) -> Iterator[StoredPiece]:
        """The pieces in order (2.8.35), of a file no more characters than it has bytes."""
        data, place, changes = self.read_table(PIECES), 0, list[bytes]()
        while data[place] == 1:
            (size,) = struct.unpack_from("<H", data, place + 1)
            changes.append(data[place + 3 : place + 3 + size])
            place += 3 + size
        (size,) = struct.unpack_from("<I", data, place + 1)
        count = (min(size, len(data) - place - 5) - 4) // 12
        places = struct.unpack_from(f"<{count + 1}I", data, place + 5)
        for index in range(count):
            _, position, change = struct.unpack_from("<HIH", data, place + 5 + 4 * (count + 1) + 8 * index)
            width = 1 if position & _SINGLE_BYTE_FLAG else 2
            start, end = places[index : index + 2]
            offset = (position & ~_SINGLE_BYTE_FLAG) // (3 - width)
            if not start <= end <= len(self._main) or offset + width * (end - start) > len(self._main) or places[0]:
                raise refusals.damaged(NOUN, INCONSISTENT)
            is_listed = change & 1 and change >> 1 < len(changes)
            yield StoredPiece(start, end, offset, width, changes[change >> 1] if is_listed else b"")

    def _decode_piece(self, piece: StoredPiece) -> str:
        data = self._main[piece.place : piece.get_place(piece.end)]
        if piece.width == 1:
            return data.decode(self.encoding, "replace")
        # One character for each unit of 16 bits, so that places can be counted.
        return "".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data)))

    def _read_formats(self, number: int) -> tuple[list[int], list[bytes]]:
        """Where runs or paragraphs begin in the file, and their properties (2.9.26 and 2.9.174)."""
        is_run = number == RUNS
        starts, properties, last_start = list[int](), list[bytes](), 0
        for page_number in self._list_pages(number):
            page_start = page_number * _PAGE_BYTES
            page = self._main[page_start : page_start + _PAGE_BYTES]
            if len(page) < _PAGE_BYTES:
                continue
            count, width = page[-1], 1 if is_run else self._PARAGRAPH_BYTES
            if 4 * (count + 1) + width * count >= _PAGE_BYTES:
                raise refusals.damaged(NOUN, INCONSISTENT)
            for index, start in enumerate(struct.unpack_from(f"<{count}I", page)):
                offset = 2 * page[4 * (count + 1) + width * index]
                if start < last_start:
                    continue
                last_start = start
                starts.append(start)
                properties.append(self._read_page_properties(page, offset, is_run=is_run) if offset else b"")
        return starts, properties

    def _list_pages(self, number: int) -> list[int]:
        """The numbers of the pages that hold runs or paragraphs."""
        return [to_number(data) & 0x3FFFFF for _, data in self.read_places(number, 4)[:-1]]

    def _read_page_properties(self, page: bytes, offset: int, *, is_run: bool) -> bytes:
        """The properties at a place of a page; those of a paragraph begin with its style."""
        size = page[offset]
        if is_run:
            return page[offset + 1 : offset + 1 + size]
        start = offset + 1 if size else offset + 2
        return page[start : start + (2 * size - 1 if size else 2 * page[offset + 1])]

    def _find_piece(self, character: int) -> StoredPiece:
        return self._pieces[max(bisect_right(self._piece_starts, character) - 1, 0)]

    def read_paragraph(self, character: int) -> tuple[int, list[tuple[int, bytes]]]:
        """The style and the properties of the paragraph that ends with a character."""
        piece = self._find_piece(character)
        starts, formats = self._paragraphs
        data = formats[max(bisect_right(starts, piece.get_place(character)) - 1, 0)] if formats else b""
        properties = [*iter_properties(data[2:]), *iter_properties(piece.changes)]
        for code, operand in properties:
            if code in _STREAM_PROPERTIES and (offset := to_number(operand)) + 2 <= len(self._data_stream):
                size = to_number(self._data_stream[offset : offset + 2])
                properties = [*properties, *iter_properties(self._data_stream[offset + 2 : offset + 2 + size])]
        return to_number(data[:2]), properties

    def iter_runs(self, start: int, end: int) -> Iterator[tuple[int, int, CharacterProperties]]:
        """The runs between two characters and their properties."""
        starts, formats = self._runs
        while start < end:
            piece = self._find_piece(start)
            place = piece.get_place(start)
            index = bisect_right(starts, place)
            stop = min(end, piece.end if piece.end > start else end)
            if index < len(starts):
                stop = min(stop, start + max(-(-(starts[index] - place) // piece.width), 1))
            yield start, stop, self._parse_cached((formats[index - 1] if index else b"") + piece.changes)
            start = stop


def _parse_character_properties(data: bytes) -> CharacterProperties:
    is_hidden: bool | None = None
    is_deleted, style, font = False, 0, -1
    symbol: tuple[int, int] | None = None
    for code, operand in iter_properties(data):
        value = to_number(operand)
        match code:
            case 0x083C if value < 2:
                is_hidden = bool(value)
            case 0x0800:
                is_deleted = bool(value)
            case 0x4A30:
                style = value
            case 0x4A4F:
                font = value
            case 0x6A09:
                symbol = value & 0xFFFF, value >> 16
    return CharacterProperties(is_hidden, is_deleted, style, font, symbol)


def join_surrogates(text: str) -> str:
    """A text whose pairs of surrogates are one character each; halves of one are dropped."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore") if _SURROGATE.search(text) else text
