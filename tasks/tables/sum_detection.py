"""Which lines of a table are the sum of which others.

A table is read like an expression: lines are put on a stack, and a total takes the lines that it sums off the stack and
stands there in their place, so that subtotals, and not their parts, make the grand total. What a total sums is found by
arithmetic: the run of lines before it that makes its figures in the most columns. So a column that does not add up is
known by the others that do. Where nothing adds up, only a plain "Total" under one plain list is held to its word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tasks.tables.evidence import holds, is_bare, is_likely, is_silent, is_sure
from tasks.tables.sums import MOST_PARTS, Fit, SignConvention, SummedLine, computed, fits

_MOST_UNNAMED = 24
"""How many parts a line may sum whose label does not say total."""
_LARGEST_UNNAMED = 20_000
"""Figures. In larger tables only lines that say total are looked at."""
_MOST_ADDITIONS = 400_000
"""In one table; then no more totals are looked for, so that the check of a huge table ends."""
_WILD = Decimal("0.5")
"""A plain total that is off by more than this share of its list was never meant as its sum."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A line, the lines it sums, and the positions where it does and does not."""

    total: SummedLine
    parts: Sequence[SummedLine]
    signs: SignConvention
    matched: frozenset[int]
    missed: frozenset[int]


def sums(lines: Sequence[SummedLine], *, across: bool) -> Iterator[Sum]:
    """The totals in the order of the lines; `across` says that the lines are columns."""
    footing = _Footing(lines, across=across)
    found = {each.total.index: each for each in footing.before()}
    for place, line in enumerate(lines):
        each = found.get(line.index) or (footing.after(place) if line.is_total else None)
        if each is not None:
            yield each


class _Footing:
    def __init__(self, lines: Sequence[SummedLine], *, across: bool) -> None:
        self._lines = lines
        self._across = across
        self._is_large = sum(len(line.figures) for line in lines) > _LARGEST_UNNAMED
        self._additions = 0

    def before(self) -> Iterator[Sum]:
        """Lines that sum lines before them."""
        stacks: defaultdict[str, list[SummedLine]] = defaultdict(list)
        for place, line in enumerate(self._lines):
            stack = stacks[line.kind]
            found = self._of_stack(line, stack)
            if found is None or (not line.is_total and self._is_sibling(place, stack, len(found.parts))):
                stack.append(line)
                continue
            yield found
            del stack[-len(found.parts) :]
            stack.append(replace(line, is_total=True, opens=found.parts[0].opens))

    def after(self, place: int) -> Sum | None:
        """A total that stands before its parts: "Total" heads the first column of many tables."""
        line = self._lines[place]
        following = [each for each in self._lines[place + 1 : place + 1 + MOST_PARTS] if each.kind == line.kind][::-1]
        best = _best(fit for fit in self._fits(line, following, MOST_PARTS, sums_only=True) if is_sure(fit))
        if best is None:
            return None
        return Sum(line, following[-best.count :][::-1], best.signs, best.matched, best.missed)

    def _fits(self, line: SummedLine, before: Sequence[SummedLine], most: int, *, sums_only: bool) -> Iterable[Fit]:
        self._additions += min(most, len(before)) * len(line.figures)
        return fits(line, before, most=most, sums_only=sums_only) if self._additions <= _MOST_ADDITIONS else ()

    def _of_stack(self, line: SummedLine, stack: Sequence[SummedLine]) -> Sum | None:
        says_so = line.is_total or is_silent(line, across=self._across)
        if self._is_large and not says_so:
            return None
        most = MOST_PARTS if says_so else _MOST_UNNAMED
        every = self._fits(line, stack, most, sums_only=line.is_total or self._across)
        best = _best(fit for fit in every if holds(fit, line, across=self._across))
        if best is not None:
            return Sum(line, stack[-best.count :], best.signs, best.matched, best.missed)
        return None if self._across or not is_bare(line.label) else self._plain(line, stack)

    def _is_sibling(self, place: int, stack: Sequence[SummedLine], count: int) -> bool:
        """Whether a line that looks like a sum is itself, beside its supposed parts, a part of the next total.

        "Non-current" is the total less "current", but no total: the next total sums both.
        """
        line = self._lines[place]
        following = [each for each in self._lines[place + 1 : place + 1 + _MOST_UNNAMED] if each.kind == line.kind]
        end = next((number for number, each in enumerate(following) if each.is_total), None)
        if end is None:
            return False
        least = end + 2
        most = least + count
        # One line more than may be summed tells whether the sum begins where the lines do.
        before = [*stack[-most - 1 :], line, *following[:end]]
        every = self._fits(following[end], before, most, sums_only=True)
        return any(fit.count >= least and is_likely(fit) for fit in every)

    def _plain(self, line: SummedLine, stack: Sequence[SummedLine]) -> Sum | None:
        """The list that a bare "Total" stands under, though it sums it nowhere."""
        first = len(stack)
        while first and (first == len(stack) or not stack[first].opens):
            first -= 1
            if stack[first].is_total or stack[first].deducts:
                return None
        parts = stack[first:]
        every = self._fits(line, parts, len(parts), sums_only=True)
        whole = next((fit for fit in every if fit.count == len(parts)), None)
        if whole is None or not all(_is_near(line, parts, position) for position in whole.missed):
            return None
        missed = frozenset(position for position in whole.missed if _is_full(parts, position))
        return Sum(line, parts, whole.signs, whole.matched, missed)


def _best(found: Iterable[Fit]) -> Fit | None:
    return max(found, key=lambda fit: fit.rank, default=None)


def _is_near(line: SummedLine, parts: Sequence[SummedLine], position: int) -> bool:
    made = computed(parts, SignConvention.ALL_ADDED, position)
    return abs(line.figures[position] - made) <= abs(made) * _WILD


def _is_full(parts: Sequence[SummedLine], position: int) -> bool:
    return all(position in part.figures for part in parts)
