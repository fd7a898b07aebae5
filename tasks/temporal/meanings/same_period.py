"""The same period of another year: "the same period last year", "from a year earlier"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import Meaning
from tasks.temporal.meanings.offsets import TIMES_OF_DAY, Origin, Shift, Told, unit_on
from tasks.temporal.meanings.steps import moved
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain

_COMPARED = (Grain.MONTH, Grain.QUARTER, Grain.HALF)


@dataclass(frozen=True, slots=True)
class Corresponding:
    """The period that the text last spoke of, or its `unit`, in another year: "the same period last year".

    Without an `outer` time it is the unit that was spoken of, if it may stand `alone` ("the same day").
    """

    outer: Meaning | None
    unit: Grain | None = None
    alone: bool = False

    @property
    def grain(self) -> Grain | None:
        """The unit's, where it is named."""
        return self.unit

    def at(self, context: Context) -> MentionFields:
        """Moved by whole years to the outer time's; the outer time itself where the text spoke of nothing."""
        if self.outer is None:
            return self._told(context)
        outer, period = self.outer.at(context), Told().at(context)
        grain = self.unit or (period.grain if context.spoken else outer.grain)
        if outer.closed is None or period.closed is None or grain is None or grain in TIMES_OF_DAY:
            return replace(outer, aside=True)
        day = moved(period.closed[0], Grain.YEAR, outer.closed[0].year - period.closed[0].year)
        return replace(unit_on(grain, day, context), relative=True, anchor=outer.anchor or period.anchor, aside=True)

    def _told(self, context: Context) -> MentionFields:
        if self.unit is None or not self.alone:
            raise ValueError("the same as when?")
        return Shift(self.unit, 0, Origin.TOLD).at(context)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a figure of a month or quarter is compared with: "up 4% in the fourth quarter from a year earlier".

    `years` before; the whole year where the text spoke of nothing of that kind.
    """

    years: int
    origin: Origin

    @property
    def grain(self) -> Grain:
        """A year, where nothing says more."""
        return Grain.YEAR

    def at(self, context: Context) -> MentionFields:
        """The period that the text last spoke of, so many years earlier."""
        spoken = context.spoken
        if spoken is None or spoken.closed is None or spoken.grain not in _COMPARED:
            return Shift(Grain.YEAR, -self.years, self.origin).at(context)
        day = moved(spoken.closed[0], Grain.YEAR, -self.years)
        return replace(unit_on(spoken.grain, day, context), relative=True, anchor=spoken.closed[0], aside=True)
