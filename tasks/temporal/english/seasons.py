"""English seasons: "the summer of 2009", "last winter", "this spring"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import SHORT_YEAR, S
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, Stepped
from tasks.temporal.meanings.units import OfYear, season_of_year
from tasks.temporal.readings import Meaning, full_year
from warehouse.records import Grain

_INDEX = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "that": 0, "next": 1, "coming": 1, "following": 1}
_HEADS = {*_INDEX, "springtime", "summertime", "wintertime"}
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)(?:time)?\b"
_THE = rf"(?:the{S})?"
_STEP = rf"(?:(?:the|this){S})?(?P<step>last|past|previous|this|that|next|coming|following){S}"
_NOT_A_NOUN = (
    r"(?!-|['’]s\b|\s(?:of(?!\s(?:last|this|next|that|[12][0-9]{3}))|from|apart|into|short|out|in\s(?:love|prices|the"
    r"\s(?:price|value))|olympics?|games|palace|water|rolls?|loaded|break|street|camps?|house|guy|line|onions?)\b)"
)
_WHEN = "|".join(rf"(?<=\b{word} )" for word in ("in", "during", "by", "since", "until", "through", "of", "over"))
_PLAIN_WHEN = "|".join(rf"(?<=\b{word} )" for word in ("in", "during", "by", "since", "until", "early", "late", "mid"))


def _season(match: re.Match[str]) -> Recurring:
    return season_of_year(_INDEX[match["season"].lower()])


def _stepped(match: re.Match[str]) -> Meaning:
    """A winter belongs to two years: this winter is the one that runs, or the near one."""
    if match["season"].lower() == "winter" and _STEPS[match["step"].lower()] == 0:
        return _season(match)
    return Stepped(_season(match), _STEPS[match["step"].lower()])


def _of_year(match: re.Match[str]) -> Meaning:
    return OfYear(_season(match), Period(Grain.YEAR, full_year(match["year"].lstrip("'’")), 1))


RULES: tuple[GrammarRule, ...] = (
    rule(_HEADS, rf"{_STEP}{_SEASON}{_NOT_A_NOUN}", _stepped, lead=_STEP),
    rule(
        _HEADS,
        rf"{_THE}{_SEASON}(?:{S}of{S}|,?{S})(?P<year>{SHORT_YEAR}(?<![^'’0-9][0-9]{{2}}))(?:[-/–][0-9]{{2,4}}(?![0-9]))?",
        _of_year,
        lead=_THE,
    ),
    rule({"summer", "autumn", "winter"}, rf"the{S}{_SEASON}{_NOT_A_NOUN}", _season, lead=rf"the{S}"),
    rule({"spring", "fall"}, rf"the{S}{_SEASON}{_NOT_A_NOUN}", _season, lead=rf"(?:{_WHEN})the{S}"),
    rule({"summer", "autumn", "winter"}, rf"(?:{_PLAIN_WHEN}){_SEASON}{_NOT_A_NOUN}", _season),
    rule({"spring"}, rf"(?:{_PLAIN_WHEN}){_SEASON}(?!\s[a-z]){_NOT_A_NOUN}", _season),
)
