"""Lines of figures that sum the lines before them.

A line is a row with its figures by column, or a column with its figures by row. Rounded addends make a sum that is off
by up to half a unit of the last digit of each; a difference within that adds up.

A table is read like an expression: lines are put on a stack, and a total replaces the lines that it sums on the stack,
so that subtotals, and not their parts, make the grand total. A total sums the run of lines before it
that makes its figures in the most columns. So a column that does not add up is recognized by the others that do. If
nothing adds up, only a plain "Total" under one plain list is checked.

The less a label says, the more digits must agree. The thresholds were set on 278 tables of annual reports, in which no
figure is wrongly reported, and three of four totals that were changed in one digit are noticed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from math import log10

_BARE_TOTAL = re.compile(r"(?:(?:grand|sub)[ -]?)?totals?|sum|[合總总小][计計]|总额|合计金额", re.IGNORECASE)
_MARKS = re.compile(r"[\s.:：*†‡]|\([0-9a-z]\)")
_RESULT = re.compile(
    r"^(?:net|gross|closing|ending|operating|profit|loss|income|earnings|surplus|deficit|ebit|balance)\b"
    r"|\b(?:net|end|ending)$|\bat (?:the )?end of\b|净|淨|毛利|余额|餘額|期末|利润|利潤",
    re.IGNORECASE,
)
"""Labels of results."""
_REMAINDER = re.compile(
    r"\b(?:net|gross|profit|loss(?:es)?|income|margin|earnings|surplus|deficit|balance|remain\w*|portion|ebit\w*)\b"
    r"|[净淨]|毛利|余额|餘額|利润|利潤|亏损",
    re.IGNORECASE,
)
"""Labels of remainders, when all is deducted from the first; a line without one is a part: the total less others."""
_CERTAIN, _CERTAIN_RESULT, _CERTAIN_IN_PART, _CERTAIN_ACROSS = 4.0, 2.0, 4.5, 6.0
"""The strength that makes a total of a row; a row named as a result; a row with figures that disagree; a column."""
_LIKELY, _LIKELY_IN_PART = 1.5, 3.0
"""The strength that a line with a total's label needs; the second applies if some of its figures disagree."""
MAX_GAP_SHARE = Decimal("0.5")
"""A figure off by more than this share of its sum is not meant as a sum: for lines without "total" and bare lists."""
_MAX_PARTS = 400
_MAX_DEDUCTED = 6
_MAX_UNNAMED_PARTS = 24  # Parts that a line may sum whose label does not say total.
_MAX_UNNAMED_TABLE = 20_000  # Figures. In larger tables only lines that say total are looked at.
_MAX_ADDITIONS = 400_000  # In one table; then no more totals are looked for, so that the check of a huge table ends.
ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class SummedLine:
    """A row or column. `figures` are by position, with zero for dashes; at `unclear` positions there is something else.

    Lines of different `kind` (amounts, percentages) are not added; at `other` positions the figure has another kind, as
    a change in percent beside amounts. `opens` says that a section begins with the line, `deducts` that its label says
    "less", `is_cost` that it names a cost or tax, `is_total` that it sums others.
    """

    index: int
    label: str
    kind: str
    figures: Mapping[int, Decimal]
    unclear: frozenset[int] = frozenset()
    other: frozenset[int] = frozenset()
    opens: bool = False
    deducts: bool = False
    is_cost: bool = False
    is_total: bool = False


class SignConvention(Enum):
    """How the parts of a sum are signed; a figure that is printed with a minus keeps it."""

    ALL_ADDED = "all are added as printed"
    LESS_DEDUCTED = "what says less and is printed without a sign is deducted"
    COSTS_DEDUCTED = "what says less or names a cost, and is printed without a sign, is deducted"
    FROM_FIRST = "all are deducted from the first"


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of a line as the sum of the `count` lines before it: the positions where it is, and where it is not.

    `strength` is the number of decimal digits in which it agrees, over all positions: chance agrees to strength 3 once
    in a thousand. `complete` says that the parts begin where a section begins, or after a total.
    """

    count: int
    signs: SignConvention
    matched: frozenset[int]
    missed: frozenset[int]
    strength: float
    complete: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """A line and the lines it sums; `fit` has the positions where it does and does not."""

    total: SummedLine
    parts: Sequence[SummedLine]
    fit: Fit


def _is_deducted(line: SummedLine, signs: SignConvention) -> bool:
    costs = signs is SignConvention.COSTS_DEDUCTED
    return (line.deducts and signs is not SignConvention.ALL_ADDED) or (line.is_cost and costs)


def list_deducted(parts: Sequence[SummedLine], signs: SignConvention) -> set[int]:
    """The indexes of the parts that are deducted."""
    from_first = signs is SignConvention.FROM_FIRST
    return {line.index for line in (parts[1:] if from_first else parts) if from_first or _is_deducted(line, signs)}


def _apply_sign(line: SummedLine, position: int, signs: SignConvention, *, is_deducted: bool) -> Decimal:
    figure = line.figures.get(position, ZERO)
    return -figure if is_deducted and (signs is SignConvention.FROM_FIRST or figure > 0) else figure


def compute_sum(parts: Sequence[SummedLine], signs: SignConvention, position: int) -> Decimal:
    """The sum of the parts at one position. A figure that is printed negative is never deducted for its label."""
    deductions = list_deducted(parts, signs)
    return sum((_apply_sign(line, position, signs, is_deducted=line.index in deductions) for line in parts), ZERO)


def _compute_rounding_error(figure: Decimal) -> Decimal:
    exponent = figure.as_tuple().exponent
    return Decimal("0.5").scaleb(exponent) if isinstance(exponent, int) else ZERO


class _RunningSum:
    """Lines taken one by one from the nearest to the farthest, with their sums so far."""

    def __init__(self, total: SummedLine, signs: SignConvention) -> None:
        self.signs = signs
        self._total = total
        self._count = 0
        self._sums = dict.fromkeys(total.figures, ZERO)
        self._slack = {position: _compute_rounding_error(figure) for position, figure in total.figures.items()}
        self._largest = {position: abs(figure) for position, figure in total.figures.items()}
        self._addends = dict.fromkeys(total.figures, 0)
        self._unclear = set(total.unclear)

    def add(self, line: SummedLine) -> None:
        """Add one more line."""
        self._count += 1
        self._unclear |= line.unclear
        is_deducted = _is_deducted(line, self.signs)
        for position in self._sums.keys() & line.figures.keys():
            figure = line.figures[position]
            self._sums[position] += _apply_sign(line, position, self.signs, is_deducted=is_deducted)
            if figure:
                self._slack[position] += _compute_rounding_error(figure)
                self._largest[position] = max(self._largest[position], abs(figure))
                self._addends[position] += 1

    def measure_fit(self, first: SummedLine, signs: SignConvention, *, complete: bool) -> Fit:
        """The fit of the lines so far, of which `first` is the farthest, to the total."""
        matched, missed, strength = set(), set(), 0.0
        for position, figure in self._total.figures.items():
            if position in self._unclear or not self._addends[position]:
                continue
            parts_sum = self._sums[position]
            if signs is SignConvention.FROM_FIRST:
                parts_sum = 2 * first.figures.get(position, ZERO) - parts_sum
            gap = abs(figure - parts_sum)
            if gap > self._slack[position]:
                missed |= {position} - self._total.other
                continue
            matched.add(position)
            if self._addends[position] > 1:
                strength += max(0.0, log10(self._largest[position] / (2 * gap + 2 * _compute_rounding_error(figure))))
        return Fit(self._count, signs, frozenset(matched), frozenset(missed), strength, complete)


def _shows_total(fit: Fit, line: SummedLine, *, across: bool) -> bool:
    """Whether a fit shows that a line is the total of the lines before it; `across` says that lines are columns."""
    if len(fit.missed) > len(fit.matched):
        return False
    if fit.signs in (SignConvention.FROM_FIRST, SignConvention.COSTS_DEDUCTED) and (
        (line.label and not _REMAINDER.search(line.label)) or (fit.missed and fit.count > 2)
    ):
        return False
    # A row without a label is where totals usually are.
    if line.is_total or (not line.label and not across):
        if fit.missed:
            return fit.strength >= (_LIKELY if fit.complete else _LIKELY_IN_PART)
        return fit.strength >= _LIKELY or (fit.complete and bool(fit.matched))
    if across:
        return fit.strength >= _CERTAIN_ACROSS and not fit.missed and len(fit.matched) > 1
    if fit.missed:
        return fit.strength >= _CERTAIN_IN_PART and (len(fit.missed) == 1 or fit.complete)
    return fit.strength >= (_CERTAIN_RESULT if fit.complete and _RESULT.search(line.label) else _CERTAIN)


def find_sums(lines: Sequence[SummedLine], *, across: bool) -> Iterator[Sum]:
    """The totals in the order of the lines, each of the lines before it or else of those after it.

    `across` says that the lines are columns.
    """
    return _SumSearch(lines, across=across).find_sums()


class _SumSearch:
    def __init__(self, lines: Sequence[SummedLine], *, across: bool) -> None:
        self._lines = lines
        self._across = across
        self._is_large = sum(len(line.figures) for line in lines) > _MAX_UNNAMED_TABLE
        self._additions = 0

    def find_sums(self) -> Iterator[Sum]:
        """See the function of this name."""
        sums: dict[int, Sum] = {}
        stacks: defaultdict[str, list[SummedLine]] = defaultdict(list)
        for index, line in enumerate(self._lines):
            stack = stacks[line.kind]
            stack_sum = self._find_stack_sum(line, stack)
            if stack_sum is None or (not line.is_total and self._is_sibling(index, stack, len(stack_sum.parts))):
                stack.append(line)
                continue
            sums[line.index] = stack_sum
            del stack[-len(stack_sum.parts) :]
            stack.append(replace(line, is_total=True, opens=stack_sum.parts[0].opens))
        for index, line in enumerate(self._lines):
            line_sum = sums.get(line.index) or (self._find_heading_sum(index) if line.is_total else None)
            if line_sum is not None:
                yield line_sum

    def _find_heading_sum(self, index: int) -> Sum | None:
        """A total before its parts: "Total" heads the first column of many tables."""
        line = self._lines[index]
        following = [part for part in self._lines[index + 1 : index + 1 + _MAX_PARTS] if part.kind == line.kind][::-1]
        runs = self._fit_run(line, following, _MAX_PARTS, sums_only=True)
        best = _select_best(fit for fit in runs if not fit.missed and fit.strength >= _CERTAIN)
        return Sum(line, following[-best.count :][::-1], best) if best else None

    def _fit_run(self, total: SummedLine, lines: Sequence[SummedLine], most: int, *, sums_only: bool) -> Iterator[Fit]:
        """Each run of two to `most` lines that ends right before the total, with each way to sign it.

        `sums_only` leaves out the deduction of costs, and of all from the first, which never goes beyond a section.
        """
        near_lines = lines[-most:]
        self._additions += len(near_lines) * len(total.figures)
        if self._additions > _MAX_ADDITIONS:
            return
        runs = [_RunningSum(total, SignConvention.ALL_ADDED)]
        if any(line.deducts for line in near_lines):
            runs.append(_RunningSum(total, SignConvention.LESS_DEDUCTED))
        if not sums_only and any(line.is_cost for line in near_lines):
            runs.append(_RunningSum(total, SignConvention.COSTS_DEDUCTED))
        in_section = False
        for count, line in enumerate(reversed(near_lines), 1):
            complete = line.opens or line.is_total or count == len(lines) or lines[-count - 1].is_total
            for run in runs:
                run.add(line)
                if count > 1:
                    yield run.measure_fit(line, run.signs, complete=complete)
            if 1 < count <= _MAX_DEDUCTED and not sums_only and not in_section:
                yield runs[0].measure_fit(line, SignConvention.FROM_FIRST, complete=complete)
            in_section = in_section or line.opens

    def _find_stack_sum(self, line: SummedLine, stack: Sequence[SummedLine]) -> Sum | None:
        """A line as the sum of the last lines of a stack, if it is one."""
        says_so = line.is_total or (not line.label and not self._across)
        if self._is_large and not says_so:
            return None
        most = _MAX_PARTS if says_so else _MAX_UNNAMED_PARTS
        runs = self._fit_run(line, stack, most, sums_only=line.is_total or self._across)
        best = _select_best(fit for fit in runs if _shows_total(fit, line, across=self._across))
        if best is not None:
            return Sum(line, stack[-best.count :], best)
        is_bare = _BARE_TOTAL.fullmatch(_MARKS.sub("", line.label))
        return self._find_plain_sum(line, stack) if is_bare and not self._across else None

    def _is_sibling(self, index: int, stack: Sequence[SummedLine], count: int) -> bool:
        """Whether a line that looks like a sum is itself, like its supposed parts, a part of the next total.

        "Non-current" is the total less "current", but not a total: the next total sums both.
        """
        line = self._lines[index]
        following = [part for part in self._lines[index + 1 : index + 1 + _MAX_UNNAMED_PARTS] if part.kind == line.kind]
        total_index = next((number for number, part in enumerate(following) if part.is_total), None)
        if total_index is None:
            return False
        least = total_index + 2
        # One line more than may be summed shows whether the sum begins where the lines do.
        lines_before = [*stack[-least - count - 1 :], line, *following[:total_index]]
        runs = self._fit_run(following[total_index], lines_before, least + count, sums_only=True)
        return any(fit.count >= least and not fit.missed and fit.strength >= _LIKELY for fit in runs)

    def _find_plain_sum(self, line: SummedLine, stack: Sequence[SummedLine]) -> Sum | None:
        """The list above a bare "Total" as its sum, though the figures do not show it."""
        first = len(stack)
        while first and (first == len(stack) or not stack[first].opens):
            first -= 1
            if stack[first].is_total or stack[first].deducts:
                return None
        parts = stack[first:]
        runs = self._fit_run(line, parts, len(parts), sums_only=True)
        full_fit = next((fit for fit in runs if fit.count == len(parts)), None)
        if full_fit is None:
            return None
        for position in full_fit.missed:
            parts_sum = compute_sum(parts, SignConvention.ALL_ADDED, position)
            if abs(line.figures[position] - parts_sum) > abs(parts_sum) * MAX_GAP_SHARE:
                return None
        # A position where a part has no figure does not count against the total.
        missed = frozenset(index for index in full_fit.missed if all(index in part.figures for part in parts))
        return Sum(line, parts, replace(full_fit, missed=missed))


def _select_best(fits: Iterable[Fit]) -> Fit | None:
    return max(fits, key=lambda fit: (len(fit.matched) - len(fit.missed), fit.complete, fit.strength), default=None)
