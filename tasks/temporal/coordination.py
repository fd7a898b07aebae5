"""Lists of times whose members share a part that is written once; each member is a separate time.

TimeML annotates the members of a conjunction separately. `share_parts`: the year after the last member is that of all
("in March and May 2023"); the day, week or weekday of a month before the first is that of all months ("the first day of
January, April and July"). `read_weekday_lists`: days that come again together ("every Monday and Wednesday", "Mondays
and Wednesdays 3-5pm", "Mon/Wed 9-10am") are sets. The order of its passes:

1. a range of days with hours recurs: "Monday to Friday, 9am-5pm"; so does a range that is a separate line, as in
   timetables, together with the other days that are separate lines;
2. so do the days after a day that recurs: "every Monday and Wednesday";
3. so does a list that ends with hours, if slashes or short names make it a timetable ("Mon/Wed 9-10am"), or if it
   continues one ("Mon-Fri 9am-5pm, Sat 10am-2pm");
4. each day takes the hours, or the part of the day, from the next of its list: "Mondays and Wednesdays 3-5pm".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import TypeGuard

from tasks.temporal.english.sets import TimedSet, join_set_and_clock
from tasks.temporal.grammar import GrammarItem, Signal
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, TimeOnDay, make_hours
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import EraYear, Recurring, UnitOfYear, UnitWithin, make_month_day
from tasks.temporal.meanings.spans import ModifiedTime, NumberedIn, TimeBetween, TimeSet
from tasks.temporal.readings import AND, Context, Meaning, MentionFields, make_day, make_month, make_season
from warehouse.records import Grain

_ARTICLES = (
    r"(?:(?:in|on|the|of|im|am|den|dem|des|vom|zum|le|les|la|el|los|il|lo|al|en|em|no|na|de|du|da|di|del|dal|au"
    r"|op|van|à|a)\s|[dl]['’]){0,2}"
)
_COMMA_OR_AND = rf"(?:\s?[,;/、]\s?(?:(?:{AND})\s)?|\s(?:{AND})\s)(?:(?:again|also|then|erneut|auch|puis)\s)?"
_LINK = re.compile(rf"{_COMMA_OR_AND}{_ARTICLES}|[和及与或]", re.IGNORECASE)
_LINK_WITHOUT_PREPOSITION = re.compile(rf"{_COMMA_OR_AND}(?:(?:of|de|di|von)\s)?|[和及与或]", re.IGNORECASE)
"""Link to members that share the words before the first one: a preposition would begin a new time."""
_AND_LINK = re.compile(rf"(?:\s?,)?\s(?:{AND})\s", re.IGNORECASE)
_UNITS_OF_YEAR = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.SEASON, Grain.QUARTER, Grain.HALF)
_PARTS_OF_YEAR = {Grain.QUARTER: 4, Grain.HALF: 2}  # The index of the last one in a year.
_LAST_OF_YEAR = ("XXXX-12", "XXXX-Q4", "XXXX-H2")
_DAY_OF_YEAR = re.compile(r"XXXX-\d\d-(\d\d)")
_ANY_LEAP_YEAR = date(2000, 1, 1)
_LATE_MONTH, _EARLY_MONTH = 10, 4
_DIGIT = re.compile(r"\d")
_DAY_LINK = re.compile(
    rf"\s?[/&+、]\s?|\s?(?:,\s?(?:(?:{AND})\s)?|\s(?:{AND})\s)(?:(?:on|los|les?|le|il|as|às)\s)?|[和及与或]",
    re.IGNORECASE,
)
_RANGE_LINK = re.compile(r"\s?[-–—]\s?|\s(?:to|through|thru|till|bis|au|à|a|al|às|até|tot|t/m)\s|[至到]", re.IGNORECASE)
_SLASH = re.compile(r"\s?[/+]\s?")
_NEXT_HOURS = re.compile(rf"\s?[,;|]\s?(?:(?:{AND})\s)?|\s?\n\s?", re.IGNORECASE)
"""Between the hours of a timetable's days: "Mon-Fri 9am-5pm, Sat 10am-2pm"."""
_MAX_SHORT_NAME = 4
_EVERY_DAY_OF = "XXXX-WXX-"
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_LINE_START, _LINE_END = re.compile(r"(?:\A|\n)[^\w\n|]{0,8}\Z"), re.compile(r"[^\w\n|]{0,4}(?:\n|\Z)")
_LINE_REACH = 9


def share_parts(times: Sequence[GrammarItem], text: str) -> list[GrammarItem]:
    """The times, none of them a signal, each with the parts that its list shares; in linear time."""
    values = [item.value for item in times if not isinstance(item.value, Signal)]
    gaps = [(first.end, last.start) for first, last in pairwise(times)]
    for index in range(len(gaps) - 1, -1, -1):
        first, last = values[index : index + 2]
        year = _find_year(last) if _has_no_year(first) and _has_matching_unit(first, last) else None
        if year and _LINK.fullmatch(text, *gaps[index]):
            values[index] = _add_year(first, _choose_first_year(first, last, year)) or first
    start = 0
    while start < len(values):
        stop = start + 1
        while (
            stop < len(values)
            and _is_month(values[stop])
            and _LINK_WITHOUT_PREPOSITION.fullmatch(text, *gaps[stop - 1])
        ):
            stop += 1
        # "On 3 May and June" may be two times, "on 1 May, June and July" are days.
        are_days = stop - start > 2 or not _DIGIT.search(text, times[start].start, times[start].end)
        for index in range(start + 1, stop):
            values[index] = _move_to_month(values[start], values[index], are_days=are_days) or values[index]
        start = stop
    start = 0
    while start < len(values):
        stop = start + 1
        while (
            stop < len(values) and _is_year(values[stop]) and _LINK_WITHOUT_PREPOSITION.fullmatch(text, *gaps[stop - 1])
        ):
            stop += 1
        # Before a comma alone a year may begin a clause: "Since June 2018, 2019 was the best year".
        if stop - start > 1 and _AND_LINK.fullmatch(text, *gaps[stop - 2]):
            for index in range(start + 1, stop):
                values[index] = _move_to_year(values[start], values[index]) or values[index]
        start = stop
    return [replace(item, value=value) for item, value in zip(times, values, strict=True)]


def _is_year(value: Meaning) -> bool:
    return isinstance(value, Period) and value.grain is Grain.YEAR and not value.fiscal


def _move_to_year(value: Meaning, year_period: Meaning) -> Meaning | None:
    """The same day, month, season, quarter or half of `year_period`: "the first quarter of 2022 and 2021".

    None for the last of a year before the next year, which is more often meant as a whole: "for Q4 2023 and 2024".
    """
    named_year = _find_year(value)
    if named_year is None or not isinstance(year_period, Period):
        return None
    year = year_period.year
    if isinstance(value, MentionFields) and value.bounds and value.grain in (Grain.DAY, Grain.MONTH, Grain.SEASON):
        day, is_last = value.bounds[0], value.value.endswith("-12")
        month = make_month(year, day.month) if value.grain is not Grain.SEASON else make_season(day.replace(year=year))
        moved_time: Meaning | None = _make_day_of_month(month, day.day) if value.grain is Grain.DAY else month
    elif isinstance(value, Period):
        is_last = value.index == _PARTS_OF_YEAR.get(value.grain)
        moved_time = replace(value, year=year)
    elif isinstance(value, UnitOfYear) and isinstance(value.year, Period):
        is_last = value.unit.unresolved_value in _LAST_OF_YEAR
        moved_time = replace(value, year=replace(value.year, year=year))
    else:
        return None
    return None if is_last and isinstance(named_year, Period) and year > named_year.year else moved_time


def _has_no_year(value: Meaning) -> bool:
    """Whether it is a unit of each year, a range of such units, or a part of one."""
    if isinstance(value, TimeBetween):
        return _has_no_year(value.first) and _has_no_year(value.last)
    if isinstance(value, NumberedIn | UnitWithin):
        return value.outer.grain is Grain.MONTH and _has_no_year(value.outer)
    if isinstance(value, ModifiedTime):
        return _has_no_year(value.whole)
    return isinstance(value, Recurring) and value.parent is Grain.YEAR


def _find_year(value: Meaning) -> Period | EraYear | Shift | None:
    """The year that a time names."""
    match value:
        case MentionFields():
            is_dated = value.bounds and value.grain in _UNITS_OF_YEAR and value.value[:4].isdigit()
            return Period(Grain.YEAR, int(value.value[:4])) if is_dated else None
        case Period():
            return None if value.grain is Grain.YEAR else replace(value, grain=Grain.YEAR, index=1)
        case UnitOfYear():
            return value.year
        case UnitWithin(outer=Shift(grain=Grain.YEAR) | Period(grain=Grain.YEAR) as year):
            return year
        case NumberedIn() | UnitWithin():
            return _find_year(value.outer)
        case TimeBetween():
            return _find_year(value.last)
        case ModifiedTime():
            return _find_year(value.whole)
        case TimeOnDay():
            return _find_year(value.day)
    return None


def _choose_first_year(first: Meaning, last: Meaning, year: Period | EraYear | Shift) -> Period | EraYear | Shift:
    """The previous year if the list crosses its end: "im Dezember und Januar 2023", "Christmas and Easter 2021"."""
    first_month, last_month = _find_month(first), _find_month(last)
    if (
        first_month
        and last_month
        and first_month >= _LATE_MONTH
        and last_month <= _EARLY_MONTH
        and isinstance(year, Period)
    ):
        return replace(year, year=year.year - 1)
    return year


def _find_month(value: Meaning) -> int | None:
    """The month of the year that a day or longer unit begins in."""
    if isinstance(value, UnitOfYear):
        return _find_month(value.unit)
    reading = value.make_instance(_ANY_LEAP_YEAR).resolve(Context()) if isinstance(value, Recurring) else value
    return reading.bounds[0].month if isinstance(reading, MentionFields) and reading.bounds else None


def _has_matching_unit(first: Meaning, last: Meaning) -> bool:
    """Whether they are of one size, or the first is a day or week of the months that follow."""
    grain = last.day.grain if isinstance(last, TimeOnDay) else last.grain
    return first.grain is grain or (grain is Grain.MONTH and first.grain in (Grain.DAY, Grain.WEEK))


def _add_year(value: Meaning, year: Period | EraYear | Shift) -> Meaning | None:
    """The unit in that year; of a range only its end gets the year, which determines its beginning."""
    match value:
        case Recurring():
            return UnitWithin(value, year) if isinstance(year, Shift) else UnitOfYear(value, year)
        case TimeBetween():
            last = _add_year(value.last, year)
            return replace(value, last=last) if last else None
        case NumberedIn() | UnitWithin():
            outer = _add_year(value.outer, year)
            return replace(value, outer=outer) if outer else None
        case ModifiedTime():
            whole = _add_year(value.whole, year)
            return replace(value, whole=whole) if whole else None
    return None


def _is_month(value: Meaning) -> bool:
    """Whether it is one month, of a named year or of each year."""
    match value:
        case UnitOfYear():
            return value.unit.grain is Grain.MONTH
        case MentionFields():
            return value.grain is Grain.MONTH and len(value.value) == len("2023-01")
        case Recurring():
            return value.grain is Grain.MONTH and len(value.unresolved_value) == len("XXXX-01")
    return False


def _move_to_month(value: Meaning, month: Meaning, *, are_days: bool) -> Meaning | None:
    """The value's day, week or weekday in `month` instead of its month; None for any other value."""
    if isinstance(value, NumberedIn | UnitWithin):
        return replace(value, outer=month) if value.outer.grain is Grain.MONTH else None
    day = _find_day(value) if are_days else None
    return _make_day_of_month(month, day) if day else None


def _find_day(value: Meaning) -> int | None:
    """The number of a day in its month."""
    match value:
        case UnitOfYear():
            return _find_day(value.unit)
        case Recurring():
            match = _DAY_OF_YEAR.fullmatch(value.unresolved_value)
            return int(match[1]) if match else None
        case MentionFields(grain=Grain.DAY):
            return value.bounds[0].day if value.bounds else None
    return None


def _make_day_of_month(month: Meaning, day: int) -> Meaning | None:
    """The day of that number; None where the month has none."""
    try:
        match month:
            case UnitOfYear(unit=unit):
                return replace(month, unit=make_month_day(int(unit.unresolved_value[-2:]), day))
            case Recurring():
                return make_month_day(int(month.unresolved_value[-2:]), day)
            case MentionFields(bounds=(first, _)):
                return make_day(first.replace(day=day))
    except ValueError:
        return None
    return None


def read_weekday_lists(items: Sequence[GrammarItem], text: str) -> list[GrammarItem]:
    """The items without the signals that joined nothing, and with the days of such lists as sets; in linear time."""
    times = _convert_day_ranges([item for item in items if not isinstance(item.value, Signal)], text)
    _convert_headings(times, text)
    _convert_days_after_every(times, text)
    _convert_timetables(times, text)
    for index in range(len(times) - 1, 0, -1):
        if _is_linked(times, index, text) and (new_value := _share_hours(times[index - 1].value, times[index].value)):
            times[index - 1] = replace(times[index - 1], value=new_value)
    return times


def _convert_day_ranges(items: Iterable[GrammarItem], text: str) -> list[GrammarItem]:
    """Replace ranges of weekdays with the hours of each day by sets: "Monday to Friday, 9am-5pm"."""
    result: list[GrammarItem] = []
    for item in items:
        value = _gather_hours(item.value)
        result.append(replace(item, value=value))
        if not isinstance(value, TimeOnDay) or not isinstance(value.clock, Hours):
            continue
        if isinstance(value.day, TimeBetween):
            start, days = item.start, _make_days(value.day.first, value.day.last)
        elif len(result) > 1 and _RANGE_LINK.fullmatch(text, result[-2].end, item.start):
            start, days = result[-2].start, _make_days(result[-2].value, value.day)
        else:
            continue
        if days and (repeated := join_set_and_clock(days, value.clock)):
            result[-1 if start == item.start else -2 :] = [GrammarItem(start, item.end, repeated)]
    return result


def _convert_headings(items: list[GrammarItem], text: str) -> None:
    """Replace weekdays that are separate lines by sets, if one of them is a range: "Monday to Friday"."""
    lines = [
        (index, item)
        for index, item in enumerate(items)
        if _LINE_START.search(text, max(0, item.start - _LINE_REACH), item.start) and _LINE_END.match(text, item.end)
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


def _convert_days_after_every(items: list[GrammarItem], text: str) -> None:
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


def _convert_timetables(items: list[GrammarItem], text: str) -> None:
    """Replace lists of weekdays whose last one has the hours, and further days of a timetable, by sets."""
    start = 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and _is_weekday(items[stop - 1].value) and _is_linked(items, stop, text):
            stop += 1
        days = items[start:stop]
        previous_item = items[start - 1] if start else None
        continues_timetable = (
            previous_item
            and isinstance(previous_item.value, TimedSet)
            and _NEXT_HOURS.fullmatch(text, previous_item.end, days[0].start)
        )
        if (continues_timetable and _has_hours(days[-1].value)) or (len(days) > 1 and _is_timetable(days, text)):
            values = [_make_set(item.value, "EVERY") or item.value for item in days]
            items[start:stop] = [replace(item, value=value) for item, value in zip(days, values, strict=True)]
        start = stop


def _is_linked(items: Sequence[GrammarItem], index: int, text: str) -> bool:
    """Whether the item at the index and the one before it belong to one list."""
    return bool(_DAY_LINK.fullmatch(text, items[index - 1].end, items[index].start))


def _is_timetable(days: Sequence[GrammarItem], text: str) -> bool:
    """Whether the days have slashes between them, or are short names with hours: not "Monday and Tuesday at noon"."""
    last = days[-1].value
    if isinstance(last, TimeSet):
        return _is_weekday_set(last) and last.grain is Grain.PART
    if not isinstance(last, TimeOnDay) or not _is_weekday(last.day):
        return False
    have_slashes = all(_SLASH.fullmatch(text, first.end, second.start) for first, second in pairwise(days))
    names = [_LATIN_WORD.match(text, item.start) for item in days]
    are_short = all(name and (len(name[0]) <= _MAX_SHORT_NAME or name[0] == "Thurs") for name in names)
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
    return len(_LATIN_WORD.findall(text[item.start : item.end])) > 1 or text[item.start] == "每"
