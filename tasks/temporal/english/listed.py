"""English days and months of a list with their year at its end: "June 30 and December 31, 2023", "… of each year"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import DAY_OF_MONTH, MONTH, MONTHS, YEAR, S, leading_digits, month
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.spans import Every
from tasks.temporal.meanings.units import month_day
from tasks.temporal.readings import FixedDate, Meaning
from warehouse.records import Grain

_NAME = rf"(?-i:(?=[A-Z]))(?P<month>{MONTH})"
_NEXT = _NAME.replace("?P<month>", "?:")
_AND = rf"(?:\s?,)?{S}(?:and|or|&){S}"
_EACH_YEAR = rf",?{S}(?:of|in){S}(?:each|every){S}(?:calendar{S})?year\b"
_THEIR_YEAR = rf"(?:\s?,{S}|{S}(?:of{S})?)(?P<year>{YEAR})"


def _day(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_day(date(int(match["year"]), month(match["month"]), leading_digits(match["day"]))))


def _month(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_month(int(match["year"]), month(match["month"])))


def _yearly(match: re.Match[str]) -> Every:
    return Every(f"XXXX-{month(match['month']):02}-{leading_digits(match['day']):02}", Grain.DAY, "EACH")


_DAYS = rf"(?:,{S}{DAY_OF_MONTH}){{0,4}}"
_AND_DAY = rf",?{S}(?:and|or|&){S}(?:the{S})?{DAY_OF_MONTH}"
_OWN_YEAR = rf"(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR})"
_NO_COUNT = (
    r"(?=\s{0,3}(?:[.;:!?)\n]|,(?![0-9])|\Z)|\s(?:in|at|for|on|of|to|from|the|with|and|or|when|as|after|before|by|during"
    r"|were|was|will|would|are|is|have|had|but)\b)"
)
"""What follows a day, but not the number of something."""
_LIST = re.compile(
    rf"\b(?P<month>{MONTH}){S}{DAY_OF_MONTH}{_DAYS}(?:,|,?{S}(?:and|or|&)){S}(?:the{S})?\Z", re.IGNORECASE
)
_REACH = 60


def _first(match: re.Match[str]) -> Meaning:
    """The March 3 of "March 3, 4 and 5, 2023"."""
    return _on(month(match["month"]), match["day"], match["year"])


def _next(match: re.Match[str]) -> Meaning | None:
    """The 4 of it, and the 5."""
    found = _LIST.search(match.string[max(0, match.start() - _REACH) : match.start()])
    return _on(month(found["month"]), match["day"], match["year"]) if found else None


def _on(number: int, day: str, year: str | None) -> Meaning:
    found = date(int(year) if year else 2000, number, leading_digits(day))
    return FixedDate(readings.of_day(found)) if year else month_day(number, found.day)


RULES: tuple[GrammarRule, ...] = (
    rule(MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?={_AND}{_NEXT}{S}{DAY_OF_MONTH}{_THEIR_YEAR})", _day),
    rule(
        MONTHS,
        rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?:(?={_AND}{_NEXT}{S}{DAY_OF_MONTH}{_EACH_YEAR})|{_EACH_YEAR})",
        _yearly,
    ),
    rule(MONTHS, rf"{_NAME}(?={_AND}{_NEXT}{_THEIR_YEAR})", _month),
    rule(MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?={_DAYS}{_AND_DAY}(?:{_OWN_YEAR}|{_NO_COUNT}))", _first),
    rule(
        {SHORT_NUMBER},
        rf"(?:(?<=, )|(?<=the ))(?P<day>{DAY_OF_MONTH})(?={_DAYS}{_AND_DAY}(?:{_OWN_YEAR}|{_NO_COUNT}))",
        _next,
    ),
    rule(
        {SHORT_NUMBER},
        rf"(?:(?<=and )|(?<=or )|(?<=& )|(?<=the ))(?P<day>{DAY_OF_MONTH})(?:{_OWN_YEAR}|{_NO_COUNT})",
        _next,
    ),
)
