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

NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "twenty": 20,
    "thirty": 30,
    "fifty-two": 52,
    "fifty-three": 53,
}

UNITS = ("day", "week", "month", "quarter", "half", "year", "decade", "century")


def any_of(words: Iterable[str]) -> str:
    """A group that matches one whole word, the longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b"


S = r"[^\S\n]{0,3}\s"
"""White space inside an expression: at most one line break, so never a paragraph's end."""

MONTH = any_of(MONTHS) + r"\.?"
WEEKDAY = any_of(WEEKDAYS)
YEAR = r"[12][0-9]{3}(?![0-9A-Za-z])"
SHORT_YEAR = r"(?:[12][0-9]{3}|['’]?[0-9]{2})(?![0-9A-Za-z])"
DAY_OF_MONTH = r"[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9A-Za-z])"
COUNT = rf"(?:[0-9]{{1,3}}|{any_of(NUMBERS)})"


def number(text: str) -> int:
    """The number that digits or a number word of the lexicon name."""
    word = text.lower()
    return int(word) if word.isdigit() else NUMBERS[word]


def month(text: str) -> int:
    """The number of a month's name, whole or shortened."""
    return MONTHS[text.lower().rstrip(".")]


def leading_digits(text: str) -> int:
    """The day that "3", "3rd" or "03" names."""
    return int(text.rstrip("sthndrSTHNDR"))
