"""Months and days whose year the text has told already: 1989年11月9日柏林墙倒塌。12月1日, the next."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import Context, MentionFields, first_day
from warehouse.records import Grain

_DATED = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.SEASON, Grain.QUARTER, Grain.HALF)
_YEARLY = (*_DATED, Grain.YEAR)


@dataclass(frozen=True, slots=True)
class Narrated(Recurring):
    """A recurring unit that stands in the year, or month, that the text last spoke of, where that tells it.

    A story goes on in the year of its last month or day; a year alone tells it only where nothing says when the text
    was written, for news leaves out its own year.
    """

    def at(self, context: Context) -> MentionFields:
        """The unit beside what was spoken of, else what it would be alone."""
        spoken = context.spoken
        if spoken is None or spoken.closed is None or spoken.grain not in self._telling(context):
            return Recurring.at(self, context)
        reading = self.instance(first_day(self.parent, spoken.closed[0])).at(context)
        return replace(reading, relative=True, anchor=spoken.closed[0])

    def _telling(self, context: Context) -> tuple[Grain, ...]:
        if self.parent is Grain.MONTH:
            return (Grain.DAY,)
        return _YEARLY if context.anchor is None else _DATED


def narrated(unit: Recurring) -> Narrated:
    """The same unit, read in a story."""
    return Narrated(*(getattr(unit, field.name) for field in fields(Recurring)))
