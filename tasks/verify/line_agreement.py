"""Agreement of two readings: whether a line of a quotation and what a reader finds in its box are the same words.

What the two may write differently is left out of the comparison: white space, compatible forms of characters (Unicode
NFKC), the hyphen of a word that goes on below, the bars between the cells of a table, glyphs without a meaning, and the
private codes that symbol fonts have for theirs (U+F078 is the x of Wingdings). Where a file gives a ligature or a sign
no character, the parser tells it by the glyph or the words around and the other reader finds nothing, or another sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from enum import IntEnum

from tasks.parsers.pdf.characters.lost_glyphs import MISREAD
from tasks.parsers.symbol_fonts import WINGDINGS

_BAR = re.compile(r"\\?\|")
_RULE = re.compile(r"^\|[|: -]+\|$", re.MULTILINE)
_SPACE = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_JOINT = re.compile(r"(?<=[^\W\d_])-")
_UNKNOWN = re.compile(r"\(cid:\d{1,5}\)|[\x00\ufffd]")
_LINE_END = "\x02\u00ad\ufffe"
"""What PDFium writes for a hyphen at the end of a line."""
_LIGATURE = re.compile("(ffi|ffl|fi|fl|ff)")
_RARER = re.compile("tti|ti|tt|ft|tf|fft|fb|fh|fj|fk|Th|ct")
_LEAST_LEFT = 2
"""Letters and digits beside the ligatures: less could stand anywhere."""
_NO_LETTER = r"[^\w\s]"
_SIGN = re.compile(f"[{''.join({'•', *WINGDINGS.values()} - {' '})}]")
_SYMBOLS = {0xF000 + code: code for code in range(0x20, 0x100)}
_HYPHENS = {**_SYMBOLS, **dict.fromkeys(map(ord, f"{_LINE_END}\u2010"), ord("-"))}
_NO_HYPHENS = {**_SYMBOLS, **dict.fromkeys(map(ord, _LINE_END))}


class Agreement(IntEnum):
    """How well two readings agree."""

    NONE = 0
    WORDS = 1
    """The same words, met in another order: cells of several lines, lines set side by side."""
    TEXT = 2
    """The same text."""


def compare_readings(quote: str, found: str, across: str = "") -> Agreement:
    """How a line of a quotation agrees with the text of its box, which may hold more than the part that is quoted.

    `found` is in the order of the reader, `across` the same from left to right, where that is known.
    """
    quoted = strip_marks(quote)
    readings = (strip_marks(found), strip_marks(found, _NO_HYPHENS), strip_marks(across))
    if any(quoted in reading for reading in readings):
        return Agreement.TEXT
    if _words(quote) <= _words(found):
        return Agreement.WORDS
    pattern = _ligature_pattern(quote)
    if pattern is not None and any(pattern.search(reading) for reading in readings):
        return Agreement.TEXT
    return Agreement.NONE


def _ligature_pattern(text: str) -> re.Pattern[str] | None:
    """Finds a text also where a reader lacks ligatures, or has other signs for them.

    None for a text without any, or with little else.
    """
    plain = _plain(text)
    left = sum(map(str.isalnum, _LIGATURE.sub("", plain)))
    if left < _LEAST_LEFT or not (_LIGATURE.search(plain) or _RARER.search(plain) or _SIGN.search(plain)):
        return None
    words = (word for word in _SPACE.split(plain) if word)
    return re.compile("".join(_part_pattern(part) for word in words for part in _LIGATURE.split(word)))


def _part_pattern(part: str) -> str:
    """The pattern of a ligature that most fonts have, or of a stretch without one."""
    if _LIGATURE.fullmatch(part):
        return f"(?:{part}|{part[0]}|{_NO_LETTER}{{0,2}})"
    rarer = _RARER.sub(lambda found: f"(?:{found[0]}|{_NO_LETTER}|[{''.join(MISREAD)}])", re.escape(part))
    return _SIGN.sub(".?", rarer)


def strip_marks(text: str, codes: Mapping[int, int | None] = _HYPHENS) -> str:
    """A text with nothing left but what two readings must share; `codes` translates single characters."""
    return _SPACE.sub("", _plain(text, codes))


def _words(text: str) -> Counter[str]:
    return Counter(_JOINT.sub(" ", _plain(text)).split())


def _plain(text: str, codes: Mapping[int, int | None] = _HYPHENS) -> str:
    bare = _BAR.sub(" ", _RULE.sub("", _UNKNOWN.sub("", text)))
    return unicodedata.normalize("NFKC", bare.translate(codes))
