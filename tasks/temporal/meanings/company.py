"""Quarters, halves and years that may be those of a company's calendar, by number or by the day they end on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.readings import Context, Meaning, MentionFields
from warehouse.records import Calendar, Grain
from warehouse.records.calendars import DAY, WEEK, FiscalCalendar, Interval

_MONTHS = {Grain.QUARTER: 3, Grain.HALF: 6, Grain.YEAR: 12}
_UNITS = {months: grain for grain, months in _MONTHS.items()}
CALENDAR_UNKNOWN = "the calendar year, for want of the fiscal one"
"""The basis of a fiscal period of a company whose calendar is not known."""
_PLAIN_YEAR = "a year without the word fiscal is the calendar's"


@dataclass(frozen=True, slots=True)
class Period:
    """The `index`-th (from 1) quarter or half of a year, or the year (`index` 1).

    `fiscal` is whether the text says so ("FY23", "fiscal 2023"); without the word, a quarter or half is the company's
    if its calendar is known and differs, and a year is the calendar's. `by_end` is whether the text names the year by
    the one in which it ends ("FY2022/23"), whatever the company's custom. `is_calendar` is whether the text says that
    the calendar's period is meant ("calendar Q2 2023").
    """

    grain: Grain
    year: int
    index: int = 1
    fiscal: bool = False
    by_end: bool = False
    is_calendar: bool = False

    def resolve(self, context: Context) -> MentionFields:
        """The reading by the company's calendar, if that is to be used, and the other one if they differ."""
        make_part = {Grain.QUARTER: readings.make_quarter, Grain.HALF: readings.make_half}.get(self.grain)
        calendar_reading = make_part(self.year, self.index) if make_part else readings.make_year(self.year)
        if self.is_calendar:
            return calendar_reading
        if context.fiscal is None:
            return _with_fiscal_name(calendar_reading, self.year, CALENDAR_UNKNOWN) if self.fiscal else calendar_reading
        months = _MONTHS[self.grain]
        year = self.year - (self.by_end and context.fiscal.named_by_start)
        interval = context.fiscal.find_months(year, (self.index - 1) * months + 1, months)
        if interval == calendar_reading.interval:
            return (
                _with_fiscal_name(calendar_reading, self.year, context.fiscal.basis)
                if self.fiscal
                else calendar_reading
            )
        if self.grain is Grain.YEAR and not self.fiscal:
            return replace(calendar_reading, other_interval=interval, basis=_PLAIN_YEAR)
        return _with_fiscal_name(
            replace(calendar_reading, interval=interval, other_interval=calendar_reading.bounds),
            year,
            context.fiscal.basis,
        )


@dataclass(frozen=True, slots=True)
class YearOfTwo:
    """A year that is named by both of its calendar years, "2023/24": the company's if its years run over two of them.

    `calendar_reading` is the reading for all others.
    """

    first: int
    is_calendar: MentionFields

    grain: ClassVar[Grain] = Grain.YEAR

    def resolve(self, context: Context) -> MentionFields:
        """The fiscal year that ends in the second of the years; without such a calendar the plain reading."""
        if context.fiscal is None or context.fiscal.first_month == 1:
            return self.is_calendar
        return Period(Grain.YEAR, self.first + 1, fiscal=True, by_end=True).resolve(context)


@dataclass(frozen=True, slots=True)
class PeriodUntil:
    """The `months` that end with the day `last`: "three months ended March 31"; `weeks` if weeks are counted.

    Weeks that are no quarter, half or year have 0 `months`. `fiscal` is whether the text calls the period fiscal,
    `by_month` whether it names only the month of its end: years of whole weeks end some days before or after it.
    """

    last: date
    months: int
    weeks: int = 0
    fiscal: bool = False
    by_month: bool = False

    @property
    def grain(self) -> Grain:
        """The unit of that length."""
        return _UNITS.get(self.months, Grain.WEEK if self.weeks else Grain.MONTH)

    def resolve(self, context: Context) -> MentionFields:
        """The company's period if one of that length ends on the day; else the months or weeks before that day."""
        start, end = self.last + DAY - self.weeks * WEEK, self.last + DAY
        counted_weeks = readings.make_range((start, end), self.grain) if self.weeks else None
        calendar_reading = counted_weeks or readings.make_months_until(self.last, self.months)
        company_period = self._find_company_period(context)
        if company_period is None:
            named_year = replace(calendar_reading, value=f"{self.last.year:04}")
            return (
                _with_fiscal_name(named_year, self.last.year, CALENDAR_UNKNOWN)
                if self.fiscal and self.months == 12
                else calendar_reading
            )
        year, quarter, interval = company_period
        name = f"{year:04}" + {3: f"-Q{quarter}", 6: f"-H{quarter // 2}", 12: ""}[self.months]
        if (name, interval) == (calendar_reading.value, calendar_reading.interval) and not self.fiscal:
            return calendar_reading
        basis = context.fiscal.basis if context.fiscal else ""
        return replace(calendar_reading, value=f"FY{name}", interval=interval, calendar=Calendar.FISCAL, basis=basis)

    def _find_company_period(self, context: Context) -> tuple[int, int, Interval] | None:
        """The fiscal year and quarter that end on the day, and the days of the whole period."""
        if context.fiscal is None or self.months not in (3, 6, 12):
            return None
        tolerance = WEEK if self.by_month else 0 * DAY
        year, quarter = (
            context.fiscal.find_year(self.last - tolerance),
            context.fiscal.find_quarter(self.last - tolerance),
        )
        if quarter * 3 % self.months:
            return None
        interval = context.fiscal.find_months(year, quarter * 3 - self.months + 1, self.months)
        return (year, quarter, interval) if abs(interval[1] - self.last - DAY) <= tolerance else None


@dataclass(frozen=True, slots=True)
class PeriodThenEnded:
    """The `months` that end with the time of the last mention: "and for the year then ended"."""

    months: int

    @property
    def grain(self) -> Grain:
        """The unit of that length."""
        return _UNITS.get(self.months, Grain.MONTH)

    def resolve(self, context: Context) -> MentionFields:
        """Relative to that time. Raises `ValueError` without a last mention."""
        last = context.last_reading
        if last is None or last.bounds is None:
            raise ValueError("ended when?")
        first, end = last.bounds
        return replace(PeriodUntil(end - DAY, self.months).resolve(context), relative=True, anchor=first)


@dataclass(frozen=True, slots=True)
class PeriodEndingWith:
    """The `months` or `weeks` that end where a time does: "LTM June 2024", "three months ended 9/30/2024".

    Without an `end`, words still waiting for it.
    """

    end: Meaning | None
    months: int
    weeks: int = 0
    fiscal: bool = False

    @property
    def grain(self) -> Grain:
        """The unit of that length."""
        return _UNITS.get(self.months, Grain.WEEK if self.weeks else Grain.MONTH)

    def resolve(self, context: Context) -> MentionFields:
        """Relative where the end is; the other reading is that of the end's. Raises `ValueError` without an end."""
        if self.end is None:
            raise ValueError("ended when?")
        end = self.end.resolve(context)
        if end.bounds is None:
            return MentionFields(readings.UNRESOLVED, None, self.grain, relative=end.relative)
        reading, other = self._make_until(end.bounds, context), end.other_bounds
        if other:
            reading = replace(
                reading, other_interval=self._make_until(other, context).bounds, basis=reading.basis or end.basis
            )
        return replace(reading, relative=end.relative, anchor=end.anchor)

    def _make_until(self, end: Interval, context: Context) -> MentionFields:
        return PeriodUntil(end[1] - DAY, self.months, self.weeks, self.fiscal).resolve(context)


@dataclass(frozen=True, slots=True)
class YearToDate:
    """The year up to and with a time: "YTD September 2024"; a whole year ends with the anchor's day, if it holds it.

    The year is the company's if the time belongs to its calendar ("YTD Q3 FY24").
    """

    until: Meaning

    grain: ClassVar[Grain] = Grain.YEAR

    def resolve(self, context: Context) -> MentionFields:
        """First day/last day."""
        until = self.until.resolve(context)
        if until.bounds is None:
            return MentionFields(readings.UNRESOLVED, None, self.grain, relative=until.relative)
        start, end = until.bounds
        anchor = context.anchor
        if until.grain is Grain.YEAR and anchor is not None and start <= anchor < end:
            end = anchor + DAY
        last = end - DAY
        first = date(last.year, 1, 1)
        if until.calendar is Calendar.FISCAL and context.fiscal is not None:
            first = context.fiscal.find_months(context.fiscal.find_year(last), 1, 12)[0]
        reading = readings.make_range((first, end), Grain.YEAR)
        return replace(
            reading, relative=until.relative, anchor=until.anchor, calendar=until.calendar, basis=until.basis
        )


@dataclass(frozen=True, slots=True)
class FirstMonths:
    """The first `months` of a year, which are the company's where its calendar is known: "9M 2024"."""

    months: int
    year: int
    fiscal: bool = False

    @property
    def grain(self) -> Grain:
        """The unit of that length."""
        return _UNITS.get(self.months, Grain.MONTH)

    def resolve(self, context: Context) -> MentionFields:
        """A quarter, half or year where they are one."""
        if self.months in _UNITS:
            return Period(_UNITS[self.months], self.year, 1, self.fiscal).resolve(context)
        calendar = context.fiscal
        interval = (
            readings.make_months_interval(self.year, 1, self.months)
            if calendar is None
            else calendar.find_months(self.year, 1, self.months)
        )
        return PeriodUntil(interval[1] - DAY, self.months).resolve(context)


def resolve_fiscal_unit(grain: Grain, day: date, context: Context) -> MentionFields | None:
    """The company's quarter, half, year, month or week that holds the day; None for other grains.

    If the company's calendar is not known, quarters, halves and years are those of the calendar, with fiscal names;
    months and weeks have no date.
    """
    if grain in _MONTHS:
        year, month = day.year, day.month
        if context.fiscal is not None:
            year, month = context.fiscal.find_year(day), context.fiscal.find_quarter(day) * 3
        return Period(grain, year, (month - 1) // _MONTHS[grain] + 1, fiscal=True).resolve(context)
    if grain not in (Grain.MONTH, Grain.WEEK):
        return None
    interval = _find_month_or_week(grain, day, context.fiscal) if context.fiscal else None
    if interval is None or context.fiscal is None:
        return MentionFields(readings.UNRESOLVED, None, grain, calendar=Calendar.FISCAL)
    return replace(readings.make_range(interval, grain), calendar=Calendar.FISCAL, basis=context.fiscal.basis)


def _find_month_or_week(grain: Grain, day: date, calendar: FiscalCalendar) -> Interval | None:
    """A twelfth of the fiscal year, or a week counted from its first day; None in years that are not made of weeks."""
    year = calendar.find_year(day)
    if grain is Grain.MONTH:
        months = (calendar.find_months(year, number, 1) for number in range(1, 13))
        return next(month for month in months if day < month[1])
    if calendar.weeks is None:
        return None
    first = calendar.find_months(year, 1, 12)[0]
    start = first + (day - first) // WEEK * WEEK
    return start, start + WEEK


def _with_fiscal_name(reading: MentionFields, year: int, basis: str) -> MentionFields:
    value = f"FY{year:04}{reading.value[4:]}"
    return replace(reading, value=value, calendar=Calendar.FISCAL, basis=basis)
