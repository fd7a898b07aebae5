"""Words of a page with their characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tasks.parsers.pages.spacing import chained, cuts, joins, lines_of, stray_blanks
from warehouse.records import Box

Char = dict[str, Any]
"""A character as pdfplumber gives it: `text`, `x0`, `x1`, `top`, `bottom` in points, `size`, `fontname`."""
_TIGHT = 0.15
_SPACE_SHARE = 0.03
_LETTERED = 0.6
_BOLD = re.compile(r"bold|black|heavy|demi|^(?:cm|sf)bx|-medi(?:ital)?$", re.IGNORECASE)
_ITALIC = re.compile(
    r"italic|oblique|slanted|-\w*ital$|^(?:cm|sf)(?:bx)?ti|-(?:bold|semibold|medium|light)?it$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word with its box in points, its font size, weight and slant; `chars` are its characters, to cut it.

    A word without text holds the place of the ruled table with the number `anchor`.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool
    chars: tuple[Char, ...] = ()
    anchor: int | None = None
    italic: bool = False

    @property
    def middle(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2

    @property
    def center(self) -> float:
        """Half way across."""
        return (self.x0 + self.x1) / 2


def read_words(chars: Sequence[Char]) -> list[PageWord]:
    """The words that pdfplumber sees in the level characters.

    Where a page writes no spaces but only leaves them, pdfplumber's three points would run small words together;
    there a share of the font size parts them. Letters that are spaced out are joined (see `spacing`).
    """
    from pdfplumber.utils.text import extract_words

    upright = [char for char in chars if char["upright"]]
    lines = lines_of(upright)
    if astray := stray_blanks(lines):
        upright = [char for char in upright if id(char) not in astray]
    spaces = sum(char["text"].isspace() for char in upright)
    ratio = _TIGHT if spaces < _SPACE_SHARE * len(upright) else None
    found = extract_words(upright, return_chars=True, x_tolerance_ratio=ratio)
    words = [(word["text"], word["chars"]) for word in found]
    return [make_word(text, own) for text, own in chained(words, joins(lines), cuts(lines))]


def make_word(text: str, chars: Sequence[Char]) -> PageWord:
    """A word of these characters."""
    bold, italic = _styles([char["fontname"] for char in chars])
    return PageWord(
        text,
        min(char["x0"] for char in chars),
        max(char["x1"] for char in chars),
        min(char["top"] for char in chars),
        max(char["bottom"] for char in chars),
        max(char["size"] for char in chars),
        bold,
        tuple(chars),
        italic=italic,
    )


def _styles(fonts: Sequence[str]) -> tuple[bool, bool]:
    """Whether most characters, by their fonts, are bold, and whether most slant."""
    if fonts.count(fonts[0]) == len(fonts):
        return _style(fonts[0])
    styles = [_style(font) for font in fonts]
    return 2 * sum(bold for bold, _ in styles) > len(fonts), 2 * sum(italic for _, italic in styles) > len(fonts)


@lru_cache(maxsize=1024)
def _style(font: str) -> tuple[bool, bool]:
    """Whether a font's name, without the mark of a subset, says that it is bold, and that it slants."""
    name = font[7:] if font[6:7] == "+" else font
    return _BOLD.search(name) is not None, _ITALIC.search(name) is not None


def cut(word: PageWord, x: float) -> tuple[PageWord, PageWord] | None:
    """The two halves of a word whose characters stand on both sides of x; None where all stand on one."""
    left = [char for char in word.chars if (char["x0"] + char["x1"]) / 2 <= x]
    right = [char for char in word.chars if (char["x0"] + char["x1"]) / 2 > x]
    if not left or not right:
        return None
    return make_word("".join(char["text"] for char in left), left), make_word(
        "".join(char["text"] for char in right), right
    )


def is_prose(words: Sequence[PageWord]) -> bool:
    """Whether words read as running text: several of them, most of letters."""
    return len(words) > 2 and sum(word.text[:1].isalpha() for word in words) >= _LETTERED * len(words)


def usual_size(words: Sequence[PageWord]) -> float:
    """The font size in points in which most characters are set; 0 without words."""
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def around_words(words: Iterable[PageWord]) -> Box:
    """The smallest box around the words, to a hundredth of a point."""
    every = list(words)
    return Box(
        round(min(word.x0 for word in every), 2),
        round(min(word.top for word in every), 2),
        round(max(word.x1 for word in every), 2),
        round(max(word.bottom for word in every), 2),
    )
