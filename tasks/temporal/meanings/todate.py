"""Calendar units as far as they have gone: "year to date", "MTD"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import anchored
from tasks.temporal.meanings.steps import first_day
from tasks.temporal.readings import MentionFields, range_value
from warehouse.months import DAY
from warehouse.records import Grain


@dataclass(frozen=True, slots=True)
class ToDate:
    """The days of the anchor's week, month, quarter or year up to and with the anchor's."""

    grain: Grain

    def at(self, context: Context) -> MentionFields:
        """First day/last day."""

        def read(day: date) -> MentionFields:
            interval = first_day(self.grain, day), day + DAY
            return MentionFields(range_value(interval), interval, self.grain)

        return anchored(context, self.grain, read)
