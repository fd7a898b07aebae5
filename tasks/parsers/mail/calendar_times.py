"""Times of calendar files in words (RFC 5545, 3.3 and 3.8): days, hours, durations, and how an appointment repeats.

An hour is that of the zone that the file gives it in; one in UTC is shown in the zone of the calendar, where the file
names one that is known.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tasks.parsers.written_dates import MAX_ENTRY_LENGTH, make_date
from warehouse.printable_text import format_first
from warehouse.records.calendars import DAY

_MOMENT = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?\d{2})?(?:\.\d+)?(Z?))?", re.IGNORECASE)
_DURATION = re.compile(
    r"\+?P(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,8})S)?)?",
    re.IGNORECASE,
)
CALENDAR = "text/calendar"
"""The media type of documents that are made of appointments."""
ALL_DAY = " (all day)"
_UNITS = {"SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week",
          "MONTHLY": "month", "YEARLY": "year"}  # fmt: skip
_WEEKDAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
             "SU": "Sunday"}  # fmt: skip
_WORKDAYS = ("MO", "TU", "WE", "TH", "FR")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NUMBERED_DAY = re.compile(r"([+-]?\d{1,3})?([A-Z]{2})")
_NUMBER = re.compile(r"[+-]?\d{1,4}")
_MAX_DAYS = 20  # Days of a list that are named.


@dataclass(frozen=True, slots=True)
class CalendarMoment:
    """A day with its hour, None for a whole day, and the name of its zone, empty where the file names none."""

    day: date
    hour: time | None = None
    zone: str = ""

    @property
    def local(self) -> datetime:
        """The moment by its own clock; of a whole day its beginning."""
        return datetime.combine(self.day, self.hour or time())

    @property
    def shown(self) -> str:
        """The day, and the hour with its zone where there is one."""
        if self.hour is None:
            return self.day.isoformat()
        return f"{self.day} {self.hour:%H:%M}{f' ({self.zone})' if self.zone else ''}"


def read_moment(value: str, zone: str = "", calendar_zone: str = "") -> CalendarMoment | None:
    """The moment of a value such as `20250402T100000Z`; None where the calendar has no such day.

    `zone` is the value's TZID, `calendar_zone` that of the whole calendar.
    """
    match = _MOMENT.match(value.strip())
    day = make_date(int(match[1]), int(match[2]), int(match[3])) if match else None
    if match is None or day is None:
        return None
    if match[4] is None or int(match[4]) > 23 or int(match[5]) > 59:
        return CalendarMoment(day)
    moment = CalendarMoment(day, time(int(match[4]), int(match[5])), "UTC" if match[6] else zone)
    return to_zone(moment, calendar_zone) if match[6] else moment


def to_zone(moment: CalendarMoment, name: str) -> CalendarMoment:
    """A moment of UTC by the clock of a zone; as it is where the zone is not known, or it is not of UTC."""
    if moment.zone != "UTC" or not name:
        return moment
    try:
        local_moment = moment.local.replace(tzinfo=UTC).astimezone(ZoneInfo(name))
    except (OSError, ValueError, LookupError, OverflowError):
        return moment
    return CalendarMoment(local_moment.date(), local_moment.time(), name)


def add_duration(start: CalendarMoment, value: str) -> CalendarMoment | None:
    """The moment a duration such as `PT1H30M` after another; None for a duration that is none or negative."""
    match = _DURATION.fullmatch(value.strip())
    parts = {unit: int(count) for unit, count in match.groupdict().items() if count} if match else {}
    try:
        end = start.local + timedelta(**parts)
    except OverflowError:
        return None
    if not parts:
        return None
    is_whole_day = start.hour is None and end.time() == time()
    return CalendarMoment(end.date(), None if is_whole_day else end.time(), start.zone)


@dataclass(frozen=True, slots=True)
class CalendarSpan:
    """From when to when something is. `last` is the last moment of it: of whole days the last day, not the one after.

    None for an end that is not given, or not after the start.
    """

    start: CalendarMoment
    last: CalendarMoment | None = None

    @property
    def heading(self) -> str:
        """The day, or the days of what takes whole days or at least 24 hours."""
        last = self.last
        if last is not None and last.day > self.start.day:
            takes_days = last.hour is None or last.local - self.start.local >= DAY
            if takes_days and last.day - self.start.day < MAX_ENTRY_LENGTH:  # What takes longer is of its first day.
                return f"{self.start.day} to {last.day}"
        return self.start.day.isoformat()

    @property
    def shown(self) -> str:
        """The days and hours in words, the zone once."""
        start, last = self.start, self.last
        if start.hour is None:
            return f"{start.day} to {last.day}{ALL_DAY}" if last else f"{start.day}{ALL_DAY}"
        if last is None or last.hour is None:
            return f"{start.shown} to {last.shown}" if last else start.shown
        if last.zone != start.zone:
            return f"{start.shown} to {last.shown}"
        first = replace(start, zone="").shown
        if last.day == start.day:
            last = replace(last, zone="")
            first = f"{first} to {last.hour:%H:%M}"
        else:
            first = f"{first} to {replace(last, zone='').shown}"
        return f"{first} ({start.zone})" if start.zone else first


def make_span(start: CalendarMoment, end: CalendarMoment | None) -> CalendarSpan:
    """The span up to an end that is exclusive, as files give it; midnight to midnight are whole days."""
    if start.hour == time() and end and end.hour == time() and end.day > start.day and end.zone == start.zone:
        start, end = CalendarMoment(start.day), CalendarMoment(end.day)
    if end is None or (end.zone == start.zone and end.local <= start.local):
        return CalendarSpan(start)
    if start.hour is None:
        last = end.day - DAY if end.hour in (None, time()) else end.day
        return CalendarSpan(start, CalendarMoment(last)) if last > start.day else CalendarSpan(start)
    return CalendarSpan(start, end)


def format_list(days: Iterable[str]) -> str:
    """Some days in one line, those beyond twenty counted."""
    return format_first(list(days), _MAX_DAYS)


def describe_rule(value: str, calendar_zone: str = "") -> str:
    """A recurrence rule (3.3.10) in words: "every 2 weeks on Monday and Friday until 2025-06-30".

    A rule that is not understood is shown as it is written.
    """
    pairs = (part.partition("=") for part in value.strip().strip(";").split(";"))
    parts = {name.strip().upper(): text.strip().upper() for name, _, text in pairs if text.strip()}
    unit = _UNITS.get(parts.pop("FREQ", ""))
    interval = parts.pop("INTERVAL", "1")
    if unit is None or not interval.isdecimal():
        return value.strip()
    words = [f"every {unit}" if int(interval) == 1 else f"every {int(interval)} {unit}s"]
    parts.pop("WKST", None)
    until, count = parts.pop("UNTIL", ""), parts.pop("COUNT", "")
    words += _describe_parts(parts)
    # A part without words is not left out.
    words += [f"({name}={text})" for name, text in parts.items()]
    if until:
        moment = read_moment(until, calendar_zone=calendar_zone)
        words.append(f"until {moment.day if moment else until.lower()}")
    if count:
        words.append("once" if count == "1" else f"{count} times")
    return " ".join(words)


def _describe_parts(parts: dict[str, str]) -> list[str]:
    """The words of the parts that choose days and hours, which are taken out where they are understood."""
    words = []
    position = parts.get("BYSETPOS", "")
    if days := _describe_weekdays(parts.get("BYDAY", "").split(","), position):
        words.append(f"on {days}")
        _remove_parts(parts, "BYDAY", "BYSETPOS")
    if (numbers := _parse_numbers(parts, "BYMONTHDAY")) and "BYSETPOS" not in parts:
        day_words = ["the last day" if number == -1 else f"day {number}" for number in numbers]
        words.append(f"on {_join_words(day_words)}" + (" of the month" if -1 in numbers else ""))
        _remove_parts(parts, "BYMONTHDAY")
    months = [month_name[number] for number in _parse_numbers(parts, "BYMONTH") if 0 < number < len(month_name)]
    if months:
        words.append(f"in {_join_words(months)}")
        _remove_parts(parts, "BYMONTH")
    hours, minutes = _parse_numbers(parts, "BYHOUR"), _parse_numbers(parts, "BYMINUTE") or [0]
    if hours and len(minutes) == 1 and max(hours) < 24 and 0 <= minutes[0] < 60:
        words.append(f"at {_join_words([f'{hour:02}:{minutes[0]:02}' for hour in hours])}")
        _remove_parts(parts, "BYHOUR", "BYMINUTE", "BYSECOND")
    return words


def _remove_parts(parts: dict[str, str], *names: str) -> None:
    for name in names:
        parts.pop(name, None)


def _describe_weekdays(day_codes: Sequence[str], place: str) -> str:
    """Days of the week in words, "the last Friday" where they are numbered; nothing where they are not understood."""
    matches = [
        match for code in day_codes if (match := _NUMBERED_DAY.fullmatch(code.strip())) and match[2] in _WEEKDAYS
    ]
    if not day_codes[0] or len(matches) != len(day_codes):
        return ""
    if place and (not _NUMBER.fullmatch(place) or any(match[1] for match in matches)):
        return ""
    codes = tuple(match[2] for match in matches)
    if place:
        day_words = (
            "weekday" if sorted(codes) == sorted(_WORKDAYS) else _join_words([_WEEKDAYS[code] for code in codes], "or")
        )
        return f"the {_describe_ordinal(int(place))} {day_words}"
    if not any(match[1] for match in matches) and sorted(codes) == sorted(_WORKDAYS):
        return "weekdays"
    words = [
        f"the {_describe_ordinal(int(match[1]))} {_WEEKDAYS[match[2]]}" if match[1] else _WEEKDAYS[match[2]]
        for match in matches
    ]
    return _join_words(words)


def _describe_ordinal(number: int) -> str:
    if number == -1:
        return "last"
    name = _ORDINALS[abs(number) - 1] if 0 < abs(number) <= len(_ORDINALS) else f"{abs(number)}th"
    return f"{name} to last" if number < 0 else name


def _parse_numbers(parts: Mapping[str, str], name: str) -> list[int]:
    """The numbers of a part; none where one of them is no number."""
    texts = [text.strip() for text in parts.get(name, "").split(",")]
    return [int(text) for text in texts] if all(map(_NUMBER.fullmatch, texts)) else []


def _join_words(words: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
