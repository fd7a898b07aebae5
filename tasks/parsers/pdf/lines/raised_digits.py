"""Raised and lowered signs as text: fractions built of two numbers ("1²/₃¢"), footnote marks, powers, indices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from operator import attrgetter, itemgetter

from tasks.parsers.pdf.characters.legibility import Char
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.word_builder import PageWord, make_word

_SLASHES = "/\u2044"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LOWERED_MARK = re.compile(
    r"[0-9A-Za-z\u0370-\u03ff](?:[0-9A-Za-z\u0370-\u03ff.,+\u2212-]{0,4}[0-9A-Za-z\u0370-\u03ff+])?"
)
_SUPERSCRIPTS = dict(zip("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻", strict=True))


def with_fractions(chars: Sequence[Char]) -> list[Char]:
    """The characters of a page, the digits of built fractions written as raised and lowered ones on their slash's line.

    The number before the slash stands higher than the one behind it by a third of their common size; without that
    "1²/₃" reads as twelve thirds, and the lowered digits fall out of the line.
    """
    page_chars = list(chars)
    for place, char in enumerate(chars):
        if char["text"] in _SLASHES:
            above = list(_find_digits(chars, range(place - 1, -1, -1)))
            below = list(_find_digits(chars, range(place + 1, len(chars))))
            if above and below and _is_built(chars[above[-1]], chars[above[0]], char, chars[below[0]]):
                page_chars[above[-1] : place] = [_translate_to_line(chars[n], char, _RAISED) for n in reversed(above)]
                page_chars[below[0] : below[-1] + 1] = [_translate_to_line(chars[n], char, _LOWERED) for n in below]
    return page_chars


def _find_digits(chars: Sequence[Char], places: range) -> Iterator[int]:
    """The places of the digits of one size on one line that begin a run; at most three."""
    first = None
    for place in places[: LINES.fraction_digits]:
        char = chars[place]
        first = first or char
        is_same_line = (
            abs(char["top"] - first["top"]) + abs(char["size"] - first["size"])
            < LINES.fraction_tolerance * first["size"]
        )
        if not (char["text"].isdecimal() and char["text"].isascii() and is_same_line):
            return
        yield place


def _is_built(first: Char, above: Char, slash: Char, below: Char) -> bool:
    """Whether a number from `first` to `above` stands over the one that `below` begins, a slash between them."""
    size = above["size"]
    is_alike = abs(below["size"] - size) < LINES.fraction_tolerance * size
    is_near = max(abs(slash["x0"] - above["x1"]), abs(below["x0"] - slash["x1"])) < LINES.fraction_reach * size
    return bool(
        is_alike
        and is_near
        and first["x0"] < below["x0"]
        and below["top"] - above["top"] > LINES.fraction_height * size
    )


def _translate_to_line(char: Char, slash: Char, digits: dict[int, int]) -> Char:
    line = {side: slash[side] for side in ("top", "bottom", "doctop")}
    return {**char, **line, "text": char["text"].translate(digits)}


def with_superscripts(words: Iterable[PageWord]) -> list[PageWord]:
    """The words with raised digits written as superscripts: "1,234¹", "km²", "¹Includes freight".

    They are smaller than four fifths of the letters beside them, and their foot stands above theirs by a fifth. What
    is raised in brackets stays as it is: it cannot be taken for a part of the number.
    """
    all_words = [_raise_own_digits(word) for word in words]
    small = LINES.raised_size_ratio * max((word.size for word in all_words), default=0.0)
    marks = [
        number
        for number, word in enumerate(all_words)
        if len(word.text) <= LINES.raised_max_length and word.size < small and _is_mark(word.chars)
    ]
    if not marks:
        return all_words
    smallest = min(all_words[number].size for number in marks)
    squares = _group_by_square(word for word in all_words if LINES.raised_size_ratio * word.size > smallest)
    for number in marks:
        word = all_words[number]
        if any(_carries_mark(neighbour, word) for neighbour in _find_near(word, squares)):
            all_words[number] = _raise_digits(word, word.chars)
    return all_words


def _raise_own_digits(word: PageWord) -> PageWord:
    """A word, its own raised digits written as such."""
    base = [char for char in word.chars if char["size"] >= LINES.raised_size_ratio * word.size]
    if len(base) == len(word.chars):
        return word
    small = [char for char in word.chars if char["size"] < LINES.raised_size_ratio * word.size]
    foot = max(char["bottom"] for char in base) - LINES.raised_min_height * word.size
    if not all(char["bottom"] < foot for char in small) or not _is_mark(small):
        return word
    return _raise_digits(word, small)


def _is_mark(chars: Sequence[Char]) -> bool:
    """Whether characters are digits, with signs and commas between them."""
    texts = [char["text"] for char in chars]
    return any(text.isdigit() for text in texts) and all(text in _SUPERSCRIPTS or text == "," for text in texts)


def _raise_digits(word: PageWord, marks: Sequence[Char]) -> PageWord:
    mark_ids = {id(char) for char in marks}
    chars = [
        {**char, "text": _SUPERSCRIPTS.get(char["text"], char["text"])} if id(char) in mark_ids else char
        for char in word.chars
    ]
    return make_word("".join(char["text"] for char in chars), chars)


def _group_by_square(words: Iterable[PageWord]) -> dict[tuple[int, int], list[PageWord]]:
    """Words by the squares in which they begin and end; those beyond `raised_max_words` of a square are left out."""
    squares: dict[tuple[int, int], list[PageWord]] = {}
    for word in words:
        for x in (word.x0, word.x1):
            neighbours = squares.setdefault(
                (int(x // LINES.raised_square), int(word.middle // LINES.raised_square)), []
            )
            if len(neighbours) < LINES.raised_max_words:
                neighbours.append(word)
    return squares


def _find_near(word: PageWord, squares: dict[tuple[int, int], list[PageWord]]) -> Iterator[PageWord]:
    """The words that begin or end near a word."""
    column, row = int(word.x0 // LINES.raised_square), int(word.middle // LINES.raised_square)
    for across, down in product((0, -1, 1), repeat=2):
        yield from squares.get((column + across, row + down), ())


def _carries_mark(word: PageWord, mark: PageWord) -> bool:
    """Whether a mark stands at the shoulder of a word."""
    reach = LINES.raised_reach * word.size
    is_beside = abs(mark.x0 - word.x1) < reach or 0 <= word.x0 - mark.x1 < reach
    is_higher = (
        word.top - reach < mark.top < word.middle and mark.bottom < word.bottom - LINES.raised_min_height * word.size
    )
    return is_beside and is_higher and mark.size < LINES.raised_size_ratio * word.size


def with_subscripts(words: Iterable[PageWord]) -> list[PageWord]:
    """The words with lowered digits and letters in the words that they belong to: "CO2", "PM2.5", "C3H8", "Vmax".

    They are smaller than four fifths of the letters beside them, hang below their feet and touch them. Read by their
    places alone, a comma that the formula carries would come before its digit: "CO, 2". Small words in a row are a
    line of their own, which may be printed over another.
    """
    all_words = list(words)
    small = LINES.raised_size_ratio * max((word.size for word in all_words), default=0.0)
    rows = _group_by_square(word for word in all_words if word.size < small)
    marks = [
        word
        for word in all_words
        if word.size < small and _LOWERED_MARK.fullmatch(word.text) and not _is_in_row(word, _find_near(word, rows))
    ]
    if not marks:
        return all_words
    smallest = min(mark.size for mark in marks)
    squares = _group_by_square(word for word in all_words if LINES.raised_size_ratio * word.size > smallest)
    groups: dict[int, list[PageWord]] = {}  # by the id of each word, the words that become one with it
    for mark in marks:
        nearby_words = {id(word): word for word in _find_near(mark, squares)}
        neighbours = [word for word in nearby_words.values() if _carries_index(word, mark)]
        if not any(_touches_left(word, mark) for word in neighbours):
            continue
        group = [mark]
        for word in (mark, *neighbours):
            members = groups.get(id(word), [word])
            group += (other for other in members if not any(other is one for one in group))
        for word in group:
            groups[id(word)] = group
    used_ids = set[int]()
    result = list[PageWord]()
    for word in all_words:
        group = groups.get(id(word), [word])
        if id(word) not in used_ids:
            result.append(word if len(group) == 1 else _join_words(group))
            used_ids.update(map(id, group))
    return result


def _is_in_row(mark: PageWord, nearby_words: Iterable[PageWord]) -> bool:
    """Whether a small word stands a blank's width from another one on its line."""
    return any(
        abs(word.bottom - mark.bottom) < LINES.lowered_reach * mark.size
        and 0 < max(word.x0 - mark.x1, mark.x0 - word.x1) < LINES.lowered_word_gap * mark.size
        for word in nearby_words
    )


def _carries_index(word: PageWord, mark: PageWord) -> bool:
    """Whether a lowered mark hangs at the foot of a word and touches letters of it on either side."""
    if mark.size >= LINES.raised_size_ratio * word.size or word.anchor is not None:
        return False
    depth = mark.bottom - word.bottom
    hangs = LINES.lowered_min_depth < depth / word.size < LINES.lowered_max_depth
    hangs = hangs and mark.top > word.top + LINES.lowered_top * word.size
    reach = LINES.lowered_reach * word.size
    touches = any(min(abs(char["x1"] - mark.x0), abs(char["x0"] - mark.x1)) < reach for char in word.chars)
    return (
        hangs and touches and all(char["x1"] < mark.x0 + reach or char["x0"] > mark.x1 - reach for char in word.chars)
    )


def _touches_left(word: PageWord, mark: PageWord) -> bool:
    """Whether a letter of a word ends where a mark begins."""
    reach = LINES.lowered_reach * word.size
    return any(abs(char["x1"] - mark.x0) < reach and not char["text"].isspace() for char in word.chars)


def _join_words(words: Sequence[PageWord]) -> PageWord:
    """Words with their indices as one, as high as the first word: an index hangs into the line below."""
    chars = sorted((char for word in words for char in word.chars), key=itemgetter("x0"))
    joined_word = make_word("".join(char["text"] for char in chars), chars)
    first = min(
        (word for word in words if word.size >= LINES.raised_size_ratio * joined_word.size), key=attrgetter("x0")
    )
    return replace(joined_word, top=first.top, bottom=first.bottom)
