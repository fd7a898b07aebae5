"""The pieces of a line in the columns of its table."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.figures import in_date, is_figure
from tasks.parsers.pages.rows import PageRow, WordGroup
from tasks.parsers.pages.words import PageWord, cut

_READS_ON = re.compile(r"(?:\b(?:ended|ending|of|and|the|to|for|in|as|at|by|per)|[-–—/&])$", re.IGNORECASE)
_ENDED = re.compile(r"end(?:ed|ing)\b", re.IGNORECASE)
_TOUCH = 1.5
_WIDER = 1.6
_WIDE = 0.8
_FLUSH = 3.0
_OFF = 0.3
_EXACT = 1.5
_ROOM = 0.05
_SPACE = 0.35
Extent = tuple[float, float]
"""From where to where a column's words reach."""


@dataclass(frozen=True)
class ColumnSpan(WordGroup):
    """Words that stand in columns `first` to `last`, both included."""

    first: int
    last: int


def place(
    row: PageRow,
    separators: Sequence[float],
    walls: Sequence[float] = (),
    extents: Sequence[Extent | None] = (),
) -> list[ColumnSpan]:
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
    piece: WordGroup, separators: Sequence[float], extents: Sequence[Extent | None]
) -> list[list[PageWord]] | None:
    """The piece cut at all separators, if that cuts no word and leaves each part aligned with its column."""
    if not extents:
        return None
    parts: dict[int, list[PageWord]] = {}
    for word in piece.words:
        first, last = bisect_right(separators, word.x0 + _TOUCH), bisect_right(separators, word.x1 - _TOUCH)
        if first != last:
            return None
        parts.setdefault(first, []).append(word)
    edges = [extents[0][0] if extents[0] else 0.0, *separators, max(e[1] for e in extents if e)]
    aligned = all(_aligned(words, extents[column], edges[column], edges[column + 1]) for column, words in parts.items())
    found = list(parts.values())
    if len(found) < 2 or not aligned or any(_is_phrase(before, after) for before, after in pairwise(found)):
        return None
    return found if _stands_apart(parts, extents) else None


def _stands_apart(parts: Mapping[int, Sequence[PageWord]], extents: Sequence[Extent | None]) -> bool:
    """Whether words stand over their columns more nearly than all of them over all of these together."""
    over = [(words, extent) for column, words in parts.items() if (extent := extents[column])]
    if len(over) < len(parts) or any(_is_wider(before, after) for before, after in pairwise(parts.values())):
        return True
    apart = max(_miss(words, extent) for words, extent in over)
    whole = abs(over[0][0][0].x0 + over[-1][0][-1].x1 - over[0][1][0] - over[-1][1][1]) / 2
    return apart <= max(_EXACT, whole)


def _miss(words: Sequence[PageWord], extent: Extent) -> float:
    """How far words stand off a column: off its middle or an edge, whichever is nearest."""
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    return min(abs(x0 - extent[0]), abs(x1 - extent[1]), abs(x0 + x1 - sum(extent)) / 2)


def _is_phrase(left: Sequence[PageWord], right: Sequence[PageWord]) -> bool:
    """Whether words on both sides of a river read on: a date, an open bracket, a small letter, no wider gap."""
    before = " ".join(word.text for word in left)
    if _is_date(left, right):
        return True
    is_open = before.count("(") > before.count(")") or _READS_ON.search(before) is not None
    reads_on = is_open or right[0].text[0].islower() or _ENDED.match(right[0].text) is not None
    return reads_on and not _is_wider(left, right)


def _is_date(left: Sequence[PageWord], right: Sequence[PageWord]) -> bool:
    """Whether words on both sides of a river are one date."""
    return in_date(" ".join(word.text for word in left), right[0].text)


def _is_wider(left: Sequence[PageWord], right: Sequence[PageWord]) -> bool:
    """Whether the gap between words is wider than those among them, or too wide for any line."""
    gaps = [max(0.0, two.x0 - one.x1) for side in (left, right) for one, two in pairwise(side)]
    gap = right[0].x0 - max(word.x1 for word in left)
    return gap > _WIDE * right[0].size or (bool(gaps) and gap > _WIDER * median(gaps))


def _aligned(words: Sequence[PageWord], extent: Extent | None, left: float, right: float) -> bool:
    """Whether words stand over a column from `left` to `right`: about its middle, or flush with an edge."""
    if extent is None:
        return False
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    off = min(abs((x0 + x1) - sum(extent)), abs((x0 + x1) - (left + right))) / 2
    return off <= max(_FLUSH, _OFF * (right - left)) or min(abs(x0 - extent[0]), abs(x1 - extent[1])) <= _FLUSH


def extents_of(placed: Iterable[Sequence[ColumnSpan]], columns: int) -> list[Extent | None]:
    """From where to where the words of each column reach, those that span several left out."""
    extents: list[Extent | None] = [None] * columns
    for span in (span for spans in placed for span in spans if span.first == span.last):
        known = extents[span.first]
        extents[span.first] = (min(span.x0, known[0]), max(span.x1, known[1])) if known else (span.x0, span.x1)
    return extents


def _merged(spans: Sequence[ColumnSpan]) -> list[ColumnSpan]:
    """Parts that came to stand in one column are one."""
    merged: list[ColumnSpan] = []
    for span in spans:
        if merged and span.first <= merged[-1].last:
            before = merged.pop()
            merged.append(ColumnSpan(before.words + span.words, before.first, max(before.last, span.last)))
        else:
            merged.append(span)
    return merged


def _span(words: Sequence[PageWord], separators: Sequence[float]) -> ColumnSpan:
    """The columns that words reach into by more than a touch."""
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    reach = min(3 * _TOUCH, (x1 - x0) / 3)
    first, last = bisect_right(separators, x0 + reach), bisect_right(separators, x1 - reach)
    return ColumnSpan(tuple(words), first, max(first, last))


def _split(piece: WordGroup, separators: Sequence[float], walls: Sequence[float]) -> list[list[PageWord]]:
    parts: list[list[PageWord]] = [list(piece.words)]
    for x in separators[bisect_right(separators, piece.x0) : bisect_left(separators, piece.x1)]:
        words = parts[-1]
        if x in walls:
            words = [half for word in words for half in _halves(word, x)]
        left = [word for word in words if word.center <= x]
        right = words[len(left) :]
        if left and right and not _is_date(left, right) and _parts(left, right, x, at_wall=x in walls):
            parts[-1:] = [left, right]
    return parts


def _halves(word: PageWord, x: float) -> tuple[PageWord, ...]:
    """A word that runs two cells together, cut where they meet: its characters leave room for the wall."""
    halves = cut(word, x) if word.x0 + _TOUCH < x < word.x1 - _TOUCH else None
    return halves if halves and halves[1].x0 - halves[0].x1 > _ROOM * word.size else (word,)


def _parts(left: Sequence[PageWord], right: Sequence[PageWord], x: float, *, at_wall: bool) -> bool:
    """Whether words on both sides of a river are two cells: a wall or figure between, a wider gap than elsewhere."""
    before, after = max(word.x1 for word in left), right[0].x0
    if before > x + _TOUCH or after < x - _TOUCH:
        return False
    if at_wall and after - before > _SPACE * right[0].size:
        return True
    texts = [" ".join(word.text for word in side) for side in (left, right)]
    if is_figure(right[0].text) and is_figure(left[-1].text):
        return True
    if is_figure(texts[1]) or (is_figure(texts[0]) and len(left) > 1):
        return True
    return _is_wider(left, right)
