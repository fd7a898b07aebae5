"""Sections of a diary: a heading that is a date is nested only below dates that share a day with it.

A heading may state a part of its day only, completed by those above it: "Fri 12" or "12." below "March 2021", "March"
below "2021", "Monday" below a week.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache

from tasks.parsers.assembly import MAX_DEPTH, Assembly
from tasks.parsers.written_dates import (
    CALENDAR_WORDS,
    MAX_ENTRY_LENGTH,
    MONTH_FIRST,
    MONTH_WORD,
    compute_calendar_days,
    parse_entry_interval,
)
from warehouse.records import DateClaim, DateOrigin
from warehouse.records.fiscal import DAY, WEEK, Interval

_MAX_MONTH = timedelta(days=31)
_MAX_PART_LENGTH = 60  # Characters of a heading that states a part of its day.
_YEAR_AT_END = re.compile(r"(?:.*\s)?((?:19|20)\d{2})")
_ENGLISH_DAYS = ("mon", "tue|tues", "wed|weds", "thu|thur|thurs", "fri", "sat", "sun")
_PARTIAL_DAYS = (
    rf"(?P<name>{MONTH_WORD})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?(?!\d|:\d)",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|[.º])?\s+(?:(?:of|de)\s+)?(?P<name>{MONTH_WORD})\.?",
    r"(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号號]",
    r"(?P<a>\d{1,2})(?P<mark>\.)(?P<b>\d{1,2})\.(?![\d.])",
    r"(?P<a>\d{1,2})(?P<mark>/)(?P<b>\d{1,2})(?!\d|[./:-]\d)",
    r"(?P<a>\d{2})(?P<mark>-)(?P<b>\d{2})(?!\d|[./:-]\d)",
    r"(?P<d>\d{1,2})(?:st|nd|rd|th|[.日号號])?(?!\d|[.,:/%-]\d)",
)
_TEXT_AFTER_DAY = re.compile(r"(?:\s*[:：]|\s+[-–—]\s).*\Z")
_WORD = re.compile(r"[^\W\d_]{2}")
_HALF_YEAR = timedelta(days=183)
_MONTH_WITHOUT_YEAR = rf"(?P<name>{MONTH_WORD})\.?|(?P<m>\d{{1,2}})\s*月"
_NUMBERED_MONTH = re.compile(rf"(?P<number>\d{{2}})(?:\s+|\s*[-.]\s*)(?P<name>{MONTH_WORD})\.?", re.IGNORECASE)
"""A month with its number before it, so that files and headings are in order: "03 March", "03 - March"."""


class DatedSections:
    """Adds headings to a document, and keeps the levels and days of the dates above the next one."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._open_dates: list[tuple[int, Interval]] = []
        self._open_titles: list[tuple[int, str]] = []

    def find_days(self, words: str, level: int, order: str) -> Interval | None:
        """The days of a heading that would be added at this level, completed from the headings above it."""
        above = [title for outer, title in self._open_titles if outer < min(level, MAX_DEPTH)]
        return parse_section_days((*above, words), order)

    def add_heading(self, words: str, level: int, days: Interval | None) -> None:
        """Adds a heading; a date is nested only below dates that share a day with it, whatever its level."""
        level = min(level, MAX_DEPTH)
        self._open_titles = [*((outer, title) for outer, title in self._open_titles if outer < level), (level, words)]
        self._open_dates = [(above, dates) for above, dates in self._open_dates if above < level]
        if days:
            other_levels = [above for above, dates in self._open_dates if days[1] <= dates[0] or dates[1] <= days[0]]
            if other_levels:
                self._assembly.end_sections(min(other_levels))
                self._open_dates = [(above, dates) for above, dates in self._open_dates if above < min(other_levels)]
            self._open_dates.append((level, days))
        self._assembly.add_heading(words, level)


def parse_section_days(section: Sequence[str], order: str = "", base: Interval | None = None) -> Interval | None:
    """The days, half-open, of the last heading of a section path; None where it is no date.

    What it omits is taken from the nearest dates above it and `base`, the days in the name of the note. A year at the
    end of a heading above counts ("Journal 2021").
    """
    *above, last = section
    if full_days := parse_entry_interval(last, order):
        return full_days
    context, is_of_title_year = base, False
    for heading in above:
        context = parse_entry_interval(heading, order) or _complete_days(heading, context, order) or context
        if (year := _YEAR_AT_END.fullmatch(heading.strip())) and not (context and _is_of_year(context, int(year[1]))):
            context, is_of_title_year = (date(int(year[1]), 1, 1), date(int(year[1]) + 1, 1, 1)), True
    days = _complete_days(last, context, order)
    # "March" below "Annual report 2021" is the heading of a text about March, not of an entry.
    return None if days and is_of_title_year and days[1] - days[0] > WEEK else days


def parse_nearest_day(line: str, order: str, entry_days: Interval) -> Interval | None:
    """The day of a line that names day and month, or day and weekday, without a year, alone or before a colon or dash.

    It is of the year in which it is nearest to `entry_days`, those of the entry before or after it.
    """
    if len(line) > _MAX_PART_LENGTH or not _WORD.search(_TEXT_AFTER_DAY.sub("", line)):
        return None
    years = ((date(year, 1, 1), date(year + 1, 1, 1)) for year in range(entry_days[0].year - 1, entry_days[0].year + 2))
    candidates = (_complete_days(line, year, order) for year in years)
    nearby_days = (
        days for days in candidates if days and days[1] - days[0] == DAY and abs(days[0] - entry_days[0]) <= _HALF_YEAR
    )
    return min(nearby_days, key=lambda days: abs(days[0] - entry_days[0]), default=None)


def _is_of_year(days: Interval, year: int) -> bool:
    return days[0].year <= year <= (days[1] - DAY).year


def _complete_days(heading: str, context: Interval | None, order: str) -> Interval | None:
    """The days of a heading that states a part of a date, within those of its context.

    A weekday must be that of the day. Words after a number alone would make it the number of a section.
    """
    is_longer = context is not None and context[1] - context[0] > _MAX_MONTH
    if context is None or not 0 < len(heading) <= _MAX_PART_LENGTH:
        return None
    text, is_week = heading.strip(" \t*_"), context[1] - context[0] <= WEEK
    if (month := _NUMBERED_MONTH.fullmatch(text)) and is_longer:
        month_days = compute_calendar_days({"y": str(context[0].year), "name": month["name"]})
        if month_days and month_days[0].month == int(month["number"]):
            return month_days
    for number, pattern in enumerate(_compile_partial_days()):
        match = pattern.match(text)
        if match is None:
            continue
        before, after = match["before"], match["after"]
        weekday = _find_weekday(before) or _find_weekday(after)
        words, parts = text[match.end() :], match.groupdict()
        is_number_alone = number == len(_PARTIAL_DAYS) - 1
        if words and is_number_alone and not weekday:
            continue
        if is_number_alone and is_longer:
            continue
        for day in _iter_days(parts, context, order):
            if context[0] <= day < context[1] and (not weekday or day.isoweekday() == weekday):
                return day, day + DAY
    if is_week and (weekday := _find_weekday(_TEXT_AFTER_DAY.sub("", text))):
        days = (context[0] + place * DAY for place in range((context[1] - context[0]).days))
        return next(((day, day + DAY) for day in days if day.isoweekday() == weekday), None)
    month = re.fullmatch(_MONTH_WITHOUT_YEAR, text, re.IGNORECASE)
    if month is None or not is_longer:
        return None
    return compute_calendar_days({"y": str(context[0].year), "d": None, **month.groupdict()})


def _iter_days(parts: dict[str, str | None], context: Interval, order: str) -> Iterable[date]:
    """The days that the parts may name in the years and months of a context."""
    first, last = context[0], context[1] - DAY
    for year in dict.fromkeys((first.year, last.year)):
        readings: list[dict[str, str | None]] = [{"m": parts.get("m"), "name": parts.get("name"), "d": parts.get("d")}]
        if parts.get("a"):
            pairs = [(parts["b"], parts["a"]), (parts["a"], parts["b"])]
            is_month_first = order == MONTH_FIRST or parts["mark"] == "-"
            readings = [{"m": month, "d": day} for month, day in (pairs[::-1] if is_month_first else pairs)]
        elif not parts.get("m") and not parts.get("name"):
            readings = [{"m": str(month), "d": parts["d"]} for month in dict.fromkeys((first.month, last.month))]
        for reading in readings:
            if days := compute_calendar_days({"y": str(year), **reading}):
                yield days[0]


@cache
def _compile_partial_days() -> tuple[re.Pattern[str], ...]:
    """The forms of a day without its year, or without year and month, optionally with a weekday before or after it."""
    weekday = rf"(?:{'|'.join(sorted(_list_weekdays(), key=len, reverse=True))})\b\.?"
    end = r"(?=\s*\Z|\s*[:：]|\s+[-–—]\s)"
    return tuple(
        re.compile(
            rf"(?:(?P<before>{weekday})[,\s]\s*)?(?:(?:the|den|dem|le|el|il)\s+)?{form}"
            rf"(?:[,\s]\s*\(?(?P<after>{weekday})\)?)?{end}\s*[:：]?\s*",
            re.IGNORECASE,
        )
        for form in _PARTIAL_DAYS
    )


@cache
def _list_weekdays() -> dict[str, int]:
    """The names of weekdays in all languages, in small letters, with their numbers from 1 for Monday."""
    numbers: dict[str, int] = {}
    for words in CALENDAR_WORDS.values():
        for number, line in enumerate(words["weekdays"], 1):
            numbers |= {name.strip(): number for name in line.split(",")}
    names = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    for number, (name, short) in enumerate(zip(names, _ENGLISH_DAYS, strict=True), 1):
        numbers |= dict.fromkeys((name, *short.split("|")), number)
    short_german = ("mo", "di", "mi", "do", "fr", "sa", "so")
    numbers |= {name: number for number, name in enumerate(short_german, 1)}
    return numbers


def _find_weekday(word: str | None) -> int | None:
    """The number of a weekday, from 1 for Monday; None for any other word."""
    return _list_weekdays().get(word.lower().rstrip(".")) if word else None


def make_heading_claims(intervals: Iterable[Interval | None]) -> list[DateClaim]:
    """The claims of headings of these days, half-open, on the date of their note; those of long periods make none."""
    known_intervals = (days for days in intervals if days)
    return [DateClaim(first, DateOrigin.HEADING) for first, end in known_intervals if end - first <= MAX_ENTRY_LENGTH]
