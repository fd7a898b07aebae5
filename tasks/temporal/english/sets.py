"""English times that come again: "every other Friday", "each summer", "Sundays", "every Monday at 4pm"."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.english.lexicon import COUNT, MONTH, MONTHS, WEEKDAYS, S, month, number
from tasks.temporal.english.ordinals import ORDINAL_WORD, ordinal
from tasks.temporal.english.rates import UNIT, period
from tasks.temporal.grammar import GrammarRule, JoinedItems, SignalRole, rule
from tasks.temporal.meanings.clocks import Bare, Clock, DayPart, Hours, with_day_part
from tasks.temporal.meanings.spans import Every
from warehouse.records import Grain

_SEASONS = {"spring": "SP", "summer": "SU", "autumn": "FA", "fall": "FA", "winter": "WI"}
_PARTS = {"morning": "MO", "afternoon": "AF", "evening": "EV", "night": "NI"}
_EVERY = r"(?P<every>every|each)"
_WEEKDAY = "|".join((*WEEKDAYS, "weekday"))


def _every(match: re.Match[str]) -> Every:
    count, nth = match["count"], match["nth"]
    size = 2 if match["other"] else ordinal(nth) if nth else number(count) if count else 1
    return Every(*period(match["unit"], size), quant=match["every"].upper())


def _named(match: re.Match[str]) -> Every:
    name, part = match["name"].lower(), match["part"]
    quant = "EVERY OTHER" if match["other"] else match["every"].upper()
    if name in MONTHS:
        return Every(f"XXXX-{month(name):02}", Grain.MONTH, quant)
    return Every(_day_value(name, part), Grain.PART if part else Grain.DAY, quant)


def _day_value(name: str, part: str | None) -> str:
    value = f"XXXX-WXX-{WEEKDAYS[name] + 1}" if name in WEEKDAYS else "XXXX-WXX-WD"
    return f"{value}T{_PARTS[part.lower()]}" if part else value


def _part(match: re.Match[str]) -> Every:
    return Every(f"XXXX-XX-XXT{_PARTS[match['part'].lower()]}", Grain.PART)


def _plural(match: re.Match[str]) -> Every:
    name, part = match["name"].lower(), match["part"]
    if name == "weekend":
        return Every("P1WE", Grain.WEEKEND)
    return Every(_day_value(name, part), Grain.PART if part else Grain.DAY)


def _season(match: re.Match[str]) -> Every:
    quant = "EVERY OTHER" if match["other"] else match["every"].upper()
    return Every(f"XXXX-{_SEASONS[match['season'].lower()]}", Grain.SEASON, quant)


def _at(every: Every, clock: Clock | Hours | Bare) -> Every | None:
    """Every Monday at 4pm."""
    found = clock.clock if isinstance(clock, Bare) else clock
    if found is None or every.grain not in (Grain.DAY, Grain.PART):
        return None
    day, _, part = every.value.partition("T")
    if part:
        found = with_day_part(found, DayPart(part, Grain.PART))
    day = "XXXX-XX-XX" if day == "P1D" else day
    return replace(every, value=found.on(day), grain=found.grain)


_HOW_MANY = rf"(?:(?P<other>other|second){S}|(?P<nth>{ORDINAL_WORD}){S}|(?P<count>{COUNT})(?:{S}|-)|few{S}|single{S})?"
_OTHER = rf"(?:(?P<other>other|second){S}|single{S})?"
_PART_OF = rf"(?:{S}(?P<part>morning|afternoon|evening|night)"

RULES: tuple[GrammarRule, ...] = (
    rule({"every", "each"}, rf"{_EVERY}{S}{_HOW_MANY}{UNIT}(?!-)", _every),
    rule({"every", "each"}, rf"{_EVERY}{S}{_OTHER}(?P<name>{_WEEKDAY}|{MONTH})\b{_PART_OF}\b)?", _named),
    rule({"every", "each"}, rf"{_EVERY}{S}{_OTHER}(?P<part>morning|afternoon|evening|night)\b", _part),
    rule({*(f"{day}s" for day in WEEKDAYS), "weekdays"}, rf"(?P<name>{_WEEKDAY})s\b{_PART_OF}s?\b)?", _plural),
    rule({*WEEKDAYS, "weekday"}, rf"(?P<name>{_WEEKDAY}){_PART_OF}s\b)", _plural),
    rule(
        {"weekends"},
        r"(?:(?<=\bon )|(?<=\bat )|(?<=nights and )|(?<=days and ))(?P<part>)(?P<name>weekend)s\b",
        _plural,
    ),
    rule(
        {"mornings", "evenings", "afternoons", "nights"},
        r"(?<=\bon |\bin )(?P<part>morning|afternoon|evening|night)s\b",
        _part,
    ),
    rule(
        {"mornings", "evenings", "afternoons", "nights"},
        rf"the{S}(?P<part>morning|afternoon|evening|night)s\b",
        _part,
        lead=rf"(?<=\bin )the{S}",
    ),
    rule({"every", "each"}, rf"{_EVERY}{S}{_OTHER}(?P<season>{'|'.join(_SEASONS)})\b", _season),
)
_TIME = re.compile(r",?\s{1,3}(?:from\s|at\s|in\sthe\s)?", re.IGNORECASE)
_DAYS = re.compile(r",?\s{1,3}(?:on\s)?", re.IGNORECASE)
TIMES: tuple[JoinedItems, ...] = (
    JoinedItems((Every, (Clock, Hours)), _at, _TIME),
    JoinedItems((Every, SignalRole.AT, Bare), lambda every, _at_word, number: _at(every, number), _TIME),
    JoinedItems(((Clock, Hours), Every), lambda clock, every: _at(every, clock), _DAYS),
)
