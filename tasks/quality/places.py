"""Where a place of a document's text stands in the source that it was read from, by line and column."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_RUN = 3
_FARTHEST = 3_000
"""How many words of markup may stand between two words of the text."""
_LONGEST = 2**22


@dataclass(frozen=True, slots=True)
class Anchors:
    """Places that are known in both: positions in the text, in rising order, with their lines and columns from 1."""

    positions: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    def line(self, position: int) -> int | None:
        """The line of a place; None where the source has no lines, as a PDF."""
        return self.lines[self._before(position)] if self.positions else None

    def column(self, position: int) -> int | None:
        """The column, less exact the more markup the line holds."""
        if not self.positions:
            return None
        found = self._before(position)
        return self.columns[found] + max(0, position - self.positions[found])

    def position(self, line: int) -> int | None:
        """Where the words of a line begin in the text; of one without words, those of the line before."""
        if not self.positions:
            return None
        found = bisect_left(self.lines, line)
        is_there = found < len(self.lines) and self.lines[found] == line
        return self.positions[found if is_there else max(0, found - 1)]

    def _before(self, position: int) -> int:
        return max(0, bisect_right(self.positions, position) - 1)


def anchors(text: str, raw: str) -> Anchors:
    """Aligns the words of a text with those of its source, in one pass over both.

    Words that stand in only one of them are passed over: the alignment goes on where three words in a row agree.
    """
    if not raw or len(raw) > _LONGEST:
        return Anchors()
    ours = [(found.start(), found[0]) for found in _TOKEN.finditer(text)]
    theirs = [(found.start(), found[0]) for found in _TOKEN.finditer(raw)]
    words = [word for _, word in theirs]
    runs = _runs(words)
    starts = _line_starts(raw)
    made: list[tuple[int, int, int]] = []
    place = 0
    for number, (position, word) in enumerate(ours):
        if place >= len(words) or words[place] != word:
            found = _next(runs, tuple(each for _, each in ours[number : number + _RUN]), place)
            if found is None:
                continue
            place = found
        line = bisect_right(starts, theirs[place][0])
        if not made or made[-1][1] != line:
            made.append((position, line, theirs[place][0] - starts[line - 1] + 1))
        place += 1
    return Anchors(*map(tuple, zip(*made, strict=True))) if made else Anchors()


def _runs(words: Sequence[str]) -> dict[tuple[str, ...], array[int]]:
    runs: defaultdict[tuple[str, ...], array[int]] = defaultdict(lambda: array("I"))
    for place in range(len(words)):
        runs[tuple(words[place : place + _RUN])].append(place)
    return runs


def _next(runs: dict[tuple[str, ...], array[int]], run: tuple[str, ...], place: int) -> int | None:
    places = runs.get(run)
    if places is None:
        return None
    after = bisect_right(places, place - 1)
    return places[after] if after < len(places) and places[after] - place <= _FARTHEST else None


def _line_starts(raw: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", raw))]
