"""Expressions that only an anchor dates: "last quarter", "three months ago", "yesterday"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.grammar import SHORT_NUMBER, Reading, Rule, rule
from tasks.temporal.intervals import DAY, add_months
from tasks.temporal.lexicon import COUNT, NUMBERS, S, any_of, number
from tasks.temporal.shifts import ago, resolved, rolling, shifted
from warehouse.records import Grain

_GRAINS = {grain.value: grain for grain in Grain}
_UNIT = "(?P<unit>day|week|month|quarter|year|decade|century)"
_STEPS = {"last": -1, "previous": -1, "prior": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_DAYS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}


def _named_day(match: re.Match[str], anchor: date | None) -> Reading:
    step = _DAYS[match[0].lower()]
    return resolved(anchor, Grain.DAY, lambda day: readings.of_day(day + step * DAY))


def _stepped(match: re.Match[str], anchor: date | None) -> Reading:
    return shifted(anchor, _GRAINS[match["unit"].lower()], _STEPS[match["step"].lower()])


def _year_ago(match: re.Match[str], anchor: date | None) -> Reading:
    """The same unit a year before, as in "the prior-year quarter"."""
    unit = _GRAINS[match["unit"].lower()]
    return resolved(anchor, unit, lambda day: shifted(add_months(day, -12), unit, 0))


def _rolling(match: re.Match[str], anchor: date | None) -> Reading:
    count = number(match["count"]) if match["count"] else 1
    forward = match["way"].lower() in ("next", "coming")
    return rolling(anchor, _GRAINS[match["unit"].lower()], count if forward else -count)


def _ago(match: re.Match[str], anchor: date | None) -> Reading:
    return ago(anchor, _GRAINS[match["unit"].lower()], number(match["count"]))


RULES: tuple[Rule, ...] = (
    rule(_DAYS, rf"{any_of(_DAYS)}", _named_day),
    rule(_STEPS, rf"(?P<step>{any_of(_STEPS)}){S}(?:fiscal{S})?{_UNIT}\b(?!-)", _stepped),
    rule(
        {"prior", "previous", "year"},
        rf"(?:(?:prior|previous)(?:-|{S})year|year-ago|year-earlier){S}{_UNIT}\b",
        _year_ago,
    ),
    rule({"past"}, rf"(?P<way>past){S}(?:(?P<count>{COUNT}){S})?(?:fiscal{S})?{_UNIT}s?\b", _rolling),
    rule(
        {"last", "previous", "prior", "next", "coming"},
        rf"(?P<way>{any_of(_STEPS)}){S}(?P<count>{COUNT}){S}{_UNIT}s\b",
        _rolling,
    ),
    rule({SHORT_NUMBER, *NUMBERS}, rf"(?P<count>{COUNT}){S}{_UNIT}s?{S}(?:ago|earlier)\b", _ago),
)
