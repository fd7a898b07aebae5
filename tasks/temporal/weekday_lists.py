"""Weekdays that come again together: "every Monday and Wednesday", "Mondays and Wednesdays 3-5pm", "Mon/Wed 9-10am".

A list says once that its days recur, and once at which hours; each day is a SET of its own (TimeML annotates the
members of a conjunction separately). The order of the passes:

1. a range of days with hours recurs: "Monday to Friday, 9am-5pm"; so does a range that is a line of its own, as in
   timetables, together with the other days that are lines of their own;
2. so do the days after a day that recurs: "every Monday and Wednesday";
3. so does a list that ends with hours, if slashes or short names make it a timetable ("Mon/Wed 9-10am"), or if it
   continues one ("Mon-Fri 9am-5pm, Sat 10am-2pm");
4. each day takes the hours, or the part of the day, from the next of its list: "Mondays and Wednesdays 3-5pm".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeGuard

from tasks.temporal.english.sets import TimedSet, join_set_and_clock
from tasks.temporal.grammar import GrammarItem, Signal
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, TimeOnDay, make_hours
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import TimeBetween, TimeSet
from tasks.temporal.readings import AND, Meaning
from warehouse.records import Grain

_LINK = re.compile(
    rf"\s?[/&+、]\s?|\s?(?:,\s?(?:(?:{AND})\s)?|\s(?:{AND})\s)(?:(?:on|los|les?|le|il|as|às)\s)?|[和及与或]",
    re.IGNORECASE,
)
_TO = re.compile(r"\s?[-–—]\s?|\s(?:to|through|thru|till|bis|au|à|a|al|às|até|tot|t/m)\s|[至到]", re.IGNORECASE)
_SLASH = re.compile(r"\s?[/+]\s?")
_NEXT_HOURS = re.compile(rf"\s?[,;|]\s?(?:(?:{AND})\s)?|\s?\n\s?", re.IGNORECASE)
"""Between the hours of a timetable's days: "Mon-Fri 9am-5pm, Sat 10am-2pm"."""
_LONGEST_SHORT = 4
_EVERY_DAY_OF = "XXXX-WXX-"
_WORD = re.compile(r"[A-Za-z]+")
_LINE_BEFORE, _LINE_AFTER = re.compile(r"(?:\A|\n)[^\w\n|]{0,8}\Z"), re.compile(r"[^\w\n|]{0,4}(?:\n|\Z)")
_LINE_REACH = 9


def read_weekday_lists(items: Sequence[GrammarItem], text: str) -> list[GrammarItem]:
    """The items without the signals that joined nothing, and with the days of such lists as sets; in linear time."""
    times = _repeat_from_day_to_day([item for item in items if not isinstance(item.value, Signal)], text)
    _repeat_in_headings(times, text)
    _repeat_after_every(times, text)
    _repeat_in_timetables(times, text)
    for index in range(len(times) - 1, 0, -1):
        if _is_linked(times, index, text) and (new_value := _share_hours(times[index - 1].value, times[index].value)):
            times[index - 1] = replace(times[index - 1], value=new_value)
    return times


def _repeat_from_day_to_day(items: Iterable[GrammarItem], text: str) -> list[GrammarItem]:
    """Replace ranges of weekdays with the hours of each day by sets: "Monday to Friday, 9am-5pm"."""
    result: list[GrammarItem] = []
    for item in items:
        value = _gather_hours(item.value)
        result.append(replace(item, value=value))
        if not isinstance(value, TimeOnDay) or not isinstance(value.clock, Hours):
            continue
        if isinstance(value.day, TimeBetween):
            start, days = item.start, _make_days(value.day.first, value.day.last)
        elif len(result) > 1 and _TO.fullmatch(text, result[-2].end, item.start):
            start, days = result[-2].start, _make_days(result[-2].value, value.day)
        else:
            continue
        if days and (repeated := join_set_and_clock(days, value.clock)):
            result[-1 if start == item.start else -2 :] = [GrammarItem(start, item.end, repeated)]
    return result


def _repeat_in_headings(items: list[GrammarItem], text: str) -> None:
    """Replace weekdays that are lines of their own by sets, if one of them is a range: "Monday to Friday"."""
    lines = [
        (index, item)
        for index, item in enumerate(items)
        if _LINE_BEFORE.search(text, max(0, item.start - _LINE_REACH), item.start) and _LINE_AFTER.match(text, item.end)
    ]
    days = {index: _make_days_of_line(item.value) for index, item in lines}
    if any(days.values()):
        for index, item in lines:
            items[index] = replace(item, value=days[index] or _make_set(item.value, "") or item.value)


def _make_days_of_line(value: object) -> TimeSet | None:
    """A range of weekdays as a set; None for anything else."""
    if isinstance(value, TimeBetween):
        return _make_days(value.first, value.last)
    return value if isinstance(value, TimeSet) and _is_weekday_set(value) and "/" in value.value else None


def _gather_hours(value: Meaning | Signal) -> Meaning | Signal:
    """The hours of one weekday that were joined as a range: "Friday from 9am to 5pm"."""
    if isinstance(value, TimeBetween) and isinstance(value.first, TimeOnDay) and isinstance(value.last, Clock):
        start, end = value.first, value.last
        if _is_weekday(start.day) and isinstance(start.clock, Clock) and not {type(start.clock), type(end)} & {DayPart}:
            return TimeOnDay(start.day, make_hours(start.clock, end))
    return value


def _make_days(first: object, last: object) -> TimeSet | None:
    """The days of each week from one weekday to a later one."""
    if not _is_weekday(first) or not _is_weekday(last):
        return None
    values = first.unresolved_value, last.unresolved_value
    return TimeSet("/".join(values), Grain.DAY) if values[0] < values[1] else None


def _repeat_after_every(items: list[GrammarItem], text: str) -> None:
    """Replace the weekdays that follow "every Monday and" by sets."""
    quantifier = ""
    for index, item in enumerate(items):
        value = item.value
        if isinstance(value, TimeSet):
            quantifier = value.quant if _is_weekday_set(value) and _has_word_for_every(item, text) else ""
        elif quantifier and _is_linked(items, index, text) and (repeated := _make_set(value, quantifier)):
            items[index] = replace(item, value=repeated)
        else:
            quantifier = ""


def _repeat_in_timetables(items: list[GrammarItem], text: str) -> None:
    """Replace lists of weekdays whose last one has the hours, and further days of a timetable, by sets."""
    start = 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and _is_weekday(items[stop - 1].value) and _is_linked(items, stop, text):
            stop += 1
        days = items[start:stop]
        previous_item = items[start - 1] if start else None
        goes_on = (
            previous_item
            and isinstance(previous_item.value, TimedSet)
            and _NEXT_HOURS.fullmatch(text, previous_item.end, days[0].start)
        )
        if (goes_on and _has_hours(days[-1].value)) or (len(days) > 1 and _is_timetable(days, text)):
            values = [_make_set(item.value, "EVERY") or item.value for item in days]
            items[start:stop] = [replace(item, value=value) for item, value in zip(days, values, strict=True)]
        start = stop


def _is_linked(items: Sequence[GrammarItem], index: int, text: str) -> bool:
    """Whether the item at the index and the one before it belong to one list."""
    return bool(_LINK.fullmatch(text, items[index - 1].end, items[index].start))


def _is_timetable(days: Sequence[GrammarItem], text: str) -> bool:
    """Whether the days have slashes between them, or are short names with hours: not "Monday and Tuesday at noon"."""
    last = days[-1].value
    if isinstance(last, TimeSet):
        return _is_weekday_set(last) and last.grain is Grain.PART
    if not isinstance(last, TimeOnDay) or not _is_weekday(last.day):
        return False
    have_slashes = all(_SLASH.fullmatch(text, first.end, second.start) for first, second in pairwise(days))
    names = [_WORD.match(text, item.start) for item in days]
    are_short = all(name and (len(name[0]) <= _LONGEST_SHORT or name[0] == "Thurs") for name in names)
    return (have_slashes and not isinstance(last.clock, DayPart)) or (are_short and isinstance(last.clock, Hours))


def _share_hours(first: object, last: object) -> TimeSet | None:
    """The first with the hours or the part of the day of the last, if it has none."""
    if not isinstance(first, TimeSet) or not isinstance(last, TimeSet):
        return None
    if not _is_weekday_set(first) or "T" in first.value or not _is_weekday_set(last):
        return None
    if isinstance(last, TimedSet) and last.clock:
        return join_set_and_clock(first, last.clock)
    _, _, part = last.value.partition("T")
    return replace(first, value=f"{first.value}T{part}", grain=last.grain) if part else None


def _make_set(day: object, quantifier: str) -> TimeSet | None:
    """A weekday, or a time of one, as a set; None for anything else."""
    if isinstance(day, TimeOnDay) and _is_weekday(day.day):
        days = TimeSet(day.day.unresolved_value, Grain.DAY, quantifier)
        if isinstance(day.clock, DayPart):
            return replace(days, value=day.clock.format_on(days.value), grain=Grain.PART)
        return join_set_and_clock(days, day.clock)
    if _is_weekday(day):
        return TimeSet(day.unresolved_value, Grain.DAY, quantifier)
    return None


def _is_weekday(value: object) -> TypeGuard[Recurring]:
    """Whether it is a day of any week, by its name alone."""
    return isinstance(value, Recurring) and value.parent is Grain.WEEK and value.grain is Grain.DAY


def _is_weekday_set(value: object) -> bool:
    return isinstance(value, TimeSet) and value.value.startswith(_EVERY_DAY_OF)


def _has_hours(value: object) -> bool:
    return isinstance(value, TimeOnDay) and isinstance(value.clock, Hours)


def _has_word_for_every(item: GrammarItem, text: str) -> bool:
    """Whether a word says that the day, and those after it, recur: "every Monday", "los lunes"."""
    return len(_WORD.findall(text[item.start : item.end])) > 1 or text[item.start] == "每"
