"""Units that come once in each week, month, year or century: "Friday", "March 3", "Q3", "Christmas", "the last Monday".

They are given by their numbers, in any language. Also the units of a named year, and years counted by eras.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from operator import attrgetter
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.meanings.company import Period
from tasks.temporal.readings import (
    Context,
    Meaning,
    MentionFields,
    add_units,
    find_first_day,
    resolve_from_anchor,
    resolve_from_last_mention,
)
from tasks.temporal.tense import Tense
from warehouse.records import Grain, Modifier
from warehouse.records.calendars import DAY, Interval, add_months

_MAX_TENSE_DISTANCE = timedelta(days=300)  # Beyond it the day nearest to now is likelier than that of the tense.
_NARRATIVE_REACH = timedelta(days=60)  # How far a narrative may go back: mostly it goes forward.
_MAX_PARENTS = 9  # February 29 is absent for up to eight years, around 1900.


class Policy(Enum):
    """Which instance a bare expression means if the sentence's tense does not decide."""

    LATEST = "the latest that had begun"
    ENDED = "the latest that was over"
    NEAREST = "the nearest"
    NEXT = "the one that has not ended"
    SAME = "the one in the anchor's own week, month or year"


@dataclass(frozen=True, slots=True)
class Recurring:
    """A unit of each `parent` week, month, year or century.

    `make_instance` gives its meaning in the parent that begins on a day, and raises `ValueError` where that has none.
    `unresolved_value` is its TIMEX3 value without an anchor (XXXX-03-03).
    """

    grain: Grain
    parent: Grain
    make_instance: Callable[[date], Meaning]
    unresolved_value: str
    policy: Policy = Policy.NEAREST

    def resolve(self, context: Context) -> MentionFields:
        """The instance by the sentence's tense, else by the policy; in a narrative or a term the instance in it."""
        if self.parent is Grain.YEAR and context.span and context.span.is_yearly:
            return MentionFields(self.unresolved_value, None, self.grain)
        if self.parent is Grain.YEAR and (day := context.narrative_day) and not self._is_anchor(context):
            return replace(self.find_after(day - _NARRATIVE_REACH, context), relative=True, anchor=day)
        if self.parent is Grain.YEAR and self.grain in (Grain.DAY, Grain.MONTH) and (days := context.get_days()):
            instances = list(self.iter_within(days, context))
            if len(instances) == 1 or context.period:
                reading = instances[0] if len(instances) == 1 else self._choose(days[1] - DAY, context)
                return replace(reading, relative=True, anchor=days[0])
        if self.parent is Grain.WEEK and self.grain is Grain.DAY and (week := context.headed_week):
            # A week from Monday to Friday has no Saturday: that is the one after it.
            return replace(self.find_after(week[0], context), relative=True, anchor=week[0])
        if self.parent is Grain.YEAR and self.grain is Grain.DAY and context.anchor and (day := context.listed_day):
            return replace(self._find_nearest(day, context), relative=True, anchor=day)
        if self.parent is Grain.MONTH and self.grain is Grain.DAY and (day := context.sentence_day):
            following = self.find_after(day, context)
            is_same_month = following.bounds is not None and following.bounds[0].month == day.month
            return replace(following if is_same_month else self._find_nearest(day, context), relative=True, anchor=day)
        return resolve_from_anchor(context, self.grain, lambda day: self._choose(day, context), self.unresolved_value)

    def _is_anchor(self, context: Context) -> bool:
        """Whether it is the day of the text itself, as in a report of 30 April: "The fund had 412m on 30 April"."""
        day = context.anchor if self.grain is Grain.DAY else None
        return day is not None and any(self.iter_within((day, day + DAY), context))

    def resolve_step(self, context: Context, step: int, *, from_last_mention: bool = False) -> MentionFields:
        """The instance in the anchor's parent (0), the last before the anchor (-1) or the next after it (1).

        `from_last_mention` counts from the last mention instead: "the following Monday".
        """

        def read(day: date) -> MentionFields:
            if step == 0:
                return self.make_instance(find_first_day(self.parent, day)).resolve(context)
            return next(unit for unit in self._iter_from(day, context, step) if step > 0 or _has_ended(unit, day))

        if from_last_mention:
            return resolve_from_last_mention(context, self.parent, read)
        return resolve_from_anchor(context, self.grain, read, self.unresolved_value)

    def iter_within(self, outer: Interval, context: Context) -> Iterator[MentionFields]:
        """The instances that begin inside the interval, in order of time."""
        first = find_first_day(self.parent, outer[0])
        while first < outer[1]:
            try:
                reading = self.make_instance(first).resolve(context)
            except ValueError:
                reading = None
            if reading is not None and reading.bounds and outer[0] <= reading.bounds[0] < outer[1]:
                yield reading
            first = add_units(first, self.parent, 1)

    def find_before(self, day: date, context: Context) -> MentionFields:
        """The latest instance that begins no later than the day."""
        return next(self._iter_from(day + DAY, context, -1))

    def find_after(self, day: date, context: Context) -> MentionFields:
        """The first instance that begins no earlier than the day."""
        return next(self._iter_from(day - DAY, context, 1))

    def with_weekday(self, weekday: int) -> DayOnWeekday:
        """The day with the weekday that is named next to it; Monday is 0."""
        return DayOnWeekday(self.grain, self.parent, self.make_instance, self.unresolved_value, self.policy, weekday)

    def _choose(self, day: date, context: Context) -> MentionFields:
        tense = context.tense
        if self.policy is Policy.ENDED and tense is not Tense.FUTURE:
            return next(unit for unit in self._iter_from(day, context, -1) if _has_ended(unit, day))
        if self.grain is Grain.DECADE:
            # The tense does not matter: the sixties of this century are seldom mentioned.
            return self.find_before(day, context)
        if tense is not Tense.UNKNOWN:
            unit = self.find_before(day, context) if tense is Tense.PAST else self._find_next(day, context)
            is_adverbial_past = tense is Tense.PAST and context.span is not None and context.span.is_adverbial
            is_near = _measure_distance(unit, day) <= _MAX_TENSE_DISTANCE
            return unit if is_adverbial_past or is_near else self._find_nearest(day, context)
        if self.policy is Policy.SAME:
            return self.make_instance(find_first_day(self.parent, day)).resolve(context)
        if self.policy is Policy.NEAREST:
            return self._find_nearest(day, context)
        is_latest = self.policy is Policy.LATEST and not self._is_to_come(context)
        return self.find_before(day, context) if is_latest else self._find_next(day, context)

    def _is_to_come(self, context: Context) -> bool:
        """Whether adjacent words, without a verb, place it in the future: "by Friday", "Goals for Q2"."""
        span = context.span
        if span is None:
            return False
        is_arranged = context.in_chat and self.parent is Grain.WEEK and not span.is_origin
        return is_arranged or span.is_due or (self.parent is Grain.YEAR and span.is_planned)

    def _find_next(self, day: date, context: Context) -> MentionFields:
        latest = self.find_before(day, context)
        return latest if latest.bounds and latest.bounds[1] > day else self.find_after(day, context)

    def _find_nearest(self, day: date, context: Context) -> MentionFields:
        candidates = [self.find_before(day, context), self.find_after(day, context)]
        return min(candidates, key=lambda reading: _measure_distance(reading, day))

    def _iter_from(self, day: date, context: Context, step: int) -> Iterator[MentionFields]:
        """Instances that begin strictly before the day (step -1) or after it (step 1), the nearest first."""
        parent = find_first_day(self.parent, day)
        # A unit may begin before the parent that it belongs to: the holidays of a lunar year, a fiscal quarter.
        for offset in range(-1, _MAX_PARENTS):
            try:
                reading = self.make_instance(add_units(parent, self.parent, offset * step)).resolve(context)
            except ValueError:
                continue
            start = reading.bounds[0] if reading.bounds else day
            if (start < day) if step < 0 else (start > day):
                yield reading
        raise ValueError(f"no {self.unresolved_value} near {day}")


_WEEKDAY_REACH = {Grain.YEAR: 1, Grain.MONTH: 7}
"""How many parents before and after are searched for a day on a weekday; a Friday the 13th is at most 7 months off."""


@dataclass(frozen=True, slots=True)
class DayOnWeekday(Recurring):
    """A day of each year or month with its weekday, which decides the year: "Wed, Oct 16" is in 2024, not in 2023."""

    weekday: int = 0

    def resolve(self, context: Context) -> MentionFields:
        """The day without regard to the weekday if it falls on it, else the nearest one that does."""
        reading = Recurring.resolve(self, context)
        if reading.bounds is None or reading.bounds[0].weekday() == self.weekday:
            return reading
        day = reading.bounds[0]
        first, units = find_first_day(self.parent, day), _WEEKDAY_REACH[self.parent]
        search_range = (add_units(first, self.parent, -units), add_units(first, self.parent, units + 1))
        matching_days = [unit for unit in self.iter_within(search_range, context) if self._has_weekday(unit, context)]
        if not matching_days:
            return reading
        nearest = min(matching_days, key=lambda unit: _measure_distance(unit, day))
        return replace(nearest, relative=reading.relative, anchor=reading.anchor)

    def _has_weekday(self, reading: MentionFields, context: Context) -> bool:
        """Whether it falls on the weekday, and on the side of the anchor that the tense requires."""
        if reading.bounds is None or reading.bounds[0].weekday() != self.weekday:
            return False
        day, tense = context.anchor, context.tense
        if day is None or tense is Tense.UNKNOWN or self._is_to_come(context):
            return True  # "To send the revised plan by Friday 9/15" is not in the past.
        return reading.bounds[0] <= day if tense is Tense.PAST else reading.bounds[1] > day


@dataclass(frozen=True, slots=True)
class SteppedUnit:
    """A step away from the anchor, or from the last mention: "last Friday", "this March", "the previous May"."""

    recurring: Recurring
    step: int
    from_last_mention: bool = False

    grain = property(attrgetter("recurring.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The instance `step` away from the anchor."""
        return self.recurring.resolve_step(context, self.step, from_last_mention=self.from_last_mention)


@dataclass(frozen=True, slots=True)
class UnitWithin:
    """An instance of a recurring unit inside another time: "the third quarter of last year", "Monday of that week".

    `index` counts the instances from 0, from the end where negative.
    """

    recurring: Recurring
    outer: Meaning
    index: int = 0

    grain = property(attrgetter("recurring.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """Relative only where the outer time is."""
        outer = self.outer.resolve(context)
        if outer.bounds is None:
            return MentionFields(self.recurring.unresolved_value, None, self.grain, relative=outer.relative)
        instances = list(self.recurring.iter_within(outer.bounds, context))
        if not -len(instances) <= self.index < len(instances):
            raise ValueError(f"no {self.recurring.unresolved_value} in {outer.value}")
        return replace(instances[self.index], relative=outer.relative, anchor=outer.anchor)


def _has_ended(reading: MentionFields, day: date) -> bool:
    """Whether it was over by then: in May, "last May" is that of the year before."""
    return reading.bounds is not None and reading.bounds[1] <= day


def _measure_distance(reading: MentionFields, day: date) -> timedelta:
    """From the day to the reading's nearer edge."""
    start, end = reading.bounds or (day, day + DAY)
    return max(start - day, day - (end - DAY), timedelta())


@dataclass(frozen=True, slots=True)
class WeekOf:
    """The calendar week that holds a day, or its weekend; without a day, words still waiting for it."""

    day: Meaning | None
    unit: Grain = Grain.WEEK

    grain = property(attrgetter("unit"))

    def resolve(self, context: Context) -> MentionFields:
        """Relative where the day is. Raises `ValueError` without a day."""
        if self.day is None:
            raise ValueError("the week of what?")
        day = self.day.resolve(context)
        if day.bounds is None:
            return replace(day, grain=self.unit)
        make_unit = readings.make_week if self.unit is Grain.WEEK else readings.make_weekend
        return replace(make_unit(day.bounds[0]), relative=day.relative, anchor=day.anchor)


@dataclass(frozen=True, slots=True)
class RankedUnit:
    """A unit waiting for the time that it is counted in: "the last Monday". `index` is from 0, or from the end."""

    recurring: Recurring
    index: int

    grain = property(attrgetter("recurring.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """Raises `ValueError`: the longer time is missing."""
        raise ValueError(f"the {self.recurring.unresolved_value} of what?")


def make_weekday(number: int) -> Recurring:
    """A day of each week, Monday is 0; alone it is the latest such day, as in news."""
    day = timedelta(days=number)
    value = f"XXXX-WXX-{number + 1}"
    return Recurring(Grain.DAY, Grain.WEEK, lambda monday: readings.make_day(monday + day), value, Policy.LATEST)


def make_weekend() -> Recurring:
    """Saturday and Sunday; alone those of the anchor's week."""
    return Recurring(Grain.WEEKEND, Grain.WEEK, readings.make_weekend, "XXXX-WXX-WE", Policy.SAME)


def make_day_of_month(day: int) -> Recurring:
    """The 5th of a month."""
    value = f"XXXX-XX-{day:02}"
    return Recurring(Grain.DAY, Grain.MONTH, lambda first: readings.make_day(first.replace(day=day)), value)


def make_weekday_of_month(weekday: int, day: int) -> Recurring:
    """The months' day of that number that is a certain weekday; Monday is 0."""

    def read(first: date) -> MentionFields:
        numbered_day = first.replace(day=day)
        if numbered_day.weekday() != weekday:
            raise ValueError(f"{numbered_day} is another weekday")
        return readings.make_day(numbered_day)

    return Recurring(Grain.DAY, Grain.MONTH, read, f"XXXX-XX-{day:02}")


def make_month_day(month: int, day: int) -> Recurring:
    """A day of each year. Raises `ValueError` where no year has it."""
    date(2000, month, day)  # A leap year, for the 29th of February.
    value = f"XXXX-{month:02}-{day:02}"
    return Recurring(Grain.DAY, Grain.YEAR, lambda first: readings.make_day(date(first.year, month, day)), value)


def make_month_of_year(month: int) -> Recurring:
    """A month of each year."""
    return Recurring(Grain.MONTH, Grain.YEAR, lambda first: readings.make_month(first.year, month), f"XXXX-{month:02}")


def make_week_of_year(week: int) -> Recurring:
    """An ISO week of each year."""

    def read(first: date) -> MentionFields:
        return readings.make_week(date.fromisocalendar(first.year, week, 1))

    return Recurring(Grain.WEEK, Grain.YEAR, read, f"XXXX-W{week:02}")


def make_quarter_of_year(quarter: int, *, fiscal: bool = False) -> Recurring:
    """A quarter of each year, by default the latest that had begun; `fiscal` is whether the text says so."""

    def read(first: date) -> Period:
        return Period(Grain.QUARTER, first.year, quarter, fiscal)

    return Recurring(Grain.QUARTER, Grain.YEAR, read, f"XXXX-Q{quarter}", Policy.LATEST)


def make_half_of_year(half: int) -> Recurring:
    """A half of each year, by default that of the anchor's."""
    value = f"XXXX-H{half}"
    return Recurring(Grain.HALF, Grain.YEAR, lambda first: Period(Grain.HALF, first.year, half), value, Policy.SAME)


def make_months_of_year(first: int, last: int) -> Recurring:
    """The months from `first` to `last` of each year, as in "the first nine months"."""
    if not 1 <= first < last <= 12:
        raise ValueError(f"no months {first} to {last}")

    def read(day: date) -> MentionFields:
        interval = readings.make_months_interval(day.year, first, last - first + 1)
        return MentionFields(f"{day.year:04}-{first:02}/{day.year:04}-{last:02}", interval, Grain.MONTH)

    return Recurring(Grain.MONTH, Grain.YEAR, read, f"XXXX-{first:02}/XXXX-{last:02}", Policy.SAME)


def make_days_of_month(first: int, last: int, month: int | None = None) -> Recurring:
    """The days from `first` to `last` of a month, or of the `month` of each year."""
    if not 1 <= first < last <= 31:
        raise ValueError(f"no days {first} to {last}")

    def read(day: date) -> MentionFields:
        start = day.replace(month=month or day.month, day=first)
        return readings.make_range((start, start.replace(day=last) + DAY), Grain.DAY)

    prefix = "XXXX-XX" if month is None else f"XXXX-{month:02}"
    parent, policy = (Grain.MONTH, Policy.SAME) if month is None else (Grain.YEAR, Policy.NEAREST)
    return Recurring(Grain.DAY, parent, read, f"{prefix}-{first:02}/{prefix}-{last:02}", policy)


def make_part_of_month(first: int, last: int, modifier: Modifier) -> Recurring:
    """The days from `first` to `last`, or to the month's end: its value is the month's with the modifier."""

    def read(day: date) -> MentionFields:
        interval = day.replace(day=first), min(day + timedelta(days=last), add_months(day, 1))
        return replace(readings.make_month(day.year, day.month), interval=interval, modifier=modifier)

    return Recurring(Grain.MONTH, Grain.MONTH, read, "XXXX-XX", Policy.SAME)


def make_season_of_year(index: int) -> Recurring:
    """Spring is 0: the three months from March on, as meteorology has it; a winter ends in the next year."""
    month, value = 3 + 3 * index, f"XXXX-{readings.SEASONS[index]}"
    return Recurring(Grain.SEASON, Grain.YEAR, lambda first: readings.make_season(date(first.year, month, 1)), value)


def make_decade_of_century(tens: int) -> Recurring:
    """The eighties of each century, by default the latest that had begun."""
    century = Grain.CENTURY
    return Recurring(Grain.DECADE, century, lambda first: readings.make_decade(first.year + tens), "XXX", Policy.LATEST)


def make_decades_of_century(first: int, last: int) -> Recurring:
    """The sixties and seventies of each century."""
    if not 0 <= first < last <= 90:
        raise ValueError(f"no decades {first} to {last}")

    def read(day: date) -> MentionFields:
        interval = readings.make_years_interval(day.year + first, last - first + 10)
        value = f"{readings.make_decade(day.year + first).value}/{readings.make_decade(day.year + last).value}"
        return MentionFields(value, interval, Grain.DECADE)

    return Recurring(Grain.DECADE, Grain.CENTURY, read, "XXX", Policy.LATEST)


@dataclass(frozen=True, slots=True)
class EraYear:
    """A year counted from the first year of an era; `basis` names the era and its year."""

    year: int
    basis: str

    grain: ClassVar[Grain] = Grain.YEAR

    def resolve(self, context: Context) -> MentionFields:
        """The year of the Gregorian calendar in which it began."""
        return replace(readings.make_year(self.year), basis=self.basis)


@dataclass(frozen=True, slots=True)
class UnitOfYear:
    """The unit of that year: "the third quarter of 2023", "Spring Festival 2024", "3 May of Showa 50"."""

    unit: Recurring
    year: Period | EraYear

    grain = property(attrgetter("unit.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The unit in the year. Raises `ValueError` if the year has none."""
        instance = self.unit.make_instance(date(self.year.year, 1, 1))
        if isinstance(self.year, EraYear):
            return replace(instance.resolve(context), basis=self.year.basis)
        if self.year.fiscal and isinstance(instance, Period):
            instance = replace(instance, fiscal=True)
        return instance.resolve(context)
