"""Fiscal calendars: which days a fiscal year, half, quarter or month of a company spans."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from tasks.temporal.intervals import DAY, WEEK, Interval, add_months

MONTH_END = 31
"""The day that stands for a month's last one."""
BY_13_WEEKS = (13, 26, 39)
_WEEKS_OF_MONTHS = (0, 4, 8)
"""Where the months of a quarter of 13 weeks begin: four, four and five weeks."""


@dataclass(frozen=True, slots=True)
class Weeks:
    """Years of 52 or 53 weeks, which end on a `weekday` (Monday 0).

    It is the one `nearest` to the last day of the calendar's last month, else the last one in that month. `quarters`
    are the weeks after which the first three quarters end.
    """

    weekday: int
    nearest: bool = True
    quarters: tuple[int, int, int] = BY_13_WEEKS

    def last_day(self, month_end: date) -> date:
        """The last day of the year, by the last day of its month."""
        ahead = 3 if self.nearest else 0
        latest = month_end + timedelta(days=ahead)
        return latest - timedelta(days=(latest.weekday() - self.weekday) % 7)


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """Fiscal years that end on `last_day` of `last_month`, or with a week of it where they count by `weeks`.

    They are named by the year in which that month lies, or by the one before where `named_by_start`. `known` are the
    exact last days that a text gives: (fiscal year, quarter 1 to 4, day). `basis` says where the calendar was learned.
    Methods raise `ValueError` or `OverflowError` for years outside the Gregorian calendar.
    """

    last_month: int
    basis: str
    last_day: int = MONTH_END
    weeks: Weeks | None = None
    named_by_start: bool = False
    known: tuple[tuple[int, int, date], ...] = ()

    @property
    def first_month(self) -> int:
        """The calendar month, 1 to 12, in which fiscal years begin, but for the days that weeks shift them by."""
        return self.last_month if self.last_day < MONTH_END else self.last_month % 12 + 1

    def months(self, year: int, first: int, count: int) -> Interval:
        """`count` fiscal months of fiscal `year` from its `first` (1 to 12) on, by weeks 4 + 4 + 5 a quarter."""
        return self._after(year, first - 1), self._after(year, first - 1 + count)

    def year_of(self, day: date) -> int:
        """The fiscal year that holds the day."""
        year = day.year - self.named_by_start
        while day >= self._after(year, 12):
            year += 1
        while day < self._after(year, 0):
            year -= 1
        return year

    def quarter_of(self, day: date) -> int:
        """The fiscal quarter, 1 to 4, that holds the day."""
        year = self.year_of(day)
        return next(quarter for quarter in range(1, 5) if day < self._after(year, quarter * 3))

    def named(self, last: date) -> int:
        """The fiscal year whose last day, give or take a few days, is `last`."""
        return self.year_of(last - timedelta(days=7))

    def _after(self, year: int, months: int) -> date:
        """The day after so many months of a fiscal year."""
        if months <= 0:
            return self._after(year - 1, months + 12)
        quarter, rest = divmod(months, 3)
        exact = None if rest else self._known(year, quarter)
        if exact:
            return exact + DAY
        if months >= 12:
            return self._year_end(year) + DAY if months == 12 else self._after(year + 1, months - 12)
        start = self._after(year, 0)
        if self.weeks is None:
            return add_months(start, months)
        return start + WEEK * ((0, *self.weeks.quarters)[quarter] + _WEEKS_OF_MONTHS[rest])

    def _known(self, year: int, quarter: int) -> date | None:
        return next((last for each, number, last in self.known if (each, number) == (year, quarter)), None)

    def _year_end(self, year: int) -> date:
        ending = year + self.named_by_start
        month_end = monthrange(ending, self.last_month)[1]
        if self.weeks is not None:
            return self.weeks.last_day(date(ending, self.last_month, month_end))
        return date(ending, self.last_month, min(self.last_day, month_end))
