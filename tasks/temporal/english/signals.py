"""English words that bend or join the times beside them, and what comes of it: "since", "early", "two weeks ago"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.grammar import GrammarRule, JoinedItems, Signal, SignalRole, rule
from tasks.temporal.meanings.clocks import Clock, Timed
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Away, BesideTime, ComparedPeriod, LastMention, Rolling, SamePeriod, Shift
from tasks.temporal.meanings.recurrences import NumericDate, NumericDay, OfYear, Recurring, Stepped, WeekOf, Within
from tasks.temporal.meanings.spans import Divided, Duration, EdgeLength, Modified, Numbered, NumberedIn, OpenRange
from tasks.temporal.readings import Meaning, MentionFields, Vague, is_larger
from warehouse.records import Grain, Modifier

_SIMPLE = {
    "from": Signal(SignalRole.FROM),
    "to": Signal(SignalRole.TO),
    "through": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "thru": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "between": Signal(SignalRole.BETWEEN),
    "and": Signal(SignalRole.AND),
    "of": Signal(SignalRole.OF),
    "at": Signal(SignalRole.AT),
    "since": Signal(SignalRole.BOUND, Modifier.ON_OR_AFTER),
    "until": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "till": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "by": Signal(SignalRole.BOUND, Modifier.ON_OR_BEFORE),
    "before": Signal(SignalRole.BOUND, Modifier.BEFORE),
    "after": Signal(SignalRole.BOUND, Modifier.AFTER),
    "ago": Signal(SignalRole.AGO),
    "hence": Signal(SignalRole.HENCE),
    "earlier": Signal(SignalRole.EARLIER, Modifier.START),
    "later": Signal(SignalRole.LATER, Modifier.END),
    **dict.fromkeys(("about", "around", "approximately", "roughly"), Signal(SignalRole.LENGTH, Modifier.APPROX)),
}
_PHRASES = {
    **dict.fromkeys(("prior to", "earlier than"), Modifier.BEFORE),
    **dict.fromkeys(("no later than", "not later than", "on or before"), Modifier.ON_OR_BEFORE),
    **dict.fromkeys(("on or after", "no earlier than", "no sooner than", "not before"), Modifier.ON_OR_AFTER),
    "later than": Modifier.AFTER,
    **dict.fromkeys(("starting", "starting in", "starting from", "starting on"), Modifier.ON_OR_AFTER),
    **dict.fromkeys(("beginning in", "beginning on", "beginning from"), Modifier.ON_OR_AFTER),
}
_EDGES = {
    **dict.fromkeys(("beginning", "start", "outset", "dawn", "turn", "early part", "early days"), Modifier.START),
    "opening": Modifier.START,
    **dict.fromkeys(("middle", "midpoint", "height"), Modifier.MID),
    **dict.fromkeys(("end", "close", "latter part", "late part"), Modifier.END),
}
_PARTS = {"early": Modifier.START, "mid": Modifier.MID, "late": Modifier.END}
_REMAINDERS = ("rest", "remainder", "balance")
_THE_VERY = rf"(?:the{S})?(?:very{S})?"


def _normalize_spaces(text: str) -> str:
    return " ".join(text.lower().split())


def _match_phrases(phrases: Iterable[str]) -> str:
    return any_of(phrases).replace(r"\ ", S)


RULES: tuple[GrammarRule, ...] = (
    rule(_SIMPLE, any_of(_SIMPLE), lambda match: _SIMPLE[match[0].lower()]),
    rule(
        {phrase.split()[0] for phrase in _PHRASES},
        _match_phrases(_PHRASES),
        lambda match: Signal(SignalRole.BOUND, _PHRASES[_normalize_spaces(match[0])]),
    ),
    rule(
        {edge.split()[0] for edge in _EDGES},
        rf"(?P<edge>{_match_phrases(_EDGES)}){S}of\b",
        lambda match: Signal(SignalRole.PART, _EDGES[_normalize_spaces(match["edge"])]),
        lead=_THE_VERY,
    ),
    rule(
        _PARTS,
        rf"(?P<part>early|mid|late)(?:-|\b)(?:{S}(?:in|on)\b)?",
        lambda match: Signal(SignalRole.PART, _PARTS[match["part"].lower()]),
        lead=_THE_VERY,
    ),
    rule({"earlier"}, rf"earlier{S}in\b", Signal(SignalRole.DIVIDED, Modifier.START)),
    rule({"later"}, rf"later{S}in\b", Signal(SignalRole.DIVIDED, Modifier.END)),
    rule({"so"}, rf"so{S}far(?:{S}in)?\b", Signal(SignalRole.DIVIDED, Modifier.START)),
    rule(_REMAINDERS, rf"{any_of(_REMAINDERS)}{S}of\b", Signal(SignalRole.DIVIDED, Modifier.END), lead=rf"(?:the{S})?"),
    rule({"from"}, rf"from{S}(?:now|today)\b", Signal(SignalRole.HENCE)),
    rule({"onward", "onwards"}, r"onwards?\b", Signal(SignalRole.TRAILING_BOUND, Modifier.ON_OR_AFTER)),
)

THE = re.compile(r"\s{1,3}(?:the\s)?", re.IGNORECASE)
DATED = (
    *(MentionFields, NumericDate, Period, Recurring, Stepped, Within, Shift, Away, SamePeriod, LastMention),
    *(NumberedIn, Modified, Divided, NumericDay, OfYear, WeekOf, ComparedPeriod),
)
_NOW = Shift(Grain.DAY, 0)
_IN = re.compile(r"\s{1,3}(?:(?:in|during|for|from)\s(?:the\s)?)?", re.IGNORECASE)
_PART_GAP = re.compile(r"\s?(?:the\s)?|-", re.IGNORECASE)
_BOUND_GAP = re.compile(
    r"\s{1,3}(?:(?:at\sleast|around|about|early\sas|as\searly\sas|roughly)\s)?(?:the\s)?", re.IGNORECASE
)
_COMMA = re.compile(r",?\s{1,3}")

# How "more than" a year ago bends a date, as TIMEX3 has it.
_BEFORE_NOW = {
    Modifier.MORE_THAN: Modifier.BEFORE,
    Modifier.LESS_THAN: Modifier.AFTER,
    Modifier.EQUAL_OR_MORE: Modifier.ON_OR_BEFORE,
    Modifier.EQUAL_OR_LESS: Modifier.ON_OR_AFTER,
    Modifier.APPROX: Modifier.APPROX,
}


def _make_offset(length: Duration, side: int, base: Meaning, vague: str = "", *, to_day: bool = False) -> Meaning:
    """The time a length before (side -1) or after (1) the base; a reference alone for "years ago"."""
    steps = length.steps
    if steps is None:
        return Vague(vague)
    modifier = length.modifier and (_BEFORE_NOW[length.modifier] if side < 0 else length.modifier)
    *first, (count, grain) = ((side * count, grain) for count, grain in steps)
    return Away(grain, count, base, modifier, tuple(first), to_day)


def _join_length_and_bound(length: Duration, base: Meaning, bound: Modifier) -> Meaning | None:
    side = {Modifier.BEFORE: -1, Modifier.AFTER: 1}.get(bound)
    return (
        None
        if side is None or length.steps is None
        else _make_offset(length, side, base, to_day=base.grain is Grain.DAY)
    )


def _join_length_from(length: Duration, base: Meaning) -> Meaning | None:
    """A week from Friday; "five years from 2010" is a stretch of them."""
    return None if base.grain is not Grain.DAY or length.steps is None else _make_offset(length, 1, base, to_day=True)


def _join_ago_today(ago: Away, day: Shift) -> Meaning | None:
    """Three weeks ago today, a year ago yesterday: the day itself, not its week or year."""
    if day.grain is not Grain.DAY or ago.base != _NOW or ago.count >= 0:
        return None
    return Away(Grain.DAY, 0, day, first=(*ago.first, (ago.count, ago.grain)))


def _join_lengths(first: Duration, second: Duration) -> Meaning | None:
    return None if first.modifier and second.modifier else first.and_then(second)


def _join_numbered_within(unit: Numbered, outer: Meaning) -> Meaning | None:
    return NumberedIn(unit, outer) if outer.grain and is_larger(outer.grain, unit.grain) else None


def _join_part_within(part: EdgeLength | SamePeriod, outer: Meaning) -> Meaning | None:
    return None if part.outer else replace(part, outer=outer)


LENGTHS: tuple[JoinedItems, ...] = (
    JoinedItems((Duration, Duration), _join_lengths, _COMMA),
    JoinedItems((Duration, SignalRole.AND, Duration), _join_lengths),
    JoinedItems((Away, Shift), _join_ago_today),
    JoinedItems((Duration, SignalRole.AGO), lambda length: _make_offset(length, -1, _NOW, "PAST_REF")),
    JoinedItems((Duration, SignalRole.HENCE), lambda length: _make_offset(length, 1, _NOW, "FUTURE_REF", to_day=True)),
    JoinedItems((Duration, SignalRole.EARLIER), lambda length: _make_offset(length, -1, LastMention(), "PAST_REF")),
    JoinedItems((Duration, SignalRole.LATER), lambda length: _make_offset(length, 1, LastMention(), "FUTURE_REF")),
    JoinedItems((Duration, SignalRole.BOUND, DATED), _join_length_and_bound, THE, takes_modifier=True),
    JoinedItems((BesideTime, DATED), lambda unit, base: unit.of(base), THE),
    JoinedItems((Duration, SignalRole.FROM, (Recurring, Stepped, Shift)), _join_length_from),
    JoinedItems((Recurring, SignalRole.OF, DATED), Within, THE),
    JoinedItems((Recurring, Shift), lambda unit, outer: Within(unit, outer) if outer.grain is unit.parent else None),
    JoinedItems((Numbered, SignalRole.OF, DATED), _join_numbered_within, THE),
    JoinedItems((Numbered, DATED), _join_numbered_within, _IN),
    JoinedItems((EdgeLength, SignalRole.OF, DATED), _join_part_within, THE),
    JoinedItems((SamePeriod, (SignalRole.OF, SignalRole.FROM), DATED), _join_part_within, THE),
    JoinedItems((SamePeriod, DATED), _join_part_within, _IN),
)
PARTS: tuple[JoinedItems, ...] = (
    JoinedItems((SignalRole.PART, (*DATED, Rolling, Timed)), Modified, _PART_GAP, takes_modifier=True),
    JoinedItems((SignalRole.DIVIDED, DATED), Divided, THE, takes_modifier=True),
    JoinedItems(((SignalRole.EARLIER, SignalRole.LATER), DATED), Divided, takes_modifier=True),
)
BOUNDS: tuple[JoinedItems, ...] = (
    JoinedItems((DATED, SignalRole.TRAILING_BOUND), OpenRange, _COMMA, (0, 1), takes_modifier=True),
    JoinedItems(
        ((SignalRole.BOUND, SignalRole.TO), (*DATED, Timed, Clock)),
        lambda bound, modifier: modifier and OpenRange(bound, modifier),
        _BOUND_GAP,
        (1, 2),
        takes_modifier=True,
    ),
)
