"""Units of a named year, and years counted by eras."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.context import Context
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain


@dataclass(frozen=True, slots=True)
class EraYear:
    """A year counted from the first year of an era; `basis` names the era and its year."""

    year: int
    basis: str

    @property
    def grain(self) -> Grain:
        """A year."""
        return Grain.YEAR

    def at(self, context: Context) -> MentionFields:
        """The year of the Gregorian calendar in which it began."""
        return replace(readings.of_year(self.year), basis=self.basis)


@dataclass(frozen=True, slots=True)
class OfYear:
    """The unit of that year: "the third quarter of 2023", "Spring Festival 2024", "3 May of Showa 50"."""

    unit: Recurring
    year: Period | EraYear

    @property
    def grain(self) -> Grain:
        """The unit's."""
        return self.unit.grain

    def at(self, context: Context) -> MentionFields:
        """What the unit is in the year. Raises `ValueError` where the year has none."""
        made = self.unit.instance(date(self.year.year, 1, 1))
        if isinstance(self.year, EraYear):
            return replace(made.at(context), basis=self.year.basis)
        if self.year.fiscal and isinstance(made, Period):
            made = replace(made, fiscal=True)
        return made.at(context)
