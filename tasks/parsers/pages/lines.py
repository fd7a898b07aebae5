"""Words of a page put together to lines, top to bottom and left to right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tasks.parsers.assembly import Line
from warehouse.records import Box

Char = dict[str, Any]
"""A character as pdfplumber gives it: `text`, `x0`, `x1`, `top`, `bottom` in points, `size`, `fontname`."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, its usual font size in points and whether most of it is bold."""

    line: Line
    size: float
    bold: bool

    @property
    def text(self) -> str:
        """The words of the line."""
        return self.line.text

    @property
    def box(self) -> Box:
        """Where the line stands."""
        return self.line.box


def read_lines(chars: Sequence[Char], page: int) -> list[TextLine]:
    """The lines that the characters form. Each word that pdfplumber sees in them stands in exactly one line."""
    from pdfplumber.utils.text import extract_words

    words = extract_words(list(chars), return_chars=True)
    rows: list[list[Char]] = []
    for word in sorted(words, key=lambda word: (word["top"], word["x0"])):
        if rows and _on_line(word, rows[-1][0]):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_line(sorted(row, key=lambda word: float(word["x0"])), page) for row in rows]


def _on_line(word: Char, first: Char) -> bool:
    """Whether one of the two has its middle inside the height of the other."""
    middle, level = (word["top"] + word["bottom"]) / 2, (first["top"] + first["bottom"]) / 2
    return bool(first["top"] <= middle <= first["bottom"] or word["top"] <= level <= word["bottom"])


def _line(words: list[Char], page: int) -> TextLine:
    chars = [char for word in words for char in word["chars"]]
    sizes = Counter(round(char["size"], 1) for char in chars)
    heavy = sum("bold" in char["fontname"].lower() or "black" in char["fontname"].lower() for char in chars)
    text = " ".join(word["text"] for word in words)
    return TextLine(Line(text, page, box_of(words)), sizes.most_common(1)[0][0], 2 * heavy > len(chars))


def box_of(things: Sequence[Char]) -> Box:
    """The smallest box around characters or words, to a hundredth of a point."""
    return Box(
        round(min(thing["x0"] for thing in things), 2),
        round(min(thing["top"] for thing in things), 2),
        round(max(thing["x1"] for thing in things), 2),
        round(max(thing["bottom"] for thing in things), 2),
    )
