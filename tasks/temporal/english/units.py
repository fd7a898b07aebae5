"""The English names of units of time, and the words that may stand between a number or "last" and a unit."""

from __future__ import annotations

from tasks.temporal.english.lexicon import S, any_of
from warehouse.records import Grain

ONE = {
    "second": Grain.SECOND,
    "minute": Grain.MINUTE,
    "hour": Grain.HOUR,
    "day": Grain.DAY,
    "weekend": Grain.WEEKEND,
    "week": Grain.WEEK,
    "month": Grain.MONTH,
    "quarter": Grain.QUARTER,
    "year": Grain.YEAR,
    "decade": Grain.DECADE,
    "century": Grain.CENTURY,
}
MANY = {f"{name}s": grain for name, grain in ONE.items() if name != "century"} | {"centuries": Grain.CENTURY}
SHORT = {
    "h": Grain.HOUR,
    "sec": Grain.SECOND,
    "secs": Grain.SECOND,
    "min": Grain.MINUTE,
    "mins": Grain.MINUTE,
    "hr": Grain.HOUR,
    "hrs": Grain.HOUR,
    "wk": Grain.WEEK,
    "wks": Grain.WEEK,
    "mo": Grain.MONTH,
    "mos": Grain.MONTH,
    "yr": Grain.YEAR,
    "yrs": Grain.YEAR,
}
"""Units as they stand only after digits: "30 mins"."""

LONG = {name: grain for name, grain in ONE.items() if grain not in (Grain.SECOND, Grain.MINUTE)}
"""The units of which a single one is spoken of as a time: "last year", "the week"."""

KIND = [
    "fiscal",
    "financial",
    "calendar",
    "business",
    "trading",
    "working",
    "straight",
    "consecutive",
    "successive",
    "full",
    "whole",
    "entire",
    "single",
    "solid",
    "additional",
    "more",
    "further",
    "extra",
    "school",
    "academic",
    "tax",
    "short",
    "long",
    "odd",
    "some-odd",
]
KINDS = rf"(?:(?P<kind>{any_of(KIND)}){S})?"
"""A word between "the past five" or "last" and the unit."""

FISCAL = frozenset(("fiscal", "financial"))


def grain_of(unit: str) -> Grain:
    """The grain of a unit in any of its forms."""
    word = unit.lower()
    return ONE.get(word) or MANY.get(word) or SHORT[word]
