"""European holidays: "Weihnachten 2020", "à Pâques", "la última Navidad", "vóór Kerstmis", "Rosenmontag"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR
from tasks.temporal.european.calendar_dates import list_step_words, read_step
from tasks.temporal.european.lexicon import (
    EuropeanLexicon,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.holidays import Holiday, parse_holiday
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, SteppedUnit, UnitOfYear
from tasks.temporal.readings import Meaning
from warehouse.records import Grain

_NAME_AFTER = re.compile(r"[^\S\n][A-Z]")
_WORD = re.compile(r"[A-Za-z]+")
_REACH = 24


def make_holiday_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """The holidays of a language: those of its countries and of the churches."""
    days = {
        name: _make_recurring(*parse_holiday(day))
        for day, line in lexicon.holidays.items()
        for name in split_phrases(line)
    }
    holiday_nouns = frozenset(split_phrases(lexicon.holiday_things))

    def read_holiday(match: re.Match[str]) -> Meaning | None:
        """The holiday; None for the tree, the market or the person of that name."""
        name, groups = match["name"], match.groupdict()
        is_other_word = name == name.lower() and normalize_words(name) in lexicon.doubtful_names
        if is_other_word or not holiday_nouns.isdisjoint(
            _WORD.findall(match.string.lower(), max(0, match.start() - _REACH), match.start())[-2:]
        ):
            return None
        if groups.get("before"):
            return SteppedUnit(days[normalize_words(name)], read_step(match, lexicon.steps_before, {}))
        if groups.get("year"):
            return UnitOfYear(days[normalize_words(name)], Period(Grain.YEAR, int(match["year"])))
        is_name = not lexicon.capitals and _NAME_AFTER.match(match.string, match.end())
        return None if is_name else days[normalize_words(name)]

    name = rf"(?P<name>{match_any_phrase(days)})(?!-)"
    yield make_rule(list_heads(days), rf"{name}(?:{lexicon.filled}(?P<year>{YEAR})(?![0-9]))?", read_holiday)
    steps = list_step_words(lexicon.steps_before)
    yield make_rule(list_heads(steps), rf"(?P<before>{match_leading_phrase(steps)}){name}", read_holiday)


def _make_recurring(day: Holiday, value: str) -> Recurring:
    return Recurring(Grain.DAY, Grain.YEAR, lambda first: readings.make_day(day(first.year)), value)
