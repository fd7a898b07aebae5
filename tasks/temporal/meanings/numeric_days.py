"""Days written only in numbers, where custom decides which number is the month: 03/04/2023, "on 4/22"."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.meanings.recurrences import Recurring, make_month_day
from tasks.temporal.readings import Context, MentionFields
from warehouse.records import Grain


def _decide_day_order(mark: str, context: Context) -> tuple[bool, str]:
    """Whether the day comes first, and why."""
    if context.day_order:
        reason = "" if "," in context.day_order else ", as in the rest of the file"
        return context.day_order.startswith("day"), f"{context.day_order}{reason}"
    if mark == ".":
        return True, "day first, as dates with points are written"
    return False, "month first, as filings are written"


@dataclass(frozen=True, slots=True)
class NumericDate:
    """`first` and `second` are month and day in the order of the file; `mark` is between them."""

    first: int
    second: int
    year: int
    mark: str

    grain: ClassVar[Grain] = Grain.DAY

    def with_weekday(self, weekday: int) -> MentionFields | NumericDate:
        """The day if only one order of the numbers falls on the weekday (Monday is 0) next to it; else itself."""
        days = [day for day in self._iter_days() if day.weekday() == weekday]
        return readings.make_day(days[0]) if len(days) == 1 else self

    def _iter_days(self) -> Iterator[date]:
        """The days of both orders that exist."""
        for month, day in {(self.first, self.second), (self.second, self.first)}:
            with suppress(ValueError):
                yield date(self.year, month, day)

    def resolve(self, context: Context) -> MentionFields:
        """In the file's order; else with points day first, else month first, as filings are written."""
        if self.first > 12:
            return readings.make_day(date(self.year, self.second, self.first))
        if self.second > 12 or self.first == self.second:
            return readings.make_day(date(self.year, self.first, self.second))
        day_first, basis = _decide_day_order(self.mark, context)
        month, day = (self.second, self.first) if day_first else (self.first, self.second)
        reading = readings.make_day(date(self.year, month, day))
        return replace(reading, other_interval=readings.make_day(date(self.year, day, month)).bounds, basis=basis)


@dataclass(frozen=True, slots=True)
class NumericDay:
    """The same without a year; the text's year, or that in which it falls on its weekday: "on 4/22", "Fri 9/15"."""

    first: int
    second: int
    mark: str
    weekday: int | None = None

    grain: ClassVar[Grain] = Grain.DAY

    def with_weekday(self, weekday: int) -> NumericDay:
        """The day with the weekday that is named next to it; Monday is 0."""
        return replace(self, weekday=weekday)

    def to_recurring(self, context: Context) -> Recurring:
        """The day of each year. Raises `ValueError` where no year has it."""
        day_first, _ = _decide_day_order(self.mark, context)
        is_day_first = self.first > 12 or (day_first and self.second <= 12)
        return make_month_day(self.second, self.first) if is_day_first else make_month_day(self.first, self.second)

    def resolve(self, context: Context) -> MentionFields:
        """As other days without a year are read."""
        day = self.to_recurring(context)
        return (day if self.weekday is None else day.with_weekday(self.weekday)).resolve(context)
