"""From bytes to text, whatever the encoding, and the admission that some bytes are no text."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from tasks.parsers.codepages import guess_codepage, guess_wide

HEAD = 65_536

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LARGER = {
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "us-ascii": "cp1252", "ascii": "cp1252", "iso-8859-9": "cp1254", "utf-16": "utf-8", "utf-16le": "utf-8",
}  # fmt: skip
"""What a name means in practice (WHATWG Encoding Standard, 4.2); a name that can be read says nothing of UTF-16."""

_BEYOND = re.compile(rb"[\x80-\xff]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROL = 0.05
_MOSTLY_SHOWN = 0.9
_MOST_BROKEN = 0.01
_LONGEST_CHARACTER = 4
_HIGHEST_PLANE = 0x10


def decode(data: bytes) -> str | None:
    """The text that the bytes encode, without its byte order mark; None where they are no text."""
    encoding = _encoding(data)
    if encoding is None:
        return None
    text = data.decode(encoding, "replace")
    return None if _is_noise(text[:HEAD]) else text


def decode_as(data: bytes, label: str) -> str | None:
    """As `decode`, for bytes that name their own encoding: believed unless a mark or the bytes themselves deny it."""
    if data.startswith(tuple(mark for mark, _ in _MARKS)):
        return decode(data)
    try:
        text = data.decode(_LARGER.get(label.lower(), label), "replace")
    except LookupError:
        return decode(data)
    return text if text.count("\ufffd") <= _MOST_BROKEN * _beyond_ascii(text) else decode(data)


def head(data: bytes) -> str:
    """The beginning of the text, or nothing where the bytes are no text: all that claims may look at."""
    return _decoded_head(data[:HEAD])


@lru_cache(maxsize=2)  # every parser's claim asks for the head of the same file
def _decoded_head(piece: bytes) -> str:
    return (decode(piece) or "").removesuffix("\ufffd")


def _encoding(data: bytes) -> str | None:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    return _wide(data[:HEAD]) or _utf8(data) or guess_codepage(data)


def _wide(piece: bytes) -> str | None:
    """UTF-32 without a mark, which hardly any other bytes are; UTF-16 where zeros alternate or words appear."""
    if not any(piece):
        return None
    if len(piece) % 4 == 0:
        for order, highest, high in (("utf-32-le", piece[3::4], piece[2::4]), ("utf-32-be", piece[0::4], piece[1::4])):
            if not any(highest) and max(high) <= _HIGHEST_PLANE and _is_text(piece.decode(order, "replace")):
                return order
    pairs, even, odd = len(piece) // 2, piece[0::2].count(0), piece[1::2].count(0)
    if max(even, odd) > 0.4 * pairs and min(even, odd) < 0.05 * pairs:
        return "utf-16-le" if odd > even else "utf-16-be"
    return guess_wide(piece) if even + odd else None


def _is_text(text: str) -> bool:
    """Whether nearly all of it is characters that there are and that show."""
    shown = sum(character.isprintable() or character.isspace() for character in text)
    return shown >= _MOSTLY_SHOWN * len(text)


def _utf8(data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data" and error.start > len(data) - _LONGEST_CHARACTER
        if cut and (len(data) == HEAD or not data[: error.start].isascii()):
            return "utf-8"
        start = _BEYOND.search(data)
        first = start.start() if start else 0
        piece = data[first : first + HEAD].decode("utf-8", "replace")
        return "utf-8" if piece.count("\ufffd") <= _MOST_BROKEN * _beyond_ascii(piece) else None
    return "utf-8"


def _beyond_ascii(text: str) -> int:
    return 0 if text.isascii() else sum(character > "\x7f" for character in text)


def _is_noise(text: str) -> bool:
    return len(_CONTROL.findall(text)) > _MOST_CONTROL * len(text)
