"""Calendars: arithmetic of days and months, and the fiscal years, halves, quarters and months of a company.

A person states the end of the fiscal years as a day of the year, or as a weekday by the end of a month:

09-30                                  September 30; if the texts count weeks to that month's end, by those weeks
exactly 09-30                          September 30 in every year, whatever the texts say
last Saturday of September             years of 52 or 53 weeks
Saturday nearest the end of September  years of 52 or 53 weeks
"""

from __future__ import annotations

import re
from calendar import day_name, month_name, monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from warehouse.errors import BadInput

Interval = tuple[date, date]  # Half-open.
DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
MONTH_END = 31  # The day number that means the last day of a month.
BY_13_WEEKS = (13, 26, 39)
WEEKS_TO_DATE = {24: 2, 26: 2, 27: 2, 28: 2, 36: 3, 39: 3, 40: 3}
"""The quarter that ends after a number of weeks of a year."""
_YEAR_WEEKS = 52
_MAX_SHIFT = timedelta(days=4)  # How far years of weeks may extend into the month after their own, plus a day.
_WEEKS_OF_MONTHS = (0, 4, 8)  # Weeks before each month of a quarter of 13 weeks: months have four, four and five.


def add_months(day: date, months: int) -> date:
    """The same day of the month `months` later (negative: earlier), or that month's last day if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"the year {year} is outside the calendar")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class Weeks:
    """Years of 52 or 53 weeks, which end on a `weekday` (Monday 0).

    It is the one `nearest` to the last day of the calendar's last month, else the last one in that month. `quarters`
    are the weeks after which the first three quarters end.
    """

    weekday: int
    nearest: bool = True
    quarters: tuple[int, int, int] = BY_13_WEEKS

    def find_last_day(self, month_end: date) -> date:
        """The last day of the year, by the last day of its month."""
        days_after = 3 if self.nearest else 0
        latest_day = month_end + timedelta(days=days_after)
        return latest_day - timedelta(days=(latest_day.weekday() - self.weekday) % 7)


STATED, FULL_YEAR, QUARTER, OTHER_YEAR, TO_DATE, ROLLING, LENGTH = 16, 4, 3, 2, 2, 1, 0
"""The reliability of each kind of evidence for the end of fiscal years (`YearEnd.weight`): a rule for every year; a
fiscal year, a numbered quarter, a year, the months of a year to a day; twelve months, which may be any twelve; the
weeks of a quarter, which do not determine the year's end."""


@dataclass(frozen=True, slots=True)
class YearEnd:
    """A text says that a fiscal year, or `quarter` quarters of one, end on `day` of `month` (`MONTH_END`: its last).

    `year` is that of the day, None if it is said of every year; `name` the name of the fiscal year, `weeks` how years
    of weeks end, `counted` the number of weeks that end there, 0 if they are not counted. `weight` is the reliability
    of the evidence, `text` its wording, and `times` how often it occurs.
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
    times: int = 1

    @property
    def last(self) -> date | None:
        """The day itself, if its year is known. Raises `ValueError` if there is no such day."""
        return None if self.year is None else date(self.year, self.month, self.day)

    def estimate_year_end(self, quarters: tuple[int, int, int] | None) -> date:
        """The approximate last day of the fiscal year, in its month; of an arbitrary year if none is known.

        `quarters` are the weeks after which the quarters of its company end, None if it does not count weeks.
        """
        day = (self.last or date(2001, self.month, min(self.day, 28))) - _MAX_SHIFT
        if self.counted in WEEKS_TO_DATE:
            return day + (_YEAR_WEEKS - self.counted) * WEEK
        if quarters and self.quarter < 4:
            return day + (_YEAR_WEEKS - quarters[self.quarter - 1]) * WEEK
        return add_months(day, 3 * (4 - self.quarter))


@dataclass(frozen=True, slots=True)
class QuarterEnd:
    """The `last` day of a quarter, 1 to 4, of the fiscal year called `year`."""

    year: int
    quarter: int
    last: date


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """Fiscal years that end on `last_day` of `last_month`, or with a week of it if they count by `weeks`.

    They are named by the year of that month, or by the one before if `named_by_start`. `known` are the exact last days
    that texts give. `basis` says where the calendar was learned.
    Methods raise `ValueError` or `OverflowError` for years outside the Gregorian calendar.
    """

    last_month: int
    basis: str
    last_day: int = MONTH_END
    weeks: Weeks | None = None
    named_by_start: bool = False
    known: tuple[QuarterEnd, ...] = ()

    @property
    def first_month(self) -> int:
        """The calendar month, 1 to 12, in which fiscal years begin, apart from the days that weeks shift them by."""
        return self.last_month if self.last_day < MONTH_END else self.last_month % 12 + 1

    def find_months(self, year: int, first: int, count: int) -> Interval:
        """`count` fiscal months of fiscal `year` from its `first` (1 to 12) on, by weeks 4 + 4 + 5 a quarter."""
        return self._find_day_after(year, first - 1), self._find_day_after(year, first - 1 + count)

    def find_year(self, day: date) -> int:
        """The fiscal year that contains the day."""
        year = day.year - self.named_by_start
        while day >= self._find_day_after(year, 12):
            year += 1
        while day < self._find_day_after(year, 0):
            year -= 1
        return year

    def find_quarter(self, day: date) -> int:
        """The fiscal quarter, 1 to 4, that contains the day."""
        year = self.find_year(day)
        return next(quarter for quarter in range(1, 5) if day < self._find_day_after(year, quarter * 3))

    def find_year_ending(self, last: date) -> int:
        """The fiscal year whose last day, give or take a few days, is `last`."""
        return self.find_year(last - timedelta(days=7))

    def _find_day_after(self, year: int, months: int) -> date:
        """The day after so many months of a fiscal year."""
        if months <= 0:
            return self._find_day_after(year - 1, months + 12)
        quarter, months_of_quarter = divmod(months, 3)
        known_ends = (
            end.last for end in self.known if not months_of_quarter and (end.year, end.quarter) == (year, quarter)
        )
        if last := next(known_ends, None):
            return last + DAY
        if months >= 12:
            return self._find_year_end(year) + DAY if months == 12 else self._find_day_after(year + 1, months - 12)
        if self.weeks is None:
            return add_months(self._find_day_after(year, 0), months)
        if months_of_quarter:
            return self._find_day_after(year, months - months_of_quarter) + WEEK * _WEEKS_OF_MONTHS[months_of_quarter]
        week_counts = self.weeks.quarters
        later_end = next((end for end in self.known if end.year == year and quarter < end.quarter < 4), None)
        if later_end:
            # The extra week of a year of 53 weeks is usually in its first or last quarter.
            return later_end.last + DAY - WEEK * (week_counts[later_end.quarter - 1] - week_counts[quarter - 1])
        return self._find_day_after(year, 0) + WEEK * week_counts[quarter - 1]

    def _find_year_end(self, year: int) -> date:
        calendar_year = year + self.named_by_start
        month_end = monthrange(calendar_year, self.last_month)[1]
        if self.weeks is None:
            return date(calendar_year, self.last_month, min(self.last_day, month_end))
        last = self.weeks.find_last_day(date(calendar_year, self.last_month, month_end))
        week_counts = self.weeks.quarters
        # By the weeks to each quarter of the next year whose end is known.
        known_ends = (end for end in self.known if end.year == year + 1 and end.quarter < 4)
        expected_days = (end.last - week_counts[end.quarter - 1] * WEEK for end in known_ends)
        return next((day for day in expected_days if abs(day - last) <= WEEK), last)


CURE = "write it as MM-DD (09-30), 'last Saturday of September' or 'Saturday nearest the end of September'"
_MONTHS = {name.lower(): number for number, name in enumerate(month_name) if name}
_DAYS = {name.lower(): number for number, name in enumerate(day_name)}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|\d{{1,2}})(?:[ -]\d{{1,2}})?"
_DAY = rf"(?:the )?(?P<day>{'|'.join(_DAYS)}|{'|'.join(name[:3] for name in _DAYS)})"
_MONTH_AND_DAY = re.compile(r"(?P<exactly>exactly )?(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.IGNORECASE)
_LAST_WEEKDAY = re.compile(rf"(?:the )?last (?P<day>{'|'.join(_DAYS)}) (?:of|in) {_MONTH}", re.IGNORECASE)
_NEAREST_WEEKDAY = re.compile(
    rf"{_DAY} (?:nearest|closest)(?: to)?(?: the)?(?: (?:end|last day) of)? {_MONTH}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class YearEndRule:
    """Fiscal years end on `day` of `month` (`MONTH_END`: its last), or by `weeks` at the end of that month.

    `exactly` forbids refining the day by the weeks that texts mention.
    """

    month: int
    day: int = MONTH_END
    weeks: Weeks | None = None
    exactly: bool = False

    def __str__(self) -> str:
        if self.weeks is None:
            day = min(self.day, monthrange(2001, self.month)[1])
            return f"{'exactly ' if self.exactly else ''}{self.month:02d}-{day:02d}"
        weekday, month = day_name[self.weeks.weekday], month_name[self.month]
        return f"{weekday} nearest the end of {month}" if self.weeks.nearest else f"last {weekday} of {month}"

    @property
    def description(self) -> str:
        """The rule as the continuation of "fiscal years end"."""
        if self.exactly and not self.weeks:
            return f"exactly on {str(self).removeprefix('exactly ')}"
        return f"on the {self}" if self.weeks else f"on {self}"


def parse_year_end_rule(text: str) -> YearEndRule:
    """The rule that a text states. Raises `BadInput` for any other text."""
    normalized_text = " ".join(text.split())
    if match := _MONTH_AND_DAY.fullmatch(normalized_text):
        month, day = int(match["month"]), int(match["day"])
        try:
            date(2000, month, day)
        except ValueError:
            raise BadInput(f"'{normalized_text}' is no day of the year", CURE) from None
        last = MONTH_END if day >= monthrange(2001, month)[1] else day
        return YearEndRule(month, last, exactly=bool(match["exactly"]))
    for pattern, nearest in ((_LAST_WEEKDAY, False), (_NEAREST_WEEKDAY, True)):
        if match := pattern.fullmatch(normalized_text):
            text = match["month"]
            month = int(text) if text.isdigit() else _find_number(text, _MONTHS)
            if 1 <= month <= 12:
                return YearEndRule(month, weeks=Weeks(_find_number(match["day"], _DAYS), nearest))
    raise BadInput(f"'{normalized_text[:80]}' does not say when fiscal years end", CURE)


def get_year_end_rule(calendar: FiscalCalendar) -> YearEndRule:
    """When the fiscal years of a calendar end."""
    weeks = Weeks(calendar.weeks.weekday, calendar.weeks.nearest) if calendar.weeks else None
    return YearEndRule(calendar.last_month, MONTH_END if weeks else calendar.last_day, weeks)


def _find_number(beginning: str, names: dict[str, int]) -> int:
    return next(number for name, number in names.items() if name.startswith(beginning.lower()))
