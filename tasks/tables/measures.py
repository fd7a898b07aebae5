"""What the figures of a row or column measure, as its label says: it decides whether a table's scale holds for them.

"(in millions)" above a table speaks of its amounts. It does not speak of percentages, of amounts per share or ton, of
years, nor of employees, though those stand in the same columns.
"""

from __future__ import annotations

import re
from enum import Enum


class Measure(Enum):
    """The kinds of figures that a scale treats differently."""

    AMOUNT = "amount"
    PERCENT = "percent"
    PER = "amount per something"
    RATIO = "ratio"
    TIME = "time"
    SHARES = "number of shares"
    COUNT = "number of people or things"
    REFERENCE = "number of a note, or a date"


_NOTE = r"(?:\s?[(\[][^)\]]{0,40}[)\]]|[0-9*†‡§¹²³⁴⁵⁶⁷⁸⁹,.:]){0,4}$"
_NO_MONEY = (
    r"^(?!.*(?:cost|expens|benefit|compensat|payabl|salar|wage|accru|contribut|loan|charg|payment|paid|proceed"
    r"|repurchas|issu|purchas|premium|capital|earnings (?!per)|income|profit|loss|value|liabilit|dividend|tax"
    r"|surrender|withh|exercis|\$))"
)
_NO_EFFECT = r"^(?!.*\b(?:at|impact|effect|changes?|amount|due|differ\w*|adjustments?)\b)"
_RULES: tuple[tuple[Measure, re.Pattern[str]], ...] = tuple(
    (measure, re.compile("|".join(patterns), re.IGNORECASE))
    for measure, patterns in (
        (
            Measure.REFERENCE,
            (
                r"^(?:notes?|ref(?:erence)?s?\.?|pages?|no\.|year|附注|附註|注释|序号|年份)$",
                rf"\b(?:year of|maturity|expir(?:y|ation|es))(?: date| year)?s?{_NOTE}|\bdue (?:date|year)s?{_NOTE}",
            ),
        ),
        (
            Measure.PERCENT,
            (
                r"(?<![0-9])(?<![0-9]\s)[%％]|\bpercent(?:age)?s?\b|\bper cent\b|\bpct\b",
                r"百分比|占比|比例|率(?:[（(]|$)",
            ),
        ),
        (
            Measure.SHARES,
            (
                _NO_MONEY + r".*\b(?:shares|ADSs)\b.*\b(?:outstanding|used|granted|vested)\b",
                _NO_MONEY + r".*\b(?:number of|weighted|basic|diluti?ve|diluted)\b.{0,60}\bshares\b",
                r"\bnumber of (?:\w+ ){0,3}shares\b|^denominator\b|股数|股數|股份数|（股）|万股",
            ),
        ),
        (
            Measure.PER,
            (
                r"(?<![0-9] )\bper\b(?! (?:annum|year)\b)|\bEPS\b|每股|元/",
                r"\b(?:exercise|conversion|strike|average|closing|stock|share) prices?\b",
            ),
        ),
        (
            Measure.RATIO,
            (
                _NO_EFFECT + rf".*\b(?:rate|ratio|yield|multiple|volatility|leverage){_NOTE}",
                rf"[(（](?:x|×|times|倍)[)）]|\bto (?:adjusted )?EBITDA{_NOTE}",
            ),
        ),
        (
            Measure.TIME,
            (
                r"\((?:in )?(?:years|months|days|weeks)\)|[（(][年天月][)）]",
                r"\b(?:expected|useful|average) (?:li(?:fe|ves)|terms?)\b",
            ),
        ),
        (
            Measure.COUNT,
            (
                _NO_MONEY + r".*\b(?:employees|headcount|FTEs?|full[- ]time equivalents?|staff)\b",
                r"\b(?:number|no\.) of\b|人数|人數|员工|員工|数量|數量|[（(][人家个个户台][)）]",
            ),
        ),
    )
)
_LONGEST = 200
"""How much of a label is looked at, in characters."""
_EXCEPT = re.compile(r"\b(?:except|excluding|other than)\b.*|除.*外", re.IGNORECASE)


def measure_of(label: str) -> Measure:
    """What a single label says of its figures; amounts, where it says nothing else."""
    plain = _EXCEPT.sub("", label[:_LONGEST]).strip()
    return next((measure for measure, pattern in _RULES if pattern.search(plain)), Measure.AMOUNT)
