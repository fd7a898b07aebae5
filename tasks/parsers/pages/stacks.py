"""Level rules of one width above each other, as booktabs and statements draw them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.parsers.pages.rows import PageRow
from tasks.parsers.pages.rules import RuledLine

_SAME_END = 6.0
_SHORTEST = 60.0
_LOWEST = 12.0
_PROSE_WORDS = 9


@dataclass(frozen=True, slots=True)
class Stack:
    """Level rules of one width above each other, from the first to the last."""

    top: float
    bottom: float
    left: float
    right: float
    rules: int


def find_stacks(level: Sequence[RuledLine], rows: Sequence[PageRow]) -> Iterator[Stack]:
    """Rules of one width that follow each other with no running text between."""
    left, right = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    prose = sorted(row.middle for row in rows if is_prose(row, right - left))
    open_stacks: list[list[RuledLine]] = []
    for rule in sorted((rule for rule in level if rule.length > _SHORTEST), key=lambda rule: rule.at):
        for stack in open_stacks:
            parted = bisect_right(prose, rule.at) > bisect_right(prose, stack[-1].at)
            if not parted and abs(stack[0].start - rule.start) < _SAME_END and abs(stack[0].end - rule.end) < _SAME_END:
                stack.append(rule)
                break
        else:
            open_stacks.append([rule])
    for stack in open_stacks:
        if len(stack) > 1 and stack[-1].at - stack[0].at > _LOWEST:
            yield Stack(stack[0].at, stack[-1].at, stack[0].start, stack[0].end, len(stack))


def stack_over(stacks: Sequence[Stack], above: PageRow, below: PageRow) -> bool:
    """Whether two lines stand between the rules of one stack."""
    return any(
        stack.top - 2 <= above.middle
        and below.middle <= stack.bottom + 2
        and stack.rules > 2
        and stack.left - 3 <= below.words[0].x0
        and below.words[-1].x1 <= stack.right + 3
        for stack in stacks
    )


def is_prose(row: PageRow, width: float) -> bool:
    """Whether a line is running text: many words over most of the width."""
    return len(row.pieces) == 1 and len(row.words) >= _PROSE_WORDS and row.box.x1 - row.box.x0 > 0.6 * width
