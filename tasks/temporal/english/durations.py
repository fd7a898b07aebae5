"""Lengths that are counted: "three years", "18-month", "two and a half years", "33-year-old", "24 h"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import NUMBER_WORDS, S, any_of, number
from tasks.temporal.english.units import KINDS, MANY, ONE, SHORT, grain_of
from tasks.temporal.grammar import LETTERED, MIDDLE_NUMBER, SHORT_NUMBER, Rule, rule
from tasks.temporal.meanings.lengths import Duration
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
NUMBER = rf"(?:{_DIGITS}|\b{NUMBER_WORDS})"
_RANGE = rf"(?:(?:{NUMBER}{S}(?:to|or)|(?<=between ){NUMBER}{S}and){S}(?=[0-9A-Za-z])|{_DIGITS}{S}?[-–—]{S}?(?=[0-9]))?"
_THOSE = rf"(?:the|these|those){S}{SIZE}"
_EXACT = rf"{_RANGE}(?P<count>{NUMBER})"
_HALF = rf"(?P<half>(?:(?:{S}|-)and(?:{S}|-)a(?:{S}|-)|{S}and{S}one-)half|½)?"

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


_ALL = {**ONE, **MANY}
_UNIT = rf"(?P<unit>{any_of(_ALL)})"
_OLD = rf"(?:(?:{S}|-)olds?\b|-long\b)?"
_SHORT = rf"(?-i:(?!H)){any_of(SHORT)}"
RULES: tuple[Rule, ...] = (
    rule(
        _ALL,
        rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-){KINDS}{_UNIT}{_OLD}"
        rf"(?!(?<=quarters){S}of{S}(?:the|an?|all|its|their|those)\b)",
        _counted,
        lead=rf"{SIZE}{_EXACT}{_HALF}(?:{S}|-){KINDS}",
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
