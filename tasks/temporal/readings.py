"""What an expression means once it is resolved, with its TIMEX3 value (ISO-TimeML, ISO 24617-1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tasks.temporal import intervals
from warehouse.months import DAY, Interval, add_months
from warehouse.records import Calendar, Grain, Modifier, TimexType

UNRESOLVED = "XXXX"
SEASONS = ("SP", "SU", "FA", "WI")


@dataclass(frozen=True, slots=True)
class MentionFields:
    """The fields of a `Mention` that its text alone does not say.

    `interval` is half-open, with None for a side left open; None where the expression has no place in time, for want
    of an anchor or because it is a duration or a set. `anchor` is the day a relative one was counted from. `other`
    is the interval of the reading not chosen and `basis` the reason of the choice. `aside` marks a comparison ("a year
    earlier", "the same period of 2011"): the text goes on from where it was before.
    """

    value: str
    interval: tuple[date | None, date | None] | None
    grain: Grain | None
    type: TimexType = TimexType.DATE
    relative: bool = False
    anchor: date | None = None
    calendar: Calendar = Calendar.GREGORIAN
    modifier: Modifier | None = None
    quant: str = ""
    freq: str = ""
    other: Interval | None = None
    basis: str = ""
    aside: bool = False

    @property
    def closed(self) -> Interval | None:
        """The interval where both its sides are known."""
        if self.interval is None:
            return None
        start, end = self.interval
        return None if start is None or end is None else (start, end)


def of_day(day: date) -> MentionFields:
    """2023-03-05."""
    return MentionFields(day.isoformat(), intervals.of_day(day), Grain.DAY)


def of_week(day: date) -> MentionFields:
    """2023-W09, the ISO week that holds the day."""
    year, week, _ = day.isocalendar()
    return MentionFields(f"{year:04}-W{week:02}", intervals.of_week(day), Grain.WEEK)


def of_weekend(day: date) -> MentionFields:
    """2023-W09-WE, Saturday and Sunday of the ISO week that holds the day."""
    year, week, _ = day.isocalendar()
    end = intervals.of_week(day)[1]
    return MentionFields(f"{year:04}-W{week:02}-WE", (end - 2 * DAY, end), Grain.WEEKEND)


def of_month(year: int, month: int) -> MentionFields:
    """2023-03."""
    return MentionFields(f"{year:04}-{month:02}", intervals.of_month(year, month), Grain.MONTH)


def of_season(day: date) -> MentionFields:
    """2023-SP, the season that holds the day: spring begins with March, and a winter is named by its December."""
    first = add_months(day.replace(day=1), -2)
    index = (first.month - 1) // 3
    return MentionFields(
        f"{first.year:04}-{SEASONS[index]}", intervals.span_of_months(first.year, 3 * index + 3, 3), Grain.SEASON
    )


def of_quarter(year: int, quarter: int) -> MentionFields:
    """2023-Q1, of the calendar year."""
    return MentionFields(f"{year:04}-Q{quarter}", intervals.of_quarter(year, quarter), Grain.QUARTER)


def of_half(year: int, half: int) -> MentionFields:
    """2023-H1, of the calendar year."""
    return MentionFields(f"{year:04}-H{half}", intervals.of_half(year, half), Grain.HALF)


def of_year(year: int) -> MentionFields:
    """2023, the calendar year."""
    return MentionFields(f"{year:04}", intervals.of_years(year), Grain.YEAR)


def of_decade(year: int) -> MentionFields:
    """199 for the 1990s."""
    first = year // 10 * 10
    return MentionFields(f"{first // 10:03}", intervals.of_years(first, 10), Grain.DECADE)


def of_century(year: int) -> MentionFields:
    """20 for the years 2000 to 2099."""
    first = year // 100 * 100
    return MentionFields(f"{first // 100:02}", intervals.of_years(first, 100), Grain.CENTURY)


def of_months_until(last: date, months: int) -> MentionFields:
    """The months that end with `last`: a calendar unit's value where they are one, else first day/last day."""
    start, end = intervals.months_until(last, months)
    if start.day == 1 and (start.month - 1) % months == 0:
        if months == 3:
            return of_quarter(start.year, start.month // 3 + 1)
        if months == 6:
            return of_half(start.year, start.month // 6 + 1)
        if months == 12:
            return of_year(start.year)
    grain = {3: Grain.QUARTER, 6: Grain.HALF, 12: Grain.YEAR}.get(months, Grain.MONTH)
    return MentionFields(range_value((start, end)), (start, end), grain)


def range_value(interval: Interval) -> str:
    """First day/last day, both included, as people write ranges of dates."""
    return f"{interval[0].isoformat()}/{(interval[1] - DAY).isoformat()}"
