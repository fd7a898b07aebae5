"""Parts of a time, and times left open on one side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import FixedDate, Meaning
from tasks.temporal.readings import MentionFields
from warehouse.months import DAY, Interval
from warehouse.records import Grain, Modifier, TimexType

_SIDES = {Modifier.START: (0, 1), Modifier.MID: (1, 2), Modifier.END: (2, 3)}


@dataclass(frozen=True, slots=True)
class _OfWhole:
    """A time bent by a modifier."""

    whole: Meaning
    modifier: Modifier

    @property
    def grain(self) -> Grain | None:
        """The whole's."""
        return self.whole.grain


@dataclass(frozen=True, slots=True)
class Modified(_OfWhole):
    """Part of a time: "early 2021", "the end of March", "about 1990". START, MID and END are its thirds."""

    def at(self, context: Context) -> MentionFields:
        """The value is the whole's, as TIMEX3 has it; the interval is the part's."""
        reading = self.whole.at(context)
        interval = reading.interval
        if reading.closed and self.modifier in _SIDES:
            interval = _third(reading.closed, *_SIDES[self.modifier])
        return replace(reading, interval=interval, modifier=self.modifier)


def _third(whole: Interval, first: int, last: int) -> Interval:
    """Thirds of the interval in whole days, never empty."""
    start, end = whole
    days = (end - start).days
    left = start + (end - start) * first // 3 if days >= 3 else start
    right = start + (end - start) * last // 3 if days >= 3 else end
    return left, right


@dataclass(frozen=True, slots=True)
class Divided(_OfWhole):
    """What is over or still to come of a time: "earlier this month" (START), "later this year", "the rest of" (END)."""

    def at(self, context: Context) -> MentionFields:
        """Up to and with the anchor's day, or from it on; a third of the whole where the anchor lies outside."""
        reading, day = self.whole.at(context), context.anchor
        if reading.closed is None or day is None or not reading.closed[0] <= day < reading.closed[1]:
            return Modified(FixedDate(reading), self.modifier).at(context)
        start, end = reading.closed
        interval = (start, day + DAY) if self.modifier is Modifier.START else (day, end)
        return replace(reading, interval=interval, modifier=self.modifier)


@dataclass(frozen=True, slots=True)
class Open:
    """A bound: "since 2019" (ON_OR_AFTER), "after May" (AFTER), "before Q2" (BEFORE), "until 2020" (ON_OR_BEFORE)."""

    bound: Meaning
    modifier: Modifier

    @property
    def grain(self) -> Grain | None:
        """The bound's."""
        return self.bound.grain

    def at(self, context: Context) -> MentionFields:
        """The value is the bound's; one side of the interval is None."""
        reading = self.bound.at(context)
        if reading.closed is None:
            return replace(reading, modifier=self.modifier)
        start, end = reading.closed
        # The day of a time of day lies on both sides of it.
        inside = reading.type is TimexType.TIME
        sides: dict[Modifier, tuple[date | None, date | None]] = {
            Modifier.BEFORE: (None, end if inside else start),
            Modifier.ON_OR_BEFORE: (None, end),
            Modifier.AFTER: (start if inside else end, None),
            Modifier.ON_OR_AFTER: (start, None),
        }
        return replace(reading, interval=sides[self.modifier], modifier=self.modifier)
