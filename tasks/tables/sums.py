"""Which of the lines before it a line of figures sums, found by arithmetic over all its positions at once.

A line is a row with its figures by column, or a column with its figures by row. Rounded addends make a sum that is off
by up to half a unit of the last digit of each; what lies within that adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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


def deducted(parts: Sequence[SummedLine], signs: SignConvention) -> list[SummedLine]:
    """Those parts that are taken away."""
    if signs is SignConvention.FROM_FIRST:
        return list(parts[1:])
    return [line for line in parts if _is_away(line, signs)]


def computed(parts: Sequence[SummedLine], signs: SignConvention, position: int) -> Decimal:
    """What the parts make at one position. A figure that is printed negative is never deducted for its label."""
    away = {line.index for line in deducted(parts, signs)}
    return sum((_signed(line, position, signs, away=line.index in away) for line in parts), _ZERO)


def fits(
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
