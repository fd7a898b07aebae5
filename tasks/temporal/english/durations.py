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
    any_of,
    grain_of,
    number,
    one_before,
    unit_of,
)
from tasks.temporal.grammar import LETTERED, MARKED, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.spans import Age, Duration, Every
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
_SIZE = rf"(?:(?P<size>{any_of(SIZES)}){S})?"
_DIGITS = r"(?<![0-9A-Za-z.,/:$€£])(?<![A-Za-z]-)[0-9]{1,4}(?:,[0-9]{3})?(?:\.[0-9]{1,2})?"
_SMALL = _DIGITS.replace("{1,4}", "{1,3}")
_NUMBER = rf"(?:{_DIGITS}|\b{NUMBER_WORDS})"
_RANGE = rf"(?:{_NUMBER}{S}or{S}(?=[0-9A-Za-z])|{_SMALL}{S}?[-–—]{S}?(?=[0-9]))?"
_THOSE = rf"(?:the|these|those){S}{_SIZE}"
_EXACT = rf"{_RANGE}(?P<count>{_NUMBER})"
_HALF = rf"(?P<half>(?:(?:{S}|-)and(?:{S}|-)a(?:{S}|-)|{S}and{S}one-)half|½|[ -]1/2(?![0-9/]))?"

_CALENDAR_YEARS = (1500, 2200)
_ALL_UNITS = {**UNITS, **PLURAL_UNITS}
_UNIT, _UNITS = unit_of(_ALL_UNITS), unit_of(PLURAL_UNITS)


def _amount(text: str) -> float:
    """The number that digits, with a point and commas, or number words name."""
    plain = text.replace(",", "")
    return float(plain) if plain[0].isdigit() else number(plain)


def _count(match: re.Match[str]) -> float:
    return _amount(match["count"]) + (0.5 if match["half"] else 0)


def _modifier(match: re.Match[str]) -> Modifier | None:
    """What "about" or "at least" puts on the length."""
    size = match["size"]
    return SIZES[" ".join(size.lower().split())] if size else None


def _of(amount: float | None, match: re.Match[str], size: Modifier | None = None) -> Duration:
    """So many of the group unit; None for an unknown number."""
    return Duration(((amount, grain_of(match["unit"])),), size)


def _counted(match: re.Match[str]) -> Duration | None:
    """Not "our 2017 year-end", nor a name at the beginning of a line ("rating: 7", then "year: 1982")."""
    if "\n" in match[0] and match.string.startswith(":", match.end()):
        return None
    count = _count(match)
    if _CALENDAR_YEARS[0] <= count <= _CALENDAR_YEARS[1] and match["unit"].lower() == "year":
        return None
    return _of(count, match, _modifier(match))


_AGED = re.compile(
    rf"\b(?:aged?|ages){S}(?:(?:of|from|between|over|under|about|around|at{S}least|up{S}to){S}){{0,2}}"
    rf"(?:{_NUMBER}(?:{S}(?:to|and|or){S}|{S}?[-–—]{S}?))?\Z",
    re.IGNORECASE,
)
_OF_PEOPLE = re.compile(
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
    """Whether words right before or after the length, which ends there, make it somebody's age."""
    before = match.string[max(0, match.start() - _AGE_REACH) : match.start()]
    after = _AFTER_AGE.match(match.string, end)
    if after is None:
        return bool(_AGED.search(before))
    return not after["of_people"] or bool(_OF_PEOPLE.search(before))


def _length(match: re.Match[str]) -> Duration | Age | None:
    """A length, or an age: "6 months and older", "aged 18 to 65 years"."""
    length = _counted(match)
    return Age(length) if length and _is_age(match, match.end()) else length


def _listed(match: re.Match[str]) -> Duration | Age | None:
    """The 12 of "12 and 18 months", "12- to 18-month"."""
    count = _amount(match["count"])
    if count >= _amount(match["last"]):
        return None
    length = _of(count, match)
    return Age(length) if _is_age(match, match.end("unit")) else length


_LISTED = rf"(?:-?,{S}{_NUMBER}){{0,3}}-?,?{S}(?:to|and|or){S}(?P<last>{_NUMBER})(?:{S}|-){KIND}{_UNIT}"
_NUMBERS = {SHORT_NUMBER, MIDDLE_NUMBER, *NUMBERS}
_FINISH = (
    r"(?<![0-9:.,/$€£-])(?P<first>[0-9]{1,2}):(?P<second>[0-5][0-9])(?::(?P<third>[0-5][0-9]))?"
    r"(?:\.(?P<part>[0-9]{1,3}))?(?![0-9:A-Za-z]|\s?[ap]\.?m\b)"
)
_RESULT = re.compile(
    r"\b(?:finish(?:ed|es|ing)?|w[io]n(?:s|ning)?|winner|times?|timed|record|clock(?:ed|ing|s)|ran|runs?|raced?|races|marathon|laps?|splits?"
    r"|seconds?|third|ahead|behind|best|fastest|metres?|meters?|mile|freestyle|butterfly|swam|swim|cycled|rowed|skied|title|medal)\b",
    re.IGNORECASE,
)
_OF_CLOCKS = re.compile(
    r"\b(?:at|by|from|until|till|since|before|after|around|between)\s+(?:about\s+)?\Z", re.IGNORECASE
)
_RESULT_REACH = 60


def _finish(match: re.Match[str]) -> Duration | None:
    """A time that somebody took: "finished in 3:07:35", "a time of 9:58.4"; in a marathon two numbers are hours."""
    text = match.string
    before = text[max(0, match.start() - _RESULT_REACH) : match.start()]
    around = before + text[match.end() : match.end() + _RESULT_REACH]
    if _OF_CLOCKS.search(before) or not _RESULT.search(around):
        return None
    if not match["third"] and not re.search(r"\b(?:in|of|record|best|time)\s+\Z", before, re.IGNORECASE):
        return None
    numbers: list[float] = [int(match[name]) for name in ("first", "second", "third") if match[name]]
    units = [Grain.HOUR, Grain.MINUTE, Grain.SECOND]
    if len(numbers) == 2 and (match["part"] or "marathon" not in around.lower()):
        units = units[1:]
    if match["part"]:
        numbers[-1] += float(f"0.{match['part']}")
    return Duration(tuple(zip(numbers, units[: len(numbers)], strict=True)))


# "15 a year", "$3 million a month", "200 members a year": so many in each.
_RATED_REACH = 40
_RATED = re.compile(
    r"(?:[0-9]|\b(?:hundred|thousand|million|billion|trillion|once|twice|times|percent|cents|hours|days|nights|bucks)|%)(?:\s[a-z]{2,14}){0,2}\s\Z"
)
_COUNTED_FROM = re.compile(r"\s(?:(?:ago|earlier|later|before|after|from)|or\s(?:so|two|more|less))\b")


def _single(match: re.Match[str]) -> Meaning:
    if match["half"]:
        return _of(1.5, match, _modifier(match))
    length = _of(1, match, _modifier(match))
    rated = _RATED.search(match.string, max(0, match.start() - _RATED_REACH), match.start())
    is_rate = rated and not _COUNTED_FROM.match(match.string, match.end())
    return Every(length.value, grain_of(match["unit"])) if is_rate else length


_HALVES: dict[Grain, tuple[float, Grain]] = {
    Grain.MINUTE: (30, Grain.SECOND),
    Grain.HOUR: (30, Grain.MINUTE),
    Grain.DAY: (12, Grain.HOUR),
    Grain.YEAR: (6, Grain.MONTH),
    Grain.DECADE: (5, Grain.YEAR),
    Grain.CENTURY: (50, Grain.YEAR),
}


def _halved(match: re.Match[str]) -> Duration:
    grain = grain_of(match["unit"])
    return Duration((_HALVES.get(grain, (0.5, grain)),), _modifier(match))


def _fortnight(match: re.Match[str]) -> Duration:
    count = _amount(match["count"]) if match["count"] else 1
    return Duration(((count * 2, Grain.WEEK),), _modifier(match))


_HALVED = ("hour", "day", "decade", "century")
# Units after "a" that are not other things as well: "a second", "a quarter of".
_PLAIN = any_of(name for name, grain in UNITS.items() if grain not in (Grain.SECOND, Grain.QUARTER, Grain.WEEKEND))

_MUCH = r"many|several|some|numerous|multiple|countless"
_CROWDS = r"(?:(?:tens|hundreds) of )?(?:dozens|scores|hundreds|thousands|millions) of"
_VAGUE = (
    rf"(?<!\bas )(?:(?:(?:an?|the|these|those|{_MUCH})(?:\sa)?\s)?(?:few|number of|{_CROWDS}|{_MUCH})"
    rf"|{_SIZE}{_NUMBER}{S}(?:million|billion))"
)
# Quarters are lodgings as well; "the minutes of the meeting" and "the seconds" are other things.
_BARE = {name: grain for name, grain in PLURAL_UNITS.items() if grain is not Grain.QUARTER}
_LONG = {name: grain for name, grain in _BARE.items() if grain not in (Grain.SECOND, Grain.MINUTE)}
_BEFORE = one_before(
    *("in", "for", "over", "after", "within", "take", "takes", "taken", "took", "spent", "by", "lasted", "last"),
    *("of", "and", "or", "in just", "in only", "wait", "waited", "waiting", "spend", "spending", "lasting"),
)
_STARTS = rf"(?:{_BEFORE}|(?<=[,;(] )|(?<=\n))"
_AFTER = r"(?:ago|later|earlier|before|after|away|from|of|to|ahead|since|and|or|until|if|in|out|on)\b"
_AGO_OR_LATER = r"(?:ago|later|earlier|before|after)\b"
_WHOLE = ("yearlong", "monthlong", "weeklong", "daylong", "decadelong")


_unknown = partial(_of, None)
_one = partial(_of, 1)
_SHORT = rf"(?-i:(?!H)){any_of(SHORT_UNITS)}"

RULES: tuple[GrammarRule, ...] = (
    rule(_NUMBERS, rf"(?P<count>{_NUMBER})(?={_LISTED})", _listed),
    rule({SHORT_NUMBER + MARKED}, _FINISH, _finish),
    rule(
        _ALL_UNITS,
        rf"{_UNIT}(?:-long\b)?(?!(?<=quarters){S}of{S}(?:the|an?|all|its|their|those)\b)",
        _length,
        lead=rf"{_SIZE}{_EXACT}{_HALF}(?:{S}|-){KIND}",
    ),
    rule(
        _ALL_UNITS,
        rf"{_UNIT}{_OLD}",
        lambda match: Age(_of(_count(match), match, _modifier(match))),
        lead=rf"{_SIZE}{_EXACT}{_HALF}(?:{S}|-)",
    ),
    rule(PLURAL_UNITS, _UNITS, _counted, lead=rf"{_THOSE}{_EXACT}{_HALF}{S}{KIND}"),
    rule(
        SHORT_UNITS,
        rf"(?P<unit>{_SHORT})(?:\.(?=\s(?-i:[a-z])))?",
        _counted,
        lead=rf"(?P<size>)(?P<half>){_EXACT}(?:{S}|-)",
    ),
    rule(
        {SHORT_NUMBER + LETTERED, MIDDLE_NUMBER + LETTERED},
        rf"(?P<size>)(?P<half>)(?P<count>{_DIGITS})(?P<unit>{_SHORT}|{any_of(_ALL_UNITS)})",
        _counted,
    ),
    rule(
        {"nights", "night"},
        rf"(?:(?<=\s)nights|(?<=-)night)\b(?!{S}(?:stands?|clubs?))",
        lambda match: Duration(((_amount(match["count"]), Grain.DAY),), _modifier(match)),
        lead=rf"{_SIZE}{_EXACT}(?:{S}|-)",
    ),
    rule(
        UNITS,
        rf"(?P<unit>{_PLAIN})(?!-)(?:(?P<half>{S}and{S}a{S}half)|{S}or{S}(?:two|so))?\b",
        _single,
        lead=rf"{_SIZE}\b(?:an?|another|one){S}{KIND}",
    ),
    rule(_ALL_UNITS, _UNIT, _halved, lead=rf"{_SIZE}\b(?:half{S}(?:of{S})?an?|a{S}half|½)(?:{S}|-)"),
    rule(_HALVED, rf"{unit_of(_HALVED)}(?!-)", _halved, lead=rf"(?P<size>)(?<!first )(?<!second )half(?:{S}|-)"),
    rule(
        {"day", "week", "month", "year"},
        rf"(?P<unit>day|week|month|year)\b(?!{S}round)(?:{S}long\b)?",
        _single,
        lead=rf"all(?:{S}|-)(?P<size>)(?P<half>)",
    ),
    rule(
        PLURAL_UNITS,
        _UNITS,
        lambda match: _of(2, match, _modifier(match) or Modifier.APPROX),
        lead=rf"{_SIZE}(?:\ba{S})?\bcouple{S}(?:of{S})?(?:more{S})?",
    ),
    rule(
        {"century"},
        r"century\b",
        Duration(((25, Grain.YEAR),)),
        lead=rf"(?:a{S}(?=quarter))?quarter(?:{S}of{S}a{S}|-|{S})",
    ),
    rule(
        {"fortnight", "fortnights"},
        r"fortnights?\b",
        _fortnight,
        lead=rf"{_SIZE}(?:(?P<count>{_NUMBER}){S}|\ba{S}|\bthe{S})?",
    ),
    rule(PLURAL_UNITS, _UNITS, _unknown, lead=rf"{_VAGUE}{S}{KIND}"),
    rule(_BARE, rf"{unit_of(_BARE)}(?!-|{S}[0-9])", _unknown, lead=_STARTS),
    rule(_BARE, rf"(?<!-){unit_of(_BARE)}(?={S}{_AGO_OR_LATER})", _unknown),
    rule(_LONG, rf"(?<!-){unit_of(_LONG)}(?={S}{_AFTER})", _unknown),
    rule(_LONG, rf"{unit_of(_LONG)}(?!-)", _unknown, lead=rf"{_STARTS}the{S}"),
    rule(_LONG, rf"{unit_of(_LONG)}(?={S}{_AFTER})", _unknown, lead=rf"the{S}"),
    rule(PLURAL_UNITS, rf"{_UNITS}-long\b", _unknown),
    rule(UNITS, rf"{unit_of(UNITS)}-long\b", _one),
    rule(UNITS, rf"{unit_of(UNITS)}-old\b", lambda match: Age(_one(match))),
    rule(UNITS, unit_of(UNITS), _one, lead="single-"),
    rule(_WHOLE, r"(?P<unit>[a-z]{3,6})long\b", _one),
    rule({"multiyear"}, r"multi(?P<unit>year)\b", _unknown),
    rule({"multi"}, r"multi-(?P<unit>day|week|month|year|decade)\b", _unknown),
)
