"""A document's fiscal calendar, learned from its own text."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tasks.temporal.chinese.year_ends import year_ends as chinese_year_ends
from tasks.temporal.english.lexicon import MONTH_NAMES
from tasks.temporal.english.year_ends import year_ends as english_year_ends
from tasks.temporal.fiscal import BY_13_WEEKS, MONTH_END, FiscalCalendar, Weeks
from tasks.temporal.grammar import LETTERS
from tasks.temporal.intervals import DAY
from tasks.temporal.year_ends import PLAIN_YEAR, YearEnd, before_counted
from warehouse.records import Document

_ENOUGH = PLAIN_YEAR
_BY_12_WEEKS, _BY_16_WEEKS = (12, 24, 36), (16, 28, 40)
_LATEST_NEXT, _EARLIEST_OWN = 3, 24
"""Years of weeks end in the last week of their month or on the first days of the next."""
_NEAR = timedelta(days=7)
_LONGEST_BASIS = 120


def fiscal_calendar(text: str, language: str) -> FiscalCalendar | None:
    """The calendar that a text's evidence speaks for; None without enough of it.

    The month with the weightiest evidence is the one in which years end; all evidence of that month says on which day
    of it and what the years are called. `language` is "en", "zh" or "und"; Chinese is looked for unless it is "en".
    """
    plain = text.translate(LETTERS)
    evidence = list(english_year_ends(plain))
    if language != "en":
        evidence += chinese_year_ends(plain)
    weights: Counter[int] = Counter()
    for each in evidence:
        weights[each.year_end.month] += each.weight
    month, weight = max(weights.items(), key=lambda item: item[1], default=(0, 0))
    if weight < _ENOUGH:
        return None
    return _calendar(month, evidence)


def declared_calendar(year_end: str) -> FiscalCalendar | None:
    """The calendar of the settings, whose fiscal years end on the day `year_end` (MM-DD); None where they say none."""
    if not year_end:
        return None
    month, day = map(int, year_end.split("-"))
    last = MONTH_END if day >= monthrange(2001, month)[1] else day
    return FiscalCalendar(month, f"fiscal years end on {year_end}, as the settings say", last)


def calendar_of(document: Document, year_end: str = "") -> FiscalCalendar | None:
    """A document's calendar: what the settings declare, in the detail of what its text says where the two agree."""
    declared, learned = declared_calendar(year_end), fiscal_calendar(document.text, document.language)
    if declared is None or (learned is not None and learned.last_month == declared.last_month):
        return learned
    return declared


def calendar_starting(month: int | None) -> FiscalCalendar | None:
    """The calendar of whole months whose fiscal years begin with `month` (1 to 12); None without one."""
    if month is None:
        return None
    return FiscalCalendar((month - 2) % 12 + 1, f"fiscal years begin in {MONTH_NAMES[month - 1].title()}")


def first_fiscal_month(year_end: str) -> int | None:
    """The month in which fiscal years begin that end on `year_end` (MM-DD); None where nothing is declared."""
    declared = declared_calendar(year_end)
    return declared.first_month if declared else None


def _calendar(month: int, evidence: Sequence[YearEnd]) -> FiscalCalendar:
    chosen = [each for each in evidence if each.weight and each.year_end.month == month]
    surest = max(chosen, key=lambda each: each.weight)
    by_month = FiscalCalendar(month, surest.text[:_LONGEST_BASIS], named_by_start=_named_by_start(chosen))
    quarters = _quarters({each.counted for each in evidence if each.counted})
    dated = [*chosen, *(end for each in evidence if (end := before_counted(each)) and end.year_end.month == month)]
    rule = next((each.weeks for each in chosen if each.weeks), None) or _weeks(month, dated, by_weeks=bool(quarters))
    if rule is None:
        return replace(by_month, last_day=_last_day(month, chosen))
    by_week = replace(by_month, weeks=replace(rule, quarters=quarters or BY_13_WEEKS))
    return replace(by_week, known=tuple(_known(by_week, dated)))


def _named_by_start(chosen: Iterable[YearEnd]) -> bool:
    """Whether years are named by the one they begin in: "fiscal 2022 ended January 28, 2023"."""
    offsets = Counter(each.year_end.year - each.name for each in chosen if each.name and each.last)
    return offsets[1] > offsets[0]


def _quarters(counted: set[int]) -> tuple[int, int, int] | None:
    """Three quarters of twelve weeks, one of sixteen first, or all of thirteen; None where no weeks are counted."""
    if not counted:
        return None
    if counted & {28, 40}:
        return _BY_16_WEEKS
    return _BY_12_WEEKS if counted & {12, 24, 36} and not counted & {13, 26, 39} else BY_13_WEEKS


def _weeks(month: int, chosen: Iterable[YearEnd], *, by_weeks: bool) -> Weeks | None:
    """How years of weeks end, by the days that they ended on; None for years that end on the same day each time.

    The weekday is that of most days, and the one nearest to the month's end unless only the last in the month fits.
    """
    days = [each.last for each in chosen if each.last]
    if not days or not (by_weeks or any(_drifts(day) for day in days)):
        return None
    weekday = Counter(day.weekday() for day in days).most_common(1)[0][0]
    ends = [(each.year_end.year, each.last) for each in chosen if each.last and each.quarter == 4]

    def fits(rule: Weeks) -> int:
        return sum(rule.last_day(_month_end(year, month)) == end for year, end in ends)

    return max(Weeks(weekday), Weeks(weekday, nearest=False), key=fits)


def _drifts(day: date) -> bool:
    """Whether a day is near a month's end and not on it."""
    return (day.day <= _LATEST_NEXT or day.day >= _EARLIEST_OWN) and (day + DAY).day != 1


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _last_day(month: int, chosen: Iterable[YearEnd]) -> int:
    """The day of the month on which most years end; `MONTH_END` for its last."""
    days = Counter(each.day for each in chosen if each.quarter == 4 and each.month == month)
    day = max(days, key=lambda day: days[day], default=MONTH_END)
    return MONTH_END if day >= monthrange(2001, month)[1] else day


def _known(calendar: FiscalCalendar, chosen: Iterable[YearEnd]) -> Iterator[tuple[int, int, date]]:
    """The ends that the text gives to the day, where they lie near those of the calendar."""
    ends = {(calendar.named(each.year_end), each.quarter, each.last) for each in chosen if each.last}
    for year, quarter, last in sorted(ends):
        if abs(calendar.months(year, quarter * 3, 1)[1] - last) <= _NEAR:
            yield year, quarter, last
