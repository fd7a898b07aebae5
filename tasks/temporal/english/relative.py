"""Units counted from the day of writing, or from what the text told: "yesterday", "last quarter", "the next day"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.english.units import FISCAL, KINDS, LONG, MANY, grain_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.offsets import Origin, Rolling, Shift
from tasks.temporal.meanings.spans import Duration
from tasks.temporal.readings import Meaning, Vague
from warehouse.records import Grain

_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
_FROM_ANCHOR = {"last": -1, "latest": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}
_FROM_TOLD = {"previous": -1, "prior": -1, "preceding": -1, "that": 0, "following": 1, "ensuing": 1, "subsequent": 1}
_STRETCHED = frozenset(step for step, count in _FROM_TOLD.items() if count)
"""With these a decade is ten years beside the time told, not one of the calendar."""
_STEPS = _FROM_ANCHOR | _FROM_TOLD
_UNIT = rf"(?P<unit>{any_of(LONG)})"
_STEP = rf"(?:(?:the|that|this){S})?(?P<step>{any_of(_STEPS)}){S}{KINDS}"
_STRETCH = r"(?:(?<=\bover )|(?<=\bwithin )|(?<=\bthroughout ))"
_PAST = rf"(?:the{S})?past{S}(?:full{S})?"

OF_THINGS = re.compile(r"\s{1,3}of\s[a-z]")
"""After "the last week": the talks, but not the $3 that were made then."""

_REFERENCES = {
    "these": "PRESENT_REF",
    **dict.fromkeys(("recent", "past", "previous", "those", "earlier", "last"), "PAST_REF"),
    **dict.fromkeys(("coming", "upcoming", "future", "subsequent", "following", "ensuing"), "FUTURE_REF"),
}
_SOME = rf"(?:(?:the|more){S})?(?:(?:most|more){S})?(?P<way>{any_of(_REFERENCES)}){S}"


def _named_day(match: re.Match[str]) -> Meaning:
    return Shift(Grain.DAY, _DAYS[match[0].lower()])


def _stepped(match: re.Match[str]) -> Meaning | None:
    """Not "the last week of the talks"."""
    step, grain = match["step"].lower(), grain_of(match["unit"])
    if grain is Grain.HOUR or (
        match[0].lower().startswith("the") and step == "last" and OF_THINGS.match(match.string, match.end())
    ):
        return None
    if grain in (Grain.DECADE, Grain.CENTURY) and step in _STRETCHED:
        return Rolling(grain, _FROM_TOLD[step], Duration(((1, grain),)).value, origin=Origin.TOLD)
    told = step in _FROM_TOLD or (step == "next" and (grain is Grain.DAY or match[0].lower().startswith("the")))
    fiscal = (match["kind"] or "").lower() in FISCAL
    return Shift(grain, _STEPS[step], Origin.TOLD if told else Origin.WRITTEN, fiscal=fiscal)


def _stretch(match: re.Match[str]) -> Meaning:
    """One unit back from the anchor or on from it: "over the past decade", "within the next year"."""
    grain = grain_of(match["unit"])
    forward = match["step"].lower() in ("next", "coming")
    return Rolling(grain, 1 if forward else -1, Duration(((1, grain),)).value)


def _reference(match: re.Match[str]) -> Meaning:
    return Vague(_REFERENCES[match["way"].lower()])


RULES: tuple[GrammarRule, ...] = (
    rule(_DAYS, any_of(_DAYS), _named_day),
    rule(
        {"yesterday", "tomorrow"},
        rf"(?:the{S})?day{S}(?:(?P<before>before){S}yesterday|after{S}tomorrow)\b",
        lambda match: Shift(Grain.DAY, -2 if match["before"] else 2),
        lead=rf"(?:the{S})?day{S}(?:before|after){S}",
    ),
    rule(
        LONG,
        rf"the{S}{_UNIT}{S}(?:(?P<before>before){S}last|after{S}(?:the{S})?next)\b",
        lambda match: Shift(grain_of(match["unit"]), -2 if match["before"] else 2),
        lead=rf"the{S}",
    ),
    rule(LONG, rf"(?:the{S})?(?P<step>past){S}(?:full{S})?{_UNIT}(?!-)", _stretch, lead=_PAST),
    rule(
        LONG,
        rf"the{S}(?P<step>last|next|coming){S}{_UNIT}(?!-)(?!{S}of\b)",
        _stretch,
        lead=rf"{_STRETCH}the{S}(?:last|next|coming){S}",
    ),
    rule(
        {"decade", "century"},
        rf"the{S}(?P<step>last){S}(?P<unit>decade|century)\b(?!-)(?!{S}of\b)",
        _stretch,
        lead=rf"the{S}(?:last|next|coming){S}",
    ),
    rule(LONG, rf"{_STEP}{_UNIT}(?!-)", _stepped, lead=_STEP),
    rule(MANY, rf"{_SOME}(?P<unit>{any_of(MANY)})", _reference, lead=_SOME),
    rule(
        MANY,
        rf"(?:the{S})?(?P<unit>{any_of(MANY)}){S}(?:ahead|to{S}come)\b",
        lambda _: Vague("FUTURE_REF"),
        lead=rf"(?:the{S})?",
    ),
)
