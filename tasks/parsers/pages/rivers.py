"""Rivers of white space that run down between the pieces of a table's lines, and so part its columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from tasks.parsers.pages.figures import is_amount
from tasks.parsers.pages.rows import PageRow

_SHARE_OF_PIECES = 0.5
_USUAL = 0.8
_STRAYS = 0.1
_LEAST_SUPPORT = 0.12
_TOUCH = 1.5
_STEP = 1.0


def find_separators(rows: Sequence[PageRow], walls: Sequence[float] = ()) -> list[float]:
    """Where columns part, in points from the left; upright rules (`walls`) part them in any case."""
    figured = [row for row in rows if any(is_amount(piece.text) for piece in row.pieces[1:])]
    kept = figured if len(figured) > 1 else rows
    counts = sorted(len(row.pieces) for row in kept)
    usual = counts[int(_USUAL * (len(counts) - 1))] if counts else 0
    body = [row for row in kept if len(row.pieces) >= max(2, _SHARE_OF_PIECES * usual)]
    found = _rivers(body) if body else []
    upright = sorted(walls)
    free = [(start, end) for start, end in found if not _has_wall(upright, start - _TOUCH, end + _TOUCH)]
    rivers = [_clearest(start, end, spans) for (start, end), spans in zip(free, _crossing(free, rows), strict=True)]
    return sorted([*rivers, *walls])


def _has_wall(upright: Sequence[float], start: float, end: float) -> bool:
    return bisect_left(upright, start) < bisect_right(upright, end)


def _crossing(rivers: Sequence[tuple[float, float]], rows: Sequence[PageRow]) -> list[list[tuple[float, float]]]:
    """For each river the words of all lines that reach into it, and the pieces of lines in several pieces."""
    starts, ends = [start for start, _ in rivers], [end for _, end in rivers]
    found: list[list[tuple[float, float]]] = [[] for _ in rivers]
    for row in rows:
        spans = [(word.x0, word.x1) for word in row.words]
        if len(row.pieces) > 1:
            spans += [(piece.x0, piece.x1) for piece in row.pieces]
        for x0, x1 in spans:
            for number in range(bisect_right(ends, x0), bisect_left(starts, x1)):
                found[number].append((x0, x1))
    return found


def _clearest(start: float, end: float, spans: Sequence[tuple[float, float]]) -> float:
    """The middle of that part of a river which the fewest words of all lines cover, headers too.

    `spans` are those of `_crossing`.

    Of a line in several pieces no piece is to be cut, if it can be helped: a date over its column stays whole where
    words over several columns stand above it.
    """
    steps = [start + step * _STEP for step in range(max(1, int((end - start) / _STEP) + 1))]
    cover = [sum(x0 < x < x1 for x0, x1 in spans) for x in steps]
    least = min(cover)
    runs: list[list[float]] = [[]]
    for x, count in zip(steps, cover, strict=True):
        if count == least:
            runs[-1].append(x)
        elif runs[-1]:
            runs.append([])
    best = max(runs, key=len)
    return (best[0] + best[-1]) / 2


def _rivers(body: Sequence[PageRow]) -> list[tuple[float, float]]:
    """Stretches of the width that no piece of a full line covers, or as few of them as strays, and gaps do.

    A single gap is enough between two amounts, which never stand in one cell.
    """
    left = int(min(row.words[0].x0 for row in body))
    width = ceil(max(word.x1 for row in body for word in row.words)) - left + 2
    covered, between, parting = [0] * (width + 1), [0] * (width + 1), [0] * (width + 1)
    strays = int(_STRAYS * len(body)) if len(body) > 7 else 0
    support = max(1 if len(body) < 4 else 2, ceil(_LEAST_SUPPORT * len(body)))
    for row in body:
        for piece in row.pieces:
            covered[int(piece.x0 - left + 0.5)] += 1
            covered[int(piece.x1 - left + 0.5)] -= 1
        for before, after in pairwise(row.pieces):
            start = int(before.x1 - left + 0.5)
            end = max(int(after.x0 - left + 0.5), start)
            between[start] += 1
            between[end] -= 1
            if is_amount(before.text) and is_amount(after.text):
                parting[start] += support
                parting[end] -= support
    gaps = [max(one, two) for one, two in zip(_summed(between), _summed(parting), strict=True)]
    return [(left + start, left + end) for start, end in _runs(_summed(covered), gaps, strays, support)]


def _summed(changes: Sequence[int]) -> list[int]:
    total, sums = 0, []
    for change in changes:
        total += change
        sums.append(total)
    return sums


def _runs(covered: Sequence[int], between: Sequence[int], strays: int, support: int) -> list[tuple[int, int]]:
    """For each run of thinly covered places that enough gaps share, its emptiest part."""
    runs: list[tuple[int, int]] = []
    start = None
    for place in range(len(covered) + 1):
        open_here = place < len(covered) and covered[place] <= strays and between[place] > 0
        if open_here and start is None:
            start = place
        elif not open_here and start is not None:
            if max(between[start:place]) >= support:
                runs.append(_emptiest(covered, start, place))
            start = None
    return runs


def _emptiest(covered: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The longest stretch within a run with the least cover."""
    least = min(covered[start:end])
    best, first = (start, start), None
    for place in range(start, end + 1):
        if place < end and covered[place] == least:
            first = place if first is None else first
        elif first is not None:
            best = max(best, (first, place), key=lambda run: run[1] - run[0])
            first = None
    return best
