"""Where on a page lines stand in columns: runs of lines whose gaps lie above each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parsers.pages.rivers import find_separators
from tasks.parsers.pages.rows import Row
from tasks.parsers.pages.stacks import Stack, is_prose, stack_over

_MARK = re.compile(
    r"[•‣▪●◦·–—*§\uf0b7\uf0a7-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\(\w{1,3}\)|\d{1,2}(?:\.\d{1,2}){1,4}\.?|\*+|\[\d+\]"
)
CAPTION = re.compile(
    r"\s*(?:table|tab\.|figure|fig\.|exhibit|chart|graph|box|tableau|tabelle|表|图)\s*[\dA-Z]+(?:[.\-:]\d+)*\b",
    re.IGNORECASE,
)
NOTE = re.compile(
    r"\(?(?:\d{1,2}|[a-z]|\*{1,3})\)\s|[*†‡]+\s?[A-Z]|(?:notes?|sources?|n\.b\.?)\s*[:.]\s", re.IGNORECASE
)
_CLOSE = 3.0
_MOST_BETWEEN = 5
_ALIKE = 2.0
_STRONG = 3
_SENTENCE = 5
_OFF = 0.6
_MOST_RIVERS = 80
_MOST_HEADER = 14
_HEADER_GAP = 2.0
_CENTRED = 5.0


@dataclass(slots=True)
class _River:
    """A gap that lines share."""

    start: float
    end: float
    hits: int = 1


def find_regions(rows: Sequence[Row], stacks: Sequence[Stack]) -> Iterator[tuple[int, int]]:
    """First and last (included) row of each run of lines that may be a table: around figures, then around the rest."""
    taken = [False] * len(rows)
    found: list[tuple[int, int]] = []
    for seeds in (_has_figures, is_parted):
        number = 0
        while number < len(rows):
            if taken[number] or not seeds(rows[number]):
                number += 1
                continue
            end = next((n for n in range(number, len(rows)) if taken[n]), len(rows))
            last = _Run(rows[:end], number, stacks).last()
            floor = next((n + 1 for n in range(number - 1, -1, -1) if taken[n]), 0)
            first = _header_above(rows, number, last, floor, stacks)
            if last > first:
                found.append((first, last))
                taken[first : last + 1] = [True] * (last + 1 - first)
            number = last + 1
    return iter(sorted(found))


def _has_figures(row: Row) -> bool:
    """Whether a line has a label, or a figure, and figures beside it."""
    return is_parted(row) and any(piece.is_figure for piece in row.pieces[1:])


def is_parted(row: Row) -> bool:
    """Whether a line has several pieces, a list's mark or a heading's number not counted."""
    if len(row.pieces) == 2 and _MARK.fullmatch(row.pieces[0].text):
        return row.pieces[1].is_figure
    return len(row.pieces) > 1


class _Run:
    """A table as it grows downwards line by line, and the rivers its lines share."""

    def __init__(self, rows: Sequence[Row], start: int, stacks: Sequence[Stack]) -> None:
        self._rows = rows
        self._stacks = stacks
        self._width = max(row.box.x1 for row in rows) - min(row.box.x0 for row in rows)
        self._rivers = [_River(a.x1, b.x0) for a, b in pairwise(rows[start].pieces)]
        self._last = start
        self._figured = start if _has_figures(rows[start]) else None

    def last(self) -> int:
        """The last line: with figures in the table, at most one line without follows them."""
        for number in range(self._last + 1, len(self._rows)):
            if not self._takes(number):
                break
        return _tail(self._rows, self._last if self._figured is None else min(self._last, self._figured + 1))

    def _takes(self, number: int) -> bool:
        """Whether the table may go on with this line."""
        row, above = self._rows[number], self._rows[number - 1]
        ruled = stack_over(self._stacks, above, row)
        far = row.top - above.bottom > _CLOSE * max(row.size, above.size) or number - self._last > _MOST_BETWEEN
        if far and not ruled:
            return False
        if is_parted(row):
            return not self._drowns(row) and (self._flows(number) or ruled)
        if len(row.pieces) == 1 and (CAPTION.match(row.text) or NOTE.match(row.text)):
            return False
        sentence = (
            len(row.words) >= _SENTENCE and row.text.endswith((".", ":")) and row.top - above.bottom > _OFF * row.size
        )
        return (ruled and not sentence) or not ((sentence or is_prose(row, self._width)) and self._crosses(row))

    def _crosses(self, row: Row) -> bool:
        """Whether a line runs over a river that several lines share."""
        shared = [river for river in self._rivers if river.hits > 1] or self._rivers
        return any(row.box.x0 < river.start and row.box.x1 > river.end for river in shared)

    def _drowns(self, row: Row) -> bool:
        """Whether figures of the line stand in rivers that many lines share: it has columns of its own."""
        strong = [river for river in self._rivers if river.hits >= _STRONG]
        figures = [piece for piece in row.pieces if piece.is_figure]
        return sum(any(one.x0 < river.start and one.x1 > river.end for river in strong) for one in figures) > 1

    def _flows(self, number: int) -> bool:
        """Whether a gap of the line lies in a river; the rivers take its gaps in."""
        row = self._rows[number]
        hit = sum(self._meets(a.x1, b.x0) for a, b in pairwise(row.pieces)) > 0
        if hit or stack_over(self._stacks, self._rows[number - 1], row):
            self._last = number
            self._figured = number if _has_figures(row) else self._figured
        return hit

    def _meets(self, start: float, end: float) -> bool:
        """Whether a gap lies in a river, which it narrows; else it is the source of one."""
        for river in self._rivers:
            if min(end, river.end) - max(start, river.start) >= _ALIKE:
                river.start, river.end, river.hits = max(start, river.start), min(end, river.end), river.hits + 1
                return True
        if len(self._rivers) < _MOST_RIVERS:
            self._rivers.append(_River(start, end))
        return False


def _tail(rows: Sequence[Row], last: int) -> int:
    """Lines below the last that only end its wrapped label."""
    if last + 1 < len(rows):
        row, above = rows[last + 1], rows[last]
        small = row.text[:1].islower() and row.top - above.bottom < 0.5 * row.size
        if len(row.pieces) == 1 and small and row.box.x1 < above.pieces[-1].x0 and row.box.x0 >= above.words[0].x0 - 2:
            return last + 1
    return last


def _header_above(rows: Sequence[Row], start: int, last: int, floor: int, stacks: Sequence[Stack]) -> int:
    """The first line of the table whose body begins at `start`: header lines above it, with labels between."""
    separators = find_separators(rows[start : last + 1])
    if not separators:
        return start
    label = min(row.words[0].x0 for row in rows[start : last + 1])
    right = max(row.words[-1].x1 for row in rows[start : last + 1])
    first = start
    for number in range(start - 1, max(floor, start - _MOST_HEADER) - 1, -1):
        row, below = rows[number], rows[number + 1]
        if below.top - row.bottom > _HEADER_GAP * max(row.size, below.size) and not stack_over(stacks, row, below):
            break
        if (
            _is_title(row, label, right)
            or CAPTION.match(row.text)
            or row.words[0].x0 < label - 3
            or row.words[-1].x1 > right + 4 * row.size
        ):
            break
        if _stands_over(row, separators):
            first = number
        elif len(row.pieces) > 1 or row.words[-1].x1 > separators[0] or first - number > _MOST_BETWEEN:
            break
    return first


def _is_title(row: Row, left: float, right: float) -> bool:
    """Whether a line is centred over the whole table, labels and all, as titles are and headers are not."""
    return len(row.pieces) == 1 and abs((row.words[0].x0 + row.words[-1].x1) - (left + right)) < 2 * _CENTRED


def _stands_over(row: Row, separators: Sequence[float]) -> bool:
    """Whether a line stands over the columns: right of the labels, or parted from one."""
    beyond = [word for word in row.words if word.center > separators[0]]
    labels = row.words[: len(row.words) - len(beyond)]
    if not beyond:
        return False
    if labels and beyond[0].x0 - labels[-1].x1 < 0.8 * row.size:
        return False
    return beyond[0].x0 > separators[0] - 0.5 * row.size
