"""How often: "weekly", "twice a month", "three times daily", "6-hourly"."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.english.lexicon import COUNT, NUMBERS, S, any_of, number
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.spans import Every
from warehouse.records import Grain

_PLAIN = {
    "hourly": Every("PT1H", Grain.HOUR),
    "daily": Every("P1D", Grain.DAY),
    "everyday": Every("P1D", Grain.DAY),
    "nightly": Every("XXXX-XX-XXTNI", Grain.PART),
    "weekly": Every("P1W", Grain.WEEK),
    "fortnightly": Every("P2W", Grain.WEEK),
    "monthly": Every("P1M", Grain.MONTH),
    "quarterly": Every("P3M", Grain.QUARTER),
    "annual": Every("P1Y", Grain.YEAR),
    "annually": Every("P1Y", Grain.YEAR),
    "yearly": Every("P1Y", Grain.YEAR),
    "biennial": Every("P2Y", Grain.YEAR),
    "biennially": Every("P2Y", Grain.YEAR),
}
_PREFIXED = {
    ("bi", "weekly"): Every("P2W", Grain.WEEK),
    ("bi", "monthly"): Every("P2M", Grain.MONTH),
    ("semi", "weekly"): Every("P1W", Grain.WEEK, "", "2X"),
    ("semi", "monthly"): Every("P1M", Grain.MONTH, "", "2X"),
    **{
        (prefix, word): Every("P6M", Grain.HALF)
        for prefix in ("bi", "semi")
        for word in ("annual", "annually", "yearly")
    },
}
_OFTEN = _PLAIN | {f"{prefix}{mark}{word}": often for (prefix, word), often in _PREFIXED.items() for mark in ("", "-")}
"""Every word of the rule below, so that none can be read without a meaning."""
_UNITS = {
    "second": ("PT", "S", Grain.SECOND),
    "minute": ("PT", "M", Grain.MINUTE),
    "hour": ("PT", "H", Grain.HOUR),
    "day": ("P", "D", Grain.DAY),
    "week": ("P", "W", Grain.WEEK),
    "fortnight": ("P", "W", Grain.WEEK),
    "weekend": ("P", "WE", Grain.WEEKEND),
    "month": ("P", "M", Grain.MONTH),
    "quarter": ("P", "M", Grain.QUARTER),
    "year": ("P", "Y", Grain.YEAR),
    "decade": ("P", "Y", Grain.DECADE),
}
_SIZES = {"fortnight": 2, "quarter": 3, "decade": 10}
_ONCE = {"once": 1, "twice": 2, "thrice": 3}
UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?\b"
_TIMES = rf"(?P<times>once|twice|thrice|(?:(?P<count>{COUNT})|several|many){S}times)"


def _often(match: re.Match[str]) -> Every:
    return _OFTEN[match[0]]


def period(unit: str, count: int) -> tuple[str, Grain]:
    """The TIMEX3 value of so many units, and the unit."""
    before, symbol, grain = _UNITS[unit.lower()]
    return f"{before}{count * _SIZES.get(unit.lower(), 1)}{symbol}", grain


def _rate(match: re.Match[str]) -> Every:
    """Twice a month: its period, with how often in `freq`."""
    value, grain = period(match["unit"], 1)
    quant = "EVERY" if match["each"].lower() in ("every", "each") else ""
    return Every(value, grain, quant, _frequency(match))


def _spaced(match: re.Match[str]) -> Every:
    """6-hourly."""
    return Every(*period(match["unit"], number(match["count"])))


def _rated(match: re.Match[str]) -> Every:
    """Twice daily."""
    return replace(_PLAIN[match["often"].lower()], quant="", freq=_frequency(match))


def _frequency(match: re.Match[str]) -> str:
    count = _ONCE.get(match["times"].lower().split()[0]) or (number(match["count"]) if match["count"] else "X")
    return f"{count}X"


RULES: tuple[GrammarRule, ...] = (
    rule({*_OFTEN, "bi", "semi"}, rf"(?<![-/]){any_of(_OFTEN)}(?!-|/)(?!\s[A-Z])", _often, exact_case=True),
    rule(
        {"once", "twice", "thrice", "several", "many", SHORT_NUMBER, *NUMBERS},
        rf"{_TIMES}{S}(?P<each>a|an|per|every|each){S}{UNIT}",
        _rate,
    ),
    rule(
        {"hourly", "weekly", "monthly", "yearly"},
        rf"(?P<count>{COUNT})(?:{S}|-)(?P<unit>hour|week|month|year)ly\b",
        _spaced,
        lead=rf"{COUNT}(?:{S}|-)",
    ),
    rule(
        {"daily", "weekly", "monthly", "annually", "yearly"},
        rf"{_TIMES}{S}(?P<often>daily|weekly|monthly|annually|yearly)\b",
        _rated,
        lead=rf"(?:once|twice|thrice|(?:{COUNT}|several|many){S}times){S}",
    ),
    rule({"one", "two", "three"}, rf"(?P<times>(?P<count>one|two|three)){S}(?P<each>a){S}(?P<unit>day)\b", _rate),
)
