"""Days of a month and quarters that leave their year to the anchor: "March 3", "the third quarter", "Q1"."""

from __future__ import annotations

import re
from calendar import monthrange

from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINALS,
    S,
    any_of,
    leading_digits,
    month,
)
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.units import month_day, quarter_of_year
from tasks.temporal.readings import Meaning

_NAME = rf"(?-i:(?=[A-Z]))(?P<month>{MONTH})"
"""A month's name with its capital, for "may" and "march" are common words."""

_QUARTERS = ORDINALS | {"final": 4}
_NTH_NAMED = rf"(?:fiscal(?:{S}|-))?(?P<number>{any_of(_QUARTERS)})"
_NTH = rf"(?:(?:the{S})?{_NTH_NAMED}{S}(?:fiscal{S})?|{_NTH_NAMED.replace('number', 'hyphened')}-(?:fiscal(?:{S}|-))?)"


def _month_day(match: re.Match[str]) -> Meaning | None:
    number, day = month(match["month"]), leading_digits(match["day"])
    return month_day(number, day) if 1 <= day <= monthrange(2000, number)[1] else None


def _quarter(match: re.Match[str]) -> Meaning:
    text = (match["number"] or match["hyphened"]).lower()
    return quarter_of_year(_QUARTERS[text] if text in _QUARTERS else int(text), fiscal="fiscal" in match[0].lower())


RULES: tuple[GrammarRule, ...] = (
    rule(MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?!{S}?[0-9]|,[0-9]|,{S}[12][0-9]{{3}}(?![0-9]))", _month_day),
    rule({SHORT_NUMBER}, rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>{DAY_OF_MONTH})(?:{S}of{S}|{S}){_NAME}", _month_day),
    rule({"q"}, r"Q(?P<number>[1-4])(?P<hyphened>)(?![0-9A-Za-z])", _quarter, exact_case=True),
    rule({"quarter"}, rf"{_NTH}quarter\b", _quarter, lead=_NTH),
)
