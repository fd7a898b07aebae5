"""European holidays: "Weihnachten 2020", "à Pâques", "la última Navidad", "vóór Kerstmis", "Rosenmontag"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR
from tasks.temporal.european.calendar_dates import step_of, step_words
from tasks.temporal.european.lexicon import EuropeanLexicon, before, either, folded, heads, phrases
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.holidays import Holiday, parse_holiday
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, SteppedUnit, UnitOfYear
from tasks.temporal.readings import Meaning
from warehouse.records import Grain

_NAME_AFTER = re.compile(r"[^\S\n][A-Z]")
_WORD = re.compile(r"[A-Za-z]+")
_REACH = 24


def holiday_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """The holidays of a language: those of its countries and of the churches."""
    days = {name: _recurring(*parse_holiday(day)) for day, line in lexicon.holidays.items() for name in phrases(line)}
    things = frozenset(phrases(lexicon.holiday_things))

    def read(match: re.Match[str]) -> Meaning | None:
        """Not the tree, the market or the person of that name."""
        name, groups = match["name"], match.groupdict()
        lowered = name == name.lower() and folded(name) in lexicon.doubtful_names
        if lowered or not things.isdisjoint(
            _WORD.findall(match.string.lower(), max(0, match.start() - _REACH), match.start())[-2:]
        ):
            return None
        if groups.get("before"):
            return SteppedUnit(days[folded(name)], step_of(match, lexicon.steps_before, {}))
        if groups.get("year"):
            return UnitOfYear(days[folded(name)], Period(Grain.YEAR, int(match["year"])))
        is_name = not lexicon.capitals and _NAME_AFTER.match(match.string, match.end())
        return None if is_name else days[folded(name)]

    name = rf"(?P<name>{either(days)})(?!-)"
    yield make_rule(heads(days), rf"{name}(?:{lexicon.filled}(?P<year>{YEAR})(?![0-9]))?", read)
    steps = step_words(lexicon.steps_before)
    yield make_rule(heads(steps), rf"(?P<before>{before(steps)}){name}", read)


def _recurring(day: Holiday, value: str) -> Recurring:
    return Recurring(Grain.DAY, Grain.YEAR, lambda first: readings.make_day(day(first.year)), value)
