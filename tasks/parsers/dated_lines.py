"""Lines that date the text below them: of logs, of chats, and the headings of a diary.

Logs that name no year or count seconds have a day in each line:

    Mar  3 04:12:01 pluto sshd[812]: Accepted publickey     syslog (RFC 3164)
    03-03 04:12:01.123  1021  1044 E AndroidRuntime: FATAL   logcat of Android
    1709439121.300 40 192.0.2.8 TCP_DENIED/403 GET /         seconds since 1970, as Squid and many programs write

The year of a log without one is that in which its newest line comes before the day on which the file ends, where its
months pass from December to January in a new one. A stretch of more than half a year without a line is not seen.

Logs of chats say the day once, on a line of its own before the lines of that day, and exports of messages and diaries
in lines "name: value" before each: `parse_day_marker` and `parse_header_day` read those.

A heading of a diary may state a part of its day only, completed by those above it: "Fri 12" or "12." below "March
2021", "March" below "2021", "Monday" below a week. It is nested only below dates that share a day with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import groupby, islice
from operator import itemgetter

from tasks.parsers.assembly import MAX_DEPTH, Assembly
from tasks.parsers.written_dates import (
    CALENDAR_WORDS,
    MAX_ENTRY_LENGTH,
    MONTH_FIRST,
    MONTH_WORD,
    MONTHS,
    compute_calendar_days,
    make_date,
    parse_entry_interval,
    parse_line_entry,
    parse_whole_date,
)
from warehouse.records import DateClaim, DateOrigin
from warehouse.records.calendars import DAY, WEEK, Interval

LOG_WITHOUT_YEAR, LOG_OF_SECONDS = "text/x-log-without-year", "text/x-log-of-seconds"
"""The media types of such logs, by which later stages know them."""
_STAMP = re.compile(
    rf"^(?:<\d{{1,3}}>)?(?:(?P<name>{'|'.join(name.capitalize() for name in MONTHS)}) {{1,2}}(?P<d>\d{{1,2}})"
    r"|(?P<m>\d\d)-(?P<md>\d\d)) \d\d:\d\d:\d\d(?:\.\d{1,6})?(?=\s)",
    re.MULTILINE,
)
_SECONDS = re.compile(r"^\[?(?P<seconds>\d{10})(?:\.\d{1,9}|\d{3})?(?=[\s\],;|])", re.MULTILINE)
_FULL_STAMP = re.compile(r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d")
_EARLIEST, _LATEST = date(1990, 1, 1), date(2100, 1, 1)
_SAMPLE_LINES = 200  # Lines of a file by which it is known for a log.
_MIN_SHARE = 0.5  # The share of them that begin with a moment: lines of a trace continue the one above.
_MIN_LINES = 2  # Lines that show it, however few the file has.
_MONTHS_OF_NEW_YEAR = 6  # Months from one line to the next by which a year has passed in between.
_DAY_MARKER = re.compile(
    r"\s*(?=[^\n]*\d)(?:[-—–=*_#~+]{2,}+\s*+|Session (?=Start|Time|Close|Ident))(?P<words>[^\n]{6,80}?)[-—–=*_#~+\s]*\Z"
)
"""A line that announces a day: "--- Day changed Fri Mar 12 2021", "***** 12 March 2021 *****"."""
_MAX_MARKER_LENGTH = 120  # Characters.
_MAX_MARKER_WORDS = 4  # Words between the marks and the day of such a line.
_SENDER_LINE = re.compile(
    r"[^\[\]\n:]{1,60}, (?P<day>\[[^\[\]\n]{8,40}\]):?\s*\Z"
    r"|[^\[\]\n:]{1,60} (?P<moment>\[[^\[\]\n]{4,34} \d{1,2}[:.]\d{2}[^\[\]\n]{0,12}\]):"
)
"""A line that names who writes, and when: "Alice, [12.03.2021 14:05]", "Alice [2021-03-12 14:05]: Hello"."""
_FIELD = re.compile(r"\s*[^\W\d_][\w '’/&.()-]{0,30}[:：](?:\s|\Z)")
"""A line "name: value"."""
_DAY_FIELD = re.compile(
    r"\s*(?:date(?: (?:and|&) time)?|sent|created(?: (?:at|on|time|date))?|creation date|date created|timestamp"
    r"|datum|gesendet|erstellt(?: am)?|fecha|enviado|creado(?: el)?|data|inviato|criado em|envoyé|créée?(?: le)?"
    r"|verzonden|日期|时间|发送时间)[:：]\s*(?P<day>\S.{5,60}?)\s*",
    re.IGNORECASE,
)
"""The line of them that says when the rest was written."""
_RULE_LINE = re.compile(r"[\s>]*[-—–=_*]{3,}+[^:\n]{0,60}")
"""The rule above such lines: "-----Original Message-----"."""
_MAX_FIELDS = 20  # Lines of a header at the most.
_HOUR = re.compile(r"[^\w\n]{0,3}(?:\S+[^\S\n]+){0,5}?\S{0,12}\d{1,2}[:.]\d{2}")
_MESSAGE = re.compile(
    r"[^\n:]{1,24}\d:\d\d(?::\d\d)?[^\n:]{0,16}?[\])\s–-][\s\u200e]*"
    r"(?:[^\W\d_][^:\n]{0,40}:|<[@+%~& ]?[^>\n]{1,40}>)\s"
)
_SPEAKER = re.compile(
    r"[^\w\n]{0,2}[^\n:<>]{0,24}?\d:\d\d(?::\d\d)?[^\n:<]{0,16}?[\])\s–-][\s\u200e]*(?:From\s)?"
    r"(?:<[@+%~& ]?(?P<nick>[^>\n]{1,40})>|(?P<name>[^\W\d_][^:\n<>]{0,40}?)(?:\sto\s[^:\n]{1,40})?:)\s"
)
_CLOCK = re.compile(r"[^\n:]{1,40}\d:\d\d")
_HOUR_ALONE = re.compile(r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?[\])]?\s", re.IGNORECASE)
_MIN_HOUR_SHARE = 0.3  # The share of lines that begin with an hour alone in the log of a day; others go on with them.
_NUMBERED = re.compile(r"[^\d\n]{0,60}\d")  # A line with a number where its date would be.
_TURN_OF_SPEECH = re.compile(r"\s*[^\W\d_][^:：\n]{0,40}[:：]\s+\S")
"""A line of a talk: who speaks, and what."""
_LEAP_YEAR = 2000
_MAX_YEARS_BACK = 8  # Until the 29th of February has come again.


def detect_log_type(text: str) -> str:
    """The media type of a log of which each line's day has to be worked out; empty for any other text."""
    lines = _list_first_lines(text)
    for media_type, pattern in ((LOG_WITHOUT_YEAR, _STAMP), (LOG_OF_SECONDS, _SECONDS)):
        matches = [match for line in lines if (match := pattern.match(line))]
        if len(matches) >= max(_MIN_LINES, _MIN_SHARE * len(lines)) and (pattern is _STAMP or _parse_day(matches[0])):
            return media_type
    return ""


def _list_first_lines(text: str) -> list[str]:
    """The lines by which a text is known for a log, blank ones left out."""
    return list(islice((line for line in text.split("\n") if line.strip()), _SAMPLE_LINES))


def are_separate_lines(lines: Sequence[str]) -> bool:
    """Whether lines begin as those of logs, talks and headers do, so that none continues the line above."""
    if all(any(pattern.match(line) for pattern in (_FULL_STAMP, _STAMP, _SECONDS)) for line in lines):
        return True
    if len(lines) >= _MIN_LINES and all(map(_TURN_OF_SPEECH.match, lines)):
        return True
    numbered_lines = [line for line in lines if _NUMBERED.match(line)]
    dated_lines = (
        line
        for line in numbered_lines
        if len(numbered_lines) >= _MIN_LINES and (parse_line_entry(line) or parse_day_marker(line))
    )
    return len(list(islice(dated_lines, _MIN_LINES))) == _MIN_LINES


def begins_with_hour(text: str, start: int) -> bool:
    """Whether an hour is near the beginning of the line at this offset, as in those of chats."""
    return _HOUR.match(text, start) is not None


def is_chat(text: str) -> bool:
    """Whether enough lines of a text begin with a moment, the name of a sender and a colon."""
    lines = _list_first_lines(text)
    count = sum(_MESSAGE.match(line) is not None for line in lines)
    return count > max(_MIN_LINES, _MIN_HOUR_SHARE * len(lines))


def parse_speaker(line: str) -> str:
    """Who wrote a line of a chat, between its moment and its words; empty for other lines."""
    match = _SPEAKER.match(line)
    return (match["nick"] or match["name"]).strip() if match else ""


def parse_turn(line: str) -> str:
    """Who speaks in a line of a talk, before a colon, as it may be any label; empty for other lines."""
    return line.partition(":")[0].strip() if _TURN_OF_SPEECH.match(line) else ""


def begins_with_clock(text: str, start: int) -> bool:
    """Whether an hour and minute with a colon are near the beginning of the line at this offset."""
    return _CLOCK.match(text, start) is not None


def begins_with_hours(text: str) -> bool:
    """Whether the lines of a text begin with hours and no days: the log of a channel, or the chat of a meeting."""
    lines = _list_first_lines(text)
    count = sum(_HOUR_ALONE.match(line) is not None for line in lines)
    return count >= max(_MIN_LINES, _MIN_HOUR_SHARE * len(lines))


def parse_day_marker(line: str, order: str = "") -> Interval | None:
    """The day, half-open, that a line announces for the lines below it; None where it is no such line."""
    line = line.partition("\n")[0]
    if len(line) > _MAX_MARKER_LENGTH:
        return None
    if (sender := _SENDER_LINE.match(line)) is not None:
        return _make_single_day(parse_whole_date(sender["day"] or sender["moment"], order))
    marker = _DAY_MARKER.fullmatch(line)
    words = marker["words"].split() if marker else []
    for place, word in enumerate([*words[:_MAX_MARKER_WORDS], ""]):
        if days := parse_whole_date(" ".join(words[place:]), order):
            return _make_single_day(days)
        if not word.rstrip(":").isalpha():
            break
    return None


def parse_header_day(text: str, order: str = "") -> Interval | None:
    """The day, half-open, of a block of lines "name: value" one of which says when something was written."""
    lines = text.strip("\n").split("\n")
    if len(lines) > 1 and _RULE_LINE.fullmatch(lines[0]):
        del lines[0]
    if len(lines) > _MAX_FIELDS or not all(map(_FIELD.match, lines)):
        return None
    matches = (match for line in lines if (match := _DAY_FIELD.fullmatch(line)))
    return next((days for match in matches if (days := _make_single_day(parse_whole_date(match["day"], order)))), None)


def _make_single_day(days: Interval | None) -> Interval | None:
    """The days where they are one; None where they are more."""
    return days if days and days[1] - days[0] == DAY else None


def list_log_days(text: str, media_type: str, end: date | None) -> list[tuple[int, date | None]]:
    """Where the lines of each day begin in a log, with that day; a day may come again.

    `end` is the day on which a log without years ends, or was last written to; where it is None, its days are unknown.
    """
    if media_type == LOG_OF_SECONDS:
        line_days = ((match.start(), day) for match in _SECONDS.finditer(text) if (day := _parse_day(match)))
        return [next(group) for _, group in groupby(line_days, key=itemgetter(1))]
    places = [next(group) for _, group in groupby(_iter_days_without_year(text), key=itemgetter(1))]
    days = [day for _, day in places]
    base = _find_first_year(days, end) if end and days else None
    return [(place, _make_day(base, day) if base else None) for place, day in places]


def make_file_time_claims(media_type: str, modified_ns: int) -> tuple[DateClaim, ...]:
    """The date claims from a file's time: only for a log without years, which ended on that day."""
    if media_type != LOG_WITHOUT_YEAR:
        return ()
    return (DateClaim(datetime.fromtimestamp(modified_ns // 10**9, UTC).date(), DateOrigin.FILE_TIME),)


def _parse_day(match: re.Match[str]) -> date | None:
    day = datetime.fromtimestamp(int(match["seconds"]), UTC).date()
    return day if _EARLIEST <= day < _LATEST else None


def _iter_days_without_year(text: str) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Where each line begins, with the years from the first one, the month and the day."""
    years, last_month = 0, 0
    for match in _STAMP.finditer(text):
        month, day = MONTHS[match["name"].lower()] if match["name"] else int(match["m"]), int(match["d"] or match["md"])
        if make_date(_LEAP_YEAR, month, day) is None:
            continue
        step = month - last_month if last_month else 0
        years, last_month = years + (step <= -_MONTHS_OF_NEW_YEAR) - (step >= _MONTHS_OF_NEW_YEAR), month
        yield match.start(), (years, month, day)


def _find_first_year(days: Sequence[tuple[int, int, int]], end: date) -> int:
    """The year of the first line of a log that ends on a day; one in which all its days are days of the calendar."""
    years, month, day = max(days)
    limit = end + timedelta(days=1)  # Clocks of other zones may be ahead.
    first = limit.year - years - ((month, day) > (limit.month, limit.day))
    bases = range(first, first - _MAX_YEARS_BACK, -1)
    return next((base for base in bases if all(_make_day(base, day) for day in days)), first)


def _make_day(base: int, day: tuple[int, int, int]) -> date | None:
    return make_date(base + day[0], *day[1:])


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
