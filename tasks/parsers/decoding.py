"""From bytes to text, whatever the encoding, and the admission that some bytes are no text."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

HEAD = 65_536

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = ["cp1252", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "cp1250"]
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROL = 0.05
_MOST_BROKEN = 0.01


def decode(data: bytes) -> str | None:
    """The text that the bytes encode, without its byte order mark; None where they are no text."""
    encoding = _encoding(data)
    if encoding is None:
        return None
    text = data.decode(encoding, "replace")
    return None if _is_noise(text[:HEAD]) else text


def head(data: bytes) -> str:
    """The beginning of the text, or nothing where the bytes are no text: all that claims may look at."""
    piece = data[:HEAD]
    if len(data) > HEAD and not piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        piece = piece[: max(piece.rfind(b"\n") + 1, piece.rfind(b" ") + 1) or HEAD]
    return _decoded_head(piece)


@lru_cache(maxsize=2)  # every parser's claim asks for the head of the same file
def _decoded_head(piece: bytes) -> str:
    return decode(piece) or ""


def _encoding(data: bytes) -> str | None:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    return _wide(data[:HEAD]) or _utf8(data) or _legacy(data[:HEAD])


def _wide(piece: bytes) -> str | None:
    """UTF-16 without a mark: in most pairs of bytes the same one is zero."""
    pairs = len(piece) // 2
    even, odd = piece[0::2].count(0), piece[1::2].count(0)
    if pairs and max(even, odd) > 0.4 * pairs and min(even, odd) < 0.05 * pairs:
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _utf8(data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        piece = data[:HEAD].decode("utf-8", "replace")
        wide = sum(character > "\x7f" for character in piece)
        return "utf-8" if piece.count("\ufffd") <= _MOST_BROKEN * wide else None
    return "utf-8"


def _legacy(piece: bytes) -> str | None:
    if b"\0" in piece:
        return None
    from charset_normalizer import from_bytes

    best = from_bytes(piece, cp_isolation=_LEGACY).best()
    return best.encoding if best else None


def _is_noise(text: str) -> bool:
    return len(_CONTROL.findall(text)) > _MOST_CONTROL * len(text)
