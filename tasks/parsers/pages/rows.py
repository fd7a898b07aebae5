"""Lines of words, and the pieces into which wide gaps part them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.figures import in_date, is_figure
from tasks.parsers.pages.words import PageWord, around_words, is_prose, usual_size
from warehouse.records import Box

_GAP = 0.8
_FIGURE_GAP = 0.45
_CLOSE_GAP = 0.4
_JUSTIFIED = 1.7
_FEWEST_SPREAD = 4
_SPREAD = 0.5
_ALIKE = 1.5
_WIDEST = 4.0
_NEAR = 14.0
_MONEY_REACH = 120.0
_FEWEST_LEADERS = 3
_LEADER = re.compile(r"[.·…_]{3,}|[.·…]")
_MONEY = re.compile(r"[$€£¥]|US\$|HK\$|[CA]\$|\(|\(?[$€£¥]\(?")
_SIGN = re.compile(r"\(?(?:[$€£¥]|US\$|HK\$|[CA]\$)\(?")
_BEFORE_THOUSANDS = re.compile(r"(?<!\d)\d{1,3}$")
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
_AREA_CODE = re.compile(r"\+?\(?\d{1,4}\)?")
_PHONE = re.compile(r"\d{3}[-.]\d{4}")
_CLOSING = re.compile(r"[)\]%]+|\)\s*%|(?:bps?|pp|x)|[*†‡]+|\(\w\)")


@dataclass(frozen=True)
class WordGroup:
    """Neighbouring words of one line without a wide gap between them."""

    words: tuple[PageWord, ...]

    @property
    def x0(self) -> float:
        """The left edge."""
        return self.words[0].x0

    @cached_property
    def x1(self) -> float:
        """The right edge."""
        return max(word.x1 for word in self.words)

    @property
    def center(self) -> float:
        """Half way across."""
        return (self.x0 + self.x1) / 2

    @cached_property
    def text(self) -> str:
        """The words."""
        return " ".join(word.text for word in self.words)

    @cached_property
    def is_figure(self) -> bool:
        """Whether it is a number as tables print them, or stands where one is missing."""
        return is_figure(self.text)


@dataclass(frozen=True)
class PageRow:
    """Words on one line of a page, left to right, and its pieces."""

    words: tuple[PageWord, ...]
    pieces: tuple[WordGroup, ...]

    @cached_property
    def box(self) -> Box:
        """The box around its words."""
        return around_words(self.words)

    @cached_property
    def top(self) -> float:
        """The upper edge."""
        return min(word.top for word in self.words)

    @cached_property
    def bottom(self) -> float:
        """The lower edge."""
        return max(word.bottom for word in self.words)

    @property
    def middle(self) -> float:
        """Half way down its first word."""
        return self.words[0].middle

    @cached_property
    def size(self) -> float:
        """The usual font size in points."""
        return usual_size(self.words)

    @cached_property
    def text(self) -> str:
        """The words."""
        return " ".join(word.text for word in self.words)


def read_rows(words: Iterable[PageWord]) -> list[PageRow]:
    """The lines that the words form, top to bottom."""
    lines: list[list[PageWord]] = []
    for word in sorted(words, key=lambda word: (word.top, word.x0)):
        if lines and _on_line(word, lines[-1][0]):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [make_row(line) for line in lines]


def _on_line(word: PageWord, first: PageWord) -> bool:
    """Whether one of the two has its middle inside the height of the other."""
    return first.top <= word.middle <= first.bottom or word.top <= first.middle <= word.bottom


def make_row(words: Iterable[PageWord]) -> PageRow:
    """A row of words; amounts keep their currency sign and closing bracket.

    A wide gap parts pieces; before and after figures a smaller one does, unless the whole line is set that wide.
    """
    ordered = sorted(words, key=lambda word: word.x0)
    size = usual_size(ordered)
    gaps = [max(0.0, after.x0 - before.x1) for before, after in pairwise(ordered)]
    if _is_justified(ordered, gaps, size):
        return PageRow(tuple(ordered), (WordGroup(tuple(ordered)),))
    narrow = max(_FIGURE_GAP * size, _JUSTIFIED * median(gaps) if len(gaps) > 3 else 0.0)
    leaders = _leaders(ordered)
    pieces: list[list[PageWord]] = []
    for number, word in enumerate(ordered):
        if number == 0:
            pieces.append([word])
            continue
        before, gap = ordered[number - 1], gaps[number - 1]
        led = leaders[number - 1] and not leaders[number]
        wide = gap > _GAP * size or gap > _needed(before, word, size, narrow)
        after = ordered[number + 1].text if number + 1 < len(ordered) else ""
        anew = _SIGN.fullmatch(word.text) and _ends_amount(before) and is_figure(after)
        if led or anew or (wide and not leaders[number]):
            pieces.append([word])
        else:
            pieces[-1].append(word)
    return PageRow(tuple(ordered), tuple(WordGroup(tuple(words)) for words in _glued(pieces)))


def _is_justified(words: Sequence[PageWord], gaps: Sequence[float], size: float) -> bool:
    """Whether a line of prose is spread to its column's width: wide gaps, all alike, between words of letters."""
    if len(words) < _FEWEST_SPREAD or not is_prose(words):
        return False
    usual = median(gaps)
    return usual > _SPREAD * size and max(gaps) < _ALIKE * usual and not any(gap > _WIDEST * size for gap in gaps)


def _needed(before: PageWord, word: PageWord, size: float, narrow: float) -> float:
    """The gap in points that parts two words: between two figures less than elsewhere, unless they may be one."""
    if _AREA_CODE.fullmatch(before.text) and _PHONE.match(word.text):
        return 2 * size
    if in_date(before.text, word.text):
        return _GAP * size
    one, two = _amounts(before), _amounts(word)
    if one and two:
        spaced = _BEFORE_THOUSANDS.search(before.text) and _THOUSANDS.match(word.text)
        return (_FIGURE_GAP if spaced else _CLOSE_GAP) * size
    return min(narrow, _GAP * size) if one or two else _GAP * size


def _ends_amount(word: PageWord) -> bool:
    """Whether a word ends an amount, so that a currency sign after it begins the next."""
    return is_figure(word.text) or _CLOSING.fullmatch(word.text) is not None


def _amounts(word: PageWord) -> bool:
    """Whether a word is a figure, or a sign that opens one."""
    return is_figure(word.text) or _MONEY.fullmatch(word.text) is not None


def _leaders(words: Sequence[PageWord]) -> list[bool]:
    """Which words are the dots that lead the eye from a label to its figure; they belong to the label."""
    dots = [_LEADER.fullmatch(word.text) is not None for word in words]
    long = sum(len(word.text) for word, dot in zip(words, dots, strict=True) if dot) >= _FEWEST_LEADERS
    return [(long and dot) or word.text.endswith("....") for word, dot in zip(words, dots, strict=True)]


def _glued(pieces: Sequence[list[PageWord]]) -> list[list[PageWord]]:
    """A currency sign set apart joins the figure on its right, a closing bracket or percent sign that on its left."""
    glued: list[list[PageWord]] = []
    for piece in pieces:
        text = " ".join(word.text for word in piece)
        if glued:
            before = " ".join(word.text for word in glued[-1])
            gap = piece[0].x0 - glued[-1][-1].x1
            opened = _MONEY.fullmatch(before) and gap < _MONEY_REACH and (is_figure(text) or text.endswith(")"))
            closed = _CLOSING.fullmatch(text) and gap < _NEAR and is_figure(before)
            if opened or closed:
                glued[-1].extend(piece)
                continue
        glued.append(list(piece))
    return glued
