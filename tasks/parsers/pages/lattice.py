"""Grids that rules draw: which squares they part and which squares together make one cell."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.parsers.pages.rules import RuledLine, RuledLines

_NEAR = 3.0
_COVERED = 0.6


@dataclass(frozen=True, slots=True)
class GridSquare:
    """Squares of a grid that no rule parts: the first and last row and column, all included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """A ruled grid: `across` and `down` are the places of its edges in points, `cells` cover all squares once."""

    across: tuple[float, ...]
    down: tuple[float, ...]
    cells: tuple[GridSquare, ...]

    @property
    def columns(self) -> int:
        """The number of columns of squares."""
        return len(self.across) - 1

    @property
    def rows(self) -> int:
        """The number of rows of squares."""
        return len(self.down) - 1

    def square(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of the square at a point, or of the nearest one."""
        column = min(max(bisect_right(self.across, x) - 1, 0), self.columns - 1)
        row = min(max(bisect_right(self.down, y) - 1, 0), self.rows - 1)
        return row, column


def find_lattices(rules: RuledLines) -> Iterator[Lattice]:
    """A lattice for each group of crossing rules that parts its area at all.

    Edges of shades make none: most shade every other row, and their edges part what belongs together.
    """
    drawn = [rule for rule in rules.level if rule.drawn], [rule for rule in rules.upright if rule.drawn]
    for level, upright in _groups(*drawn):
        lattice = _lattice(level, upright)
        if lattice is not None and len(lattice.cells) > 1:
            yield lattice


def _groups(
    level: Sequence[RuledLine], upright: Sequence[RuledLine]
) -> Iterator[tuple[list[RuledLine], list[RuledLine]]]:
    """Rules that hang together by crossing or touching."""
    places = [rule.at for rule in level]
    owner = list(range(len(level) + len(upright)))

    def find(one: int) -> int:
        while owner[one] != one:
            owner[one] = owner[owner[one]]
            one = owner[one]
        return one

    for number, rule in enumerate(upright, start=len(level)):
        first, last = bisect_left(places, rule.start - _NEAR), bisect_right(places, rule.end + _NEAR)
        for crossed in range(first, last):
            if level[crossed].start - _NEAR <= rule.at <= level[crossed].end + _NEAR:
                owner[find(number)] = find(crossed)
    groups: dict[int, tuple[list[RuledLine], list[RuledLine]]] = {}
    for number in range(len(owner)):
        group = groups.setdefault(find(number), ([], []))
        if number < len(level):
            group[0].append(level[number])
        else:
            group[1].append(upright[number - len(level)])
    yield from (group for group in groups.values() if len(group[0]) > 1 and group[1])


def _lattice(level: Sequence[RuledLine], upright: Sequence[RuledLine]) -> Lattice | None:
    across = _edges([rule.at for rule in upright], min(r.start for r in level), max(r.end for r in level))
    down = _edges([rule.at for rule in level], min(r.start for r in upright), max(r.end for r in upright))
    if len(across) < 2 or len(down) < 2 or len(across) * len(down) > 20_000:
        return None
    walls = [_covered(upright, x, list(itertools.pairwise(down))) for x in across]
    floors = [_covered(level, y, list(itertools.pairwise(across))) for y in down]
    return Lattice(tuple(across), tuple(down), tuple(_cells(walls, floors)))


def _edges(places: Sequence[float], first: float, last: float) -> list[float]:
    """The places in order, those too near to each other taken together."""
    groups: list[list[float]] = []
    for place in sorted([*places, first, last]):
        if groups and place - groups[-1][-1] <= _NEAR:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [sum(group) / len(group) for group in groups]


def _covered(rules: Sequence[RuledLine], at: float, stretches: Sequence[tuple[float, float]]) -> list[bool]:
    """For each stretch along an edge whether rules cover most of it."""
    near = [rule for rule in rules if abs(rule.at - at) <= 2 * _NEAR]
    found = []
    for start, end in stretches:
        length = max((min(rule.end, end) - max(rule.start, start) for rule in near), default=0.0)
        found.append(length >= _COVERED * (end - start))
    return found


def _cells(walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]) -> Iterator[GridSquare]:
    """Squares taken together across missing rules, as rectangles: first to the right, then downwards."""
    rows, columns = len(floors) - 1, len(walls) - 1
    taken = [[False] * columns for _ in range(rows)]
    for top in range(rows):
        for left in range(columns):
            if taken[top][left]:
                continue
            right = left
            while right + 1 < columns and not taken[top][right + 1] and not walls[right + 1][top]:
                right += 1
            bottom = top
            while bottom + 1 < rows and _goes_on(walls, floors, taken, bottom, left, right):
                bottom += 1
            for row in range(top, bottom + 1):
                taken[row][left : right + 1] = [True] * (right + 1 - left)
            yield GridSquare(top, left, bottom, right)


def _goes_on(
    walls: Sequence[Sequence[bool]],
    floors: Sequence[Sequence[bool]],
    taken: Sequence[Sequence[bool]],
    bottom: int,
    left: int,
    right: int,
) -> bool:
    """Whether the squares below belong to the same cell: no rule between, none inside, walls at the same places."""
    below = bottom + 1
    return (
        not any(floors[below][column] or taken[below][column] for column in range(left, right + 1))
        and not any(walls[column][below] for column in range(left + 1, right + 1))
        and (left == 0 or walls[left][below] == walls[left][bottom])
        and walls[right + 1][below] == walls[right + 1][bottom]
    )
