"""Days written in numbers alone, whose day and month may be told apart only by custom: 03/04/2023."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from tasks.temporal import intervals, readings
from tasks.temporal.context import Context
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.units import month_day
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain

_MONTHS = 12


def _order(mark: str, context: Context) -> tuple[bool, str]:
    """Whether the day comes first, and why."""
    if context.day_order:
        return context.day_order.startswith("day"), f"{context.day_order}, as in the rest of the file"
    if mark == ".":
        return True, "day first, as dates with points are written"
    return False, "month first, as filings are written"


@dataclass(frozen=True, slots=True)
class Numeric:
    """`first` and `second` are month and day in the order of the file; `mark` stands between them."""

    first: int
    second: int
    year: int
    mark: str

    @property
    def grain(self) -> Grain:
        """A day."""
        return Grain.DAY

    def at(self, context: Context) -> MentionFields:
        """In the file's order; else with points day first, else month first, as filings are written."""
        if self.first > _MONTHS:
            return readings.of_day(date(self.year, self.second, self.first))
        if self.second > _MONTHS or self.first == self.second:
            return readings.of_day(date(self.year, self.first, self.second))
        day_first, basis = _order(self.mark, context)
        month, day = (self.second, self.first) if day_first else (self.first, self.second)
        reading = readings.of_day(date(self.year, month, day))
        return replace(reading, other=intervals.of_day(date(self.year, day, month)), basis=basis)


@dataclass(frozen=True, slots=True)
class NumericDay:
    """The same without a year, which is that of the text: "on 4/22"."""

    first: int
    second: int
    mark: str

    @property
    def grain(self) -> Grain:
        """A day."""
        return Grain.DAY

    def day(self, context: Context) -> Recurring:
        """The day of each year. Raises `ValueError` where no year has it."""
        day_first, _ = _order(self.mark, context)
        swapped = self.first > _MONTHS or (day_first and self.second <= _MONTHS)
        month, day = (self.second, self.first) if swapped else (self.first, self.second)
        # A leap year, for the 29th of February.
        date(2000, month, day)
        return month_day(month, day)

    def at(self, context: Context) -> MentionFields:
        """As other days without a year are read."""
        return self.day(context).at(context)
