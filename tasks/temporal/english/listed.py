"""English days and months of a list with their year at its end: "June 30 and December 31, 2023", "… of each year"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import DAY_OF_MONTH, MONTH, MONTHS, YEAR, S, leading_digits, month
from tasks.temporal.grammar import Rule, rule
from tasks.temporal.meanings.contract import Fixed
from tasks.temporal.meanings.lengths import Every
from warehouse.records import Grain

_NAME = rf"(?-i:(?=[A-Z]))(?P<month>{MONTH})"
_NEXT = _NAME.replace("?P<month>", "?:")
_AND = rf"(?:\s?,)?{S}(?:and|or|&){S}"
_EACH_YEAR = rf",?{S}(?:of|in){S}(?:each|every){S}(?:calendar{S})?year\b"
_THEIR_YEAR = rf"(?:\s?,{S}|{S}(?:of{S})?)(?P<year>{YEAR})"


def _day(match: re.Match[str]) -> Fixed:
    return Fixed(readings.of_day(date(int(match["year"]), month(match["month"]), leading_digits(match["day"]))))


def _month(match: re.Match[str]) -> Fixed:
    return Fixed(readings.of_month(int(match["year"]), month(match["month"])))


def _yearly(match: re.Match[str]) -> Every:
    return Every(f"XXXX-{month(match['month']):02}-{leading_digits(match['day']):02}", Grain.DAY, "EACH")


RULES: tuple[Rule, ...] = (
    rule(MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?={_AND}{_NEXT}{S}{DAY_OF_MONTH}{_THEIR_YEAR})", _day),
    rule(
        MONTHS,
        rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?:(?={_AND}{_NEXT}{S}{DAY_OF_MONTH}{_EACH_YEAR})|{_EACH_YEAR})",
        _yearly,
    ),
    rule(MONTHS, rf"{_NAME}(?={_AND}{_NEXT}{_THEIR_YEAR})", _month),
)
