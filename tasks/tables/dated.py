"""What the words around a date say of it: whether it is a time at all, and whether it is all that a label says."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import MONTH_NAMES

_THING = re.compile(
    r"\s*(?:senior|convertible|notes?|bonds?|plans?|acts?|program(?:me)?s?|agreements?|facilit|debentures?|term loan"
    r"|credit|indenture|awards?|grants?|series|tranche|repurchase|acquisitions?|restructuring|equity|directors?)\b",
    re.IGNORECASE,
)
"""After a year: what it names is then a thing, not a time ("2018 Plan")."""
_OPEN_BEFORE = re.compile(
    r"\b(?:after|before|beyond|since|until|through|prior to|due|expir\w+)(?: in)?[\s:(]*$", re.IGNORECASE
)
_OPEN_AFTER = re.compile(
    r"\s*(?:(?:and|or|&)\s(?:thereafter|beyond|after|later|earlier|prior|before|subsequent)|\+|[及和]?以[后後前]"
    r"|[0-9]{1,2}\s?[-–~至]|止)",
    re.IGNORECASE,
)
"""After a date: it is the end of an open time, or only the beginning of an expression that is not understood."""
_LEADS_IN = re.compile(
    r"(?:|.*(?:\b(?:at|as of|on|ended|ending|for|in|during)|[:,(–—-]))\s*(?:the )?"
    r"(?:(?:total|fiscal|calendar|balances?|years?|quarter|period|month|actual|forecast)\s?)*",
    re.IGNORECASE,
)
"""What may stand before a date in a row's label for the row to be of that date."""
_LEADS_OUT = re.compile(r"(?:[\s)*†‡:,.;¹²³⁴⁵⁶⁷⁸⁹]|\([^)]{0,30}\)|\[[^\]]{0,9}\]|年?[末底]|余额|合计)*")
_LOOSE = ("three", "six", "nine", "twelve", "months", "weeks", "ended")
_LETTERSPACED = tuple((re.compile(r"\b" + r"\s?".join(word) + r"\b", re.IGNORECASE), word) for word in _LOOSE)
_NUMERIC_DAY = re.compile(r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})/((?:19|20)[0-9]{2})(?![0-9/])")
_SPACED_YEAR = re.compile(r"(?<![0-9] )(?<![0-9])([12]) ([0-9]) ([0-9]) ([0-9])(?! ?[0-9])")


def spelled(part: str, day_order: str) -> str:
    """A header as the tagger reads it: letters that stand apart together again, numeric days with their month's name.

    "2 0 1 9", "Three M on ths E nded" and "3/25/2023" become 2019, "three months ended" and "March 25, 2023"; the last
    is read month first unless `day_order` (`Attributes.day_order`) says otherwise.
    """
    for pattern, word in _LETTERSPACED:
        part = pattern.sub(word, part)
    named = _day_first if day_order.startswith("day") else _month_first
    return _NUMERIC_DAY.sub(named, _SPACED_YEAR.sub(r"\1\2\3\4", part))


def _month_first(match: re.Match[str]) -> str:
    return _named(int(match[1]), int(match[2]), match)


def _day_first(match: re.Match[str]) -> str:
    return _named(int(match[2]), int(match[1]), match)


def _named(month: int, day: int, match: re.Match[str]) -> str:
    return f"{MONTH_NAMES[month - 1].title()} {day}, {match[3]}" if 1 <= month <= 12 else match[0]


def is_time(start: int, end: int, text: str) -> bool:
    """Whether what stands from `start` to `end` is a time, and not part of a name or an open time."""
    after = text[end:]
    return not (_THING.match(after) or _OPEN_AFTER.match(after) or _OPEN_BEFORE.search(text[:start]))


def is_label(start: int, end: int, text: str) -> bool:
    """Whether there is nothing else in a row's label."""
    fills = _LEADS_IN.fullmatch(text[:start]) and _LEADS_OUT.fullmatch(text[end:])
    return bool(fills) and is_time(start, end, text)
