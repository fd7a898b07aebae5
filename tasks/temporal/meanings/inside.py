"""Units counted inside another time: "the last week of March", "the first nine months of 2012"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import Meaning
from tasks.temporal.meanings.lengths import Duration
from tasks.temporal.meanings.offsets import unit_on
from tasks.temporal.meanings.steps import first_day, moved
from tasks.temporal.readings import UNRESOLVED, MentionFields
from warehouse.months import DAY
from warehouse.records import Grain, TimexType

# A week belongs to the month or year that holds most of its days, as in ISO 8601.
_MIDWEEK = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A unit waiting for the time that it is counted in: "the last week". `index` is from 0, or from the end.

    `alone` is what it means where none follows, if anything.
    """

    unit: Grain
    index: int
    alone: Meaning | None = None

    @property
    def grain(self) -> Grain:
        """The unit."""
        return self.unit

    def at(self, context: Context) -> MentionFields:
        """Raises `ValueError` where it means nothing alone: "the third day"."""
        if self.alone is None:
            raise ValueError(f"a {self.unit} of what?")
        return self.alone.at(context)


@dataclass(frozen=True, slots=True)
class NumberedIn:
    """The unit inside `outer`; relative where the outer time is."""

    unit: Numbered
    outer: Meaning

    @property
    def grain(self) -> Grain:
        """The unit."""
        return self.unit.grain

    def at(self, context: Context) -> MentionFields:
        """The calendar unit. Raises `ValueError` where the outer time has too few."""
        outer, grain, index = self.outer.at(context), self.unit.grain, self.unit.index
        if outer.closed is None:
            return MentionFields(UNRESOLVED, None, grain, relative=outer.relative)
        weekly = grain in (Grain.WEEK, Grain.WEEKEND)
        start, last = outer.closed[0], outer.closed[1] - DAY
        edge = start + _MIDWEEK * weekly if index >= 0 else last - _MIDWEEK * weekly
        day = moved(first_day(grain, edge), grain, index if index >= 0 else index + 1)
        if not first_day(grain, start) <= day <= last:
            raise ValueError(f"{outer.value} has no such {grain}")
        return replace(unit_on(grain, day, context), relative=outer.relative, anchor=outer.anchor)


@dataclass(frozen=True, slots=True)
class Edge:
    """The first (or, not `first`, the last) days of a time: "the first nine months of 2012". Its value is the length.

    Alone, without an `outer` time, it is that length.
    """

    length: Duration
    first: bool
    outer: Meaning | None = None

    @property
    def grain(self) -> Grain:
        """The length's unit."""
        return self.length.grain

    def at(self, context: Context) -> MentionFields:
        """A DURATION that has a place in time where the outer time has one."""
        plain, count = self.length.at(context), self.length.count
        outer = self.outer.at(context) if self.outer else None
        if outer is None or outer.closed is None or count is None:
            return plain
        start, end = outer.closed
        interval = (start, moved(start, self.grain, count)) if self.first else (moved(end, self.grain, -count), end)
        if interval[0] < start or interval[1] > end or interval[0] >= interval[1]:
            raise ValueError(f"{outer.value} is shorter than {plain.value}")
        placed = replace(plain, interval=interval, type=TimexType.DURATION)
        return replace(placed, relative=outer.relative, anchor=outer.anchor)
