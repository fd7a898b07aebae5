"""Recurrences of calendar files as days (RFC 5545, 3.8.5; vCalendar 1.0): rules, added, excluded and moved times.

Rules are expanded by dateutil, on the clock of the zone in which the appointment is given. A rule without an end, or
with a far one, is expanded up to a horizon: some years after the file was last written to, as files say it themselves,
so that one file always gives the same days. Rules by the hour or shorter, or of very many times, are not expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import islice, repeat

from dateutil.rrule import rrulestr

from tasks.parsers.mail.calendar_times import ALL_DAY, CalendarMoment, CalendarSpan, read_moment, to_zone
from warehouse.records.calendars import DAY

MAX_LISTED = 400
"""The most days of one appointment that are listed, the latest before the horizon: of a weekly one nearly eight years,
in about 16,000 characters. What is on each of several days in a row is listed once."""
_YEARS_AHEAD = {"YEARLY": 10}  # Years from the last change of a file to the horizon, where they are not two.
_DEFAULT_YEARS_AHEAD = 2
_MAX_REPEAT = timedelta(days=366 * 200)
"""From the first time to the horizon, so that rules which never come true end soon; yearly ones may be older."""
_MAX_COUNTED = timedelta(days=366 * 30)  # Beyond the horizon.
MAX_EXPANDED = 20_000  # Times of a rule, as many as every day of 54 years; one with more is not expanded.
_CYCLE_YEARS, _CYCLE = 400, timedelta(days=146_097)
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_PART = re.compile(
    r"(?:FREQ|INTERVAL|COUNT|WKST|BY(?:SETPOS|MONTH|MONTHDAY|YEARDAY|WEEKNO|DAY|HOUR|MINUTE|SECOND))"
    r"=[+-]?[A-Z0-9]{1,8}(?:,[+-]?[A-Z0-9]{1,5}){0,99}"
)
_LAST_YEAR = 9900  # Of a horizon: the calendar ends soon after.
_POSITIVE = re.compile(r"0*[1-9]\d{0,4}")
_MIN_JOINED_DAYS = 3  # Days of a week in a row with the same hours that are listed as one stretch.
_UNTIL = re.compile(r"\bUNTIL=([^;]+)")
_END = re.compile(r"\b(?:UNTIL|COUNT)=")

_OLD_RULE = re.compile(
    r"(?P<kind>D|W|MP|MD|YM|YD)(?P<interval>\d{1,4})(?P<places>(?:\s+(?!#)[^\s#]{1,3})*)"
    r"(?:\s+#(?P<count>\d{1,4})|\s+(?P<until>\d{8}(?:T\d{6}Z?)?))?\s*"
)
"""A rule of vCalendar 1.0: `W2 MO TH #10`, `MP1 1+ TU 19991231T000000`, `YM1 6 #0`."""
_OLD_KINDS = {
    "D": ("DAILY", ""),
    "W": ("WEEKLY", "BYDAY"),
    "MP": ("MONTHLY", "BYDAY"),
    "MD": ("MONTHLY", "BYMONTHDAY"),
    "YM": ("YEARLY", "BYMONTH"),
    "YD": ("YEARLY", "BYYEARDAY"),
}
_OLD_NUMBERED_DAY = re.compile(r"(?P<number>\d{1,3})(?P<sign>[+-]?)")
_OLD_DEFAULT_COUNT = "2"


def read_rule(value: str) -> str:
    """A rule in the notation of RFC 5545: one of vCalendar 1.0 in the newer words, any other as it is written."""
    match = _OLD_RULE.fullmatch(value.strip().upper())
    if match is None:
        return value.strip()
    frequency, part = _OLD_KINDS[match["kind"]]
    parts = [f"FREQ={frequency}", f"INTERVAL={match['interval']}"]
    numbers, places = list[str](), list[str]()
    for word in match["places"].split():
        numbered = _OLD_NUMBERED_DAY.fullmatch(word)
        number = f"{'-' if numbered['sign'] == '-' else ''}{numbered['number']}" if numbered else ""
        if numbered is None and word != "LD":
            places += [f"{number}{word}" for number in numbers or [""]]
        elif part == "BYDAY":
            numbers = [*numbers, number] if not places else [number]
        else:
            places.append(number or "-1")
    if part and places:
        parts.append(f"{part}={','.join(places)}")
    if match["until"]:
        parts.append(f"UNTIL={match['until']}")
    elif match["count"] != "0":
        parts.append(f"COUNT={int(match['count'] or _OLD_DEFAULT_COUNT)}")
    return ";".join(parts)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The times of an appointment as rows of days and hours, in order, and a remark where those are not all."""

    rows: tuple[tuple[str, str], ...] = ()
    remark: str = ""


def _iter_rows(spans: Iterable[CalendarSpan]) -> Iterator[tuple[str, str]]:
    """The days and hours of times; those of several days of a week in a row at the same hours are one."""
    run = list[CalendarSpan]()
    for span in spans:
        if run and not _continues_run(span, run[-1]):
            yield from _iter_run_rows(run)
            run = []
        run.append(span)
    yield from _iter_run_rows(run)


def _continues_run(span: CalendarSpan, previous: CalendarSpan) -> bool:
    is_next = (
        span.start.day - previous.start.day == DAY
        and span.start.day.isocalendar()[:2] == previous.start.day.isocalendar()[:2]
    )
    return is_next and span.heading == span.start.day.isoformat() and _format_hours(span) == _format_hours(previous)


def _iter_run_rows(run: Sequence[CalendarSpan]) -> Iterator[tuple[str, str]]:
    if len(run) >= _MIN_JOINED_DAYS:
        yield f"{run[0].start.day} to {run[-1].start.day}", _format_hours(run[0])
    else:
        yield from ((span.heading, _format_hours(span)) for span in run)


def _format_hours(span: CalendarSpan) -> str:
    """The hours of a time, without its day and its zone, which all times of an appointment share."""
    last = replace(span.last, zone="") if span.last else None
    span_text = CalendarSpan(replace(span.start, zone=""), last).shown
    return ALL_DAY.strip(" ()") if span.start.hour is None else span_text.removeprefix(f"{span.start.day} ")


@dataclass(frozen=True, slots=True)
class RecurringItem:
    """The times of an item as the file gives them: the first one, the rules, and the times that are added or excluded.

    `first` and `calendar_zone` are as in `read_moment` without the zone of the calendar: a rule is expanded on the
    clock of `first`, UTC perhaps, and each time shown in `calendar_zone`. `offset` is the most that this clock is ahead
    of UTC where its zone is only defined in the file.
    """

    span: CalendarSpan
    first: CalendarMoment
    rules: tuple[str, ...] = ()
    excluded_rules: tuple[str, ...] = ()
    added: tuple[CalendarMoment, ...] = ()
    excluded: tuple[CalendarMoment, ...] = ()
    calendar_zone: str = ""
    offset: timedelta = timedelta()


def expand_recurrence(item: RecurringItem, write_day: date) -> Recurrence:
    """The times of an item that repeats; none where it does not, or where its rules are not understood.

    `write_day` is the day on which the file was last written to.
    """
    horizon = max(map(_compute_horizon, item.rules, repeat(write_day)), default=write_day)
    rule_moments = [moment for rule in item.rules for moment in _expand_rule(rule, item, horizon)]
    if not rule_moments and not item.added:
        return Recurrence()
    excluded = {moment for rule in item.excluded_rules for moment in _expand_rule(rule, item, horizon)}
    moments = {moment.local: moment for moment in (item.first, *rule_moments, *item.added) if moment not in excluded}
    remaining_moments = _drop_excluded([moment for _, moment in sorted(moments.items())], item.excluded)
    rows = tuple(_iter_rows(_move_span(to_zone(moment, item.calendar_zone), item.span) for moment in remaining_moments))
    ends = [_read_until(match[1], item) for rule in item.rules if (match := _UNTIL.search(rule.upper()))]
    is_open = any(not _END.search(rule.upper()) for rule in item.rules)
    bounds = [f"from {rows[-MAX_LISTED][0][:10]}"] if len(rows) > MAX_LISTED else []
    if is_open or any(end and end.date() > horizon for end in ends):
        bounds.append(f"up to {horizon}")
    remark = f"; listed are the days {' '.join(bounds)}" if bounds else ""
    return Recurrence(rows[-MAX_LISTED:], f"{' without end' if is_open else ''}{remark}")


def _compute_horizon(rule: str, write_day: date) -> date:
    match = re.search(r"\bFREQ=(\w+)", rule.upper())
    years = _YEARS_AHEAD.get(match[1] if match else "", _DEFAULT_YEARS_AHEAD)
    return date(min(write_day.year + years, _LAST_YEAR), write_day.month, min(write_day.day, 28))


def _expand_rule(rule: str, item: RecurringItem, horizon: date) -> list[CalendarMoment]:
    """The times of a rule up to the horizon on the clock of its item; none where it is not understood."""
    pairs = (part.partition("=") for part in rule.upper().split(";"))
    parts = {name.strip(): text.strip() for name, _, text in pairs if text.strip()}
    frequency, count = parts.get("FREQ", ""), parts.pop("COUNT", None)
    # A count is an end too; the additional bound is for rules that no day satisfies.
    last = datetime.combine(horizon, time(23, 59, 59)) + (_MAX_COUNTED if count else timedelta())
    until = _read_until(parts.pop("UNTIL", ""), item)
    last = min(last, until) if until else last
    rule_parts = [f"{name}={text}" for name, text in parts.items()]
    is_within_bound = frequency == "YEARLY" or horizon - item.first.day < _MAX_REPEAT
    if not (is_within_bound and all(map(_PART.fullmatch, rule_parts)) and frequency in _FREQUENCIES):
        return []
    if not all(map(_POSITIVE.fullmatch, (parts.get("INTERVAL", "1"), count or "1"))) or last < item.first.local:
        return []
    # Days and weekdays repeat every 400 years. A rule that no day satisfies is searched to the last year of the
    # calendar, which is nearer from there: .2 s instead of 3.
    shift = (date.max.year - last.year) // _CYCLE_YEARS * _CYCLE
    try:
        # The count is applied here: dateutil does not allow both a count and an end.
        rule = ";".join([*rule_parts, f"UNTIL={last + shift:%Y%m%dT%H%M%S}"])
        max_times = int(count) if count else MAX_EXPANDED
        times = list(islice(rrulestr(rule, dtstart=item.first.local + shift), min(max_times, MAX_EXPANDED)))
    except ValueError:  # A part has a value that it cannot have.
        return []
    if len(times) == MAX_EXPANDED:
        return []
    days = ((moment.date() - shift, item.first.hour and moment.time()) for moment in times)
    return [replace(item.first, day=day, hour=hour) for day, hour in days]


def _read_until(value: str, item: RecurringItem) -> datetime | None:
    """The last moment of a rule on the clock of its item; a day counts with all its hours."""
    moment = read_moment(value)
    if moment is None:
        return None
    if moment.hour is None:
        return moment.local + DAY - timedelta(seconds=1)
    if moment.zone and item.first.zone != moment.zone:
        own_moment = to_zone(moment, item.first.zone)
        return own_moment.local if own_moment.zone == item.first.zone else moment.local + item.offset
    return moment.local


def _drop_excluded(moments: Sequence[CalendarMoment], excluded: Sequence[CalendarMoment]) -> list[CalendarMoment]:
    """The times that are not excluded: the same moment is, or its day where hours or clocks cannot be compared."""
    zones = {moment.zone for moment in moments}
    excluded_by_zone = {
        zone: [to_zone(moment, zone) if moment.zone == "UTC" else moment for moment in excluded] for zone in zones
    }
    days = {zone: {moment.day for moment in zone_moments} for zone, zone_moments in excluded_by_zone.items()}
    excluded_days = {
        zone: {moment.day for moment in zone_moments if moment.zone != zone or moment.hour is None}
        for zone, zone_moments in excluded_by_zone.items()
    }
    excluded_moments = {
        zone: {moment.local for moment in zone_moments if moment.zone == zone}
        for zone, zone_moments in excluded_by_zone.items()
    }
    return [
        moment
        for moment in moments
        if not (
            moment.day in days[moment.zone]
            if moment.hour is None
            else moment.local in excluded_moments[moment.zone] or moment.day in excluded_days[moment.zone]
        )
    ]


def _move_span(moment: CalendarMoment, span: CalendarSpan) -> CalendarSpan:
    """The time of an item that begins at another moment and lasts as long as its first one."""
    length = span.last.local - span.start.local if span.last else None
    if span.last is None or length is None or moment.local > datetime.max - length:  # noqa: DTZ901
        return CalendarSpan(moment)
    end = moment.local + length
    last = replace(span.last, day=end.date(), hour=span.last.hour and end.time())
    return CalendarSpan(moment, last)
