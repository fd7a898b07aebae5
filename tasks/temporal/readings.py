"""Meanings and their readings: `Meaning.resolve(Context)` gives the `MentionFields` of an expression.

Beside them the calendar arithmetic on half-open intervals of days, [start, end), that both need: quarters, halves and
weeks are those of ISO 8601 and the Gregorian calendar. Its functions raise `ValueError` (or `OverflowError`) where the
date does not exist. Values are those of TIMEX3 (ISO-TimeML, ISO 24617-1).
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Protocol

from tasks.temporal.tense import ExpressionSpan, Tense
from warehouse.records import Calendar, Grain, Mention, Modifier, TimexType
from warehouse.records.calendars import DAY, WEEK, FiscalCalendar, Interval, add_months


def make_months_interval(year: int, month: int, months: int) -> Interval:
    """`months` whole months from the first of `month` in `year`."""
    start = date(year, month, 1)
    return start, add_months(start, months)


def make_quarter_interval(year: int, quarter: int) -> Interval:
    """A calendar quarter, 1 to 4."""
    return make_months_interval(year, quarter * 3 - 2, 3)


def make_years_interval(year: int, years: int = 1) -> Interval:
    """`years` calendar years from `year` on."""
    return make_months_interval(year, 1, 12 * years)


def expand_year(digits: str) -> int:
    """Two digits are read as POSIX reads them: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068."""
    year = int(digits)
    return year if len(digits) != 2 else year + (1900 if year >= 69 else 2000)


_MONTHS = {Grain.MONTH: 1, Grain.SEASON: 3, Grain.QUARTER: 3, Grain.HALF: 6, Grain.YEAR: 12}
_MONTHS |= {Grain.DECADE: 120, Grain.CENTURY: 1200}
_DAYS = {Grain.WEEK: 7, Grain.WEEKEND: 7, Grain.DAY: 1, Grain.PART: 1}
_UNITS_PER_DAY = {Grain.HOUR: 24, Grain.MINUTE: 24 * 60, Grain.SECOND: 24 * 3600}


def add_units(day: date, grain: Grain, count: int) -> date:
    """The day `count` units later (negative: earlier); of hours and less only whole days count."""
    if grain in _MONTHS:
        return add_months(day, count * _MONTHS[grain])
    if grain in _UNITS_PER_DAY:
        return day + timedelta(days=int(count / _UNITS_PER_DAY[grain]))
    return day + timedelta(days=count * _DAYS[grain])


def find_first_day(grain: Grain, day: date) -> date:
    """The first day of the calendar unit that holds the day: the day itself for its hours and parts."""
    if grain is Grain.SEASON:
        return add_months(find_first_day(Grain.QUARTER, add_months(day, -2)), 2)
    if grain in _MONTHS:
        months = _MONTHS[grain]
        count = (day.year * 12 + day.month - 1) // months * months
        return date(count // 12, count % 12 + 1, 1)
    return day - timedelta(days=day.weekday()) if grain in (Grain.WEEK, Grain.WEEKEND) else day


UNRESOLVED = "XXXX"
SEASONS = ("SP", "SU", "FA", "WI")


@dataclass(frozen=True, slots=True)
class MentionFields:
    """The fields of a `Mention` other than its text and position.

    `interval` is half-open, with None for an open side; it is None if the expression has no place in time, because it
    has no anchor or is a duration or a set. `anchor` is the day from which a relative one was counted. `other_interval`
    is that of the other reading and `basis` the reason for the choice. `is_comparison` marks a comparison ("a year
    earlier", "the same period of 2011"): the text then continues at the time before it.
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
    other_interval: tuple[date | None, date | None] | None = None
    basis: str = ""
    is_comparison: bool = False

    @property
    def bounds(self) -> Interval | None:
        """The interval where both its sides are known."""
        return _get_bounds(self.interval)

    @property
    def other_bounds(self) -> Interval | None:
        """The interval of the reading not chosen where both its sides are known."""
        return _get_bounds(self.other_interval)

    def resolve(self, context: Context) -> MentionFields:
        """Itself: the meaning of a complete date."""
        return self


def _get_bounds(interval: tuple[date | None, date | None] | None) -> Interval | None:
    start, end = interval or (None, None)
    return None if start is None or end is None else (start, end)


def make_day(day: date) -> MentionFields:
    """2023-03-05."""
    return MentionFields(day.isoformat(), (day, day + DAY), Grain.DAY)


def make_week(day: date) -> MentionFields:
    """2023-W09, the ISO week that holds the day."""
    year, week, _ = day.isocalendar()
    monday = day - timedelta(days=day.weekday())
    return MentionFields(f"{year:04}-W{week:02}", (monday, monday + WEEK), Grain.WEEK)


def make_weekend(day: date) -> MentionFields:
    """2023-W09-WE, Saturday and Sunday of the ISO week that holds the day."""
    week = make_week(day)
    saturday = day + timedelta(days=5 - day.weekday())
    return MentionFields(f"{week.value}-WE", (saturday, saturday + 2 * DAY), Grain.WEEKEND)


def make_month(year: int, month: int) -> MentionFields:
    """2023-03."""
    return MentionFields(f"{year:04}-{month:02}", make_months_interval(year, month, 1), Grain.MONTH)


def make_season(day: date) -> MentionFields:
    """2023-SP, the season that holds the day: spring begins with March, and a winter is named by its December."""
    first = add_months(day.replace(day=1), -2)
    index = (first.month - 1) // 3
    return MentionFields(
        f"{first.year:04}-{SEASONS[index]}", make_months_interval(first.year, 3 * index + 3, 3), Grain.SEASON
    )


def make_quarter(year: int, quarter: int) -> MentionFields:
    """2023-Q1, of the calendar year."""
    return MentionFields(f"{year:04}-Q{quarter}", make_quarter_interval(year, quarter), Grain.QUARTER)


def make_half(year: int, half: int) -> MentionFields:
    """2023-H1, of the calendar year."""
    return MentionFields(f"{year:04}-H{half}", make_months_interval(year, half * 6 - 5, 6), Grain.HALF)


def make_year(year: int) -> MentionFields:
    """2023, the calendar year."""
    return MentionFields(f"{year:04}", make_years_interval(year), Grain.YEAR)


LONGEST_QUARTER = timedelta(days=120)  # The longest are of sixteen weeks.
_SCHOOL_BASIS = "an academic year or a season, from August to July"


def make_school_year(first: int) -> MentionFields:
    """2023/2024: what schools, universities and leagues call a year, from the August of its first year to July."""
    interval = make_months_interval(first, 8, 12)
    return MentionFields(f"{first:04}/{first + 1:04}", interval, Grain.YEAR, basis=_SCHOOL_BASIS)


def make_decade(year: int) -> MentionFields:
    """199 for the 1990s."""
    first = year // 10 * 10
    return MentionFields(f"{first // 10:03}", make_years_interval(first, 10), Grain.DECADE)


def make_century(year: int) -> MentionFields:
    """20 for the years 2000 to 2099."""
    first = year // 100 * 100
    return MentionFields(f"{first // 100:02}", make_years_interval(first, 100), Grain.CENTURY)


def make_months_until(last: date, months: int) -> MentionFields:
    """The months that end with `last`: a calendar unit's value where they are one, else first day/last day."""
    start, end = add_months(last + DAY, -months), last + DAY
    if start.day == 1 and (start.month - 1) % months == 0:
        if months == 3:
            return make_quarter(start.year, start.month // 3 + 1)
        if months == 6:
            return make_half(start.year, start.month // 6 + 1)
        if months == 12:
            return make_year(start.year)
    return make_range((start, end), {3: Grain.QUARTER, 6: Grain.HALF, 12: Grain.YEAR}.get(months, Grain.MONTH))


def make_range(interval: Interval, grain: Grain) -> MentionFields:
    """2023-03-05/2023-03-09: the first day and the last, both included, as people write ranges of dates."""
    value = f"{interval[0].isoformat()}/{(interval[1] - DAY).isoformat()}"
    return MentionFields(value, interval, grain)


def find_part_period(
    first: int, months: int, last: Mapping[int, Interval], run: Sequence[Interval], years: Collection[int]
) -> Interval | None:
    """The period of `months` months from the month `first` on, which follows a `run` of months.

    `last` are the last periods by their months, `years` those of all periods next to it.
    """
    if last_period := last.get(months):
        candidates = (make_months_interval(year + step, first, months) for year in years for step in (-1, 0, 1))
        if days := next(
            (candidate for candidate in candidates if candidate[0] == last_period[1] or candidate[1] == last_period[0]),
            None,
        ):
            return days
    if months > 1 and len(run) >= months and run[-1][1] == add_months(run[-months][0], months):
        return run[-months][0], run[-1][1]
    return make_months_interval(next(iter(years)), first, months) if months > 1 and len(years) == 1 else None


def find_only_month(months: Sequence[int], within: Interval) -> Interval | None:
    """The only month, if it occurs once in an interval."""
    if len(months) > 1:
        return None
    intervals = (make_months_interval(year, months[0], 1) for year in range(within[0].year, within[1].year + 1))
    matches = [days for days in intervals if within[0] <= days[0] and days[1] <= within[1]]
    return matches[0] if len(matches) == 1 else None


_MAX_NARRATIVE_GAP = 500  # Characters after an expression in which the text is taken to continue the same narrative.
_SENTENCE_END = re.compile(r"[.!?。]\s|\n")
_MAX_WEEK_LENGTH = 1500  # Characters of the lines below a week.
_BLANK_LINE = re.compile(r"\n\s*\n")
_RECENT_YEARS = 2
_LONG_UNITS = (None, Grain.QUARTER, Grain.HALF, Grain.YEAR, Grain.DECADE, Grain.CENTURY)
"""Units too long to begin a narrative: a year that is mentioned is none yet ("convicted in 1998. In March")."""


AND = "and|or|und|oder|sowie|et|ou|y|o|e|ed|en|of|&"
"""The words before the last member of a list in the languages that are read, alternatives of a pattern."""
_LIST_GAP = re.compile(rf"\s?[,;&、]\s?(?:(?:{AND})\s)?|\s(?:{AND})\s(?:the\s)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Context:
    """`anchor` is the day the text was written; without one relative expressions keep no dates.

    `span` is the expression itself; `last_reading` is the last dated reading before it, which ends at `last_end`.
    `day_order` is "day first", "month first" or "" (`Attributes.day_order`): how an ambiguous 03/04/2023 is read.
    `fiscal` is the company's fiscal calendar, `term` the days of the term of a course document: its days and months
    without a year are inside them. `week` is the last week that headed lines, which ends in the text at `week_end`.
    `reported` are the days that the document reports on, `period` the days that an undated one is about: a day or
    month without a year is inside them, or as near to them as possible. `in_chat` says that people arrange what is to
    come: a weekday without a verb is the next. `in_narrative` says that the anchor is only the first day that the text
    names: what is told in the past may have been after it.
    """

    anchor: date | None = None
    last_reading: MentionFields | None = None
    span: ExpressionSpan | None = None
    day_order: str = ""
    fiscal: FiscalCalendar | None = None
    last_end: int = 0
    term: Interval | None = None
    week: Interval | None = None
    week_end: int = 0
    reported: Interval | None = None
    period: Interval | None = None
    in_chat: bool = False
    in_narrative: bool = False

    def get_days(self) -> Interval | None:
        """The days in which days and months without a year are read; the future begins at a long period's end."""
        is_long = self.period is not None and self.period[1] - self.period[0] > LONGEST_QUARTER
        if self.term or self.period is None or not is_long or self.tense is not Tense.FUTURE:
            return self.term or self.period
        return self.period[1] - DAY, self.period[1]

    @property
    def headed_week(self) -> Interval | None:
        """The week that heads the lines around the expression, as in "Next week: planning Mon 10:30"."""
        if self.week is None or self.span is None:
            return None
        gap = self.span.text[self.week_end : min(self.span.start, self.week_end + _MAX_WEEK_LENGTH + 1)]
        return self.week if len(gap) <= _MAX_WEEK_LENGTH and not _BLANK_LINE.search(gap.strip()) else None

    @property
    def tense(self) -> Tense:
        """The tense of the sentence around the expression; the past of a narrative follows its first day."""
        tense = self.span.tense if self.span else Tense.UNKNOWN
        return Tense.UNKNOWN if self.in_narrative and tense is Tense.PAST else tense

    @property
    def listed_day(self) -> date | None:
        """The day right before the expression in a list of days; None if the expression does not continue a list."""
        last, span = self.last_reading, self.span
        if last is None or last.bounds is None or span is None or last.grain is not Grain.DAY:
            return None
        return last.bounds[0] if _LIST_GAP.fullmatch(span.text, self.last_end, span.start) else None

    @property
    def sentence_day(self) -> date | None:
        """The last day named before the expression in its sentence: "away 17-21 March and back on the 24th"."""
        last, span = self.last_reading, self.span
        if last is None or last.bounds is None or span is None or last.grain is not Grain.DAY:
            return None
        gap = span.text[self.last_end : min(span.start, self.last_end + _MAX_NARRATIVE_GAP + 1)]
        return None if len(gap) > _MAX_NARRATIVE_GAP or _SENTENCE_END.search(gap) else last.bounds[1] - DAY

    @property
    def narrative_day(self) -> date | None:
        """The day of the last expression in the paragraph if it is years away from the anchor: a narrative of the past.

        Without an anchor any day counts. None if the paragraph is no such narrative.
        """
        last, span = self.last_reading, self.span
        if last is None or last.bounds is None or span is None or last.grain in _LONG_UNITS:
            return None
        day, gap = last.bounds[0], span.text[self.last_end : min(span.start, self.last_end + _MAX_NARRATIVE_GAP + 1)]
        is_same_paragraph = len(gap) <= _MAX_NARRATIVE_GAP and "\n" not in gap
        is_years_away = self.anchor is None or abs(self.anchor.year - day.year) > _RECENT_YEARS
        return day if is_same_paragraph and is_years_away else None


_LINE_BEFORE_WEEK = re.compile(r"(?:\A|\n)[\W_]{0,12}(?:(?:week|wk)\s\d{1,2}\W{0,4})?\Z", re.IGNORECASE)
_LINE_AFTER_WEEK = re.compile(r"[^\S\n]{0,3}(?:[:)|]|\n|\Z)")
_LINE_REACH = 30
_MIN_WEEK_DAYS, _MAX_WEEK_DAYS = 4, 8  # Days of a week that a course or a plan names by its first and last.


def is_week_heading(reading: MentionFields, text: str, start: int, end: int) -> bool:
    """Whether a reading is of a week or its days, and heads a line: weekdays below are those of that week."""
    bounds = reading.bounds
    if bounds is None or reading.grain not in (Grain.WEEK, Grain.DAY) or reading.modifier:
        return False
    if not _MIN_WEEK_DAYS <= (bounds[1] - bounds[0]).days <= _MAX_WEEK_DAYS:
        return False
    line_start = _LINE_BEFORE_WEEK.search(text, max(0, start - _LINE_REACH), start)
    return bool(line_start and _LINE_AFTER_WEEK.match(text, end))


class Meaning(Protocol):
    """Part of an expression, or the whole of it."""

    @property
    def grain(self) -> Grain | None:
        """The size of the unit it names."""
        ...

    def resolve(self, context: Context) -> MentionFields:
        """The reading in a context. Raises `ValueError` or `OverflowError` where there is no such date."""
        ...


@dataclass(frozen=True, slots=True)
class Vague:
    """A time without bounds: "now" (PRESENT_REF), "recently" (PAST_REF), "soon" (FUTURE_REF)."""

    value: str
    grain: Grain | None = None

    def resolve(self, context: Context) -> MentionFields:
        """The reference alone."""
        return MentionFields(self.value, None, None, TimexType.DATE)


def resolve_from_anchor(
    context: Context, grain: Grain | None, resolve_day: Callable[[date], MentionFields], unresolved: str = UNRESOLVED
) -> MentionFields:
    """The result of `resolve_day` for the anchor, marked relative; without one a reading of value `unresolved`."""
    day = context.anchor
    if day is None:
        return MentionFields(unresolved, None, grain, relative=True)
    return replace(resolve_day(day), relative=True, anchor=day)


_SIZES = {grain: size for size, grain in enumerate(Grain)}


def is_larger(grain: Grain, other_grain: Grain) -> bool:
    """Whether a unit of the first grain holds several of the other's."""
    return _SIZES[grain] > _SIZES[other_grain]


def resolve_from_last_mention(
    context: Context, grain: Grain, resolve_day: Callable[[date], MentionFields]
) -> MentionFields:
    """As above from the last mention's first day, unless its unit is larger than `grain`; else from the anchor."""
    last = context.last_reading
    if last is None or last.bounds is None or last.grain is None or is_larger(last.grain, grain):
        return resolve_from_anchor(context, grain, resolve_day)
    day = last.bounds[0]
    return replace(resolve_day(day), relative=True, anchor=day)


_SEASON_NAMES = dict(zip(SEASONS, ("Spring", "Summer", "Fall", "Winter"), strict=True))


def is_dated(mention: Mention) -> bool:
    """Whether it is a date or time with at least one known side of its interval."""
    return mention.type in (TimexType.DATE, TimexType.TIME) and bool(mention.start_date or mention.end_date)


def format_period(mention: Mention) -> str:
    """A time as people write it: 2023-Q1 is Q1 2023, 2023-12 December 2023, 199 1990s; empty for one without a date."""
    sides = mention.value.split("/") if is_dated(mention) else []
    return " to ".join(_format_side(side, mention.grain) for side in sides)


def _format_side(value: str, grain: Grain | None) -> str:
    year, _, unit = value.removeprefix("FY").partition("-")
    if unit[:1] in ("Q", "H") and len(unit) == 2:
        return f"{unit} {year}"
    if unit in _SEASON_NAMES:
        return f"{_SEASON_NAMES[unit]} {year}"
    if len(unit) == 2 and unit.isdigit():
        return f"{month_name[int(unit)]} {year}"
    if grain in (Grain.DECADE, Grain.CENTURY) and value.isdigit():
        return f"{value.ljust(4, '0')}s"
    return value.partition("T")[0]
