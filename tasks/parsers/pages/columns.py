"""The pieces of a line in the columns of its table."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.figures import is_figure
from tasks.parsers.pages.rows import Piece, Row
from tasks.parsers.pages.words import Word, cut

_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?$|\b[A-Z][a-z]{2,8} \d{1,2},$", re.IGNORECASE
)
_TOUCH = 1.5
_WIDER = 1.6
_FLUSH = 3.0
_OFF = 0.3
Extent = tuple[float, float]
"""From where to where a column's words reach."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words that stand in columns `first` to `last`, both included."""

    first: int
    last: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words."""
        return " ".join(word.text for word in self.words)

    @property
    def is_figure(self) -> bool:
        """Whether it is a number or a sign for a missing one."""
        return is_figure(self.text)

    @property
    def x0(self) -> float:
        """The left edge."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """The right edge."""
        return max(word.x1 for word in self.words)


def place(
    row: Row,
    separators: Sequence[float],
    walls: Sequence[float] = (),
    extents: Sequence[Extent | None] = (),
) -> list[Span]:
    """The pieces of a line in their columns; a piece over a separator is cut there, or spans, as its words say.

    Where the `extents` of the columns are known, a header is cut wherever each part then stands over its column.
    """
    spans = [
        _span(part, separators)
        for piece in row.pieces
        for part in _header_parts(piece, separators, extents) or _split(piece, separators, walls)
    ]
    return _merged(spans)


def _header_parts(
    piece: Piece, separators: Sequence[float], extents: Sequence[Extent | None]
) -> list[list[Word]] | None:
    """The piece cut at all separators, if that cuts no word and leaves each part aligned with its column."""
    if not extents:
        return None
    parts: dict[int, list[Word]] = {}
    for word in piece.words:
        first, last = bisect_right(separators, word.x0 + _TOUCH), bisect_right(separators, word.x1 - _TOUCH)
        if first != last:
            return None
        parts.setdefault(first, []).append(word)
    edges = [extents[0][0] if extents[0] else 0.0, *separators, max(e[1] for e in extents if e)]
    aligned = all(_aligned(words, extents[column], edges[column], edges[column + 1]) for column, words in parts.items())
    in_date = any(_MONTH.search(" ".join(word.text for word in words)) for words in list(parts.values())[:-1])
    return list(parts.values()) if len(parts) > 1 and aligned and not in_date else None


def _aligned(words: Sequence[Word], extent: Extent | None, left: float, right: float) -> bool:
    """Whether words stand over a column from `left` to `right`: about its middle, or flush with an edge."""
    if extent is None:
        return False
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    off = min(abs((x0 + x1) - sum(extent)), abs((x0 + x1) - (left + right))) / 2
    return off <= max(_FLUSH, _OFF * (right - left)) or min(abs(x0 - extent[0]), abs(x1 - extent[1])) <= _FLUSH


def extents_of(placed: Iterable[Sequence[Span]], columns: int) -> list[Extent | None]:
    """From where to where the words of each column reach, those that span several left out."""
    extents: list[Extent | None] = [None] * columns
    for span in (span for spans in placed for span in spans if span.first == span.last):
        known = extents[span.first]
        extents[span.first] = (min(span.x0, known[0]), max(span.x1, known[1])) if known else (span.x0, span.x1)
    return extents


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Parts that came to stand in one column are one."""
    merged: list[Span] = []
    for span in spans:
        if merged and span.first <= merged[-1].last:
            before = merged.pop()
            merged.append(Span(before.first, max(before.last, span.last), before.words + span.words))
        else:
            merged.append(span)
    return merged


def _span(words: Sequence[Word], separators: Sequence[float]) -> Span:
    """The columns that words reach into by more than a touch."""
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    reach = min(3 * _TOUCH, (x1 - x0) / 3)
    first, last = bisect_right(separators, x0 + reach), bisect_right(separators, x1 - reach)
    return Span(first, max(first, last), tuple(words))


def _split(piece: Piece, separators: Sequence[float], walls: Sequence[float]) -> list[list[Word]]:
    parts: list[list[Word]] = [list(piece.words)]
    for x in separators:
        words = parts[-1]
        if not words[0].x0 < x < max(word.x1 for word in words):
            continue
        if x in walls:
            words = [half for word in words for half in _halves(word, x)]
        left = [word for word in words if word.center <= x]
        right = words[len(left) :]
        if left and right and (x in walls or _parts(left, right, x, words)):
            parts[-1:] = [left, right]
    return parts


def _halves(word: Word, x: float) -> tuple[Word, ...]:
    if word.x0 + _TOUCH < x < word.x1 - _TOUCH:
        return cut(word, x) or (word,)
    return (word,)


def _parts(left: Sequence[Word], right: Sequence[Word], x: float, words: Sequence[Word]) -> bool:
    """Whether words on both sides of a river are two cells: a figure among them, or a wider gap than elsewhere."""
    before, after = max(word.x1 for word in left), right[0].x0
    if before > x + _TOUCH or after < x - _TOUCH:
        return False
    if is_figure(right[0].text) and is_figure(left[-1].text):
        return True
    texts = [" ".join(word.text for word in side) for side in (left, right)]
    if is_figure(texts[1]) or (is_figure(texts[0]) and len(left) > 1):
        return True
    gaps = [max(0.0, two.x0 - one.x1) for one, two in pairwise(words) if two is not right[0]]
    return bool(gaps) and after - before > _WIDER * median(gaps)
