"""Sums of a table: which lines are the sum of which others, found by arithmetic over all their positions at once.

A line is a row with its figures by column, or a column with its figures by row. Rounded addends make a sum that is off
by up to half a unit of the last digit of each; what lies within that adds up.

A table is read like an expression: lines are put on a stack, and a total takes the lines that it sums off the stack and
stands there in their place, so that subtotals, and not their parts, make the grand total. What a total sums is the run
of lines before it that makes its figures in the most columns. So a column that does not add up is known by the others
that do. Where nothing adds up, only a plain "Total" under one plain list is held to its word.

The less a label says, the more digits must agree. The thresholds were set on 278 tables of annual reports, where no
figure is wrongly held against its table, and three of four totals that were changed in one digit are noticed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from itertools import islice
from math import log10

MOST_PARTS = 400
_MOST_DEDUCTED = 6
_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class SummedLine:
    """A row or column. `figures` are by position, dashes being zero; at `unclear` positions stands something else.

    Lines of different `kind` (amounts, percentages) are not added; at `other` positions the figure is not of the line's
    kind, as a change in percent beside amounts. `opens` says that a section begins with the line, `deducts` that its
    label says "less", `is_cost` that it names a cost or tax, `is_total` that it sums others.
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
    """How the parts of a sum are signed; what is printed with a minus keeps it."""

    ALL_ADDED = "all are added as printed"
    LESS_DEDUCTED = "what says less and is printed without a sign is deducted"
    COSTS_DEDUCTED = "what says less or names a cost, and is printed without a sign, is deducted"
    FROM_FIRST = "all are deducted from the first"


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a line is the sum of the `count` lines before it: the positions where it is, and where it is not.

    `strength` is the number of decimal digits in which it agrees, over all positions: chance agrees to strength 3 once
    in a thousand. `whole` says that the parts begin where a section begins, or after a total.
    """

    count: int
    signs: SignConvention
    matched: frozenset[int]
    missed: frozenset[int]
    strength: float
    whole: bool

    @property
    def rank(self) -> tuple[int, bool, float]:
        """Fits in order of preference."""
        return len(self.matched) - len(self.missed), self.whole, self.strength


def deducted_parts(parts: Sequence[SummedLine], signs: SignConvention) -> list[SummedLine]:
    """Those parts that are taken away."""
    if signs is SignConvention.FROM_FIRST:
        return list(parts[1:])
    return [line for line in parts if _is_away(line, signs)]


def computed_sum(parts: Sequence[SummedLine], signs: SignConvention, position: int) -> Decimal:
    """What the parts make at one position. A figure that is printed negative is never deducted for its label."""
    away = {line.index for line in deducted_parts(parts, signs)}
    return sum((_signed(line, position, signs, away=line.index in away) for line in parts), _ZERO)


def find_fits(
    total: SummedLine, before: Sequence[SummedLine], *, most: int = MOST_PARTS, sums_only: bool = False
) -> Iterator[Fit]:
    """Each run of two lines or more that ends right before the total, with each way to sign it.

    `sums_only` leaves out the deduction of costs, and of all from the first, which never goes beyond a section.
    """
    in_section = False
    runs = [_Run(total, SignConvention.ALL_ADDED)]
    near = before[-most:]
    if any(line.deducts for line in near):
        runs.append(_Run(total, SignConvention.LESS_DEDUCTED))
    if not sums_only and any(line.is_cost for line in near):
        runs.append(_Run(total, SignConvention.COSTS_DEDUCTED))
    for count, line in enumerate(islice(reversed(before), most), 1):
        whole = line.opens or line.is_total or count == len(before) or before[-count - 1].is_total
        for run in runs:
            run.take(line)
            if count > 1:
                yield run.fit(line, run.signs, whole=whole)
        if 1 < count <= _MOST_DEDUCTED and not sums_only and not in_section:
            yield runs[0].fit(line, SignConvention.FROM_FIRST, whole=whole)
        in_section = in_section or line.opens


class _Run:
    """Lines taken one by one from the nearest to the farthest, with their sums so far."""

    def __init__(self, total: SummedLine, signs: SignConvention) -> None:
        self.signs = signs
        self._total = total
        self._count = 0
        self._sums = dict.fromkeys(total.figures, _ZERO)
        self._slack = {position: _half_a_digit(figure) for position, figure in total.figures.items()}
        self._largest = {position: abs(figure) for position, figure in total.figures.items()}
        self._addends = dict.fromkeys(total.figures, 0)
        self._unclear = set(total.unclear)

    def take(self, line: SummedLine) -> None:
        """Add one more line."""
        self._count += 1
        self._unclear |= line.unclear
        away = _is_away(line, self.signs)
        for position in self._sums.keys() & line.figures.keys():
            figure = line.figures[position]
            self._sums[position] += _signed(line, position, self.signs, away=away)
            if figure:
                self._slack[position] += _half_a_digit(figure)
                self._largest[position] = max(self._largest[position], abs(figure))
                self._addends[position] += 1

    def fit(self, first: SummedLine, signs: SignConvention, *, whole: bool) -> Fit:
        """How well the lines so far, of which `first` is the farthest, make the total."""
        matched, missed, strength = set(), set(), 0.0
        for position, stated in self._total.figures.items():
            if position in self._unclear or not self._addends[position]:
                continue
            made = self._sums[position]
            if signs is SignConvention.FROM_FIRST:
                made = 2 * first.figures.get(position, _ZERO) - made
            off = abs(stated - made)
            if off > self._slack[position]:
                missed |= {position} - self._total.other
                continue
            matched.add(position)
            if self._addends[position] > 1:
                strength += max(0.0, log10(self._largest[position] / (2 * off + 2 * _half_a_digit(stated))))
        return Fit(self._count, signs, frozenset(matched), frozenset(missed), strength, whole)


def _is_away(line: SummedLine, signs: SignConvention) -> bool:
    if signs is SignConvention.COSTS_DEDUCTED:
        return line.deducts or line.is_cost
    return signs is SignConvention.LESS_DEDUCTED and line.deducts


def _signed(line: SummedLine, position: int, signs: SignConvention, *, away: bool) -> Decimal:
    figure = line.figures.get(position, _ZERO)
    return -figure if away and (signs is SignConvention.FROM_FIRST or figure > 0) else figure


def _half_a_digit(figure: Decimal) -> Decimal:
    exponent = figure.as_tuple().exponent
    return Decimal("0.5").scaleb(exponent) if isinstance(exponent, int) else _ZERO


_BARE = re.compile(r"(?:(?:grand|sub)[ -]?)?totals?|sum|[合總总小][计計]|总额|合计金额", re.IGNORECASE)
_MARKS = re.compile(r"[\s.:：*†‡]|\([0-9a-z]\)")
_RESULT = re.compile(
    r"^(?:net|gross|closing|ending|operating|profit|loss|income|earnings|surplus|deficit|ebit|balance)\b"
    r"|\b(?:net|end|ending)$|\bat (?:the )?end of\b|净|淨|毛利|余额|餘額|期末|利润|利潤",
    re.IGNORECASE,
)
"""Labels of what comes out in the end."""
_REMAINDER = re.compile(
    r"\b(?:net|gross|profit|loss(?:es)?|income|margin|earnings|surplus|deficit|balance|remain\w*|portion|ebit\w*)\b"
    r"|[净淨]|毛利|余额|餘額|利润|利潤|亏损",
    re.IGNORECASE,
)
"""Labels of what is left when all is deducted from the first; without one it is a part: the total less the others."""
_DEDUCTING = (SignConvention.FROM_FIRST, SignConvention.COSTS_DEDUCTED)
_SURE, _SURE_RESULT, _SURE_IN_PART, _SURE_ACROSS = 4.0, 2.0, 4.5, 6.0
"""The strength that makes a row a total; one named as a result; one of whose figures some disagree; a column."""
_LIKELY, _LIKELY_IN_PART = 1.5, 3.0
"""The strength that a line needs which says that it is a total; the second where some of its figures disagree."""


def is_silent(line: SummedLine, *, across: bool) -> bool:
    """Whether a row without a label stands where totals stand."""
    return not line.label and not across


def shows_total(fit: Fit, line: SummedLine, *, across: bool) -> bool:
    """Whether a fit shows that a line is the total of the lines before it; `across` says that lines are columns."""
    if len(fit.missed) > len(fit.matched):
        return False
    if fit.signs in _DEDUCTING and (
        (line.label and not _REMAINDER.search(line.label)) or (fit.missed and fit.count > 2)
    ):
        return False
    if line.is_total or is_silent(line, across=across):
        if fit.missed:
            return fit.strength >= (_LIKELY if fit.whole else _LIKELY_IN_PART)
        return fit.strength >= _LIKELY or (fit.whole and bool(fit.matched))
    if across:
        return fit.strength >= _SURE_ACROSS and not fit.missed and len(fit.matched) > 1
    if fit.missed:
        return fit.strength >= _SURE_IN_PART and (len(fit.missed) == 1 or fit.whole)
    return fit.strength >= (_SURE_RESULT if fit.whole and _RESULT.search(line.label) else _SURE)


_MOST_UNNAMED = 24  # How many parts a line may sum whose label does not say total.
_LARGEST_UNNAMED = 20_000  # Figures. In larger tables only lines that say total are looked at.
_MOST_ADDITIONS = 400_000  # In one table; then no more totals are looked for, so that the check of a huge table ends.
_WILD = Decimal("0.5")  # A plain total that is off by more than this share of its list was never meant as its sum.


@dataclass(frozen=True, slots=True)
class Sum:
    """A line, the lines it sums, and the positions where it does and does not."""

    total: SummedLine
    parts: Sequence[SummedLine]
    signs: SignConvention
    matched: frozenset[int]
    missed: frozenset[int]


def find_sums(lines: Sequence[SummedLine], *, across: bool) -> Iterator[Sum]:
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
        every = self._fits(line, following, MOST_PARTS, sums_only=True)
        best = _best(fit for fit in every if not fit.missed and fit.strength >= _SURE)
        if best is None:
            return None
        return Sum(line, following[-best.count :][::-1], best.signs, best.matched, best.missed)

    def _fits(self, line: SummedLine, before: Sequence[SummedLine], most: int, *, sums_only: bool) -> Iterable[Fit]:
        self._additions += min(most, len(before)) * len(line.figures)
        return find_fits(line, before, most=most, sums_only=sums_only) if self._additions <= _MOST_ADDITIONS else ()

    def _of_stack(self, line: SummedLine, stack: Sequence[SummedLine]) -> Sum | None:
        says_so = line.is_total or is_silent(line, across=self._across)
        if self._is_large and not says_so:
            return None
        most = MOST_PARTS if says_so else _MOST_UNNAMED
        every = self._fits(line, stack, most, sums_only=line.is_total or self._across)
        best = _best(fit for fit in every if shows_total(fit, line, across=self._across))
        if best is not None:
            return Sum(line, stack[-best.count :], best.signs, best.matched, best.missed)
        is_bare = _BARE.fullmatch(_MARKS.sub("", line.label))
        return self._plain(line, stack) if is_bare and not self._across else None

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
        return any(fit.count >= least and not fit.missed and fit.strength >= _LIKELY for fit in every)

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
        if whole is None:
            return None
        for position in whole.missed:
            made = computed_sum(parts, SignConvention.ALL_ADDED, position)
            if abs(line.figures[position] - made) > abs(made) * _WILD:
                return None
        # Where a part has no figure, nothing is held against the total.
        missed = frozenset(place for place in whole.missed if all(place in part.figures for part in parts))
        return Sum(line, parts, whole.signs, whole.matched, missed)


def _best(found: Iterable[Fit]) -> Fit | None:
    return max(found, key=lambda fit: fit.rank, default=None)
