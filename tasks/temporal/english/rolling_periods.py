"""Stretches of time beside now or beside another time: "the past five years", "the first nine months of 2012"."""

from __future__ import annotations

import re

from tasks.temporal.english.durations import SIZES
from tasks.temporal.english.lexicon import COUNT, S, any_of, number
from tasks.temporal.english.relative import OF_THINGS
from tasks.temporal.english.units import FISCAL, KINDS, LONG, MANY, grain_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.offsets import Origin, Rolling, Shift
from tasks.temporal.meanings.spans import Duration, Edge, Numbered
from tasks.temporal.readings import Meaning

_BACK = ("last", "past", "previous", "prior", "preceding", "latest")
_FORWARD = ("next", "coming", "following", "upcoming", "ensuing", "succeeding", "subsequent")
_TOLD = ("previous", "prior", "preceding", "following", "ensuing", "succeeding", "subsequent")
_EDGES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "opening": 0, "last": -1, "final": -1, "closing": -1}
_SIZED = rf"(?:{any_of(SIZES)}{S})?"
_MANY = rf"(?P<count>{COUNT}|(?:a{S})?couple(?:{S}of)?|(?:a{S})?few|several|many|number{S}of)"
_VERB = "".join(rf"(?<!\b{word} )" for word in ("to", "can", "could", "may", "might", "should", "will", "would", "not"))
"""It may last three weeks."""
_STRETCH = (
    rf"(?:(?:the|these|those){S}|{_VERB})(?P<way>{any_of((*_BACK, *_FORWARD))}){S}{_SIZED}{_MANY}(?:{S}|-){KINDS}"
)
_EDGE = rf"(?:the{S}|{_VERB})(?:very{S})?(?P<way>{any_of(_EDGES)}){S}"


def _count(text: str) -> int | None:
    word = text.lower()
    if "couple" in word:
        return 2
    return None if any(vague in word for vague in ("few", "several", "many", "number")) else number(word)


def _rolling(match: re.Match[str]) -> Meaning:
    count, grain, way = _count(match["count"]), grain_of(match["unit"]), match["way"].lower()
    length = Duration(((count, grain),))
    if count is None:
        return length
    origin = Origin.TOLD if way in _TOLD else Origin.WRITTEN
    return Rolling(grain, -count if way in _BACK else count, length.value, origin=origin)


def _edge(match: re.Match[str]) -> Meaning:
    length = Duration(((_count(match["count"]), grain_of(match["unit"])),))
    return Edge(length, first=_EDGES[match["way"].lower()] >= 0)


def _numbered(match: re.Match[str]) -> Meaning:
    """Last year, of which something is said; but "the last year of the talks" is no year alone."""
    grain, way = grain_of(match["unit"]), match["way"].lower()
    alone = way == "last" and not (match[0].lower().startswith("the") and OF_THINGS.match(match.string, match.end()))
    return Numbered(grain, _EDGES[way], Shift(grain, -1) if alone else None)


def _recent(match: re.Match[str]) -> Meaning:
    """The two most recent fiscal years, the most recent quarter."""
    grain, count = grain_of(match["unit"]), match["count"]
    fiscal = (match["kind"] or "").lower() in FISCAL
    if count is None:
        return Shift(grain, -1, fiscal=fiscal)
    return Rolling(grain, -number(count), Duration(((number(count), grain),)).value)


_RECENT = rf"(?:the{S})?(?:(?P<count>{COUNT}){S})?most{S}recent{S}{KINDS}"

RULES: tuple[GrammarRule, ...] = (
    rule({*MANY, *LONG}, rf"{_RECENT}(?P<unit>{any_of((*MANY, *LONG))})(?!-)", _recent, lead=_RECENT),
    rule(
        {*MANY, *LONG},
        rf"{_STRETCH}(?P<unit>{any_of((*MANY, *LONG))})(?!{S}of{S}(?:(?:the|this|that|last|next|fiscal)\b|[0-9]))",
        _rolling,
        lead=_STRETCH,
    ),
    rule(
        MANY,
        rf"{_EDGE}{_SIZED}{_MANY}{S}{KINDS}(?P<unit>{any_of(MANY)})",
        _edge,
        lead=rf"{_EDGE}{_SIZED}{_MANY}{S}{KINDS}",
    ),
    rule(
        LONG, rf"{_EDGE}(?:full{S})?(?P<unit>{any_of(LONG)})(?={S}(?:of|in)\b)", _numbered, lead=rf"{_EDGE}(?:full{S})?"
    ),
)
