"""A table as it grows downwards, line by line, along the rivers of white space that its lines share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parsers.pages.line_kinds import CAPTION, NOTE, has_figures, is_numbered, is_parted
from tasks.parsers.pages.rows import PageRow
from tasks.parsers.pages.stacks import Stack, is_prose, stack_over

_ENDS = (".", ":", "：", "。")
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_ANNOUNCES = re.compile(r"\b(?:follow(?:s|ing)|below)\b[^.]{0,20}:$", re.IGNORECASE)
_CLOSE = 3.0
_MOST_BETWEEN = 8
_MOST_LABELS = 9
_INDENT = 6.0
_NEAR = 3.0
_LABEL_WORDS = 14
_NOTE_WORDS = 8
_STEP = 0.9
_SLACK = 0.1
_KEPT = 0.5
_ALIKE = 2.0
_STRONG = 3
_SET_OFF = 0.5
_MOST_HEADS = 12
_FEWEST_HEADS = 2
_SENTENCE = 5
_OFF = 0.6
_MOST_RIVERS = 80


@dataclass(slots=True)
class _River:
    """A gap that lines share."""

    start: float
    end: float
    hits: int = 1


class GrowingTable:
    """A table as it grows downwards line by line, and the rivers its lines share."""

    def __init__(self, rows: Sequence[PageRow], start: int, stacks: Sequence[Stack]) -> None:
        self._rows = rows
        self._stacks = stacks
        self._width = max(row.box.x1 for row in rows) - min(row.box.x0 for row in rows)
        self._rivers = [_River(a.x1, b.x0) for a, b in pairwise(rows[start].pieces)]
        self._first = self._last = start
        self._figured = start if has_figures(rows[start]) else None

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
        if (far and not ruled) or self._heads_another(number):
            return False
        if is_parted(row) or (self._figured is None and is_numbered(row)):
            return not self._drowns(row) and (self._flows(number) or ruled)
        if CAPTION.match(row.text):
            return False
        if NOTE.match(row.text):
            return self._heads_section(number)
        sentence = len(row.words) >= _SENTENCE and row.text.endswith(_ENDS) and row.top - above.bottom > _OFF * row.size
        if (ruled and not sentence) or not ((sentence or is_prose(row, self._width)) and self._crosses(row)):
            return True
        return self._heads_section(number)

    def _heads_another(self, number: int) -> bool:
        """Whether a line set off from figures begins the header of another table: heads of columns, then figures."""
        row, above = self._rows[number], self._rows[number - 1]
        gap = row.top - above.bottom
        if not has_figures(above) or has_figures(row) or gap < max(row.size, self._pitch() + _SET_OFF * row.size):
            return False
        ahead = self._rows[number : number + _MOST_HEADS]
        end = next((place for place, line in enumerate(ahead) if has_figures(line)), 0)
        return any(len(line.pieces) > _FEWEST_HEADS for line in ahead[:end])

    def _heads_section(self, number: int) -> bool:
        """Whether a line across the columns is a label over rows that keep to them, set no further off than they are.

        Only rows of figures tell, which need no header of their own: what begins with one is another table.
        """
        row = self._rows[number]
        strong = [river for river in self._rivers if river.hits >= _STRONG]
        left = min(self._rows[place].words[0].x0 for place in range(self._first, self._last + 1))
        aside = not left - _NEAR <= row.words[0].x0 <= left + _INDENT * row.size
        most = _NOTE_WORDS if NOTE.match(row.text) else _LABEL_WORDS
        if row.text.endswith(".") or _ANNOUNCES.search(row.text) or len(row.words) > most or aside or not strong:
            return False
        for place in range(number + 1, min(number + 1 + _MOST_LABELS, len(self._rows))):
            below, above = self._rows[place], self._rows[place - 1]
            if below.top - above.bottom > max(_STEP * below.size, self._pitch() + _SLACK * below.size):
                return False
            if has_figures(below):
                return self._keeps(below, strong)
            if is_parted(below) or is_prose(below, self._width):
                return False
        return False

    def _pitch(self) -> float:
        """The widest gap between neighbouring lines of the table."""
        return max((b.top - a.bottom for a, b in pairwise(self._rows[self._first : self._last + 1])), default=0.0)

    def _keeps(self, row: PageRow, strong: Sequence[_River]) -> bool:
        """Whether most of the strong rivers pass through gaps of the line."""
        gaps = [(a.x1, b.x0) for a, b in pairwise(row.pieces)]
        kept = sum(any(min(b, r.end) - max(a, r.start) >= _ALIKE for a, b in gaps) for r in strong)
        years = sum(_YEAR.fullmatch(piece.text) is not None for piece in row.pieces)
        return kept > _KEPT * len(strong) and not years and not self._drowns(row)

    def _crosses(self, row: PageRow) -> bool:
        """Whether a line runs over a river that several lines share."""
        shared = [river for river in self._rivers if river.hits > 1] or self._rivers
        return any(row.box.x0 < river.start and row.box.x1 > river.end for river in shared)

    def _drowns(self, row: PageRow) -> bool:
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
            self._figured = number if has_figures(row) else self._figured
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


def _tail(rows: Sequence[PageRow], last: int) -> int:
    """Lines below the last that only end its wrapped label."""
    if last + 1 < len(rows) and not NOTE.match(rows[last + 1].text):
        row, above = rows[last + 1], rows[last]
        small = (row.text[:1].islower() or row.text[:1] in "(&") and row.top - above.bottom < 0.5 * row.size
        if len(row.pieces) == 1 and small and row.box.x1 < above.pieces[-1].x0 and row.box.x0 >= above.words[0].x0 - 2:
            return last + 1
    return last
