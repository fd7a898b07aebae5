"""What the surroundings of a figure say about it: scale, unit and currency, from the nearest words that name it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from tasks.tables.currencies import worded_currency
from tasks.tables.heads import Path
from tasks.tables.measures import Measure, measure_of
from tasks.tables.numbers import Number
from tasks.tables.scales import Scale, worded_scale

_ONE = Scale(0)
_BARE = (Measure.PERCENT, Measure.RATIO, Measure.TIME, Measure.REFERENCE)
"""What is neither scaled nor money."""
_EXEMPTED = {
    Measure.SHARES: ("share and", "shares", "share data", "share amounts", "number of shares", "股"),
    Measure.COUNT: ("number", "employee", "headcount", "人"),
}
_FULL_COUNT = 1_000_000
"""A number of shares that is printed this large is printed in full."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What headers say of a figure. `scale` is None where it is not known whether the table's scale holds for it."""

    measure: Measure
    scale: Scale | None
    currency: str

    def power(self, found: Number) -> int | None:
        """The power of ten that the headers give a number, 0 where it has its own; None where nobody can tell."""
        if found.scaled or found.unit:
            return 0
        if self.scale is None:
            return 0 if abs(found.printed) >= _FULL_COUNT else None
        return self.scale.power

    def unit(self, found: Number) -> str:
        """The number's own unit, or the percent of its headers."""
        return found.unit or ("%" if self.measure is Measure.PERCENT and not found.currency else "")

    def money(self, found: Number) -> str:
        """The number's own currency, or that of its surroundings where it is an amount."""
        is_amount = self.measure in (Measure.AMOUNT, Measure.PER) and not found.unit
        return found.currency or (self.currency if is_amount else "")


PLAIN = Frame(Measure.AMOUNT, _ONE, "")
"""The frame of a label, of which headers say nothing."""


class Frames:
    """The frames of one table's cells; equal headers are read once."""

    def __init__(self, around: Sequence[str], *, yuan: bool) -> None:
        """`around` are the texts that speak of the whole table, the nearest first: corner, caption, line above."""
        self._scale_around = next((scale for text in around if (scale := worded_scale(text))), None)
        self._currency_around = next((code for text in around if (code := worded_currency(text, yuan=yuan))), "")
        # A row and a column meet once: only what is asked for twice in a row is worth keeping.
        self.of = lru_cache(maxsize=64)(self._of)
        self._measure_of = cache(measure_of)
        self._scale_of = cache(worded_scale)
        self._currency_of = cache(partial(worded_currency, yuan=yuan))

    def _of(self, row: Path, column: Path) -> Frame:
        """The frame of a cell by its row and column header paths."""
        labels = (*reversed(row), *reversed(column))
        measure = self._measure(row, column)
        near = next((scale for label in labels if (scale := self._scale_of(label))), None)
        code = next(filter(None, map(self._currency_of, labels)), "")
        return Frame(measure, self._scale(measure, near), code or self._currency_around)

    def _scale(self, measure: Measure, near: Scale | None) -> Scale | None:
        if measure in _BARE or measure is Measure.PER:
            return _ONE
        scale = near or self._scale_around or _ONE
        if measure is Measure.AMOUNT or not scale.power:
            return scale
        if any(words in scale.exemptions.replace("per share", "") for words in _EXEMPTED[measure]):
            return _ONE
        if measure is Measure.COUNT:
            return near if near is not None and not near.of_money else _ONE
        return None if scale.of_money else scale

    def _measure(self, row: Path, column: Path) -> Measure:
        """What a column that is no amount says; else the row's own label, the column, the sections above the row."""
        # A header may be one label wrapped over several rows: "Number of" above "Shares".
        by_column = [self._measure_of(label) for label in (" ".join(column), *reversed(column))]
        bare = next((each for each in by_column if each in _BARE), None)
        by_row = [self._measure_of(label) for label in reversed(row)]
        found = (*by_row[:1], *by_column, *by_row[1:])
        return bare or next((each for each in found if each is not Measure.AMOUNT), Measure.AMOUNT)
