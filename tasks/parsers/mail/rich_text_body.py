"""Rich Text bodies of Outlook messages: unpacked (LZFu, [MS-OXRTFCP]), then as the page or text inside of them.

Outlook keeps a web page in Rich Text by marking what is markup ([MS-OXRTFEX]); the page is taken out of it as it was.
From other Rich Text the words are read, each paragraph and each row of a table as a line.
"""

from __future__ import annotations

import struct

from tasks.parsers import refusals
from tasks.parsers.office.rich_text import (
    CELL,
    EDGE_LIST,
    HEADING_LEVEL,
    INNER_CELL,
    INNER_ROW,
    ITEM_DEPTH,
    PARAGRAPH,
    ROW,
    RichText,
    is_rich_text,
)

_HEAD = struct.Struct("<II4sI")
_PACKED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_MAX_UNPACKED_BYTES = 64 * 2**20
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20"
    b"\\b\\i\\u\\tab\\tx"
)
"""What the window begins with ([MS-OXRTFCP], 2.1.2.1)."""
_AS_TEXT = str.maketrans({
    PARAGRAPH: "\n", ROW: "\n", CELL: "\t", INNER_ROW: "\n", INNER_CELL: "\t", HEADING_LEVEL: None, ITEM_DEPTH: None,
})  # fmt: skip


def unpack_rich_text(data: bytes) -> bytes:
    """The Rich Text that a message keeps packed, as far as it can be read. Raises `UnreadableFile` for over 64 MB."""
    if len(data) < _HEAD.size:
        return b""
    _, size, kind, _ = _HEAD.unpack_from(data)
    if size > _MAX_UNPACKED_BYTES:
        raise refusals.too_large(f"{_MAX_UNPACKED_BYTES // 2**20} MB when unpacked")
    if kind == _PLAIN:
        return data[_HEAD.size : _HEAD.size + size]
    return _unpack(data[_HEAD.size :], size) if kind == _PACKED else b""


def _unpack(data: bytes, size: int) -> bytes:
    """The text: eight tokens follow each byte of flags, a literal or a place in the window and a length."""
    window = bytearray(_DICTIONARY.ljust(_WINDOW, b" "))
    end, place, text = len(_DICTIONARY), 0, bytearray()
    while place < len(data) and len(text) < size:
        flags = data[place]
        place += 1
        for bit in range(8):
            if flags >> bit & 1:
                if place + 2 > len(data):
                    return bytes(text)
                token = data[place] << 8 | data[place + 1]
                place += 2
                start, length = token >> 4, (token & 15) + 2
                if start == end:
                    return bytes(text)
                for step in range(length):
                    window[end] = window[(start + step) % _WINDOW]
                    text.append(window[end])
                    end = (end + 1) % _WINDOW
            elif place < len(data):
                window[end] = data[place]
                text.append(data[place])
                end, place = (end + 1) % _WINDOW, place + 1
    return bytes(text)


def read_rich_text_body(data: bytes) -> tuple[bool, str]:
    """Whether Rich Text holds a web page, and that page, or the words. Raises `UnreadableFile` for deep nesting."""
    if not is_rich_text(data):
        return False, ""
    reader = RichText(data)
    return reader.is_page, EDGE_LIST.sub("", reader.text).translate(_AS_TEXT)
