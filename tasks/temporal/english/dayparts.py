"""English parts of a day: "this morning", "last night", "the early evening", "overnight"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import S
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.clocks import DayPart, Timed
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

_VALUES = {
    "morning": "MO",
    "afternoon": "AF",
    "evening": "EV",
    "night": "NI",
    "nighttime": "NI",
    "daytime": "DT",
    "am": "MO",
    "pm": "AF",
}
_SIDES = {"early": Modifier.START, "mid": Modifier.MID, "late": Modifier.END, "later": Modifier.END}
_PART = r"(?P<part>morning|afternoon|evening|night)(?![A-Za-z'’-])"
_SIDE = rf"(?:(?P<side>early|mid|late)(?:{S}|-))?"
_NOT_AFTER = (
    r"(?!(?:\s|-)(?:shows?|news|posts?|stars?|shifts?|sessions?|sickness|clubs?|trains?|gowns?|sky|vision|market|fever"
    r"|courts?|life|school|sun|papers?|newspapers?|edition|prayers?|service|mail|herald|standard|watch|after|television|tv|talk|hosts?|raw|live)\b)"
)
_BEFORE = "|".join(rf"(?<=\b{word} )" for word in ("in", "by", "until", "till", "since", "during", "early"))
_OVERNIGHT = (
    r"(?!\s(?:rates?|funds?|loans?|lending|index|indexed|repo|deposits?|bags?|trains?|flights?|stays?|success|shipping"
    r"|delivery|interest|borrowing|money|mail|sensation)\b)"
)
_STEPS = {
    "this": Shift(Grain.DAY, 0),
    "last": Shift(Grain.DAY, -1),
    "that": Shift(Grain.DAY, 0, Origin.TOLD),
    "same": Shift(Grain.DAY, 0, Origin.TOLD),
    "next": Shift(Grain.DAY, 1, Origin.TOLD),
    "following": Shift(Grain.DAY, 1, Origin.TOLD),
    "previous": Shift(Grain.DAY, -1, Origin.TOLD),
}


def _part(match: re.Match[str], *, alone: bool) -> DayPart:
    side = match["side"]
    return DayPart(
        _VALUES[match["part"].lower().replace("-", "")],
        Grain.PART,
        _SIDES[side.lower()] if side else None,
        alone=alone,
    )


def _alone(match: re.Match[str]) -> Meaning:
    return _part(match, alone=True)


def _beside(match: re.Match[str]) -> Meaning:
    return _part(match, alone=False)


def _stepped(match: re.Match[str]) -> Meaning:
    return Timed(_STEPS[match["step"].lower()], _part(match, alone=True))


def _night(match: re.Match[str]) -> Meaning:
    origin = Origin.TOLD if match[0].lower() == "overnight" else Origin.WRITTEN
    return Timed(Shift(Grain.DAY, 0, origin), DayPart("NI", Grain.PART))


_STEP = rf"(?P<step>{'|'.join(_STEPS)}){S}"
_PLAIN_STEP = _STEP.replace("?P<step>", "?:")
_HEADS = {"morning", "afternoon", "evening", "night"}
_SIDED = _HEADS | {"early", "mid", "late"}

RULES: tuple[GrammarRule, ...] = (
    rule(
        _HEADS,
        rf"(?:the{S})?{_STEP}{_SIDE}{_PART}{_NOT_AFTER}",
        _stepped,
        lead=rf"(?:the{S})?{_PLAIN_STEP}(?:(?:early|mid|late)(?:{S}|-))?",
    ),
    rule({"early", "late", "later"}, rf"(?P<side>early|later?){S}in{S}the{S}{_PART}", _alone),
    rule(
        {"hours"},
        rf"the{S}(?:early|small|wee)(?:{S}morning)?{S}hours(?={S}of\b)",
        lambda _: DayPart("MO", Grain.PART, Modifier.START),
        lead=rf"the{S}(?:early|small|wee)(?:{S}morning)?{S}",
    ),
    rule(
        _HEADS,
        rf"the{S}{_SIDE}{_PART}{_NOT_AFTER}(?!{S}before\b)",
        _alone,
        lead=rf"the{S}(?:(?:early|mid|late)(?:{S}|-))?",
    ),
    rule(_SIDED, rf"(?:{_BEFORE}){_SIDE}{_PART}{_NOT_AFTER}", _alone),
    rule(_SIDED, rf"{_SIDE}{_PART}{_NOT_AFTER}", _beside),
    rule({"night", "nighttime", "daytime"}, r"(?<=the )(?P<side>)(?P<part>night-?time|daytime)(?![A-Za-z-])", _alone),
    rule({"am", "pm"}, r"(?<=[a-z0-9] )(?P<side>)(?P<part>AM|PM)\b", _beside, exact_case=True),
    rule({"tonight", "tonite"}, r"toni(?:ght|te)\b(?!['’]s)", _night),
    rule({"overnight"}, rf"overnight\b(?!-){_OVERNIGHT}", _night),
)
