"""Lengths that are counted: "three years", "18-month", "two and a half years", "33-year-old", "24 h"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import NUMBER_WORDS, NUMBERS, S, any_of, number
from tasks.temporal.english.units import KINDS, MANY, ONE, SHORT, grain_of
from tasks.temporal.grammar import LETTERED, MARKED, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.spans import Age, Duration
from warehouse.records import Grain, Modifier

SIZES = {
    "about": Modifier.APPROX,
    "around": Modifier.APPROX,
    "approximately": Modifier.APPROX,
    "roughly": Modifier.APPROX,
    "nearly": Modifier.LESS_THAN,
    "almost": Modifier.LESS_THAN,
    "close to": Modifier.LESS_THAN,
    "under": Modifier.LESS_THAN,
    "just under": Modifier.LESS_THAN,
    "less than": Modifier.LESS_THAN,
    "fewer than": Modifier.LESS_THAN,
    "over": Modifier.MORE_THAN,
    "just over": Modifier.MORE_THAN,
    "well over": Modifier.MORE_THAN,
    "more than": Modifier.MORE_THAN,
    "longer than": Modifier.MORE_THAN,
    "at least": Modifier.EQUAL_OR_MORE,
    "no less than": Modifier.EQUAL_OR_MORE,
    "not less than": Modifier.EQUAL_OR_MORE,
    "a minimum of": Modifier.EQUAL_OR_MORE,
    "at most": Modifier.EQUAL_OR_LESS,
    "up to": Modifier.EQUAL_OR_LESS,
    "no more than": Modifier.EQUAL_OR_LESS,
    "not more than": Modifier.EQUAL_OR_LESS,
    "no longer than": Modifier.EQUAL_OR_LESS,
    "a maximum of": Modifier.EQUAL_OR_LESS,
}
SIZE = rf"(?:(?P<size>{any_of(SIZES)}){S})?"
_DIGITS = r"(?<![0-9A-Za-z.,/:$€£])(?<![A-Za-z]-)[0-9]{1,4}(?:,[0-9]{3})?(?:\.[0-9]{1,2})?"
_SMALL = _DIGITS.replace("{1,4}", "{1,3}")
NUMBER = rf"(?:{_DIGITS}|\b{NUMBER_WORDS})"
_RANGE = rf"(?:{NUMBER}{S}or{S}(?=[0-9A-Za-z])|{_SMALL}{S}?[-–—]{S}?(?=[0-9]))?"
_THOSE = rf"(?:the|these|those){S}{SIZE}"
_EXACT = rf"{_RANGE}(?P<count>{NUMBER})"
_HALF = rf"(?P<half>(?:(?:{S}|-)and(?:{S}|-)a(?:{S}|-)|{S}and{S}one-)half|½|[ -]1/2(?![0-9/]))?"

_CALENDAR_YEARS = (1500, 2200)


def amount(text: str) -> float:
    """The number that digits, with a point and commas, or number words name."""
    plain = text.replace(",", "")
    return float(plain) if plain[0].isdigit() else number(plain)


def modifier(match: re.Match[str]) -> Modifier | None:
    """What "about" or "at least" puts on the length."""
    size = match["size"]
    return SIZES[" ".join(size.lower().split())] if size else None


def _counted(match: re.Match[str]) -> Duration | None:
    """Not "our 2017 year-end", nor a name at the beginning of a line ("rating: 7", then "year: 1982")."""
    if "\n" in match[0] and match.string.startswith(":", match.end()):
        return None
    count = amount(match["count"]) + (0.5 if match["half"] else 0)
    if _CALENDAR_YEARS[0] <= count <= _CALENDAR_YEARS[1] and match["unit"].lower() == "year":
        return None
    return Duration(((count, grain_of(match["unit"])),), modifier(match))


_AGED = re.compile(
    rf"\b(?:aged?|ages){S}(?:(?:of|from|between|over|under|about|around|at{S}least|up{S}to){S}){{0,2}}"
    rf"(?:{NUMBER}(?:{S}(?:to|and|or){S}|{S}?[-–—]{S}?))?\Z",
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


def _old(match: re.Match[str]) -> Age:
    """A 22-year-old is a person."""
    return Age(
        Duration(((amount(match["count"]) + (0.5 if match["half"] else 0), grain_of(match["unit"])),), modifier(match))
    )


def _listed(match: re.Match[str]) -> Duration | Age | None:
    """The 12 of "12 and 18 months", "12- to 18-month"."""
    count = amount(match["count"])
    if count >= amount(match["last"]):
        return None
    length = Duration(((count, grain_of(match["unit"])),))
    return Age(length) if _is_age(match, match.end("unit")) else length


_ALL = {**ONE, **MANY}
_UNIT = rf"(?P<unit>{any_of(_ALL)})"
_LISTED = rf"(?:-?,{S}{NUMBER}){{0,3}}-?,?{S}(?:to|and|or){S}(?P<last>{NUMBER})(?:{S}|-){KINDS}{_UNIT}"
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


_SHORT = rf"(?-i:(?!H)){any_of(SHORT)}"
RULES: tuple[GrammarRule, ...] = (
    rule(_NUMBERS, rf"(?P<count>{NUMBER})(?={_LISTED})", _listed),
    rule({SHORT_NUMBER + MARKED}, _FINISH, _finish),
    rule(
        _ALL,
        rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-){KINDS}{_UNIT}(?:-long\b)?"
        rf"(?!(?<=quarters){S}of{S}(?:the|an?|all|its|their|those)\b)",
        _length,
        lead=rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-){KINDS}",
    ),
    rule(
        _ALL,
        rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-){_UNIT}{_OLD}",
        _old,
        lead=rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-)",
    ),
    rule(
        MANY,
        rf"{_THOSE}{_EXACT}{_HALF}{S}{KINDS}(?P<unit>{any_of(MANY)})",
        _counted,
        lead=rf"{_THOSE}{_EXACT}{_HALF}{S}{KINDS}",
    ),
    rule(
        SHORT,
        rf"(?P<size>)(?P<half>){_EXACT}(?:{S}|-)(?P<unit>{_SHORT})(?:\.(?=\s(?-i:[a-z])))?",
        _counted,
        lead=rf"{_EXACT}(?:{S}|-)",
    ),
    rule(
        {SHORT_NUMBER + LETTERED, MIDDLE_NUMBER + LETTERED},
        rf"(?P<size>)(?P<half>)(?P<count>{_DIGITS})(?P<unit>{_SHORT}|{any_of(_ALL)})",
        _counted,
    ),
    rule(
        {"nights", "night"},
        rf"{SIZE}{_EXACT}(?P<half>)(?:{S}nights|-night)\b(?!{S}(?:stands?|clubs?))",
        lambda match: Duration(((amount(match["count"]), Grain.DAY),), modifier(match)),
        lead=rf"{SIZE}{_EXACT}(?:{S}|-)",
    ),
)
