"""What a text may say about the end of its company's fiscal years, in whatever language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from tasks.temporal.fiscal import Weeks
from tasks.temporal.intervals import WEEK, add_months

STATED, WHOLE_YEAR, QUARTER, PLAIN_YEAR, TO_DATE, ROLLING, LENGTH = 16, 4, 3, 2, 2, 1, 0
"""How sure a kind of evidence is: a rule for every year; a fiscal year, a numbered quarter, a year, the months of a
year to a day; twelve months, which may be any twelve; the weeks of a quarter, which say nothing of the year's end."""

WEEKS_TO_DATE = {24: 2, 26: 2, 27: 2, 28: 2, 36: 3, 39: 3, 40: 3}
"""The quarter after which so many weeks of a year have passed."""
_DRIFT = timedelta(days=4)
"""How far years of weeks may run into the month after their own."""


@dataclass(frozen=True, slots=True)
class YearEnd:
    """A text says that a fiscal year, or `quarter` quarters of one, end on `day` of `month` (`MONTH_END`: its last).

    `year` is that of the day, None where it is said of every year; `name` what the fiscal year is called, `weeks` how
    years of weeks end, `counted` the number of weeks that end there, 0 where they are not counted. `weight` says how
    sure the evidence is and `text` is what it reads.
    """

    month: int
    day: int
    weight: int
    text: str
    year: int | None = None
    quarter: int = 4
    name: int | None = None
    weeks: Weeks | None = None
    counted: int = 0

    @property
    def last(self) -> date | None:
        """The day itself, where its year is said. Raises `ValueError` where there is no such day."""
        return None if self.year is None else date(self.year, self.month, self.day)

    @property
    def year_end(self) -> date:
        """About the last day of the fiscal year, in its month; of some year where none is said."""
        day = self.last or date(2001, self.month, min(self.day, 28))
        if self.counted in WEEKS_TO_DATE:
            return day + (52 - self.counted) * WEEK - _DRIFT
        return add_months(day - _DRIFT, 3 * (4 - self.quarter))


def before_counted(found: YearEnd) -> YearEnd | None:
    """The day before the weeks that end on a day: the end of the year before, where they are the first of theirs."""
    if not found.counted or found.last is None:
        return None
    day = found.last - found.counted * WEEK
    return YearEnd(day.month, day.day, LENGTH, found.text, day.year)
