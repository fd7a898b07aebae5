"""Times counted from another: "last quarter", "three months ago", "a week later", "the past five years".

Also the same period of another year ("the same period last year") and units up to the anchor's day ("MTD").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from operator import attrgetter
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.meanings.company import resolve_fiscal_unit
from tasks.temporal.readings import (
    LONGEST_QUARTER,
    Context,
    Meaning,
    MentionFields,
    add_units,
    find_first_day,
    make_range,
    resolve_from_anchor,
    resolve_from_last_mention,
)
from warehouse.records import Grain, Modifier, TimexType
from warehouse.records.calendars import DAY

TIMES_OF_DAY = (Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.PART)
_CALENDAR: dict[Grain, Callable[[date], MentionFields]] = {
    Grain.WEEKEND: readings.make_weekend,
    Grain.WEEK: readings.make_week,
    Grain.MONTH: lambda day: readings.make_month(day.year, day.month),
    Grain.SEASON: readings.make_season,
    Grain.QUARTER: lambda day: readings.make_quarter(day.year, (day.month + 2) // 3),
    Grain.HALF: lambda day: readings.make_half(day.year, (day.month + 5) // 6),
    Grain.YEAR: lambda day: readings.make_year(day.year),
    Grain.DECADE: lambda day: readings.make_decade(day.year),
    Grain.CENTURY: lambda day: readings.make_century(day.year),
}


def resolve_unit(grain: Grain, day: date, context: Context, *, fiscal: bool = False) -> MentionFields:
    """The unit that holds the day: a quarter or half is the company's where its calendar is known.

    Seconds to parts of a day have no date of their own: a TIME of unknown clock on that day.
    """
    if grain in TIMES_OF_DAY:
        return replace(readings.make_day(day), value=f"{day.isoformat()}TXX:XX", grain=grain, type=TimexType.TIME)
    if fiscal or (context.fiscal is not None and grain in (Grain.QUARTER, Grain.HALF)):
        company_unit = resolve_fiscal_unit(grain, day, context)
        if company_unit is not None:
            return company_unit
    return _CALENDAR.get(grain, readings.make_day)(day)


class Origin(Enum):
    """Where a shift is counted from."""

    WRITTEN = "the day the text was written"
    LAST_MENTION = "the day of the last mention"


@dataclass(frozen=True, slots=True)
class Shift:
    """The whole unit `count` units after the one that holds its origin: "last year" is YEAR, -1.

    `months_back` are subtracted first: "the prior-year quarter" is QUARTER, 0, months_back 12. `fiscal` is whether the
    text says so ("last fiscal year").
    """

    grain: Grain
    count: int
    origin: Origin = Origin.WRITTEN
    months_back: int = 0
    fiscal: bool = False

    def resolve(self, context: Context) -> MentionFields:
        """The unit, relative to its origin."""

        def read(day: date) -> MentionFields:
            shifted_day = add_units(add_units(day, Grain.MONTH, -self.months_back), self.grain, self.count)
            return resolve_unit(self.grain, shifted_day, context, fiscal=self.fiscal)

        if self._is_reported(context) and context.reported:
            day = context.reported[0]
            return replace(read(day), relative=True, anchor=day, is_comparison=self.months_back > 0)
        if self.origin is Origin.WRITTEN:
            return resolve_from_anchor(context, self.grain, read)
        return replace(
            resolve_from_last_mention(context, self.grain, read), is_comparison=self.count < 0 or self.months_back > 0
        )

    def _is_reported(self, context: Context) -> bool:
        """Whether it is "the quarter" of a report: its reported quarter, unless another has just been named."""
        last, reported_period = context.last_reading, context.reported
        if reported_period is None or reported_period[1] - reported_period[0] > LONGEST_QUARTER:
            return False
        is_the_quarter = self.grain is Grain.QUARTER and self.origin is Origin.LAST_MENTION and self.count == 0
        return is_the_quarter and (last is None or last.grain not in (Grain.QUARTER, Grain.HALF))


@dataclass(frozen=True, slots=True)
class LastMention:
    """The time of the last mention, else the day the text was written: "then", and the base of "a week later"."""

    grain: ClassVar[Grain] = Grain.DAY

    def resolve(self, context: Context) -> MentionFields:
        """The last reading again, relative now."""
        if context.last_reading is None or context.last_reading.bounds is None:
            return resolve_from_anchor(context, Grain.DAY, readings.make_day)
        return replace(context.last_reading, relative=True, anchor=context.last_reading.bounds[0], modifier=None)


@dataclass(frozen=True, slots=True)
class TimeOffset:
    """The calendar unit `count` units before (negative) or after the time `base`: "two days after Christmas".

    `first` are larger units that are counted first: those of "a month and two days ago". `to_day` is whether weeks,
    too, are counted from day to day: "three weeks from tomorrow".
    """

    grain: Grain
    count: int
    base: Meaning
    modifier: Modifier | None = None
    first: tuple[tuple[int, Grain], ...] = ()
    to_day: bool = False

    def resolve(self, context: Context) -> MentionFields:
        """Counted back from the base's first day or forward from its last day; relative if the base is."""
        base = self.base.resolve(context)
        if base.bounds is None:
            return MentionFields(readings.UNRESOLVED, None, self.grain, relative=base.relative)
        day = base.bounds[0] if self.count < 0 else base.bounds[1] - DAY
        for count, grain in (*self.first, (self.count, self.grain)):
            day = add_units(day, grain, count)
        to_day = self.to_day and self.grain is Grain.WEEK
        # A number of decades leads to a year: "two decades ago".
        by_year = self.grain in (Grain.DECADE, Grain.CENTURY)
        reading = resolve_unit(Grain.DAY if to_day else Grain.YEAR if by_year else self.grain, day, context)
        is_comparison = self.count < 0 and isinstance(self.base, LastMention)
        return replace(
            reading, relative=base.relative, anchor=base.anchor, modifier=self.modifier, is_comparison=is_comparison
        )


@dataclass(frozen=True, slots=True)
class AdjacentUnit:
    """The unit before (-1) or after (1) a time that follows in the text: "the day after" Thanksgiving 2021."""

    unit: Grain
    direction: int

    grain = property(attrgetter("unit"))

    def resolve(self, context: Context) -> MentionFields:
        """Raises `ValueError`: the time is missing."""
        raise ValueError(f"the {self.unit} beside what?")

    def attach_to(self, base: Meaning) -> TimeOffset:
        """The unit next to that time."""
        return TimeOffset(self.unit, self.direction, base)


@dataclass(frozen=True, slots=True)
class Rolling:
    """`count` units up to and with the origin's day (negative), or from it on: "the past three years".

    A DURATION in TIMEX3 (P3Y) that has a place in time.
    """

    grain: Grain
    count: int
    value: str
    modifier: Modifier | None = None
    origin: Origin = Origin.WRITTEN

    def resolve(self, context: Context) -> MentionFields:
        """The days, with the length as its value."""

        def read(day: date) -> MentionFields:
            other_end = add_units(day, self.grain, self.count)
            interval = (day, other_end + DAY) if self.count > 0 else (other_end, day + DAY)
            return MentionFields(self.value, interval, self.grain, TimexType.DURATION, modifier=self.modifier)

        resolve_from = resolve_from_anchor if self.origin is Origin.WRITTEN else resolve_from_last_mention
        return replace(resolve_from(context, self.grain, read), value=self.value, type=TimexType.DURATION)


_COMPARED = (Grain.MONTH, Grain.QUARTER, Grain.HALF)


@dataclass(frozen=True, slots=True)
class SamePeriod:
    """The period of the last mention, or its `unit`, in another year: "the same period last year".

    Without an `outer` time it is the unit of the last mention, if it `is_standalone` ("the same day").
    """

    outer: Meaning | None
    unit: Grain | None = None
    is_standalone: bool = False

    grain = property(attrgetter("unit"))

    def resolve(self, context: Context) -> MentionFields:
        """The period moved by whole years to the outer time's year; without a last mention the outer time itself."""
        if self.outer is None:
            if self.unit is None or not self.is_standalone:
                raise ValueError("the same as when?")
            return Shift(self.unit, 0, Origin.LAST_MENTION).resolve(context)
        outer, period = self.outer.resolve(context), LastMention().resolve(context)
        grain = self.unit or (period.grain if context.last_reading else outer.grain)
        if outer.bounds is None or period.bounds is None or grain is None or grain in TIMES_OF_DAY:
            return replace(outer, is_comparison=True)
        if self.unit is None and "/" in period.value and context.last_reading:
            # A range of months, or the part of a year up to a day.
            years = outer.bounds[0].year - period.bounds[0].year
            first, last = (add_units(day, Grain.YEAR, years) for day in (period.bounds[0], period.bounds[1] - DAY))
            moved_range = make_range((first, last + DAY), grain)
            return replace(moved_range, relative=True, anchor=outer.anchor or period.anchor, is_comparison=True)
        day = add_units(period.bounds[0], Grain.YEAR, outer.bounds[0].year - period.bounds[0].year)
        return replace(
            resolve_unit(grain, day, context), relative=True, anchor=outer.anchor or period.anchor, is_comparison=True
        )


@dataclass(frozen=True, slots=True)
class ComparedPeriod:
    """The period with which a month or quarter is compared: "up 4% in the fourth quarter from a year earlier".

    It is `years` earlier; the whole year if the last mention is no such period.
    """

    years: int
    origin: Origin

    grain: ClassVar[Grain] = Grain.YEAR

    def resolve(self, context: Context) -> MentionFields:
        """The period of the last mention, so many years earlier."""
        last = context.last_reading
        if last is None or last.bounds is None or last.grain not in _COMPARED:
            return Shift(Grain.YEAR, -self.years, self.origin).resolve(context)
        day = add_units(last.bounds[0], Grain.YEAR, -self.years)
        return replace(resolve_unit(last.grain, day, context), relative=True, anchor=last.bounds[0], is_comparison=True)


@dataclass(frozen=True, slots=True)
class ToDate:
    """The days of the anchor's week, month, quarter or year up to and with the anchor's."""

    grain: Grain

    def resolve(self, context: Context) -> MentionFields:
        """First day/last day."""

        def read(day: date) -> MentionFields:
            return make_range((find_first_day(self.grain, day), day + DAY), self.grain)

        return resolve_from_anchor(context, self.grain, read)
