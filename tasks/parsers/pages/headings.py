"""Headings guessed from the size and weight of their font, measured against the document's running text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tasks.parsers.pages.lines import TextLine

_LARGER = 1.12
_PROSE = 60
_BODY_SHARE = 0.2
_LONGEST = 160
_LONGEST_BOLD = 100
_MOST_LINES = 3
_DEEPEST_BY_SIZE = 4
_ITEM = re.compile(r"(?:item|part|note|section|article)\s+[\dIVX]", re.IGNORECASE)
_FIGURES = re.compile(r"[$€£%]|\d[\d,.]*\s+\(?\d")


@dataclass(frozen=True, slots=True)
class Typography:
    """The size of the running text in points, and the level that each larger size stands for."""

    body: float
    levels: Mapping[float, int]

    def level(self, lines: list[TextLine]) -> int:
        """The level of the heading that the lines of a paragraph are, 0 where they are none."""
        text = " ".join(line.text for line in lines)
        if len(lines) > _MOST_LINES or len(text) > _LONGEST or not re.search(r"[^\W\d]{2}", text):
            return 0
        size = max(line.size for line in lines)
        if _FIGURES.search(text) or (text.rstrip()[-1] in ".,;。；" and not _ITEM.match(text)) or text[0].islower():
            return 0
        if size in self.levels:
            return self.levels[size]
        bold = all(line.bold for line in lines) and len(text) <= _LONGEST_BOLD and size >= self.body
        return min(len(set(self.levels.values())) + 1, 6) if bold else 0


def measure(lines: Iterable[TextLine]) -> Typography:
    """The running text's size is the largest in which a fifth of all long lines is set; larger ones are ranked."""
    every = list(lines)
    prose = _weights(line for line in every if len(line.text) >= _PROSE) or _weights(every)
    if not prose:
        return Typography(0.0, {})
    body = max(size for size, weight in prose.items() if weight >= _BODY_SHARE * prose.total())
    larger = sorted({line.size for line in every if line.size > _LARGER * body}, reverse=True)
    return Typography(body, {size: min(rank, _DEEPEST_BY_SIZE) for rank, size in enumerate(larger, start=1)})


def _weights(lines: Iterable[TextLine]) -> Counter[float]:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return weights
