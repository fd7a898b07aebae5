"""English ranges of days that share a month: "March 4-22, 2023", "4 to 22 March", "the 4th to the 22nd of March"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import MONTH, MONTHS, YEAR, S, month
from tasks.temporal.english.ordinals import ORDINAL_HEADS, ORDINAL_WORD, ordinal
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.spans import Between
from tasks.temporal.meanings.units import month_day
from tasks.temporal.readings import FixedDate, Meaning

_DAY = rf"(?:[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9A-Za-z])|{ORDINAL_WORD})"
_TO = rf"(?:\s?[-–—]\s?|{S}(?:to|through|thru|until|till){S}(?:the{S})?)"
_OR_AND = rf"(?:{_TO}|{S}and{S}(?:the{S})?)"
_YEAR = rf"(?:(?:\s?,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}))"
_NAME = rf"(?P<month>{MONTH})"
_CAPITAL = r"(?:(?-i:(?=[A-Z]))|(?!may|mar))"
"""A month that is also a verb has its capital."""


def day_number(text: str) -> int:
    """The day that "3", "3rd" or "third" names."""
    return int(text.rstrip("sthndrSTHNDR")) if text[0].isdigit() else ordinal(text)


def _span(match: re.Match[str]) -> Meaning:
    number, year = month(match["month"]), match["year"]
    first, last = day_number(match["first"]), day_number(match["last"])
    if not 1 <= first < last:
        raise ValueError(f"{first} is not before {last}")
    date(2000, number, last)
    if not year:
        return Between(month_day(number, first), month_day(number, last))
    return Between(*(FixedDate(readings.of_day(date(int(year), number, day))) for day in (first, last)))


_DAYS = {SHORT_NUMBER, *ORDINAL_HEADS}

RULES: tuple[GrammarRule, ...] = (
    rule(MONTHS, rf"{_NAME}{S}(?:the{S})?(?P<first>{_DAY}){_TO}(?P<last>{_DAY}){_YEAR}", _span),
    rule(MONTHS, rf"{_CAPITAL}{_NAME}{S}(?:the{S})?(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?P<year>)(?!:[0-9])", _span),
    rule(MONTHS, rf"(?<=between ){_NAME}{S}(?P<first>{_DAY}){S}and{S}(?P<last>{_DAY}){_YEAR}?", _span),
    rule(_DAYS, rf"(?P<first>{_DAY}){_TO}(?P<last>{_DAY})(?:{S}of{S}|{S}){_CAPITAL}{_NAME}{_YEAR}?", _span),
    rule(
        _DAYS,
        rf"(?:(?<=between )|(?<=between the ))(?P<first>{_DAY}){_OR_AND}(?P<last>{_DAY}){S}(?:of{S})?{_NAME}{_YEAR}?",
        _span,
    ),
)
