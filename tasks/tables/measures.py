"""What the figures of a row or column measure, as its label says: it decides whether a table's scale holds for them.

"(in millions)" above a table speaks of its amounts. It does not speak of percentages, of amounts per share or ton, of
years, nor of employees, though those stand in the same columns.
"""

from __future__ import annotations

import re
from enum import Enum


class FigureKind(Enum):
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
_KIND = (
    r"(?:[ -]*(?:weighted|average|total|adjusted|basic|diluted|pro forma|non-gaap|gaap|and|common|ordinary|class [a-c]"
    r"|equity|of|the|in|assumed|dilutive|number|treasury)\b){0,8}[ -]*"
)
_NO_EFFECT = r"^(?!.*\b(?:at|impact|effect|changes?|amount|due|differ\w*|adjustments?)\b)"
_RULES: tuple[tuple[FigureKind, re.Pattern[str]], ...] = tuple(
    (measure, re.compile("|".join(patterns), re.IGNORECASE))
    for measure, patterns in (
        (
            FigureKind.REFERENCE,
            (
                r"^(?:notes?|ref(?:erence)?s?\.?|pages?|no\.|year|附注|附註|注释|序号|年份)$",
                rf"\b(?:year of|(?<!\bto[ -])(?<!original )maturity|expir(?:y|ation|es))(?: date| year)?s?{_NOTE}",
                rf"\bdue (?:date|year)s?{_NOTE}",
            ),
        ),
        (
            FigureKind.PERCENT,
            (
                r"(?<![0-9])(?<![0-9]\s)[%％]|\bpercent(?:age)?s?\b|\bper cent\b|\bpct\b",
                r"百分比|占比|比例|率(?:[（(]|$)",
            ),
        ),
        (
            FigureKind.SHARES,
            (
                rf"^(?:total )?shares{_NOTE}",
                rf"^{_KIND}(?:weighted|average|number|basic|diluted)\b{_KIND}(?:shares|ADSs)\b(?! (?:price|value))",
                rf"^{_KIND}(?:shares|ADSs) (?:outstanding|in issue)\b",
                _NO_MONEY + r".*\b(?:shares|ADSs)\b.*\b(?:outstanding|used|granted|vested)\b",
                _NO_MONEY + r".*\b(?:number of|weighted|basic|diluti?ve|diluted)\b.{0,60}\bshares\b",
                r"\bnumber of (?:\w+ ){0,3}shares\b|^denominator\b|股数|股數|股份数|（股）|万股",
            ),
        ),
        (
            FigureKind.PER,
            (
                r"(?<![0-9] )(?<!as )\bper\b(?! (?:annum|year|cent)\b)|\bEPS\b|每股|元/|\bcents/share\b",
                r"\b(?:exercise|conversion|strike|average|closing|stock|share) prices?\b",
                r"\bgrant[- ]date fair values?\b",
            ),
        ),
        (
            FigureKind.RATIO,
            (
                _NO_EFFECT + rf".*\b(?:rate|ratio|yield|multiple|volatility|leverage){_NOTE}",
                rf"[(（](?:x|×|times|倍)[)）]|\bto (?:adjusted )?EBITDA{_NOTE}",
            ),
        ),
        (
            FigureKind.TIME,
            (
                r"\((?:in )?(?:years|months|days|weeks)\)|[（(][年天月][)）]",
                r"\b(?:expected|useful|average) (?:li(?:fe|ves)|terms?)\b",
            ),
        ),
        (
            FigureKind.COUNT,
            (
                _NO_MONEY + r".*\b(?:employees|headcount|FTEs?|full[- ]time equivalents?|staff)\b",
                r"\b(?:number|no\.) of\b|人数|人數|员工|員工|数量|數量|[（(][人家个个户台][)）]",
            ),
        ),
    )
)
_PAR_VALUE = re.compile(r"\bpar value\b[^,;]{0,60}?\bper (?:\w+ ){0,2}share\b", re.IGNORECASE)
_STATED = re.compile(
    r"[$€£¥]?\s?[0-9][0-9.,/¹²³₀-₉⁄]*\s?(?:¢|cents?|p)?\s*per (?:\w+ ){0,2}(?:share|unit|ADS)\b", re.IGNORECASE
)
"""An amount per share that a label tells beside its own: "Dividends, $0.92 per share"."""
_PURPOSE = re.compile(
    r"(?<=[a-z)])[,\s]+"
    r"(?:used|for (?:the )?(?:purposes? of|calculat\w+|comput\w+|(?:basic|diluted)\b.*\b(?:per|EPS)))\b.*",
    re.IGNORECASE,
)
"""What a figure is used for: shares, or income, "used to compute net income per share"."""
_AMOUNT = re.compile(r"\b(?:income|earnings|profit|ebit(?:da)?|revenues?|sales|loss(?:es)?|cash flow)\b", re.IGNORECASE)
_LISTED = re.compile(r",|;|\b(?:and|or)\b|&")
_TIME_WORDS = re.compile(
    r"[0-9\W_]+|\b(?:(?:three|six|nine|twelve|first|second|third|fourth|full|fiscal|calendar|year|quarter|month|week|day"
    r"|half|ended|ending|end|as|of|at|for|the|to|date|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|q|h|fy|unaudited"
    r"|audited|january|february|march|april|august|september|october|november|december)s?\b)|[年月日季度第上下半一二三四]",
    re.IGNORECASE,
)
_LONGEST = 200
"""How much of a label is looked at, in characters."""
_EXCEPT = re.compile(r"\b(?:except|excluding|other than)\b.*|除.*外", re.IGNORECASE)


def measure_of(label: str) -> FigureKind:
    """What a single label says of its figures; amounts, where it says nothing else."""
    plain = _EXCEPT.sub("", label[:_LONGEST])
    for pattern in (_PAR_VALUE, _STATED, _PURPOSE):
        plain = pattern.sub("", plain)
    plain = plain.strip()
    found = next((measure for measure, pattern in _RULES if pattern.search(plain)), FigureKind.AMOUNT)
    return FigureKind.AMOUNT if found is FigureKind.PER and is_mixed(plain) else found


def is_mixed(label: str) -> bool:
    """Whether a label lists amounts and amounts per share side by side: "EBITDA, net income and EPS"."""
    parts = [part for part in _LISTED.split(label[:_LONGEST]) if re.search(r"[^\W\d_]{2}", part)]
    per = [part for part in parts if re.search(r"\bEPS\b|\bper (?:\w+ )?share\b", part, re.IGNORECASE)]
    return 0 < len(per) < len(parts) and all(_AMOUNT.search(part) for part in parts if part not in per)


def speaks_of_time(label: str) -> bool:
    """Whether a header says a time and nothing else."""
    return not _TIME_WORDS.sub("", label)
