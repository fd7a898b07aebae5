"""Lengths of one unit, half of it or two: "more than a decade", "half an hour", "all day", "a couple of weeks"."""

from __future__ import annotations

import re

from tasks.temporal.english.durations import NUMBER, SIZE, amount, modifier
from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.english.units import KINDS, MANY, ONE, grain_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.spans import Duration, Every
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

# "15 a year", "$3 million a month", "200 members a year": so many in each.
_RATED_REACH = 40
_RATED = re.compile(
    r"(?:[0-9]|\b(?:hundred|thousand|million|billion|trillion|once|twice|times|percent|cents|hours|days|nights|bucks)|%)(?:\s[a-z]{2,14}){0,2}\s\Z"
)
_COUNTED_FROM = re.compile(r"\s(?:(?:ago|earlier|later|before|after|from)|or\s(?:so|two|more|less))\b")


def _single(match: re.Match[str]) -> Meaning:
    grain = grain_of(match["unit"])
    if match["half"]:
        return Duration(((1.5, grain),), modifier(match))
    length = Duration(((1, grain),), modifier(match))
    rated = _RATED.search(match.string, max(0, match.start() - _RATED_REACH), match.start())
    return Every(length.value, grain) if rated and not _COUNTED_FROM.match(match.string, match.end()) else length


def _couple(match: re.Match[str]) -> Duration:
    return Duration(((2, grain_of(match["unit"])),), modifier(match) or Modifier.APPROX)


_HALVES: dict[Grain, tuple[float, Grain]] = {
    Grain.MINUTE: (30, Grain.SECOND),
    Grain.HOUR: (30, Grain.MINUTE),
    Grain.DAY: (12, Grain.HOUR),
    Grain.YEAR: (6, Grain.MONTH),
    Grain.DECADE: (5, Grain.YEAR),
    Grain.CENTURY: (50, Grain.YEAR),
}


def _halved(match: re.Match[str]) -> Duration | None:
    grain = grain_of(match["unit"])
    return Duration((_HALVES.get(grain, (0.5, grain)),), modifier(match))


def _fortnight(match: re.Match[str]) -> Duration:
    count = amount(match["count"]) if match["count"] else 1
    return Duration(((count * 2, Grain.WEEK),), modifier(match))


_UNIT = rf"(?P<unit>{any_of({**ONE, **MANY})})"
_HALVED = ("hour", "day", "decade", "century")
# Units after "a" that are not other things as well: "a second", "a quarter of".
_PLAIN = any_of(name for name, grain in ONE.items() if grain not in (Grain.SECOND, Grain.QUARTER, Grain.WEEKEND))

RULES: tuple[GrammarRule, ...] = (
    rule(
        ONE,
        rf"{SIZE}(?:an?|another|one){S}{KINDS}(?P<unit>{_PLAIN})(?!-)(?:(?P<half>{S}and{S}a{S}half)|{S}or{S}(?:two|so))?"
        r"\b",
        _single,
        lead=rf"{SIZE}\b(?:an?|another|one){S}{KINDS}",
    ),
    rule(
        {*ONE, *MANY},
        rf"{SIZE}(?:half{S}(?:of{S})?an?|a{S}half|½)(?:{S}|-){_UNIT}",
        _halved,
        lead=rf"{SIZE}\b(?:half{S}(?:of{S})?an?|a{S}half|½)(?:{S}|-)",
    ),
    rule(
        _HALVED,
        rf"(?P<size>)half(?:{S}|-)(?P<unit>{any_of(_HALVED)})(?!-)",
        _halved,
        lead=rf"(?<!first )(?<!second )half(?:{S}|-)",
    ),
    rule(
        {"day", "week", "month", "year"},
        rf"all(?:{S}|-)(?P<size>)(?P<half>)(?P<unit>day|week|month|year)\b(?!{S}round)(?:{S}long\b)?",
        _single,
        lead=rf"all(?:{S}|-)",
    ),
    rule(
        MANY,
        rf"{SIZE}(?:a{S})?couple{S}(?:of{S})?(?:more{S})?(?P<unit>{any_of(MANY)})",
        _couple,
        lead=rf"{SIZE}(?:\ba{S})?\bcouple{S}(?:of{S})?(?:more{S})?",
    ),
    rule(
        {"century"},
        rf"(?:a{S}(?=quarter))?quarter(?:{S}of{S}a{S}|-|{S})century\b",
        lambda _: Duration(((25, Grain.YEAR),)),
        lead=rf"(?:a{S}(?=quarter))?quarter(?:{S}of{S}a{S}|-|{S})",
    ),
    rule(
        {"fortnight", "fortnights"},
        rf"{SIZE}(?:(?P<count>{NUMBER}){S}|a{S}|the{S})?fortnights?\b",
        _fortnight,
        lead=rf"{SIZE}(?:{NUMBER}{S}|\ba{S}|\bthe{S})?",
    ),
)
