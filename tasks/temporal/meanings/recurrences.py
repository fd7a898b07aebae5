"""Units that come once in each week, month or year: "Friday", "March 3", "Q3", "Christmas", "the last Monday"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from operator import attrgetter

from tasks.temporal import readings
from tasks.temporal.readings import (
    Context,
    Meaning,
    MentionFields,
    add_units,
    first_day,
    read_from_anchor,
    read_from_last_mention,
)
from tasks.temporal.tense import Tense
from warehouse.records import Grain
from warehouse.records.fiscal import DAY, Interval

_TOO_FAR = timedelta(days=300)
"""A day of the year that the sentence's tense puts this far off is likelier the near one on the other side of now."""

_BACK = timedelta(days=60)  # A story goes on rather than back, but for a little.

# February 29 is absent for up to eight years, around 1900.
_FAR = 9


class Policy(Enum):
    """Which instance a bare expression means where the sentence's tense does not say."""

    LATEST = "the latest that had begun"
    ENDED = "the latest that was over"
    NEAREST = "the nearest"
    NEXT = "the one that has not ended"
    SAME = "the one in the anchor's own week, month or year"


@dataclass(frozen=True, slots=True)
class Recurring:
    """`instance` makes the meaning of the first day of a `parent` week, month or year; `ValueError` if it has none.

    `blank` is its TIMEX3 value without an anchor (XXXX-03-03).
    """

    grain: Grain
    parent: Grain
    instance: Callable[[date], Meaning]
    blank: str
    usual: Policy = Policy.NEAREST

    def at(self, context: Context) -> MentionFields:
        """The instance that the sentence's tense asks for, else the usual one; in a story of the past, that of then."""
        if self.parent is Grain.YEAR and (told := context.story):
            return replace(self.after(told - _BACK, context), relative=True, anchor=told)
        return read_from_anchor(context, self.grain, lambda day: self._chosen(day, context), self.blank)

    def stepped(self, context: Context, step: int, *, from_told: bool = False) -> MentionFields:
        """The instance in the anchor's parent (0), the last before the anchor (-1) or the next after it (1).

        `from_told` counts from what the text last spoke of instead: "the following Monday".
        """

        def read(day: date) -> MentionFields:
            if step == 0:
                return self.instance(first_day(self.parent, day)).at(context)
            return next(each for each in self._from(day, context, step) if step > 0 or _ended(each, day))

        if from_told:
            return read_from_last_mention(context, self.parent, read)
        return read_from_anchor(context, self.grain, read, self.blank)

    def within(self, outer: Interval, context: Context) -> Iterator[MentionFields]:
        """The instances that begin inside the interval, in order of time."""
        first = first_day(self.parent, outer[0])
        while first < outer[1]:
            try:
                reading = self.instance(first).at(context)
            except ValueError:
                reading = None
            if reading is not None and reading.closed and outer[0] <= reading.closed[0] < outer[1]:
                yield reading
            first = add_units(first, self.parent, 1)

    def before(self, day: date, context: Context) -> MentionFields:
        """The latest instance that begins no later than the day."""
        return next(self._from(day + DAY, context, -1))

    def after(self, day: date, context: Context) -> MentionFields:
        """The first instance that begins no earlier than the day."""
        return next(self._from(day - DAY, context, 1))

    def _chosen(self, day: date, context: Context) -> MentionFields:
        tense = context.tense
        if self.usual is Policy.ENDED and tense is not Tense.FUTURE:
            return next(each for each in self._from(day, context, -1) if _ended(each, day))
        if tense is not Tense.UNKNOWN:
            chosen = self.before(day, context) if tense is Tense.PAST else self._next(day, context)
            sure = tense is Tense.PAST and context.place is not None and context.place.is_adverbial
            return chosen if sure or _distance(chosen, day) <= _TOO_FAR else self._nearest(day, context)
        if self.usual is Policy.SAME:
            return self.instance(first_day(self.parent, day)).at(context)
        if self.usual is Policy.NEAREST:
            return self._nearest(day, context)
        return self.before(day, context) if self.usual is Policy.LATEST else self._next(day, context)

    def _next(self, day: date, context: Context) -> MentionFields:
        latest = self.before(day, context)
        return latest if latest.closed and latest.closed[1] > day else self.after(day, context)

    def _nearest(self, day: date, context: Context) -> MentionFields:
        around = [self.before(day, context), self.after(day, context)]
        return min(around, key=lambda reading: _distance(reading, day))

    def _from(self, day: date, context: Context, step: int) -> Iterator[MentionFields]:
        """Instances that begin strictly before the day (step -1) or after it (step 1), the nearest first."""
        parent = first_day(self.parent, day)
        # A unit may begin before the parent that it belongs to: the holidays of a lunar year, a fiscal quarter.
        for offset in range(-1, _FAR):
            try:
                reading = self.instance(add_units(parent, self.parent, offset * step)).at(context)
            except ValueError:
                continue
            start = reading.closed[0] if reading.closed else day
            if (start < day) if step < 0 else (start > day):
                yield reading
        raise ValueError(f"no {self.blank} near {day}")


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step away from the anchor, or from the last mention: "last Friday", "this March", "the previous May"."""

    recurring: Recurring
    step: int
    told: bool = False

    grain = property(attrgetter("recurring.grain"))

    def at(self, context: Context) -> MentionFields:
        """The instance `step` away from the anchor."""
        return self.recurring.stepped(context, self.step, from_told=self.told)


@dataclass(frozen=True, slots=True)
class Within:
    """An instance of a recurring unit inside another time: "the third quarter of last year", "Monday of that week".

    `index` counts the instances from 0, from the end where negative.
    """

    recurring: Recurring
    outer: Meaning
    index: int = 0

    grain = property(attrgetter("recurring.grain"))

    def at(self, context: Context) -> MentionFields:
        """Relative only where the outer time is."""
        outer = self.outer.at(context)
        if outer.closed is None:
            return MentionFields(self.recurring.blank, None, self.grain, relative=outer.relative)
        instances = list(self.recurring.within(outer.closed, context))
        if not -len(instances) <= self.index < len(instances):
            raise ValueError(f"no {self.recurring.blank} in {outer.value}")
        return replace(instances[self.index], relative=outer.relative, anchor=outer.anchor)


def _ended(reading: MentionFields, day: date) -> bool:
    """Whether it was over by then: in May, "last May" is that of the year before."""
    return reading.closed is not None and reading.closed[1] <= day


def _distance(reading: MentionFields, day: date) -> timedelta:
    """From the day to the reading's nearer edge."""
    start, end = reading.closed or (day, day + DAY)
    return max(start - day, day - (end - DAY), timedelta())


@dataclass(frozen=True, slots=True)
class WeekOf:
    """The calendar week that holds a day, or its weekend; without a day, words still waiting for it."""

    day: Meaning | None
    unit: Grain = Grain.WEEK

    grain = property(attrgetter("unit"))

    def at(self, context: Context) -> MentionFields:
        """Relative where the day is. Raises `ValueError` without a day."""
        if self.day is None:
            raise ValueError("the week of what?")
        day = self.day.at(context)
        if day.closed is None:
            return replace(day, grain=self.unit)
        of_unit = readings.of_week if self.unit is Grain.WEEK else readings.of_weekend
        return replace(of_unit(day.closed[0]), relative=day.relative, anchor=day.anchor)


@dataclass(frozen=True, slots=True)
class RankedUnit:
    """A unit waiting for the time that it is counted in: "the last Monday". `index` is from 0, or from the end."""

    recurring: Recurring
    index: int

    grain = property(attrgetter("recurring.grain"))

    def at(self, context: Context) -> MentionFields:
        """Raises `ValueError`, for want of the longer time."""
        raise ValueError(f"the {self.recurring.blank} of what?")
