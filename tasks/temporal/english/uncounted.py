"""Lengths without a number: "a few days", "millions of years", "for years", "decades-long", "yearlong"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal.english.durations import NUMBER, SIZE
from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.english.units import KINDS, MANY, ONE, grain_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.spans import Age, Duration
from warehouse.records import Grain

_MUCH = r"many|several|some|numerous|multiple|countless"
_CROWDS = r"(?:(?:tens|hundreds) of )?(?:dozens|scores|hundreds|thousands|millions) of"
_VAGUE = (
    rf"(?<!\bas )(?:(?:(?:an?|the|these|those|{_MUCH})(?:\sa)?\s)?(?:few|number of|{_CROWDS}|{_MUCH})"
    rf"|{SIZE}{NUMBER}{S}(?:million|billion))"
)

# Quarters are lodgings as well; "the minutes of the meeting" and "the seconds" are other things.
_BARE = {name: grain for name, grain in MANY.items() if grain is not Grain.QUARTER}
_LONG = {name: grain for name, grain in _BARE.items() if grain not in (Grain.SECOND, Grain.MINUTE)}
_BEFORE = "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("in", "for", "over", "after", "within", "take", "takes", "taken", "took", "spent", "by", "lasted", "last"),
        *("of", "and", "or", "in just", "in only", "wait", "waited", "waiting", "spend", "spending", "lasting"),
    )
)
_STARTS = rf"(?:{_BEFORE}|(?<=[,;(] )|(?<=\n))"
_AFTER = r"(?:ago|later|earlier|before|after|away|from|of|to|ahead|since|and|or|until|if|in|out|on)\b"
_COUNTED_FROM = r"(?:ago|later|earlier|before|after)\b"
_WHOLE = ("yearlong", "monthlong", "weeklong", "daylong", "decadelong")


def _unknown(match: re.Match[str]) -> Duration:
    return Duration(((None, grain_of(match["unit"])),))


def _one(match: re.Match[str]) -> Duration:
    return Duration(((1, grain_of(match["unit"])),))


def _unit(units: Iterable[str]) -> str:
    return f"(?P<unit>{any_of(units)})"


RULES: tuple[GrammarRule, ...] = (
    rule(MANY, rf"{_VAGUE}{S}{KINDS}{_unit(MANY)}", _unknown, lead=rf"{_VAGUE}{S}{KINDS}"),
    rule(_BARE, rf"{_unit(_BARE)}(?!-|{S}[0-9])", _unknown, lead=_STARTS),
    rule(_BARE, rf"(?<!-){_unit(_BARE)}(?={S}{_COUNTED_FROM})", _unknown),
    rule(_LONG, rf"(?<!-){_unit(_LONG)}(?={S}{_AFTER})", _unknown),
    rule(_LONG, rf"the{S}{_unit(_LONG)}(?!-)", _unknown, lead=rf"{_STARTS}the{S}"),
    rule(_LONG, rf"the{S}{_unit(_LONG)}(?={S}{_AFTER})", _unknown, lead=rf"the{S}"),
    rule(MANY, rf"{_unit(MANY)}-long\b", _unknown),
    rule(ONE, rf"{_unit(ONE)}-long\b", _one),
    rule(ONE, rf"{_unit(ONE)}-old\b", lambda match: Age(_one(match))),
    rule(ONE, rf"single-{_unit(ONE)}", _one, lead="single-"),
    rule(_WHOLE, r"(?P<unit>[a-z]{3,6})long\b", _one),
    rule({"multiyear"}, r"multi(?P<unit>year)\b", _unknown),
    rule({"multi"}, r"multi-(?P<unit>day|week|month|year|decade)\b", _unknown),
)
