"""Marks in the text of a page: where its tagged pieces begin and end, carried through the making of blocks and tables.

A mark is four characters of the private area of plane 16, glued to a character that shows, so that what is done to
white space is done as without it. `Assembly` takes the marks out of what it adds and knows where they stood; what looks
at the words of a cell before that looks at them `without_marks`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DIGIT = 0x10F800
_BASE = 1024
_OPENING, _CLOSING = chr(0x10FC00), chr(0x10FC01)
_MARK = re.compile(rf"([{_OPENING}{_CLOSING}])([{chr(_DIGIT)}-{chr(_DIGIT + _BASE - 1)}]{{3}})")
LOOKS_MARKED = re.compile(rf"[{chr(_DIGIT)}-{_CLOSING}]")
"""Characters that a page's own text must not have while it carries marks."""
MAX_PIECES = _BASE**3


class TextMark(NamedTuple):
    """The beginning, or the end, of a piece at an offset of a text without marks."""

    piece: int
    is_end: bool
    offset: int


def make_mark(piece: int, *, is_end: bool) -> str:
    """The mark of a piece, which is a number below `MAX_PIECES`."""
    digits = (piece // _BASE**2, piece // _BASE % _BASE, piece % _BASE)
    return (_CLOSING if is_end else _OPENING) + "".join(chr(_DIGIT + digit) for digit in digits)


def without_marks(text: str) -> str:
    """A text without its marks."""
    return text if text.isascii() else _MARK.sub("", text)


def take_marks(text: str) -> tuple[str, list[TextMark]]:
    """A text without its marks, and these in order."""
    if text.isascii():
        return text, []
    pieces, marks, copied_to, length = [], list[TextMark](), 0, 0
    for match in _MARK.finditer(text):
        pieces.append(text[copied_to : match.start()])
        length += match.start() - copied_to
        copied_to = match.end()
        first, second, third = (ord(each) - _DIGIT for each in match[2])
        marks.append(TextMark((first * _BASE + second) * _BASE + third, match[1] == _CLOSING, length))
    return ("".join((*pieces, text[copied_to:])), marks) if marks else (text, [])
