"""English days in numbers without a year: "on 4/22", "Mon 3/4", "5/1-5/7"."""

from __future__ import annotations

import re

from tasks.temporal.english.days import AFTER_WEEKDAY
from tasks.temporal.grammar import MARKED, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.units import NumericDay

_SLASHED = "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("on", "since", "until", "till", "from", "to", "by", "before", "after", "between", "and", "through", "due"),
        *("dated", "this", "next", "last", "for", "back"),
    )
)
_NOT_A_FRACTION = (
    r"(?![0-9A-Za-z%]|[/.,:-][0-9]|\s?(?:of|inch(?:es)?|cups?|teaspoons?|tablespoons?|miles?|hours?|full)\b)"
)


def _slashed(match: re.Match[str]) -> NumericDay:
    return NumericDay(int(match["first"]), int(match["second"]), match["mark"])


RULES: tuple[GrammarRule, ...] = (
    rule(
        {SHORT_NUMBER + MARKED},
        rf"(?:{_SLASHED}|{AFTER_WEEKDAY}|(?<=[/0-9][-–]))(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d){_NOT_A_FRACTION}",
        _slashed,
    ),
    rule(
        {SHORT_NUMBER + MARKED},
        r"(?<![0-9A-Za-z/.-])(?P<first>[0-3]?\d)(?P<mark>/)(?P<second>[0-3]?\d)(?=\s?[-–]\s?[0-3]?\d/[0-3]?\d)",
        _slashed,
    ),
)
