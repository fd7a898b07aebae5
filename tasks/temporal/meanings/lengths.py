"""Lengths of time and how often: DURATION and SET."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.temporal.context import Context
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain, Modifier, TimexType

SYMBOLS = {
    Grain.SECOND: "S",
    Grain.MINUTE: "M",
    Grain.HOUR: "H",
    Grain.DAY: "D",
    Grain.WEEKEND: "WE",
    Grain.WEEK: "W",
    Grain.MONTH: "M",
    Grain.QUARTER: "Q",
    Grain.YEAR: "Y",
    Grain.DECADE: "Y",
    Grain.CENTURY: "Y",
}
_YEARS = {Grain.DECADE: 10, Grain.CENTURY: 100}
_OF_TIME = (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
_SMALLER = {
    Grain.DECADE: (10, Grain.YEAR),
    Grain.YEAR: (12, Grain.MONTH),
    Grain.QUARTER: (3, Grain.MONTH),
    Grain.WEEK: (7, Grain.DAY),
    Grain.DAY: (24, Grain.HOUR),
    Grain.HOUR: (60, Grain.MINUTE),
}
_SIZES = {grain: size for size, grain in enumerate(SYMBOLS)}


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time: `amounts` of units from the largest down; None is an unknown number ("years": PXY)."""

    amounts: tuple[tuple[float | None, Grain], ...]
    modifier: Modifier | None = None

    @property
    def grain(self) -> Grain:
        """The smallest unit named."""
        return self.amounts[-1][1]

    @property
    def value(self) -> str:
        """As in ISO 8601, with X for an unknown number: P2Y6M, PT36H, PXD; decades and centuries are years: P10Y."""
        days: dict[str, float | None] = {}
        times: dict[str, float | None] = {}
        for amount, grain in self.amounts:
            named, symbol = times if grain in _OF_TIME else days, SYMBOLS[grain]
            known = named.get(symbol, 0)
            named[symbol] = None if amount is None or known is None else known + amount * _YEARS.get(grain, 1)
        return f"P{_parts(days)}{'T' if times else ''}{_parts(times)}"

    @property
    def count(self) -> int | None:
        """The whole number of its one unit, where it has one unit and a whole number of it."""
        amount = self.amounts[0][0]
        return int(amount) if len(self.amounts) == 1 and amount is not None and amount == int(amount) else None

    @property
    def steps(self) -> tuple[tuple[int, Grain], ...] | None:
        """The length in whole numbers of units, of a smaller one where it must be; None where it is unknown."""
        found = [_whole(*each) for each in self.amounts]
        return None if None in found else tuple(each for each in found if each)

    def and_then(self, other: Duration) -> Duration | None:
        """It and a smaller one together: "two years and three months"; None where that is no length."""
        last, first = self.amounts[-1], other.amounts[0]
        if last[0] is None or first[0] is None or _SIZES[last[1]] <= _SIZES[first[1]]:
            return None
        return Duration((*self.amounts, *other.amounts), self.modifier or other.modifier)

    def at(self, context: Context) -> MentionFields:
        """A length has no place in time."""
        return MentionFields(self.value, None, self.grain, TimexType.DURATION, modifier=self.modifier)


@dataclass(frozen=True, slots=True)
class Age:
    """How old somebody or something is: "22-year-old". TIMEX3 tags it as a length; it is no time that a text tells."""

    length: Duration

    @property
    def grain(self) -> Grain:
        """The length's."""
        return self.length.grain

    def at(self, context: Context) -> MentionFields:
        """The length."""
        return self.length.at(context)


def _whole(amount: float | None, grain: Grain) -> tuple[int, Grain] | None:
    """Half a year is six months; a number that is not whole in the smaller unit either is rounded to it."""
    if amount is None:
        return None
    if amount == int(amount) or grain not in _SMALLER:
        return round(amount), grain
    size, smaller = _SMALLER[grain]
    return round(amount * size), smaller


def _parts(named: Mapping[str, float | None]) -> str:
    return "".join(f"{'X' if amount is None else f'{amount:g}'}{symbol}" for symbol, amount in named.items())


@dataclass(frozen=True, slots=True)
class Every:
    """A SET: "weekly" (P1W), "every Monday" (XXXX-WXX-1), "twice a year" (P1Y, freq 2X)."""

    value: str
    grain: Grain | None
    quant: str = "EVERY"
    freq: str = ""

    def at(self, context: Context) -> MentionFields:
        """It recurs, and so has no place in time."""
        return MentionFields(self.value, None, self.grain, TimexType.SET, quant=self.quant, freq=self.freq)
