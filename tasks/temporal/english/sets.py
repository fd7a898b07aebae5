"""English recurring times: "weekly", "twice a month", "every other Friday", "Sundays", "every Monday at 4pm"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product

from tasks.temporal.english.lexicon import (
    COUNT,
    MONTH,
    MONTHS,
    NUMBERS,
    ORDINAL_HEADS,
    ORDINAL_WORD,
    SHORT_UNITS,
    WEEKDAYS,
    S,
    match_any,
    match_before,
    parse_grain,
    parse_month,
    parse_number,
    parse_ordinal,
)
from tasks.temporal.grammar import LETTERED, SHORT_NUMBER, SPACE, GrammarRule, JoinRule, SignalRole, make_rule
from tasks.temporal.meanings.clocks import (
    BareNumber,
    BareNumberRange,
    Clock,
    DayPart,
    Hours,
    make_hours,
    with_day_part,
)
from tasks.temporal.meanings.spans import TimeSet
from warehouse.records import Grain

_YEARLY = TimeSet("P1Y", Grain.YEAR)
_HALF_YEARLY = TimeSet("P6M", Grain.HALF)
_SIMPLE_SETS = {
    "hourly": TimeSet("PT1H", Grain.HOUR),
    **dict.fromkeys(("daily", "everyday"), TimeSet("P1D", Grain.DAY)),
    "nightly": TimeSet("XXXX-XX-XXTNI", Grain.PART),
    "weekly": TimeSet("P1W", Grain.WEEK),
    "fortnightly": TimeSet("P2W", Grain.WEEK),
    "monthly": TimeSet("P1M", Grain.MONTH),
    "quarterly": TimeSet("P3M", Grain.QUARTER),
    **dict.fromkeys(("annual", "annually", "yearly"), _YEARLY),
    **dict.fromkeys(("biennial", "biennially"), TimeSet("P2Y", Grain.YEAR)),
}
_PREFIXED = {
    ("bi", "weekly"): TimeSet("P2W", Grain.WEEK),
    ("bi", "monthly"): TimeSet("P2M", Grain.MONTH),
    ("semi", "weekly"): TimeSet("P1W", Grain.WEEK, "", "2X"),
    ("semi", "monthly"): TimeSet("P1M", Grain.MONTH, "", "2X"),
    **{
        (prefix, word): _HALF_YEARLY
        for prefix in ("bi", "semi")
        for word, time_set in _SIMPLE_SETS.items()
        if time_set is _YEARLY
    },
}
_SETS_BY_WORD = _SIMPLE_SETS | {
    f"{prefix}{mark}{word}": time_set for (prefix, word), time_set in _PREFIXED.items() for mark in ("", "-")
}
"""Every word of the rule below, with its meaning."""
_UNITS = {
    "second": ("PT", "S", Grain.SECOND),
    "minute": ("PT", "M", Grain.MINUTE),
    "hour": ("PT", "H", Grain.HOUR),
    "day": ("P", "D", Grain.DAY),
    "week": ("P", "W", Grain.WEEK),
    "fortnight": ("P", "W", Grain.WEEK),
    "weekend": ("P", "WE", Grain.WEEKEND),
    "month": ("P", "M", Grain.MONTH),
    "quarter": ("P", "M", Grain.QUARTER),
    "year": ("P", "Y", Grain.YEAR),
    "decade": ("P", "Y", Grain.DECADE),
}
_SIZES = {"fortnight": 2, "quarter": 3, "decade": 10}
_COUNTS_BY_WORD = {"once": 1, "twice": 2, "thrice": 3}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?\b"
_TIMES = rf"(?P<times>once|twice|thrice|(?:(?P<count>{COUNT})|several|many){S}times)"


def _make_value(unit: str, count: int) -> tuple[str, Grain]:
    """The TIMEX3 value of a number of units, and the unit."""
    prefix, symbol, grain = _UNITS[unit.lower()]
    return f"{prefix}{count * _SIZES.get(unit.lower(), 1)}{symbol}", grain


def _read_rate(match: re.Match[str]) -> TimeSet:
    """Twice a month: its period, with the frequency in `freq`."""
    value, grain = _make_value(match["unit"], 1)
    quant = "EVERY" if match["each"].lower() in ("every", "each") else ""
    return TimeSet(value, grain, quant, _read_frequency(match))


def _read_frequency(match: re.Match[str]) -> str:
    count = _COUNTS_BY_WORD.get(match["times"].lower().split()[0]) or (
        parse_number(match["count"]) if match["count"] else "X"
    )
    return f"{count}X"


_SEASONS = {"spring": "SP", "summer": "SU", "autumn": "FA", "fall": "FA", "winter": "WI"}
_PARTS = {"morning": "MO", "afternoon": "AF", "evening": "EV", "night": "NI"}
_PART = r"(?P<part>morning|afternoon|evening|night)"
_EVERY = rf"(?P<every>every|each){S}"
_OR_MORE = rf"(?:{COUNT}(?:\s?[-–]\s?|{S}(?:to|or){S}))?"
"""The 4 of "every 4 to 6 hours"."""
_COUNTED = rf"{_OR_MORE}(?P<count>{COUNT})(?:{S}|-)"
_HOW_MANY = rf"(?:(?P<other>other|second){S}|(?P<nth>{ORDINAL_WORD}){S}|{_COUNTED}|few{S}|single{S})?"
_EVERY_OTHER = rf"{_EVERY}(?:(?P<other>other|second|2nd){S}|single{S})?"
_DOSES = {"b": 2, "t": 3, "q": 4}
_SHORT_DAYS = {name[:3]: number for name, number in WEEKDAYS.items()}
_SHORT_DAY = "|".join(name.capitalize() for name in _SHORT_DAYS)
_WEEKDAY = "|".join((*WEEKDAYS, "weekday"))


RANK = rf"(?:last|[1-5](?:st|nd|rd|th)|{ORDINAL_WORD})"
_AFTER_RANK = match_before(
    *(f"{rank} {link}" for rank in ("first", "second", "third", "1st", "2nd", "3rd") for link in ("and", "or", "&"))
)
"""Before the other one of "every second and fourth Tuesday"."""
_DAY_NUMBER = rf"(?:[0-3]?[0-9](?:st|nd|rd|th)|{ORDINAL_WORD})"
_DAY_OF_MONTHS = (
    rf"(?P<day>{_DAY_NUMBER})(?:(?:{S}day)?{S}(?:of|in){S}(?P<every>each|every){S}month\b"
    rf"|(?={S}(?:and|or|&){S}(?:the{S})?{_DAY_NUMBER}{S}of{S}(?P<both>each|every){S}month\b))"
)


def _read_every(match: re.Match[str]) -> TimeSet:
    count, nth = match["count"], match["nth"]
    size = 2 if match["other"] else parse_ordinal(nth) if nth else parse_number(count) if count else 1
    return TimeSet(*_make_value(match["unit"], size), quant=match["every"].upper())


def _read_every_short(match: re.Match[str]) -> TimeSet:
    """Every 6 hrs, q8h."""
    quantifier = match.groupdict().get("every") or "every"
    return TimeSet(*_make_value(parse_grain(match["unit"]).value, int(match["count"])), quant=quantifier.upper())


_DOSE = re.compile(
    r"(?:[0-9]\s?(?:mg|mcg|µg|ug|g|ml|units?|iu|meq|tabs?|tablets?|caps?|capsules?|puffs?|drops?)"
    r"|\b(?:po|p\.o\.|iv|im|sc|sq|sl|pr|orally|topically|drops|tablets?|capsules?))\s{1,2}\Z",
    re.IGNORECASE,
)
_DOSE_REACH = 20
_PRESCRIPTION = re.compile(
    r"[0-9]\s?(?:mg|mcg|µg|ml|units?|meq|tabs?|puffs?)\b|\bq\s?[1-9][0-9]?\s?h\b|\b(?:prn|p\.?o\.?|iv|subq)\b",
    re.IGNORECASE,
)
_PRESCRIPTION_REACH = 80


def _read_doses(match: re.Match[str]) -> TimeSet | None:
    """B.i.d., t.i.d., q.i.d. and QHS; without points BID and QD only in a prescription: else a BID is an offer."""
    word, text, start = match[0].lower(), match.string, match.start()
    is_dose = "." in word or word == "qhs" or _DOSE.search(text, max(0, start - _DOSE_REACH), start)
    if not is_dose and not _PRESCRIPTION.search(text[max(0, start - _PRESCRIPTION_REACH) : start].rpartition("\n")[2]):
        return None
    if word in ("qd", "qhs"):
        return _SIMPLE_SETS["daily" if word == "qd" else "nightly"]
    return TimeSet("P1D", Grain.DAY, "", f"{_DOSES[word[0]]}X")


def _read_quantifier(match: re.Match[str]) -> str:
    return "EVERY OTHER" if match["other"] else match["every"].upper()


def _read_every_name(match: re.Match[str]) -> TimeSet:
    if match["name"].lower() in MONTHS:
        return TimeSet(f"XXXX-{parse_month(match['name']):02}", Grain.MONTH, _read_quantifier(match))
    return replace(_read_weekday(match), quant=_read_quantifier(match))


def _read_weekday(match: re.Match[str]) -> TimeSet:
    """A weekday, or the days from Monday to Friday, with or without a part of the day."""
    name, part = match["name"].lower(), match["part"]
    number = WEEKDAYS.get(name, _SHORT_DAYS.get(name))
    value = "XXXX-WXX-WD" if number is None else f"XXXX-WXX-{number + 1}"
    return TimeSet(f"{value}T{_PARTS[part.lower()]}", Grain.PART) if part else TimeSet(value, Grain.DAY)


def _read_day_part(match: re.Match[str]) -> TimeSet:
    return TimeSet(f"XXXX-XX-XXT{_PARTS[match['part'].lower()]}", Grain.PART)


def _read_season(match: re.Match[str]) -> TimeSet:
    return TimeSet(f"XXXX-{_SEASONS[match['season'].lower()]}", Grain.SEASON, _read_quantifier(match))


def read_weekday_of_months(match: re.Match[str]) -> TimeSet:
    """The third Thursday of each month: XXXX-XX-WXX-4-3, as Recognizers-Text writes such days; L is the last."""
    rank, day = match["rank"].lower(), WEEKDAYS[match["weekday"].lower()] + 1
    number = "L" if rank == "last" else parse_ordinal(rank)
    quantifier = (match["each"] or match.groupdict().get("every") or "").lower()
    return TimeSet(f"XXXX-XX-WXX-{day}-{number}", Grain.DAY, "EACH" if quantifier == "each" else "EVERY")


def _read_day_of_months(match: re.Match[str]) -> TimeSet:
    """The 15th of each month."""
    day = parse_ordinal(match["day"])
    if not 1 <= day <= 31:
        raise ValueError(f"no month has a day {day}")
    return TimeSet(f"XXXX-XX-{day:02}", Grain.DAY, (match["every"] or match["both"]).upper())


def _read_weekdays(match: re.Match[str]) -> TimeSet | None:
    """Mon-Fri: the days from the first to the last, in each week."""
    first, last = (_SHORT_DAYS[match[name].lower()] + 1 for name in ("first", "last"))
    return TimeSet(f"XXXX-WXX-{first}/XXXX-WXX-{last}", Grain.DAY) if first < last else None


_CODED = ("", "M"), ("", "Tu", "T"), ("", "W"), ("", "Th", "R"), ("", "F"), ("", "Sa")
"""The codes of timetables of courses for the days from Monday to Saturday."""
_CODES = {
    "".join(letters): [number for number, letter in enumerate(letters, 1) if letter]
    for letters in product(*_CODED)
    if any(letters)
}
"""The numbers of the days of each code: "MWF", "TuTh"."""
_CODED_DAY, _CODED_DAYS = (
    rf"(?:{'|'.join(code for code, days in _CODES.items() if (len(days) > 1) is several)})(?![A-Za-z0-9])"
    for several in (False, True)
)
_MARK = r"(?P<mark>\s?[-–/]\s?|,\s|\s&\s|\sand\s)"
_CODE = rf"(?:{_CODED_DAYS}|{_CODED_DAY}{_MARK}{_CODED_DAY}(?:(?P=mark){_CODED_DAY}){{0,4}})"
_HALF = r"(?i:[ap]\.?\s?m\b)"
_HOUR = r"[012]?[0-9](?![0-9])"
_HOURS_AFTER = (
    rf"(?=[,:]?\s{{1,3}}(?:from\s|at\s|@\s?)?(?P<hours>{_HOUR}(?::[0-5][0-9](?:\s?{_HALF})?|\s?{_HALF}"
    rf"|(?=\s?(?:[-–—]|to\s)))(?:\.?\s?(?:[-–—]|to\s)\s?{_HOUR}(?::[0-5][0-9])?(?:\s?{_HALF})?)?))"
)
_AFTER_HOURS = "(?:(?<=[0-9][ap]m )|(?<=[0-9] [ap]m )|(?<=[ap]\\.m\\. )|(?<=[0-9]:[0-5][0-9] ))"
_MIN_CODE_LENGTH = 3  # Letters: two before "3-5" may be another thing, as in "5 MW".
_AFTER_NUMBER, _CLOCK_MARK = re.compile(r"[0-9]\s?\Z"), re.compile("[:m]", re.IGNORECASE)


def _read_days_before_hours(match: re.Match[str]) -> TimeSet | None:
    start = match.start()
    is_clear = _CLOCK_MARK.search(match["hours"]) and not _AFTER_NUMBER.search(match.string, max(0, start - 2), start)
    return _read_coded_days(match) if is_clear or len(match[0]) >= _MIN_CODE_LENGTH else None


def _read_coded_days(match: re.Match[str]) -> TimeSet | None:
    """MWF, T/Th, M-F; several days are a set as ISO 8601-2 writes it: {XXXX-WXX-1,XXXX-WXX-3}."""
    days = _CODES.get(match[0]) or [_CODES[word][0] for word in re.findall(_CODED_DAY, match[0])]
    if days != sorted(set(days)):
        return None
    if match["mark"] and match["mark"].strip() in ("-", "–"):
        return TimeSet(f"XXXX-WXX-{days[0]}/XXXX-WXX-{days[1]}", Grain.DAY) if len(days) == 2 else None
    return TimeSet("{" + ",".join(f"XXXX-WXX-{day}" for day in days) + "}", Grain.DAY)


_IS_RANGE = re.compile(r"[-–—]|to\s")


def _read_coded_day(match: re.Match[str]) -> TimeSet:
    """The Th of "Th 1-2pm"."""
    return TimeSet(f"XXXX-WXX-{_CODES[match[0]][0]}", Grain.DAY)


@dataclass(frozen=True, slots=True)
class TimedSet(TimeSet):
    """A set of days with a time of day."""

    days: TimeSet | None = None
    clock: Clock | Hours | None = None


def join_set_and_clock(time_set: TimeSet, clock: Clock | Hours | BareNumber) -> TimeSet | None:
    """Every Monday at 4pm, Mon-Fri 9am-5pm."""
    time_of_day = clock.clock if isinstance(clock, BareNumber) else clock
    if time_of_day is None or time_set.grain not in (Grain.DAY, Grain.PART):
        return None
    day, _, part = time_set.value.partition("T")
    if part:
        time_of_day = with_day_part(time_of_day, DayPart(part, Grain.PART))
    day = _DAYS_IN_VALUES.get(day, day)
    value = time_of_day.format_on(day)
    if day.startswith("{"):
        value = "{" + ",".join(map(time_of_day.format_on, day[1:-1].split(","))) + "}"
    return TimedSet(value, time_of_day.grain, time_set.quant, time_set.freq, days=time_set, clock=time_of_day)


def _join_hours(time_set: TimeSet, first: BareNumber, last: BareNumber) -> TimeSet | None:
    """Mon-Fri 9-5, weekdays from 9 to 5."""
    start, end = first.clock, last.clock
    is_weekday = time_set.value.lstrip("{").startswith("XXXX-WXX-")
    return join_set_and_clock(time_set, make_hours(start, end)) if start and end and is_weekday else None


def _join_set_and_end(time_set: TimedSet, end: Clock | BareNumber) -> TimeSet | None:
    """Mon-Fri 9am - 5pm: the end of the set's hours."""
    last = end.clock if isinstance(end, BareNumber) else end
    if time_set.days is None or not isinstance(time_set.clock, Clock) or last is None:
        return None
    if {type(time_set.clock), type(last)} & {DayPart}:
        return None
    return join_set_and_clock(time_set.days, make_hours(time_set.clock, last))


_DAYS_IN_VALUES = {"P1D": "XXXX-XX-XX", "XXXX-WXX-1/XXXX-WXX-5": "XXXX-WXX-WD", "XXXX-WXX-6/XXXX-WXX-7": "XXXX-WXX-WE"}
"""The sets of days whose value changes before a time of day."""
_EACH = {"every", "each"}
_PLURAL_PARTS = {f"{part}s" for part in _PARTS}

RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {*_SETS_BY_WORD, "bi", "semi"},
        rf"(?<![-/]){match_any(_SETS_BY_WORD)}(?!-|/)(?!\s[A-Z])",
        lambda match: _SETS_BY_WORD[match[0]],
        exact_case=True,
    ),
    make_rule(
        {"once", "twice", "thrice", "several", "many", SHORT_NUMBER, *NUMBERS},
        rf"{_TIMES}{S}(?P<each>a|an|per|every|each){S}{_UNIT}",
        _read_rate,
    ),
    make_rule(
        {"hourly", "weekly", "monthly", "yearly"},
        r"(?P<unit>hour|week|month|year)ly\b",
        lambda match: TimeSet(*_make_value(match["unit"], parse_number(match["count"]))),
        lead=rf"(?P<count>{COUNT})(?:{S}|-)",
    ),
    make_rule(
        {"daily", "weekly", "monthly", "annually", "yearly"},
        r"(?P<often>daily|weekly|monthly|annually|yearly)\b",
        lambda match: replace(_SIMPLE_SETS[match["often"].lower()], quant="", freq=_read_frequency(match)),
        lead=rf"{_TIMES}{S}",
    ),
    make_rule(
        {"one", "two", "three"}, rf"(?P<times>(?P<count>one|two|three)){S}(?P<each>a){S}(?P<unit>day)\b", _read_rate
    ),
    make_rule(_EACH, rf"{_EVERY}{_HOW_MANY}{_UNIT}(?!-|{S}(?:and|or|&){S}{RANK})", _read_every),
    make_rule(
        _EACH,
        rf"{_EVERY}{_OR_MORE}(?P<count>[1-9][0-9]?){S}?(?P<unit>{match_any(SHORT_UNITS)})(?![A-Za-z0-9-])",
        _read_every_short,
    ),
    make_rule(
        {"q"},
        r"q\s?(?:[1-9][0-9]?\s?[-–]\s?)?(?P<count>[1-9][0-9]?)\s?(?P<unit>h)(?:rs?|ours)?(?![A-Za-z0-9-])",
        _read_every_short,
    ),
    make_rule(
        {*_DOSES, "bid", "tid", "qid", "qd", "qhs"},
        r"(?i:[btq]\.i\.d\.)(?![A-Za-z])|(?<!\ba )(?<!the )(?:[BTQ]ID|[btq]id|Q[dD]|qd|QHS|q[Hh][Ss])(?![A-Za-z0-9])",
        _read_doses,
        exact_case=True,
    ),
    make_rule(
        _EACH, rf"{_EVERY_OTHER}(?P<name>{_WEEKDAY}|(?-i:{_SHORT_DAY})|{MONTH})\b(?:{S}{_PART}\b)?", _read_every_name
    ),
    make_rule(_EACH, rf"{_EVERY_OTHER}{_PART}\b", _read_day_part),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{match_any(WEEKDAYS)}){S}(?:of|in){S}(?P<every>each|every|the){S}month\b",
        read_weekday_of_months,
        lead=rf"(?:(?:the|(?P<each>each|every)){S})?(?P<rank>{RANK}){S}",
    ),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{match_any(WEEKDAYS)})",
        read_weekday_of_months,
        lead=rf"(?P<each>each|every){S}(?!second|2nd)(?P<rank>{RANK}){S}",
    ),
    make_rule(
        _EACH,
        rf"(?P<each>each|every){S}(?P<rank>{RANK})(?={S}(?:and|or|&){S}{RANK}{S}(?P<weekday>{match_any(WEEKDAYS)}))",
        read_weekday_of_months,
    ),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{match_any(WEEKDAYS)})",
        read_weekday_of_months,
        lead=rf"(?:{_AFTER_RANK})(?P<each>)(?P<rank>{RANK}){S}",
    ),
    make_rule({SHORT_NUMBER + LETTERED, *ORDINAL_HEADS}, _DAY_OF_MONTHS, _read_day_of_months, lead=rf"(?:the{S})?"),
    make_rule(
        {SHORT_NUMBER + LETTERED, *ORDINAL_HEADS, "last"},
        rf"(?:last|{_DAY_NUMBER}){S}(?:(?:business|working|calendar|trading){S})?day{S}(?:of|in){S}(?P<every>each|every){S}"
        rf"(?:calendar{S}|fiscal{S})?(?P<unit>month|quarter|year|week)\b",
        lambda match: TimeSet(*_make_value(match["unit"], 1), quant=match["every"].upper()),
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        _SHORT_DAYS,
        rf"(?P<first>{_SHORT_DAY})\.?(?:\s?[-–]\s?|\s(?:to|thru|through)\s)(?P<last>{_SHORT_DAY})(?![A-Za-z])",
        _read_weekdays,
        exact_case=True,
    ),
    make_rule(
        {*(f"{day}s" for day in WEEKDAYS), "weekdays"}, rf"(?P<name>{_WEEKDAY})s\b(?:{S}{_PART}s?\b)?", _read_weekday
    ),
    make_rule({*WEEKDAYS, "weekday"}, rf"(?P<name>{_WEEKDAY})(?:{S}{_PART}s\b)", _read_weekday),
    make_rule(
        map(str.lower, _CODES), rf"(?<![A-Za-z0-9/-]){_CODE}{_HOURS_AFTER}", _read_days_before_hours, exact_case=True
    ),
    make_rule(
        map(str.lower, _CODES),
        rf"(?<![A-Za-z0-9/-])(?P<mark>){_CODED_DAY}(?:{_HOURS_AFTER})",
        lambda match: (
            _read_coded_day(match) if _IS_RANGE.search(match["hours"]) and _CLOCK_MARK.search(match["hours"]) else None
        ),
        exact_case=True,
    ),
    make_rule(map(str.lower, _CODES), rf"{_AFTER_HOURS}{_CODE}(?![/-])", _read_coded_days, exact_case=True),
    make_rule(
        {"weekends"},
        r"(?:(?<=\bon )|(?<=\bat )|(?<=nights and )|(?<=days and ))weekends\b",
        TimeSet("P1WE", Grain.WEEKEND),
    ),
    make_rule(_PLURAL_PARTS, rf"(?<=\bon |\bin ){_PART}s\b", _read_day_part),
    make_rule(_PLURAL_PARTS, rf"{_PART}s\b", _read_day_part, lead=rf"(?<=\bin )the{S}"),
    make_rule(_EACH, rf"{_EVERY_OTHER}(?P<season>{'|'.join(_SEASONS)})\b", _read_season),
)
_TIME = re.compile(r"[,:]?\s{1,3}(?:from\s|at\s|in\sthe\s|@\s?)?", re.IGNORECASE)
_DAYS = re.compile(r",?\s{1,3}(?:on\s)?", re.IGNORECASE)
_DASH = re.compile(r"\s?[-–—~]\s?")
JOINS: tuple[JoinRule, ...] = (
    JoinRule((TimedSet, (Clock, BareNumber)), _join_set_and_end, _DASH),
    JoinRule((TimedSet, SignalRole.TO, (Clock, BareNumber)), _join_set_and_end, SPACE),
    JoinRule((TimeSet, (Clock, Hours)), join_set_and_clock, _TIME),
    JoinRule((TimeSet, SignalRole.AT, BareNumber), join_set_and_clock, _TIME),
    JoinRule((TimeSet, BareNumberRange), lambda every, both: _join_hours(every, both.first, both.last), _TIME),
    JoinRule((TimeSet, BareNumber, BareNumber), _join_hours, (_TIME, _DASH)),
    JoinRule(((Clock, Hours), TimeSet), lambda clock, every: join_set_and_clock(every, clock), _DAYS),
)
