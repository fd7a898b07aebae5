"""The signals of English: words that bend or join the times beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.grammar import GrammarRule, Signal, SignalRole, rule
from warehouse.records import Modifier

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
    "prior to": Modifier.BEFORE,
    "earlier than": Modifier.BEFORE,
    "no later than": Modifier.ON_OR_BEFORE,
    "not later than": Modifier.ON_OR_BEFORE,
    "on or before": Modifier.ON_OR_BEFORE,
    "on or after": Modifier.ON_OR_AFTER,
    "no earlier than": Modifier.ON_OR_AFTER,
    "no sooner than": Modifier.ON_OR_AFTER,
    "not before": Modifier.ON_OR_AFTER,
    "later than": Modifier.AFTER,
    "starting": Modifier.ON_OR_AFTER,
    "starting in": Modifier.ON_OR_AFTER,
    "starting from": Modifier.ON_OR_AFTER,
    "starting on": Modifier.ON_OR_AFTER,
    "beginning in": Modifier.ON_OR_AFTER,
    "beginning on": Modifier.ON_OR_AFTER,
    "beginning from": Modifier.ON_OR_AFTER,
}
_EDGES = {
    "beginning": Modifier.START,
    "start": Modifier.START,
    "outset": Modifier.START,
    "dawn": Modifier.START,
    "turn": Modifier.START,
    "early part": Modifier.START,
    "early days": Modifier.START,
    "opening": Modifier.START,
    "middle": Modifier.MID,
    "midpoint": Modifier.MID,
    "height": Modifier.MID,
    "end": Modifier.END,
    "close": Modifier.END,
    "latter part": Modifier.END,
    "late part": Modifier.END,
}
_PARTS = {"early": Modifier.START, "mid": Modifier.MID, "late": Modifier.END}
_DIVIDED = {"earlier": Modifier.START, "later": Modifier.END}
_LEFT = "rest|remainder|balance"


def _words(text: str) -> str:
    return " ".join(text.lower().split())


def _spaced(phrases: Iterable[str]) -> str:
    return any_of(phrases).replace(r"\ ", S)


def _simple(match: re.Match[str]) -> Signal:
    return _SIMPLE[match[0].lower()]


def _phrase(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.BOUND, _PHRASES[_words(match[0])])


def _edge(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.PART, _EDGES[_words(match["edge"])])


def _part(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.PART, _PARTS[match["part"].lower()])


def _divided(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.DIVIDED, _DIVIDED[match["part"].lower()])


RULES: tuple[GrammarRule, ...] = (
    rule(_SIMPLE, any_of(_SIMPLE), _simple),
    rule({phrase.split()[0] for phrase in _PHRASES}, _spaced(_PHRASES), _phrase),
    rule(
        {edge.split()[0] for edge in _EDGES},
        rf"(?:the{S})?(?:very{S})?(?P<edge>{_spaced(_EDGES)}){S}of\b",
        _edge,
        lead=rf"(?:the{S})?(?:very{S})?",
    ),
    rule(
        _PARTS,
        rf"(?:the{S})?(?:very{S})?(?P<part>early|mid|late)(?:-|\b)(?:{S}(?:in|on)\b)?",
        _part,
        lead=rf"(?:the{S})?(?:very{S})?",
    ),
    rule(_DIVIDED, rf"(?P<part>{any_of(_DIVIDED)}){S}in\b", _divided),
    rule({"so"}, rf"so{S}far(?:{S}in)?\b", lambda _: Signal(SignalRole.DIVIDED, Modifier.START)),
    rule(
        _LEFT.split("|"),
        rf"(?:the{S})?(?:{_LEFT}){S}of\b",
        lambda _: Signal(SignalRole.DIVIDED, Modifier.END),
        lead=rf"(?:the{S})?",
    ),
    rule({"from"}, rf"from{S}(?:now|today)\b", lambda _: Signal(SignalRole.HENCE)),
)
