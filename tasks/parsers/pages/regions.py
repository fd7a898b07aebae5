"""Where on a page lines stand in columns: runs of lines whose gaps lie above each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.parsers.pages.growing import Run
from tasks.parsers.pages.line_kinds import CAPTION, UNITS, has_figures, is_parted
from tasks.parsers.pages.rivers import find_separators
from tasks.parsers.pages.rows import Row
from tasks.parsers.pages.stacks import Stack, stack_over

_MOST_BETWEEN = 8
_MOST_HEADER = 14
_HEADER_GAP = 2.0
_CENTRED = 5.0


def find_regions(rows: Sequence[Row], stacks: Sequence[Stack]) -> Iterator[tuple[int, int]]:
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
            last = Run(rows[:end], number, stacks).last()
            floor = next((n + 1 for n in range(number - 1, -1, -1) if taken[n]), 0)
            first = _header_above(rows, number, last, floor, stacks)
            if last > first:
                found.append((first, last))
                taken[first : last + 1] = [True] * (last + 1 - first)
            number = last + 1
    return iter(sorted(found))


def _header_above(rows: Sequence[Row], start: int, last: int, floor: int, stacks: Sequence[Stack]) -> int:
    """The first line of the table whose body begins at `start`: header lines above it, with labels between."""
    separators = find_separators(rows[start : last + 1])
    if not separators:
        return start
    label = min(row.words[0].x0 for row in rows[start : last + 1])
    ends = [row.pieces[0].x1 for row in rows[start : last + 1] if is_parted(row) and row.pieces[0].x1 <= separators[0]]
    edge = max(ends, default=separators[0])
    right = max(row.words[-1].x1 for row in rows[start : last + 1])
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
        if _stands_over(row, separators[0]) or (is_parted(row) and _stands_over(row, edge)):
            first = number
        elif len(row.pieces) > 1 or row.words[-1].x1 > separators[0] or first - number > _MOST_BETWEEN:
            break
    return first


def _is_title(row: Row, left: float, right: float) -> bool:
    """Whether a line is centred over the whole table, labels and all, as titles are and headers are not."""
    return len(row.pieces) == 1 and abs((row.words[0].x0 + row.words[-1].x1) - (left + right)) < 2 * _CENTRED


def _stands_over(row: Row, edge: float) -> bool:
    """Whether a line stands over the columns: right of the labels, which end at `edge`, or parted from one."""
    beyond = [word for word in row.words if word.center > edge]
    labels = row.words[: len(row.words) - len(beyond)]
    if not beyond:
        return False
    if labels and beyond[0].x0 - labels[-1].x1 < 0.8 * row.size:
        return False
    return beyond[0].x0 > edge - 0.5 * row.size
