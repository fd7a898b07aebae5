"""Weeks named by a day, and weekdays counted in a longer time: "the week of March 5", "the last Monday in May"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tasks.temporal import readings
from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import Meaning
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain


@dataclass(frozen=True, slots=True)
class WeekOf:
    """The calendar week that holds a day, or its weekend; without a day, words still waiting for it."""

    day: Meaning | None
    unit: Grain = Grain.WEEK

    @property
    def grain(self) -> Grain:
        """A week or a weekend."""
        return self.unit

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
class Ranked:
    """A unit waiting for the time that it is counted in: "the last Monday". `index` is from 0, or from the end."""

    recurring: Recurring
    index: int

    @property
    def grain(self) -> Grain:
        """The unit's."""
        return self.recurring.grain

    def at(self, context: Context) -> MentionFields:
        """Raises `ValueError`, for want of the longer time."""
        raise ValueError(f"the {self.recurring.blank} of what?")
