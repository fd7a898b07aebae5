"""Where on a page lines stand in columns: runs of lines whose gaps lie above each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tasks.parsers.pages.line_kinds import CAPTION, UNITS, has_figures, is_parted
from tasks.parsers.pages.rivers import find_separators
from tasks.parsers.pages.rows import PageRow
from tasks.parsers.pages.stacks import Stack, stack_over
from tasks.parsers.pages.table_growth import GrowingTable

_MOST_BETWEEN = 8
_MOST_HEADER = 14
_HEADER_GAP = 2.0
_CENTRED = 5.0


def find_regions(rows: Sequence[PageRow], stacks: Sequence[Stack]) -> Iterator[tuple[int, int]]:
    """First and last (included) row of each run of lines that may be a table: around figures, then around the rest."""
    taken = [False] * len(rows)
    found: list[tuple[int, int]] = []
    for seeds in (has_figures, is_parted):
        number = 0
        while number < len(rows):
            if taken[number] or not seeds(rows[number]):
                number += 1
                continue
            end = next((n for n in range(number, len(rows)) if taken[n]), len(rows))
            last = GrowingTable(rows[:end], number, stacks).last()
            floor = next((n + 1 for n in range(number - 1, -1, -1) if taken[n]), 0)
            first = _header_above(rows, number, last, floor, stacks)
            if last > first:
                found.append((first, last))
                taken[first : last + 1] = [True] * (last + 1 - first)
            number = last + 1
    return iter(sorted(found))


def _header_above(rows: Sequence[PageRow], start: int, last: int, floor: int, stacks: Sequence[Stack]) -> int:
    """The first line of the table whose body begins at `start`: header lines above it, with labels between."""
    separators = find_separators(rows[start : last + 1])
    if not separators:
        return start
    label = min(row.words[0].x0 for row in rows[start : last + 1])
    ends = [row.pieces[0].x1 for row in rows[start : last + 1] if is_parted(row) and row.pieces[0].x1 <= separators[0]]
    edge = max(ends, default=separators[0])
    right = max(row.words[-1].x1 for row in rows[start : last + 1])
    extents = _figure_extents(rows[start : last + 1], separators)
    first = start
    for number in range(start - 1, max(floor, start - _MOST_HEADER) - 1, -1):
        row, below = rows[number], rows[number + 1]
        if below.top - row.bottom > _HEADER_GAP * max(row.size, below.size) and not stack_over(stacks, row, below):
            break
        if (
            _is_title(row, label, right)
            or CAPTION.match(row.text)
            or UNITS.match(row.text)
            or row.words[0].x0 < label - 3
            or row.words[-1].x1 > right + 4 * row.size
        ):
            break
        over = _stands_over(row, separators[0]) or (is_parted(row) and _stands_over(row, edge))
        if over or _heads_columns(row, extents):
            first = number
        elif len(row.pieces) > 1 or row.words[-1].x1 > separators[0] or first - number > _MOST_BETWEEN:
            break
    return first


def _is_title(row: PageRow, left: float, right: float) -> bool:
    """Whether a line is centred over the whole table, labels and all, as titles are and headers are not."""
    return len(row.pieces) == 1 and abs((row.words[0].x0 + row.words[-1].x1) - (left + right)) < 2 * _CENTRED


def _figure_extents(rows: Sequence[PageRow], separators: Sequence[float]) -> list[tuple[float, float]]:
    """From where to where the figures of each column reach, the labels' left out."""
    found: dict[int, tuple[float, float]] = {}
    for piece in (piece for row in rows for piece in row.pieces if piece.is_figure):
        column = bisect_right(separators, (piece.x0 + piece.x1) / 2)
        low, high = found.get(column, (piece.x0, piece.x1))
        found[column] = (min(low, piece.x0), max(high, piece.x1))
    return [found[column] for column in sorted(found) if column]


def _heads_columns(row: PageRow, extents: Sequence[tuple[float, float]]) -> bool:
    """Whether each piece of a parted line stands over the figures of one column, though wider than they are."""
    over = [
        [number for number, (low, high) in enumerate(extents) if piece.x0 < high and low < piece.x1]
        for piece in row.pieces
    ]
    columns = [numbers[0] for numbers in over if len(numbers) == 1]
    return len(row.pieces) > 1 and len(columns) == len(row.pieces) == len(set(columns))


def _stands_over(row: PageRow, edge: float) -> bool:
    """Whether a line stands over the columns: right of the labels, which end at `edge`, or parted from one."""
    beyond = [word for word in row.words if word.center > edge]
    labels = row.words[: len(row.words) - len(beyond)]
    if not beyond:
        return False
    if labels and beyond[0].x0 - labels[-1].x1 < 0.8 * row.size:
        return False
    return beyond[0].x0 > edge - 0.5 * row.size
