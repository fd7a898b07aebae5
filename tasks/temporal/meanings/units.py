"""The units that come once in each week, month, year or century, by their numbers, whatever the language names them.

Also years counted by eras, the units of a named year, and days written in numbers alone, whose day and month may be
told apart only by custom: 03/04/2023.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from operator import attrgetter
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Policy, Recurring
from tasks.temporal.readings import Context, FixedDate, MentionFields
from warehouse.records import Grain, Modifier
from warehouse.records.fiscal import DAY, add_months


def _unit(
    grain: Grain, parent: Grain, read: Callable[[date], MentionFields], blank: str, usual: Policy = Policy.NEAREST
) -> Recurring:
    """A unit whose instance is told by the first day of its parent alone."""
    return Recurring(grain, parent, lambda first: FixedDate(read(first)), blank, usual)


def weekday(number: int) -> Recurring:
    """Monday is 0; alone it is the latest such day, as news is written."""
    day = timedelta(days=number)
    return _unit(
        Grain.DAY, Grain.WEEK, lambda monday: readings.of_day(monday + day), f"XXXX-WXX-{number + 1}", Policy.LATEST
    )


def weekend() -> Recurring:
    """Saturday and Sunday; alone those of the anchor's week."""
    return _unit(Grain.WEEKEND, Grain.WEEK, readings.of_weekend, "XXXX-WXX-WE", Policy.SAME)


def day_of_month(day: int) -> Recurring:
    """The 5th of a month."""
    return _unit(Grain.DAY, Grain.MONTH, lambda first: readings.of_day(first.replace(day=day)), f"XXXX-XX-{day:02}")


def month_day(month: int, day: int) -> Recurring:
    """A day of each year."""
    blank = f"XXXX-{month:02}-{day:02}"
    return _unit(Grain.DAY, Grain.YEAR, lambda first: readings.of_day(date(first.year, month, day)), blank)


def month_of_year(month: int) -> Recurring:
    """A month of each year."""
    return _unit(Grain.MONTH, Grain.YEAR, lambda first: readings.of_month(first.year, month), f"XXXX-{month:02}")


def quarter_of_year(quarter: int, *, fiscal: bool = False) -> Recurring:
    """A quarter of each year, by default the latest that had begun; `fiscal` is whether the text says so."""
    return Recurring(
        Grain.QUARTER,
        Grain.YEAR,
        lambda first: Period(Grain.QUARTER, first.year, quarter, fiscal),
        f"XXXX-Q{quarter}",
        Policy.LATEST,
    )


def half_of_year(half: int) -> Recurring:
    """A half of each year, by default that of the anchor's."""
    return Recurring(
        Grain.HALF, Grain.YEAR, lambda first: Period(Grain.HALF, first.year, half), f"XXXX-H{half}", Policy.SAME
    )


def months_of_year(first: int, last: int) -> Recurring:
    """The months from `first` to `last` of each year, as in "the first nine months"."""
    if not 1 <= first < last <= 12:
        raise ValueError(f"no months {first} to {last}")

    def read(day: date) -> MentionFields:
        whole = readings.months_interval(day.year, first, last - first + 1)
        return MentionFields(f"{day.year:04}-{first:02}/{day.year:04}-{last:02}", whole, Grain.MONTH)

    return _unit(Grain.MONTH, Grain.YEAR, read, f"XXXX-{first:02}/XXXX-{last:02}", Policy.SAME)


def days_of_month(first: int, last: int) -> Recurring:
    """The days from `first` to `last` of a month."""
    if not 1 <= first < last <= 31:
        raise ValueError(f"no days {first} to {last}")

    def read(day: date) -> MentionFields:
        return readings.of_range((day.replace(day=first), day.replace(day=last) + DAY), Grain.DAY)

    return _unit(Grain.DAY, Grain.MONTH, read, f"XXXX-XX-{first:02}/XXXX-XX-{last:02}", Policy.SAME)


def days_of_year(month: int, first: int, last: int) -> Recurring:
    """The days from `first` to `last` of a month of each year."""
    if not 1 <= first < last <= 31:
        raise ValueError(f"no days {first} to {last}")

    def read(day: date) -> MentionFields:
        return readings.of_range((date(day.year, month, first), date(day.year, month, last) + DAY), Grain.DAY)

    return _unit(Grain.DAY, Grain.YEAR, read, f"XXXX-{month:02}-{first:02}/XXXX-{month:02}-{last:02}")


def part_of_month(first: int, last: int, modifier: Modifier) -> Recurring:
    """The days from `first` to `last`, or to the month's end: its value is the month's with the modifier."""

    def read(day: date) -> MentionFields:
        whole = day.replace(day=first), min(day + timedelta(days=last), add_months(day, 1))
        return replace(readings.of_month(day.year, day.month), interval=whole, modifier=modifier)

    return _unit(Grain.MONTH, Grain.MONTH, read, "XXXX-XX", Policy.SAME)


def season_of_year(index: int) -> Recurring:
    """Spring is 0: the three months from March on, as meteorology has it; a winter ends in the next year."""
    month, blank = 3 + 3 * index, f"XXXX-{readings.SEASONS[index]}"
    return _unit(Grain.SEASON, Grain.YEAR, lambda first: readings.of_season(date(first.year, month, 1)), blank)


def decade_of_century(tens: int) -> Recurring:
    """The eighties of each century, by default the latest that had begun."""
    return _unit(Grain.DECADE, Grain.CENTURY, lambda first: readings.of_decade(first.year + tens), "XXX", Policy.LATEST)


def decades_of_century(first: int, last: int) -> Recurring:
    """The sixties and seventies of each century."""
    if not 0 <= first < last <= 90:
        raise ValueError(f"no decades {first} to {last}")

    def read(day: date) -> MentionFields:
        whole = readings.years_interval(day.year + first, last - first + 10)
        value = f"{readings.of_decade(day.year + first).value}/{readings.of_decade(day.year + last).value}"
        return MentionFields(value, whole, Grain.DECADE)

    return _unit(Grain.DECADE, Grain.CENTURY, read, "XXX", Policy.LATEST)


@dataclass(frozen=True, slots=True)
class EraYear:
    """A year counted from the first year of an era; `basis` names the era and its year."""

    year: int
    basis: str

    grain: ClassVar[Grain] = Grain.YEAR

    def at(self, context: Context) -> MentionFields:
        """The year of the Gregorian calendar in which it began."""
        return replace(readings.of_year(self.year), basis=self.basis)


@dataclass(frozen=True, slots=True)
class OfYear:
    """The unit of that year: "the third quarter of 2023", "Spring Festival 2024", "3 May of Showa 50"."""

    unit: Recurring
    year: Period | EraYear

    grain = property(attrgetter("unit.grain"))

    def at(self, context: Context) -> MentionFields:
        """What the unit is in the year. Raises `ValueError` where the year has none."""
        made = self.unit.instance(date(self.year.year, 1, 1))
        if isinstance(self.year, EraYear):
            return replace(made.at(context), basis=self.year.basis)
        if self.year.fiscal and isinstance(made, Period):
            made = replace(made, fiscal=True)
        return made.at(context)


_MONTHS = 12


def _order(mark: str, context: Context) -> tuple[bool, str]:
    """Whether the day comes first, and why."""
    if context.day_order:
        return context.day_order.startswith("day"), f"{context.day_order}, as in the rest of the file"
    if mark == ".":
        return True, "day first, as dates with points are written"
    return False, "month first, as filings are written"


@dataclass(frozen=True, slots=True)
class NumericDate:
    """`first` and `second` are month and day in the order of the file; `mark` stands between them."""

    first: int
    second: int
    year: int
    mark: str

    grain: ClassVar[Grain] = Grain.DAY

    def at(self, context: Context) -> MentionFields:
        """In the file's order; else with points day first, else month first, as filings are written."""
        if self.first > _MONTHS:
            return readings.of_day(date(self.year, self.second, self.first))
        if self.second > _MONTHS or self.first == self.second:
            return readings.of_day(date(self.year, self.first, self.second))
        day_first, basis = _order(self.mark, context)
        month, day = (self.second, self.first) if day_first else (self.first, self.second)
        reading = readings.of_day(date(self.year, month, day))
        return replace(reading, other=readings.of_day(date(self.year, day, month)).closed, basis=basis)


@dataclass(frozen=True, slots=True)
class NumericDay:
    """The same without a year, which is that of the text: "on 4/22"."""

    first: int
    second: int
    mark: str

    grain: ClassVar[Grain] = Grain.DAY

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
