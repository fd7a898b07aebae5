"""Small raised digits, as footnote marks and powers, told from the number or word before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tasks.parsers.pages.words import Char, PageWord, make_word

_SMALL = 0.8
_ABOVE = 0.2
_NEAR = 0.4
_SQUARE = 16.0
_LONGEST = 3
_MOST = 64
_SUPERSCRIPTS = dict(zip("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻", strict=True))


def with_superscripts(words: Iterable[PageWord]) -> list[PageWord]:
    """The words with raised digits written as superscripts: "1,234¹", "km²", "¹Includes freight".

    They are smaller than four fifths of the letters beside them, and their foot stands above theirs by a fifth. What
    is raised in brackets stays as it is: it cannot be taken for a part of the number.
    """
    found = [_within(word) for word in words]
    small = _SMALL * max((word.size for word in found), default=0.0)
    marks = [
        number
        for number, word in enumerate(found)
        if len(word.text) <= _LONGEST and word.size < small and _is_mark(word.chars)
    ]
    if not marks:
        return found
    smallest = min(found[number].size for number in marks)
    squares = _squares(word for word in found if _SMALL * word.size > smallest)
    for number in marks:
        word = found[number]
        if any(_carries(other, word) for other in _around(word, squares)):
            found[number] = _raised(word, word.chars)
    return found


def _within(word: PageWord) -> PageWord:
    """A word, its own raised digits written as such."""
    base = [char for char in word.chars if char["size"] >= _SMALL * word.size]
    if len(base) == len(word.chars):
        return word
    small = [char for char in word.chars if char["size"] < _SMALL * word.size]
    foot = max(char["bottom"] for char in base) - _ABOVE * word.size
    if not all(char["bottom"] < foot for char in small) or not _is_mark(small):
        return word
    return _raised(word, small)


def _is_mark(chars: Sequence[Char]) -> bool:
    """Whether characters are digits, with signs and commas between them."""
    texts = [char["text"] for char in chars]
    return any(text.isdigit() for text in texts) and all(text in _SUPERSCRIPTS or text == "," for text in texts)


def _raised(word: PageWord, marks: Sequence[Char]) -> PageWord:
    known = {id(char) for char in marks}
    chars = [
        {**char, "text": _SUPERSCRIPTS.get(char["text"], char["text"])} if id(char) in known else char
        for char in word.chars
    ]
    return make_word("".join(char["text"] for char in chars), chars)


def _squares(words: Iterable[PageWord]) -> dict[tuple[int, int], list[PageWord]]:
    """Words by the squares in which they begin and end; more of them than anybody can read in one are left out."""
    found: dict[tuple[int, int], list[PageWord]] = {}
    for word in words:
        for x in (word.x0, word.x1):
            held = found.setdefault((int(x // _SQUARE), int(word.middle // _SQUARE)), [])
            if len(held) < _MOST:
                held.append(word)
    return found


def _around(word: PageWord, squares: dict[tuple[int, int], list[PageWord]]) -> Iterator[PageWord]:
    """The words that begin or end near a word."""
    column, row = int(word.x0 // _SQUARE), int(word.middle // _SQUARE)
    for across, down in product((0, -1, 1), repeat=2):
        yield from squares.get((column + across, row + down), ())


def _carries(word: PageWord, mark: PageWord) -> bool:
    """Whether a mark stands at the shoulder of a word."""
    reach = _NEAR * word.size
    beside = abs(mark.x0 - word.x1) < reach or 0 <= word.x0 - mark.x1 < reach
    higher = word.top - reach < mark.top < word.middle and mark.bottom < word.bottom - _ABOVE * word.size
    return beside and higher and mark.size < _SMALL * word.size
