"""English times and parts of a day, their ranges, and with their day: "3:30 p.m.", "5 to 6pm", "last night"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from tasks.temporal.english.lexicon import (
    NAMED_ZONE,
    NUMBER_WORDS,
    NUMBERS,
    ZONE,
    S,
    match_any,
    match_before,
    parse_number,
    read_zone,
)
from tasks.temporal.english.signals import DATED, THE
from tasks.temporal.grammar import (
    LETTERED,
    LONG_NUMBER,
    MARKED,
    SHORT_NUMBER,
    GrammarRule,
    JoinRule,
    SignalRole,
    make_rule,
)
from tasks.temporal.meanings.clocks import (
    BareNumber,
    BareNumberRange,
    Clock,
    DayPart,
    Hours,
    TimeOnDay,
    make_clock,
    make_hours,
    with_day_part,
)
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.meanings.recurrences import Recurring, UnitWithin, make_day_of_month
from tasks.temporal.meanings.spans import Duration, OpenRange, TimeBetween
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

_HALF = r"(?P<half>[ap]\.\s?m\.|[ap]m)(?![A-Za-z0-9])"
_LETTER = r"(?P<half>[ap])(?![A-Za-z0-9.])"
_HOUR_DIGITS = r"(?P<hour>[01]?\d|2[0-4])"
_AFTER_RANGE_DASH = r"(?<=:[0-5]\d[-–—])|(?<=[ap]m[-–—])|(?<=[ap]\.m\.[-–—])"
"""A dash after a time, and another time: "9:00-17:00", "9am-5pm"."""
_CLOCK = rf"(?:(?<![0-9:.,/$€£-])|{_AFTER_RANGE_DASH}){_HOUR_DIGITS}"
_HALF_CLOCK = (
    rf"(?:(?<![0-9:.,/$€£-])|{_AFTER_RANGE_DASH}|(?<=\A\d-)|(?<=\A\d\d-)|(?<=[\s(]\d-)|(?<=[\s(]\d\d-)){_HOUR_DIGITS}"
)
"""With "am" or "pm" after it, it is a time after a bare hour too: "9-5pm"."""
_COUNT = rf"(?:\d{{1,2}}|{NUMBER_WORDS})"
_HOUR_WORDS = {word: value for word, value in NUMBERS.items() if value <= 12}
_HOUR = rf"(?P<hour>1[0-2]|[1-9]|{match_any(_HOUR_WORDS)})(?![0-9])"
_NO_UNIT = rf"(?!(?:{S}|-)(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent)\b)"
_DAY_HALF = rf"(?:{S}o['’]?clock)?(?:{S}?{_HALF})?"
_NAMED_HOURS, _MINUTES = {"noon": 12, "midday": 12, "midnight": 0}, {"half": 30, "quarter": 15}
_LONGEST_IN_HOURS, _LONGEST_WORD = 5, 14
_BEFORE_SCORES = re.compile(r"(?:=>\s?|ratio|odds|score|aspect|[Pp]s(?:alms?)?|of|in|\b[A-Z][a-z]{2,20})\s$")
_DAYS_LATER = r"(?:\s?\(?\+(?P<later>[12])(?:\s?days?\b|\s?d\b|(?![0-9:A-Za-z]))\)?)?"
_DATED_BEFORE = re.compile(r"(?:(?:19|20)\d\d|\d\d?[./]\d\d?[./]\d\d|(?:19|20)\d\d-\d\d-\d\d),?\s{1,3}$")
_RANGE_START = re.compile(r"\d{1,2}:\d\d\s?[-–—]\s?$")
_QUARTER = r"\d{1,2}:(?:00|15|30|45)"
_RANGE_OF_QUARTERS = re.compile(rf"{_QUARTER}(?:\s?[-–—]\s?|\s(?:to|until|till)\s){_QUARTER}(?![\d:])")
"""A range of quarters of an hour, which verses and scores hardly ever are: "Meeting 10:00-11:30"."""
_BEFORE_CLOCKS = re.compile(
    r"\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:days?)?|[JFMASOND][a-z]{2,8}ber|(?:Jan|Febr)uary|March"
    r"|April|May|June|July|August|[A-Z][a-z]{2}|At|By|From|Until|Till|The|Around|About|Before|After|Between|Today"
    r"|Tomorrow|Yesterday|Time|Tonight"
    r"|(?i:arriv(?:e|es|ing|al)|depart(?:s|ing|ure)?|leav(?:e|es|ing)|land(?:s|ing)?)\s(?:(?:at|in|from)\s)?[A-Z][a-z]{2,14})\s$"
)


def _to_full_hour(hour: int, half: str | None) -> int:
    """The hour of the whole day. Raises `ValueError` for 15 p.m."""
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"no {hour} {half}")
    return hour % 12 + (12 if half.lower().startswith("p") else 0)


def _read_clock(match: re.Match[str], *, half_unknown: bool = False) -> Clock:
    """A time in digits, with or without the groups half and second."""
    groups = match.groupdict()
    hour, minute = _to_full_hour(int(match["hour"]), groups.get("half")), int(match["minute"] or 0)
    second = int(groups["second"]) if groups.get("second") else None
    return make_clock(hour, minute, second, read_zone(match), half_unknown=half_unknown)


_IS_LENGTH = re.compile(r"\b(?:dura(?:tion|ta|[cç][aã]o|ci[oó]n)|dur[eé]e|dauer|duur)\W{0,3}\Z", re.IGNORECASE)


def _read_hour_with_letter(match: re.Match[str]) -> Clock | Duration:
    """14h30 is a time; 1h30, too early for the working day, is a length."""
    hour, minute = int(match["hour"]), int(match["minute"])
    is_length = _IS_LENGTH.search(match.string, max(0, match.start() - _LONGEST_WORD), match.start())
    if not is_length and (hour > _LONGEST_IN_HOURS or match["hour"].startswith("0")):
        return _read_clock(match)
    return Duration(((hour, Grain.HOUR), (minute, Grain.MINUTE)))


def _read_plain_clock(match: re.Match[str]) -> Clock | TimeOnDay | None:
    """A time with a colon, unless the previous word makes it a verse or a score; with "+1" it is on the day after."""
    start, zone = match.start(), read_zone(match)
    text_before = match.string[max(0, start - 32) : start]
    # The end of a range is no time if its beginning is none: "John 3:16-4:10".
    if begin := _RANGE_START.search(text_before):
        start, text_before = start - len(text_before) + begin.start(), text_before[: begin.start()]
    is_range = _RANGE_OF_QUARTERS.match(match.string, start)
    if not zone and not is_range and _BEFORE_SCORES.search(text_before) and not _BEFORE_CLOCKS.search(text_before):
        return None
    clock = _read_clock(match, half_unknown=not zone and not match["hour"].startswith("0") and not match["second"])
    clock = replace(clock, is_24_hour=not 1 <= int(match["hour"]) <= 12)
    days_later = None if _DATED_BEFORE.search(text_before) else match.groupdict().get("later")
    return TimeOnDay(Shift(Grain.DAY, int(days_later), Origin.LAST_MENTION), clock) if days_later else clock


def _read_named_hour(match: re.Match[str]) -> Clock:
    return make_clock(_NAMED_HOURS[match["name"].lower().replace(" ", "")], zone=read_zone(match))


def _read_clock_in_words(match: re.Match[str], minute: int = 0) -> Clock:
    """Seven o'clock, or `minute` minutes past it, or before it if the number is negative."""
    hour = parse_number(match["hour"])
    hour, minute = (hour, minute) if minute >= 0 else ((hour - 2) % 12 + 1, minute + 60)
    return make_clock(_to_full_hour(hour, match["half"]), minute, half_unknown=not match["half"])


def _read_minutes_past(match: re.Match[str]) -> Clock:
    """Half past seven, a quarter to seven, twenty minutes past five."""
    text = match["minutes"].lower()
    minutes = _MINUTES[text] if text in _MINUTES else parse_number(text)
    return _read_clock_in_words(match, -minutes if match["side"].lower() in ("to", "till", "before") else minutes)


def _read_bare_number(match: re.Match[str]) -> BareNumber | None:
    value = parse_number(match[0])
    return BareNumber(value) if 0 < value <= 31 else None


_SMALL_NUMBER = rf"[0-3]?\d(?![0-9A-Za-z]|[.,:/]\d|{S}?%){_NO_UNIT}|{match_any(_HOUR_WORDS)}{_NO_UNIT}"
_BEFORE_BARE = match_before("at", "to", "and", "until", "till", "around", "about")
_BEFORE_BARE += r"|(?<=[0-9m.][-–~])|(?<=[0-9m.] [-–~] )"
_AFTER_BARE = (
    rf"\s?[-–~]\s?\d|{S}(?:to|until|till|and|through|thru){S}(?:the{S})?[0-9a-z]|{S}in{S}the{S}(?:mor|aft|eve|ni)"
)
_SPOKEN_HOUR = rf"{S}{_HOUR}{_DAY_HALF}{_NO_UNIT}"
_MINUTES_BEFORE = rf"(?:(?P<article>a){S})?(?P<minutes>half|quarter|{_COUNT})(?:{S}(?:minutes|mins?))?{S}"
_HOURS = {SHORT_NUMBER, *_HOUR_WORDS}
_SHARP = rf"(?:sharp|on{S}the{S}dot)(?=\s{{0,2}}(?:[.,;:!?)]|\Z)|\s(?:and|or|on|in|at|for|every|with)\b)"
_FULL = r"(?:[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?"

_LONE_HALF = r"(?<=[a-z0-9] )(?P<side>)(?P<part>AM|PM|(?:(?<=day )|(?<=row )|(?<=\b[MTWFS][a-z]{2} ))[ap]m)\b(?! I\b)"
_PART_VALUES = {"morning": "MO", "afternoon": "AF", "evening": "EV", "night": "NI", "nighttime": "NI"}
_PART_VALUES |= {"daytime": "DT", "am": "MO", "pm": "AF"}
_SIDES = {"early": Modifier.START, "mid": Modifier.MID, "late": Modifier.END, "later": Modifier.END}
_PART = r"(?P<part>morning|afternoon|evening|night)(?![A-Za-z'’-])"
_SIDE = rf"(?:(?P<side>early|mid|late)(?:{S}|-))?"
_NOT_AFTER = (
    r"(?!(?:\s|-)(?:shows?|news|posts?|stars?|shifts?|sessions?|sickness|clubs?|trains?|gowns?|sky|vision|market|fever"
    r"|courts?|life|school|sun|papers?|newspapers?|edition|prayers?|service|mail|herald|standard|watch|after|television|tv|talk|hosts?|raw|live)\b)"
)
_BEFORE_PART = match_before("in", "by", "until", "till", "since", "during", "early")
_OVERNIGHT = (
    r"(?!\s(?:rates?|funds?|loans?|lending|index|indexed|repo|deposits?|bags?|trains?|flights?|stays?|success|shipping"
    r"|delivery|interest|borrowing|money|mail|sensation)\b)"
)
_STEPS = {
    "this": Shift(Grain.DAY, 0),
    "last": Shift(Grain.DAY, -1),
    **dict.fromkeys(("that", "same"), Shift(Grain.DAY, 0, Origin.LAST_MENTION)),
    **dict.fromkeys(("next", "following"), Shift(Grain.DAY, 1, Origin.LAST_MENTION)),
    "previous": Shift(Grain.DAY, -1, Origin.LAST_MENTION),
}
_STEP = rf"(?P<step>{'|'.join(_STEPS)}){S}"
_HEADS = {"morning", "afternoon", "evening", "night"}
_SIDED = _HEADS | {"early", "mid", "late"}


def _read_day_part(match: re.Match[str], *, is_standalone: bool = True) -> DayPart:
    """`is_standalone` is whether it is a time without a day next to it."""
    value, side = _PART_VALUES[match["part"].lower().replace("-", "")], match["side"]
    return DayPart(value, Grain.PART, _SIDES[side.lower()] if side else None, is_standalone=is_standalone)


_read_dependent_day_part = partial(_read_day_part, is_standalone=False)


def _read_night(match: re.Match[str]) -> Meaning:
    origin = Origin.LAST_MENTION if match[0].lower() == "overnight" else Origin.WRITTEN
    return TimeOnDay(Shift(Grain.DAY, 0, origin), DayPart("NI", Grain.PART))


HALF_DAY = make_rule({SHORT_NUMBER}, rf"{_HALF_CLOCK}{_FULL}\s?{_HALF}{ZONE}", _read_clock)
"""10 am; in German "am" is another word."""
RULES: tuple[GrammarRule, ...] = (
    HALF_DAY,
    make_rule({SHORT_NUMBER + MARKED}, rf"{_CLOCK}:(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?{_LETTER}", _read_clock),
    make_rule({SHORT_NUMBER + LETTERED}, rf"{_CLOCK}h(?P<minute>[0-5]\d)(?![0-9A-Za-z])", _read_hour_with_letter),
    make_rule(
        {LONG_NUMBER},
        rf"(?:{match_before('at', 'by', 'from', 'until', 'till', 'to', 'before', 'after', 'and', 'between')})"
        rf"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d){S}?(?:hrs|hours|h)\b",
        _read_clock,
    ),
    make_rule(
        {LONG_NUMBER}, rf"(?<![:.,/$-])(?P<hour>[01]\d)(?P<minute>[0-5]\d)(?P<second>)\s?{_HALF}{ZONE}", _read_clock
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"{_CLOCK}:(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{{1,6}})?)?(?![\d:A-Za-z]|[.,]\d|\s(?:versus|vs)\b){ZONE}{_DAYS_LATER}",
        _read_plain_clock,
    ),
    make_rule(
        {LONG_NUMBER},
        rf"(?<![:.,/$-])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?={S}?\(?(?:(?-i:UTC|GMT|Z)|{NAMED_ZONE})\b){ZONE}",
        _read_clock,
    ),
    make_rule(
        {LONG_NUMBER},
        rf"(?:(?<=at )|(?<=from )|(?<=to )|(?<=by )|(?<![0-9.,:/$€£-])(?=0))(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)"
        rf"{S}(?:hours|hrs)\b",
        _read_clock,
    ),
    make_rule(
        {LONG_NUMBER},
        r"(?:(?<=\bat )|(?<=\bby ))(?P<hour>0\d)(?P<minute>[0-5]\d)(?![0-9A-Za-z%]|[.,/-]\d)",
        _read_clock,
    ),
    make_rule(
        {"noon", "noonish", "midday", "midnight"}, rf"(?P<name>noon|midday|midnight)(?:ish)?\b{ZONE}", _read_named_hour
    ),
    make_rule({"mid"}, r"(?<=at )(?P<name>mid night)\b", _read_named_hour),
    make_rule(
        {"past"},
        rf"(?P<side>past){_SPOKEN_HOUR}",
        lambda match: None if match["article"] and match["minutes"].lower() != "quarter" else _read_minutes_past(match),
        lead=_MINUTES_BEFORE,
    ),
    make_rule(
        {"quarter"},
        rf"(?P<minutes>quarter){S}(?P<side>past|to|after|before|till){_SPOKEN_HOUR}",
        _read_minutes_past,
        lead=rf"(?:a{S})?",
    ),
    make_rule(
        {"minutes", "mins", "min"},
        rf"(?:minutes|mins?){S}(?P<side>to|till|before|after){_SPOKEN_HOUR}",
        _read_minutes_past,
        lead=rf"(?P<minutes>{_COUNT}){S}",
    ),
    make_rule(_HOURS, rf"{_HOUR}{S}(?:o['’]?clock\b|{_SHARP})(?:{S}{_HALF})?", _read_clock_in_words),
    make_rule(_HOUR_WORDS, rf"{_HOUR}{S}{_HALF}", _read_clock_in_words),
    make_rule(
        _HOUR_WORDS,
        rf"{_HOUR}[ -](?P<minutes>(?:twenty|thirty|forty|fifty)(?:[ -]five)?|ten|fifteen)\b{_NO_UNIT}",
        lambda match: BareNumber(parse_number(match["hour"]), parse_number(match["minutes"].replace("-", " "))),
    ),
    make_rule(_HOURS, rf"(?:{_BEFORE_BARE})(?:{_SMALL_NUMBER})", _read_bare_number),
    make_rule(_HOURS, rf"(?<![0-9][.,:/])(?:{_SMALL_NUMBER})(?={_AFTER_BARE})", _read_bare_number),
    make_rule(
        _HEADS,
        rf"{_PART}{_NOT_AFTER}",
        lambda match: TimeOnDay(_STEPS[match["step"].lower()], _read_day_part(match)),
        lead=rf"(?:the{S})?{_STEP}{_SIDE}",
    ),
    make_rule({"early", "late", "later"}, rf"(?P<side>early|later?){S}in{S}the{S}{_PART}", _read_day_part),
    make_rule(
        {"hours"},
        rf"hours(?={S}of\b)",
        lambda _: DayPart("MO", Grain.PART, Modifier.START),
        lead=rf"the{S}(?:early|small|wee)(?:{S}morning)?{S}",
    ),
    make_rule(_HEADS, rf"{_PART}{_NOT_AFTER}(?!{S}before\b)", _read_day_part, lead=rf"the{S}{_SIDE}"),
    make_rule(_SIDED, rf"(?:{_BEFORE_PART}){_SIDE}{_PART}{_NOT_AFTER}", _read_day_part),
    make_rule(_SIDED, rf"{_SIDE}{_PART}{_NOT_AFTER}", _read_dependent_day_part),
    make_rule(
        {"night", "nighttime", "daytime"},
        r"(?<=the )(?P<side>)(?P<part>night-?time|daytime)(?![A-Za-z-])",
        _read_day_part,
    ),
    make_rule({"am", "pm"}, _LONE_HALF, _read_dependent_day_part, exact_case=True),
    make_rule({"tonight", "tonite"}, r"toni(?:ght|te)\b(?!['’]s)", _read_night),
    make_rule({"overnight"}, rf"overnight\b(?!-){_OVERNIGHT}", _read_night),
)

_DASH = re.compile(r"\s?[-–—~]\s?")
_TIME_AFTER_DAY = re.compile(r",?\s{1,3}(?:at\s|@\s?|for\s|in\s(?:the\s)?)?|\)?-|\s?:\s", re.IGNORECASE)
_DAY_AFTER_TIME = re.compile(r",?[^\S\n]{1,3}(?:the\s)?|,?\s{1,3}(?:(?:on|in)\s(?:the\s)?|\()|,\s", re.IGNORECASE)
"""On one line, or after a preposition: a day in the next line of a timetable does not belong to the time."""
_PART_AFTER_TIME = re.compile(r",?[^\S\n]{1,3}(?:the\s)?|,?\s{1,3}(?:in\s(?:the\s)?|at\s)", re.IGNORECASE)
_ON_ONE_LINE = re.compile(r"[^\S\n]{1,3}(?:the\s)?", re.IGNORECASE)
_IN_THE = re.compile(r"\s{1,3}in\s(?:the\s)?", re.IGNORECASE)


ClockOrNumber = BareNumber | Clock


def _to_clock(clock_or_number: ClockOrNumber | Hours) -> Clock | Hours | None:
    """The time of a number, if a clock shows it."""
    return clock_or_number.clock if isinstance(clock_or_number, BareNumber) else clock_or_number


def _join_clocks(first: ClockOrNumber, last: ClockOrNumber) -> Hours | None:
    """A range of two times; parts of a day are no ends of a range: from morning to night."""
    start, end = _to_clock(first), _to_clock(last)
    if not isinstance(start, Clock) or not isinstance(end, Clock) or {type(start), type(end)} & {DayPart}:
        return None
    return make_hours(start, end)


def _join_numbers(first: BareNumber, last: BareNumber, *, is_bounded: bool = True) -> Meaning | None:
    """Two numbers are hours or days, unless they have minutes: "two thirty to two forty-five"."""
    return _join_clocks(first, last) if first.minute and last.minute else BareNumberRange(first, last, is_bounded)


def _make_range_joins(first: type, last: type) -> tuple[JoinRule, ...]:
    """From one to the other, between one and the other, one to the other."""
    are_numbers = first is last is BareNumber
    join_bounded, join_plain = (
        (_join_numbers, partial(_join_numbers, is_bounded=False)) if are_numbers else (_join_clocks, _join_clocks)
    )
    from_roles = (SignalRole.FROM, SignalRole.BETWEEN)
    return (
        JoinRule((from_roles, first, SignalRole.TO, last), join_bounded, THE),
        JoinRule((SignalRole.BETWEEN, first, SignalRole.AND, last), join_bounded, THE),
        JoinRule((first, SignalRole.TO, last), join_plain, THE),
        JoinRule((from_roles, first, last), join_bounded, (THE, _DASH)),
        *(() if are_numbers else (JoinRule((first, last), join_plain, _DASH),)),
    )


def _join_day_and_clock(day: Meaning, clock_or_number: ClockOrNumber | Hours) -> TimeOnDay | None:
    clock = _to_clock(clock_or_number)
    return TimeOnDay(day, clock) if clock and day.grain is Grain.DAY else None


def _join_day_part_and_clock(time: TimeOnDay, clock: ClockOrNumber | Hours) -> TimeOnDay | None:
    """Tomorrow morning at 8: the part gives the half of the day."""
    exact_time = _join_clock_and_part(clock, time.clock) if isinstance(time.clock, DayPart) else None
    return TimeOnDay(time.day, exact_time) if exact_time else None


def _join_timed_and_part(time: TimeOnDay, part: DayPart) -> TimeOnDay | None:
    """Twenty past five tomorrow morning."""
    return None if isinstance(time.clock, DayPart) else TimeOnDay(time.day, with_day_part(time.clock, part))


def _join_clock_and_part(clock: ClockOrNumber | Hours, part: DayPart) -> Clock | Hours | None:
    time_of_day = _to_clock(clock)
    return None if time_of_day is None or isinstance(time_of_day, DayPart) else with_day_part(time_of_day, part)


def _join_numbers_and_part(numbers: BareNumberRange, part: DayPart) -> Clock | Hours | None:
    """Between 5 and 6 in the afternoon."""
    clocks = _join_clocks(numbers.first, numbers.last)
    return with_day_part(clocks, part) if clocks else None


def _join_day_and_bound(day: Meaning, clock: Clock, modifier: Modifier) -> OpenRange | None:
    """Today before 4pm."""
    time = _join_day_and_clock(day, clock)
    return OpenRange(time, modifier) if time else None


def _join_timed_and_end(time: TimeOnDay, clock: Clock) -> TimeOnDay | None:
    """December 12th at 4 - 6:30 pm."""
    clocks = _join_clocks(time.clock, clock) if isinstance(time.clock, Clock) else None
    return TimeOnDay(time.day, clocks) if clocks else None


def _join_timed_and_week(time: TimeOnDay, week: Meaning) -> TimeOnDay | None:
    """Wednesday evening next week."""
    day = time.day
    if not isinstance(day, Recurring) or week.grain is not day.parent:
        return None
    return TimeOnDay(UnitWithin(day, week), time.clock)


def _join_numbers_and_time(numbers: BareNumberRange, time: Meaning) -> Meaning | None:
    """From 5 to 7 today, from 4 to 22 this month."""
    if time.grain is Grain.MONTH:
        return TimeBetween(
            make_day_of_month(numbers.first.number), UnitWithin(make_day_of_month(numbers.last.number), time)
        )
    clocks = _join_clocks(numbers.first, numbers.last)
    return _join_day_and_clock(time, clocks) if clocks else None


def _join_times_or_days(numbers: BareNumberRange, day: Meaning) -> Meaning | None:
    """Without "from" or "between" two numbers are times only of a day near the speaker."""
    return _join_numbers_and_time(numbers, day) if numbers.has_preposition or isinstance(day, Shift) else None


def _join_day_and_numbers(day: Meaning, numbers: BareNumberRange) -> Meaning | None:
    return _join_numbers_and_time(numbers, day) if numbers.has_preposition and day.grain is Grain.DAY else None


_ABOUT_OR_AT = (SignalRole.AT, SignalRole.LENGTH)

JOINS: tuple[JoinRule, ...] = (
    *(join for left in (Clock, BareNumber) for right in (Clock, BareNumber) for join in _make_range_joins(left, right)),
    JoinRule((DATED, SignalRole.BOUND, Clock), _join_day_and_bound, THE, takes_modifier=True),
    JoinRule((DATED, SignalRole.FROM, Clock), _join_day_and_clock, THE),
    JoinRule((TimeOnDay, Clock), _join_timed_and_end, _DASH),
    JoinRule((TimeOnDay, (Shift, UnitWithin)), _join_timed_and_week, _ON_ONE_LINE),
    JoinRule((Hours, TimeOnDay), lambda clocks, timed: _join_day_part_and_clock(timed, clocks), _DAY_AFTER_TIME),
    JoinRule((SignalRole.AT, Clock), lambda clock: clock, THE, extent=(1, None)),
    JoinRule(
        (SignalRole.LENGTH, Clock),
        lambda clock, size: replace(clock, modifier=size) if size is Modifier.APPROX else None,
        THE,
        takes_modifier=True,
    ),
    JoinRule((TimeOnDay, (Clock, Hours)), _join_day_part_and_clock, _TIME_AFTER_DAY),
    JoinRule((TimeOnDay, DayPart), _join_timed_and_part, _PART_AFTER_TIME),
    JoinRule((TimeOnDay, _ABOUT_OR_AT, BareNumber), _join_day_part_and_clock, THE),
    JoinRule((Clock, TimeOnDay), lambda clock, timed: _join_day_part_and_clock(timed, clock), _DAY_AFTER_TIME),
    JoinRule(((Clock, Hours), DayPart), _join_clock_and_part, _PART_AFTER_TIME),
    JoinRule((BareNumber, DayPart), _join_clock_and_part, _IN_THE),
    JoinRule((DayPart, SignalRole.AT, BareNumber), lambda part, number: _join_clock_and_part(number, part), THE),
    JoinRule((BareNumberRange, DayPart), _join_numbers_and_part, _IN_THE),
    JoinRule((DayPart, (Clock, Hours)), lambda part, clock: _join_clock_and_part(clock, part), _TIME_AFTER_DAY),
    JoinRule((DATED, (Clock, Hours)), _join_day_and_clock, _TIME_AFTER_DAY),
    JoinRule((DATED, _ABOUT_OR_AT, BareNumber), _join_day_and_clock, THE),
    JoinRule(((Clock, Hours), DATED), lambda clock, day: _join_day_and_clock(day, clock), _DAY_AFTER_TIME),
    JoinRule(((Clock, Hours), SignalRole.OF, DATED), lambda clock, day: _join_day_and_clock(day, clock), THE),
    JoinRule(
        (SignalRole.AT, BareNumber, DATED),
        lambda number, day: _join_day_and_clock(day, number),
        _DAY_AFTER_TIME,
        (1, None),
    ),
    JoinRule(
        (SignalRole.AT, BareNumber, TimeOnDay),
        lambda number, day: _join_day_part_and_clock(day, number),
        _DAY_AFTER_TIME,
        (1, None),
    ),
    JoinRule((BareNumberRange, DATED), _join_times_or_days, _DAY_AFTER_TIME),
    JoinRule((BareNumberRange, SignalRole.OF, DATED), _join_times_or_days, THE),
    JoinRule((DATED, BareNumberRange), _join_day_and_numbers, _TIME_AFTER_DAY),
)
