"""Units that the text before them dates: "that day", "the week", "the day before", "the same period last year"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import S, any_of, number
from tasks.temporal.english.units import FISCAL, KINDS, LONG, ONE, grain_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.offsets import Compared, Corresponding, Origin, Shift
from tasks.temporal.meanings.units import weekend
from tasks.temporal.readings import Meaning
from warehouse.records import Grain

_TIMES = ("period", "time", "point")
_UNIT = rf"(?P<unit>{any_of(LONG)})"

_HOLDERS = (
    *("end", "half", "rest", "beginning", "start", "middle", "remainder", "part", "months", "weeks", "days", "month"),
    *("week", "day", "quarter", "quarters", "most", "much", "close", "course", "balance", "turn", "ends", "all"),
)
_OF_WHAT = "(?:(?<!of )|" + "|".join(rf"(?<=\b{word} of )" for word in _HOLDERS) + ")"
"""The end of the year, but not the player of the year."""

# "The day of reckoning", "the year that changed us", "the year 2000".
_DEFINED = r"(?:of|that|when|where|after|before|which|to|ended|ending|one|two|care|job|off|[0-9])"
_NOT_OF = rf"(?!-|['’]s{S}(?:eve|day)\b|{S}{_DEFINED})"
_EARLY_IN = r"(?:(?<=late in )|(?<=later in )|(?<=early in )|(?<=earlier in ))"
_YEAR_AGO = (
    rf"(?:(?:the|an?){S})?(?:(?:prior|previous|preceding|last)(?:-|{S})year(?:['’]s)?|year(?:-|{S})(?:ago|earlier)){S}"
)
_SIDE = r"(?P<side>before|after|earlier|later|previous|prior|following)"
_REACH = 50
_COMPARISON = re.compile(
    r"\b(?:from|with|than|over|versus|vs\.?|to|against)\s(?:(?:a\s(?:loss|profit|gain)\sof\s)?[^\sA-Za-z]{0,3}[0-9][0-9.,]{0,9}%?\s"
    r"(?:[a-z]{2,10}\s){0,3})?\Z"
)
"""A year ago after these is the period that is compared: "down from 8.3 percent a year ago"."""
_LIKE = (
    rf"(?:(?:the|this|that){S})?(?:very{S})?(?P<like>same|comparable|corresponding|equivalent|like){S}"
    rf"(?:(?:three|six|nine|twelve|fiscal)(?:-|{S})(?:months?{S})?)?"
)


def _told(match: re.Match[str]) -> Meaning:
    """The weekend is the one that the sentence's tense asks for."""
    grain, fiscal = grain_of(match["unit"]), (match["kind"] or "").lower() in FISCAL
    return weekend() if grain is Grain.WEEKEND else Shift(grain, 0, Origin.TOLD, fiscal=fiscal)


def _year_ago(match: re.Match[str]) -> Meaning:
    """The same unit a year before, as in "the prior-year quarter"."""
    if match["unit"].lower() == "period":
        return Corresponding(Shift(Grain.YEAR, -1, Origin.TOLD))
    return Shift(grain_of(match["unit"]), 0, Origin.TOLD, back=12)


def _beside(match: re.Match[str]) -> Meaning:
    """The day before, where no time follows that it would be before."""
    count = 1 if match["side"].lower() in ("after", "later", "following") else -1
    return Shift(grain_of(match["unit"]), count, Origin.TOLD)


def _same(match: re.Match[str]) -> Meaning:
    unit = match["unit"].lower()
    return Corresponding(None, None if unit in _TIMES else grain_of(unit), alone=match["like"].lower() == "same")


def _compared(match: re.Match[str]) -> Meaning | None:
    """Where a figure, or nothing, stands between it and "from" or "compared with"."""
    if not _COMPARISON.search(match.string[max(0, match.start() - _REACH) : match.start()]):
        return None
    count = number(match["count"]) if match["count"].lower() not in ("a", "one") else 1
    return Compared(count, Origin.WRITTEN if match["way"].lower() == "ago" else Origin.TOLD)


RULES: tuple[GrammarRule, ...] = (
    rule(LONG, rf"the{S}(?P<kind>){_UNIT}(?!-)", _told, lead=rf"{_EARLY_IN}the{S}"),
    rule(LONG, rf"the{S}{KINDS}{_UNIT}{_NOT_OF}", _told, lead=rf"{_OF_WHAT}the{S}{KINDS}"),
    rule({*ONE, "period"}, rf"{_YEAR_AGO}(?P<unit>{any_of({*ONE, 'period'})})", _year_ago, lead=_YEAR_AGO),
    rule(LONG, rf"the{S}{_UNIT}{S}{_SIDE}(?={S}?(?:[.,;:)]|$|and\b|but\b))", _beside, lead=rf"the{S}"),
    rule({*LONG, *_TIMES}, rf"{_LIKE}(?P<unit>{any_of({*LONG, *_TIMES})})(?!-)", _same, lead=_LIKE),
    rule(
        {"year", "years"},
        rf"(?P<count>a|one|two|three|five){S}years?{S}(?P<way>ago|earlier|before)\b",
        _compared,
        lead=rf"(?:a|one|two|three|five){S}",
    ),
    rule({"year"}, r"year-(?:ago|earlier)\b", lambda _: Compared(1, Origin.TOLD)),
    rule(_TIMES, rf"(?P<like>this){S}(?P<unit>{any_of(_TIMES)})", _same, lead=rf"this{S}"),
)
