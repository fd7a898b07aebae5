"""The English words of the grammar, as numbers and as fragments of regular expressions.

Fragments hold no unbounded quantifier, so a rule looks only a fixed distance ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}

WEEKDAYS = {
    name: number
    for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
}

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_ONES = {
    word: number
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        1,
    )
}
_TENS = {
    word: number * 10
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
NUMBERS = _ONES | _TENS


def any_of(words: Iterable[str]) -> str:
    """A group that matches one whole word, the longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b"


S = r"[^\S\n]{0,3}\s"
"""White space inside an expression: at most one line break, so never a paragraph's end."""

MONTH = rf"(?:{any_of(MONTH_NAMES)}|{any_of(set(MONTHS) - set(MONTH_NAMES))}\.?)"
WEEKDAY = any_of(WEEKDAYS)
YEAR = r"[12][0-9]{3}(?![0-9A-Za-z])"
SHORT_YEAR = r"(?:[12][0-9]{3}|['’]?[0-9]{2})(?![0-9A-Za-z])"
SEASON = rf"(?:{S}|-)(?:seasons?|school|academic|campaign|fiscal|financial|term|edition|budget|winter|tax)\b"
"""What follows two years that run into each other: the 2011-12 season is no month."""
DAY_OF_MONTH = r"[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9A-Za-z])"
_BELOW_HUNDRED = rf"(?:{any_of(_TENS)}(?:[ -]{any_of(_ONES)})?|{any_of(_ONES)})"
NUMBER_WORDS = (
    rf"(?=[A-Za-z])(?:(?:(?:an?|{_BELOW_HUNDRED}){S})?hundred(?:{S}(?:and{S})?{_BELOW_HUNDRED})?|(?:half{S})?a{S}dozen"
    rf"|{_BELOW_HUNDRED})"
)
COUNT = rf"(?:[0-9]{{1,3}}|{NUMBER_WORDS})"


def number(text: str) -> int:
    """The number that digits or a match of `NUMBER_WORDS` name."""
    if text.isdigit():
        return int(text)
    total = 0
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            total = max(total, 1) * 100
        elif word == "dozen":
            total = 6 if text.lower().startswith("half") else 12
        else:
            total += NUMBERS.get(word, 0)
    return total


def month(text: str) -> int:
    """The number of a month's name, whole or shortened."""
    return MONTHS[text.lower().rstrip(".")]


def leading_digits(text: str) -> int:
    """The day that "3", "3rd" or "03" names."""
    return int(text.rstrip("sthndrSTHNDR"))
