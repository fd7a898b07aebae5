"""English lengths: "three years", "18-month", "half an hour", "a few days", "for years", "24 h", "33-year-old"."""

from __future__ import annotations

import re
from functools import partial

from tasks.temporal.english.lexicon import (
    KIND,
    NUMBER_WORDS,
    NUMBERS,
    PLURAL_UNITS,
    SHORT_UNITS,
    UNITS,
    S,
    match_any,
    match_before,
    match_unit,
    parse_grain,
    parse_number,
)
from tasks.temporal.grammar import LETTERED, MARKED, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.spans import Age, Duration, KnownLength, TimeSet
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

SIZES = {
    **dict.fromkeys(("about", "around", "approximately", "roughly"), Modifier.APPROX),
    **dict.fromkeys(("nearly", "almost", "close to", "under", "just under"), Modifier.LESS_THAN),
    **dict.fromkeys(("less than", "fewer than"), Modifier.LESS_THAN),
    **dict.fromkeys(("over", "just over", "well over", "more than", "longer than"), Modifier.MORE_THAN),
    **dict.fromkeys(("at least", "no less than", "not less than", "a minimum of"), Modifier.EQUAL_OR_MORE),
    **dict.fromkeys(("at most", "up to", "no more than", "not more than"), Modifier.EQUAL_OR_LESS),
    **dict.fromkeys(("no longer than", "a maximum of"), Modifier.EQUAL_OR_LESS),
}
_SIZE = rf"(?:(?P<size>{match_any(SIZES)}){S})?"
_DIGITS = r"(?<![0-9A-Za-z.,/:$€£+])(?<![A-Za-z]-)[0-9]{1,4}(?:,[0-9]{3})?(?:\.[0-9]{1,2})?"
_SHORT_DIGITS = _DIGITS.replace("{1,4}", "{1,3}")
_NUMBER = rf"(?:{_DIGITS}(?:{S}?\({NUMBER_WORDS}\))?|\b{NUMBER_WORDS}(?:{S}?\([0-9]{{1,4}}\))?)"
"""As contracts write it too, in words and digits: "thirty (30)"."""
_RANGE = rf"(?:{_NUMBER}{S}or{S}(?=[0-9A-Za-z])|{_SHORT_DIGITS}{S}?[-–—]{S}?(?=[0-9]))?"
_ARTICLE_AND_SIZE = rf"(?:the|these|those){S}{_SIZE}"
_EXACT = rf"{_RANGE}(?P<count>{_NUMBER})(?:(?P<more>\+)|(?![0-9]))"
_HALF = rf"(?P<half>(?:(?:{S}|-)and(?:{S}|-)a(?:{S}|-)|{S}and{S}one-)half|½|[ -]1/2(?![0-9/]))?"

_CALENDAR_YEARS = (1500, 2200)
_ALL_UNITS = {**UNITS, **PLURAL_UNITS}
_UNIT, _UNITS = match_unit(_ALL_UNITS), match_unit(PLURAL_UNITS)


def _parse_amount(text: str) -> float:
    """The number that digits, with a point and commas, or number words name."""
    digits = text.partition("(")[0].strip().replace(",", "")
    return float(digits) if digits[0].isdigit() else parse_number(digits)


def _read_amount(match: re.Match[str]) -> float:
    return _parse_amount(match["count"]) + (0.5 if match["half"] else 0)


def _read_modifier(match: re.Match[str]) -> Modifier | None:
    """The modifier of the length by "about", "at least" or the mark of "10+ years"."""
    size = match["size"]
    if match.groupdict().get("more"):
        return Modifier.EQUAL_OR_MORE
    return SIZES[" ".join(size.lower().split())] if size else None


def _make_duration(amount: float | None, match: re.Match[str], size: Modifier | None = None) -> Duration:
    """A length in the unit of the group `unit`; the amount None is an unknown number."""
    return Duration(((amount, parse_grain(match["unit"])),), size)


_FIRST_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}[-–/]\Z")


def _read_counted(match: re.Match[str]) -> Duration | None:
    """A length; None for "our 2017 year-end", "2023–24 academic year" and, across lines, "rating: 7", "year: 1982"."""
    if "\n" in match[0] and match.string.startswith(":", match.end()):
        return None
    if _FIRST_YEAR.search(match.string, max(0, match.start() - 6), match.start()):
        return None
    count = _read_amount(match)
    if _CALENDAR_YEARS[0] <= count <= _CALENDAR_YEARS[1] and match["unit"].lower() in ("year", "quarter"):
        return None
    return _make_duration(count, match, _read_modifier(match))


def _read_known_length(match: re.Match[str]) -> KnownLength | None:
    length = _read_counted(match)
    return KnownLength(length.amounts, length.modifier) if length else None


_AGE_WORDS = re.compile(
    rf"\b(?:aged?|ages)(?:[:,]|{S}(?:is|was|were)\b)?{S}(?:(?:of|from|between|over|under|about|around|at{S}least|up{S}to){S}){{0,2}}"
    rf"(?:{_NUMBER}(?:{S}(?:to|and|or){S}|{S}?[-–—]{S}?))?\Z",
    re.IGNORECASE,
)
_PEOPLE_WORDS = re.compile(
    r"\b(?:aged?|ages|adults?|bab(?:y|ies)|boys?|child(?:ren)?|females?|girls?|infants?|kids|males?|m[ae]n|patients?|people|persons?"
    r"|individuals?|participants?|teens|teenagers|those|wom[ae]n|youths?|anyone|everyone|residents?|users?)\b[^.;!?]{0,30}\Z",
    re.IGNORECASE,
)
_OLD = rf"(?:{S}|-)olds?\b"
_AFTER_AGE = re.compile(
    rf"{_OLD}|{S}of{S}age\b|{S}(?:and|or){S}(?:older|younger)\b"
    rf"|(?P<of_people>{S}(?:and|or){S}(?:over|under|above|below|up)\b)",
    re.IGNORECASE,
)
_AGE_REACH = 40


def _is_age(match: re.Match[str], end: int) -> bool:
    """Whether words right before or after the length, which ends at `end`, make it somebody's age."""
    text_before = match.string[max(0, match.start() - _AGE_REACH) : match.start()]
    age_match = _AFTER_AGE.match(match.string, end)
    if age_match is None:
        return bool(_AGE_WORDS.search(text_before))
    return not age_match["of_people"] or bool(_PEOPLE_WORDS.search(text_before))


def _read_length(match: re.Match[str]) -> Duration | Age | None:
    """A length, or an age: "6 months and older", "aged 18 to 65 years"."""
    length = _read_counted(match)
    return Age(length) if length and _is_age(match, match.end()) else length


def _read_listed(match: re.Match[str]) -> Duration | Age | None:
    """The 12 of "12 and 18 months", "12- to 18-month"."""
    count = _parse_amount(match["count"])
    if count >= _parse_amount(match["last"]):
        return None
    length = _make_duration(count, match)
    return Age(length) if _is_age(match, match.end("unit")) else length


_LIST_REST = rf"(?:-?,{S}{_NUMBER}){{0,3}}-?,?{S}(?:to|and|or){S}(?P<last>{_NUMBER})(?:{S}|-){KIND}{_UNIT}"
_NUMBERS = {SHORT_NUMBER, MIDDLE_NUMBER, *NUMBERS}
_RACE_TIME = (
    r"(?<![0-9:.,/$€£-])(?P<first>[0-9]{1,2}):(?P<second>[0-5][0-9])(?::(?P<third>[0-5][0-9]))?"
    r"(?:\.(?P<part>[0-9]{1,3}))?(?![0-9:A-Za-z]|\s?[ap]\.?m\b)"
)
_RESULT = re.compile(
    r"\b(?:finish(?:ed|es|ing)?|w[io]n(?:s|ning)?|winner|times?|timed|record|clock(?:ed|ing|s)|ran|runs?|raced?|races|marathon|laps?|splits?"
    r"|seconds?|third|ahead|behind|best|fastest|metres?|meters?|mile|freestyle|butterfly|swam|swim|cycled|rowed|skied|title|medal)\b",
    re.IGNORECASE,
)
_CLOCK_WORDS = re.compile(
    r"(?:\b(?:at|by|from|until|till|since|before|after|around|between)\s+(?:about\s+)?|\d,?\s)\Z", re.IGNORECASE
)
_RESULT_REACH = 60


def _read_race_time(match: re.Match[str]) -> Duration | None:
    """The time of a race: "finished in 3:07:35", "a time of 9:58.4"; in a marathon two numbers begin with hours."""
    text = match.string
    text_before = text[max(0, match.start() - _RESULT_REACH) : match.start()]
    text_around = text_before + text[match.end() : match.end() + _RESULT_REACH]
    if _CLOCK_WORDS.search(text_before) or not _RESULT.search(text_around):
        return None
    if not match["third"] and not re.search(r"\b(?:in|of|record|best|time)\s+\Z", text_before, re.IGNORECASE):
        return None
    numbers: list[float] = [int(match[name]) for name in ("first", "second", "third") if match[name]]
    units = [Grain.HOUR, Grain.MINUTE, Grain.SECOND]
    if len(numbers) == 2 and (match["part"] or "marathon" not in text_around.lower()):
        units = units[1:]
    if match["part"]:
        numbers[-1] += float(f"0.{match['part']}")
    return Duration(tuple(zip(numbers, units[: len(numbers)], strict=True)))


# "15 a year", "$3 million a month", "200 members a year": a rate.
_RATED_REACH = 40
_RATE_WORDS = re.compile(
    r"(?:[0-9]|\b(?:hundred|thousand|million|billion|trillion|once|twice|times|percent|cents|hours|days|nights|bucks)|%)(?:\s(?!(?:in|over|within|after|for|of|about)\s)[a-z]{2,14}){0,2}\s\Z"
)
_COUNTED_FROM = re.compile(r"\s(?:(?:ago|earlier|later|before|after|from)|or\s(?:so|two|more|less))\b")


def _read_single(match: re.Match[str]) -> Meaning:
    if match["half"]:
        return _make_duration(1.5, match, _read_modifier(match))
    length = _make_duration(1, match, _read_modifier(match))
    rate_match = _RATE_WORDS.search(match.string, max(0, match.start() - _RATED_REACH), match.start())
    is_rate = rate_match and not _COUNTED_FROM.match(match.string, match.end())
    return TimeSet(length.value, parse_grain(match["unit"])) if is_rate else length


_HALVES: dict[Grain, tuple[float, Grain]] = {
    Grain.MINUTE: (30, Grain.SECOND),
    Grain.HOUR: (30, Grain.MINUTE),
    Grain.DAY: (12, Grain.HOUR),
    Grain.YEAR: (6, Grain.MONTH),
    Grain.DECADE: (5, Grain.YEAR),
    Grain.CENTURY: (50, Grain.YEAR),
}


def _read_half(match: re.Match[str]) -> Duration:
    grain = parse_grain(match["unit"])
    return Duration((_HALVES.get(grain, (0.5, grain)),), _read_modifier(match))


def _read_fortnight(match: re.Match[str]) -> Duration:
    count = _parse_amount(match["count"]) if match["count"] else 1
    return Duration(((count * 2, Grain.WEEK),), _read_modifier(match))


_HALVED = ("hour", "day", "decade", "century")
# Units after "a" without those with other meanings: "a second", "a quarter of".
_SINGLE_UNITS = match_any(
    name for name, grain in UNITS.items() if grain not in (Grain.SECOND, Grain.QUARTER, Grain.WEEKEND)
)

_INDEFINITE_AMOUNT = r"many|several|some|numerous|multiple|countless"
_LARGE_AMOUNT = r"(?:(?:tens|hundreds) of )?(?:dozens|scores|hundreds|thousands|millions) of"
_UNKNOWN_COUNT = (
    rf"(?<!\bas )(?:(?:(?:an?|the|these|those|{_INDEFINITE_AMOUNT})(?:\sa)?\s)?"
    rf"(?:few|number of|{_LARGE_AMOUNT}|{_INDEFINITE_AMOUNT})"
    rf"|{_SIZE}{_NUMBER}{S}(?:million|billion))"
)
# Quarters are lodgings as well; "the minutes of the meeting" and "the seconds" are other things.
_UNCOUNTED_UNITS = {name: grain for name, grain in PLURAL_UNITS.items() if grain is not Grain.QUARTER}
_LONG_UNITS = {name: grain for name, grain in _UNCOUNTED_UNITS.items() if grain not in (Grain.SECOND, Grain.MINUTE)}
_LENGTH_PREPOSITION = match_before(
    *("in", "for", "over", "after", "within", "take", "takes", "taken", "took", "spent", "by", "lasted", "last"),
    *("of", "and", "or", "in just", "in only", "wait", "waited", "waiting", "spend", "spending", "lasting"),
)
_LENGTH_START = rf"(?:{_LENGTH_PREPOSITION}|(?<=[,;(] )|(?<=\n))"
_FOLLOWING_WORD = r"(?:ago|later|earlier|before|after|away|from|of|to|ahead|since|and|or|until|if|in|out|on)\b"
_AGO_OR_LATER = r"(?:ago|later|earlier|before|after)\b"
_LONG_ADJECTIVES = ("yearlong", "monthlong", "weeklong", "daylong", "decadelong")


_read_unknown = partial(_make_duration, None)
_read_one = partial(_make_duration, 1)
_SHORT_UNIT = rf"(?-i:(?!H)){match_any(SHORT_UNITS)}"

RULES: tuple[GrammarRule, ...] = (
    make_rule(_NUMBERS, rf"(?P<count>{_NUMBER})(?={_LIST_REST})", _read_listed),
    make_rule({SHORT_NUMBER + MARKED}, _RACE_TIME, _read_race_time),
    make_rule(
        _ALL_UNITS,
        rf"{_UNIT}(?:-long\b)?(?!(?<=quarters){S}of{S}(?:the|an?|all|its|their|those)\b)",
        _read_length,
        lead=rf"{_SIZE}{_EXACT}{_HALF}(?:{S}|-){KIND}",
    ),
    make_rule(
        _ALL_UNITS,
        rf"{_UNIT}{_OLD}",
        lambda match: Age(_make_duration(_read_amount(match), match, _read_modifier(match))),
        lead=rf"{_SIZE}{_EXACT}{_HALF}(?:{S}|-)",
    ),
    make_rule(PLURAL_UNITS, _UNITS, _read_known_length, lead=rf"{_ARTICLE_AND_SIZE}{_EXACT}{_HALF}{S}{KIND}"),
    make_rule(
        SHORT_UNITS,
        rf"(?P<unit>{_SHORT_UNIT})(?:\.(?=\s(?-i:[a-z])))?",
        _read_counted,
        lead=rf"(?P<size>)(?P<half>){_EXACT}(?:{S}|-)",
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED, MIDDLE_NUMBER + LETTERED},
        rf"(?P<size>)(?P<half>)(?P<count>{_DIGITS})(?P<unit>{_SHORT_UNIT}|{match_any(_ALL_UNITS)})",
        _read_counted,
    ),
    make_rule(
        # Lengths in prescriptions: "x7 days".
        {"x"},
        rf"x(?P<size>)(?P<half>)(?P<count>[0-9]{{1,3}}){S}(?P<unit>days?|weeks?|wks?|months?|hours?|hrs?)\b",
        _read_counted,
    ),
    make_rule(
        # Gestational age: 28w4d. In capitals these are watts and dimensions.
        {SHORT_NUMBER + LETTERED},
        r"(?P<weeks>[1-4]?[0-9])\s?w(?:k|ks)?\s?(?P<days>[0-6])\s?d(?![A-Za-z0-9])",
        lambda match: Duration(((int(match["weeks"]), Grain.WEEK), (int(match["days"]), Grain.DAY))),
        exact_case=True,
    ),
    make_rule(
        {"nights", "night"},
        rf"(?:(?<=\s)nights|(?<=-)night)\b(?!{S}(?:stands?|clubs?))",
        lambda match: Duration(((_parse_amount(match["count"]), Grain.DAY),), _read_modifier(match)),
        lead=rf"{_SIZE}{_EXACT}(?:{S}|-)",
    ),
    make_rule(
        UNITS,
        rf"(?P<unit>{_SINGLE_UNITS})(?!-)(?:(?P<half>{S}and{S}a{S}half)|{S}or{S}(?:two|so))?\b",
        _read_single,
        lead=rf"{_SIZE}\b(?:an?|another|one){S}{KIND}",
    ),
    make_rule(_ALL_UNITS, _UNIT, _read_half, lead=rf"{_SIZE}\b(?:half{S}(?:of{S})?an?|a{S}half|½)(?:{S}|-)"),
    make_rule(
        _HALVED, rf"{match_unit(_HALVED)}(?!-)", _read_half, lead=rf"(?P<size>)(?<!first )(?<!second )half(?:{S}|-)"
    ),
    make_rule(
        {"day", "week", "month", "year"},
        rf"(?P<unit>day|week|month|year)\b(?!{S}round)(?:{S}long\b)?",
        _read_single,
        lead=rf"all(?:{S}|-)(?P<size>)(?P<half>)",
    ),
    make_rule(
        PLURAL_UNITS,
        _UNITS,
        lambda match: _make_duration(2, match, _read_modifier(match) or Modifier.APPROX),
        lead=rf"{_SIZE}(?:\ba{S})?\bcouple{S}(?:of{S})?(?:more{S})?",
    ),
    make_rule(
        {"century"},
        r"century\b",
        Duration(((25, Grain.YEAR),)),
        lead=rf"(?:a{S}(?=quarter))?quarter(?:{S}of{S}a{S}|-|{S})",
    ),
    make_rule(
        {"fortnight", "fortnights"},
        r"fortnights?\b",
        _read_fortnight,
        lead=rf"{_SIZE}(?:(?P<count>{_NUMBER}){S}|\ba{S}|\bthe{S})?",
    ),
    make_rule(
        {SHORT_NUMBER},
        r"(?<![0-9:.,/$€£-])(?P<hours>\d{1,2})\s?h(?:rs?)?\s?(?P<minutes>[0-5]?\d)\s?m(?:ins?)?(?![A-Za-z0-9])",
        lambda match: Duration(((int(match["hours"]), Grain.HOUR), (int(match["minutes"]), Grain.MINUTE))),
    ),
    make_rule(
        # The terms of invoices: "Terms: net 30".
        {"net"},
        r"net[ -](?P<count>7|1[045]|2[018]|30|45|60|90|120)"
        r"(?=\s{0,2}(?:[;)\n]|[.,](?![0-9])|\Z)|\s(?:eom|terms)\b)",
        lambda match: Duration(((int(match["count"]), Grain.DAY),)),
    ),
    make_rule(PLURAL_UNITS, _UNITS, _read_unknown, lead=rf"{_UNKNOWN_COUNT}{S}{KIND}"),
    make_rule(_UNCOUNTED_UNITS, rf"{match_unit(_UNCOUNTED_UNITS)}(?!-|{S}[0-9])", _read_unknown, lead=_LENGTH_START),
    make_rule(_UNCOUNTED_UNITS, rf"(?<!-){match_unit(_UNCOUNTED_UNITS)}(?={S}{_AGO_OR_LATER})", _read_unknown),
    make_rule(_LONG_UNITS, rf"(?<!-){match_unit(_LONG_UNITS)}(?={S}{_FOLLOWING_WORD})", _read_unknown),
    make_rule(_LONG_UNITS, rf"{match_unit(_LONG_UNITS)}(?!-)", _read_unknown, lead=rf"{_LENGTH_START}the{S}"),
    make_rule(_LONG_UNITS, rf"{match_unit(_LONG_UNITS)}(?={S}{_FOLLOWING_WORD})", _read_unknown, lead=rf"the{S}"),
    make_rule(PLURAL_UNITS, rf"{_UNITS}-long\b", _read_unknown),
    make_rule(UNITS, rf"{match_unit(UNITS)}-long\b", _read_one),
    make_rule(UNITS, rf"{match_unit(UNITS)}-old\b", lambda match: Age(_read_one(match))),
    make_rule(UNITS, match_unit(UNITS), _read_one, lead="single-"),
    make_rule(_LONG_ADJECTIVES, r"(?P<unit>[a-z]{3,6})long\b", _read_one),
    make_rule({"multiyear"}, r"multi(?P<unit>year)\b", _read_unknown),
    make_rule({"multi"}, r"multi-(?P<unit>day|week|month|year|decade)\b", _read_unknown),
)
