"""The English words of the grammar, as numbers, units and fragments of regular expressions.

Fragments have no unbounded quantifier, so a rule reads only a fixed distance ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from warehouse.records import Grain


def match_any(words: Iterable[str]) -> str:
    """A group that matches one whole word, the longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b"


def match_before(*words: str) -> str:
    """A look-behind for one of the words and a space."""
    return "|".join(rf"(?<=\b{word} )" for word in words)


S = r"[^\S\n]{0,3}\s"  # White space inside an expression: at most one line break, so never a paragraph's end.

MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
    "december",
)
MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
MONTH = rf"(?:{match_any(MONTH_NAMES)}|{match_any(set(MONTHS) - set(MONTH_NAMES))}\.?)"

_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAY_NAMES)}
WEEKDAY = match_any(WEEKDAYS)

YEAR = r"[12][0-9]{3}(?![0-9A-Za-z])"
SHORT_YEAR = r"(?:[12][0-9]{3}|['’]?[0-9]{2})(?![0-9A-Za-z])"
ESTIMATED = r"(?:(?-i:[AEFP])(?![0-9A-Za-z])|(?![0-9A-Za-z]))"
"""The end of a year's number, or the letter of an actual, estimated, forecast or projected figure after it: 2025E."""
DAY_OF_MONTH = r"[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9A-Za-z])"
SEASON = rf"(?:{S}|-)(?:seasons?|school|academic|campaign|fiscal|financial|term|edition|budget|winter|tax)\b"
"""Words after two consecutive years: the 2011-12 season is not a month."""
CAPITAL = r"(?-i:(?=[A-Z]))"  # For months that are common words as well: "may", "march".


def parse_month(text: str) -> int:
    """The number of a month's name, whole or shortened."""
    return MONTHS[text.lower().rstrip(".")]


def parse_day_number(text: str) -> int:
    """The day that "3", "3rd" or "03" names."""
    return int(text.rstrip("sthndrSTHNDR"))


_UNTIL_NINETEEN = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS_NAMES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = {word: number for number, word in enumerate(_UNTIL_NINETEEN, 1)}
_TENS = {word: number * 10 for number, word in enumerate(_TENS_NAMES, 2)}
NUMBERS = _ONES | _TENS
_BELOW_HUNDRED = rf"(?:{match_any(_TENS)}(?:[ -]{match_any(_ONES)})?|{match_any(_ONES)})"
NUMBER_WORDS = (
    rf"(?=[A-Za-z])(?:(?:(?:an?|{_BELOW_HUNDRED}){S})?hundred(?:{S}(?:and{S})?{_BELOW_HUNDRED})?|(?:half{S})?a{S}dozen"
    rf"|{_BELOW_HUNDRED})"
)
COUNT = rf"(?:[0-9]{{1,3}}|{NUMBER_WORDS})"


def parse_number(text: str) -> int:
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


QUARTER_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_SIMPLE_NAMES = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)
_SIMPLE_ORDINALS = {word: count for count, word in enumerate(_SIMPLE_NAMES, 1)} | {"twentieth": 20, "thirtieth": 30}
_ORDINAL_TENS = {"twenty": 20, "thirty": 30}
_ORDINALS = _SIMPLE_ORDINALS | {
    f"{tens}{mark}{word}": count + _SIMPLE_ORDINALS[word]
    for mark in "- "
    for tens, count in _ORDINAL_TENS.items()
    for word in _SIMPLE_NAMES[:9]
}
ORDINAL_WORD = match_any(_ORDINALS)
ORDINAL_HEADS = frozenset((*_SIMPLE_ORDINALS, *_ORDINAL_TENS))


def parse_ordinal(text: str) -> int:
    """The number of an `ORDINAL_WORD`, or of digits: "22nd"."""
    return parse_day_number(text) if text[0].isdigit() else _ORDINALS[" ".join(text.lower().split())]


_UNDER_TEN = match_any(word for word, count in NUMBERS.items() if count < 10)
_TEEN = match_any(word for word, count in NUMBERS.items() if 10 <= count < 20)
_OVER_TEN = rf"(?:{match_any(word for word, count in NUMBERS.items() if count >= 20)}(?:[ -]{_UNDER_TEN})?|{_TEEN})"
_CENTURIES = {"seventeen": 1700, "eighteen": 1800, "nineteen": 1900, "twenty": 2000}
YEAR_WORDS = (
    rf"(?:{match_any(_CENTURIES)}[ -](?:{_OVER_TEN}|oh[ -]{_UNDER_TEN})"
    rf"|(?:one|two){S}thousand(?:{S}{_UNDER_TEN}{S}hundred)?(?:{S}(?:and{S})?(?:{_OVER_TEN}|{_UNDER_TEN}))?)"
)
"""A year in words: "nineteen ninety-nine", "two thousand and eighteen"."""
YEAR_HEADS = frozenset((*_CENTURIES, "one", "two"))


def parse_year(text: str) -> int:
    """The year that digits or `YEAR_WORDS` name."""
    if text.isdigit():
        return int(text)
    words = text.lower().replace("-", " ").split()
    if "thousand" not in words:
        return _CENTURIES[words[0]] + parse_number(" ".join(words[1:]))
    place = words.index("thousand")
    return 1000 * parse_number(words[0]) + parse_number(" ".join(words[place + 1 :]))


UNITS = {
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
PLURAL_UNITS = {f"{name}s": grain for name, grain in UNITS.items() if name != "century"} | {"centuries": Grain.CENTURY}
SHORT_UNITS = {
    "h": Grain.HOUR,
    **dict.fromkeys(("sec", "secs"), Grain.SECOND),
    **dict.fromkeys(("min", "mins"), Grain.MINUTE),
    **dict.fromkeys(("hr", "hrs"), Grain.HOUR),
    **dict.fromkeys(("wk", "wks"), Grain.WEEK),
    **dict.fromkeys(("mo", "mos"), Grain.MONTH),
    **dict.fromkeys(("yr", "yrs"), Grain.YEAR),
}
"""Units that are used only after digits: "30 mins"."""
LONG_UNITS = {name: grain for name, grain in UNITS.items() if grain not in (Grain.SECOND, Grain.MINUTE)}
"""The units of which a single one is a time: "last year", "the week"."""
_UNIT_KINDS = (
    *("fiscal", "financial", "calendar", "business", "trading", "working", "straight", "consecutive", "successive"),
    *("full", "whole", "entire", "single", "solid", "additional", "more", "further", "extra", "school", "academic"),
    *("tax", "short", "long", "odd", "some-odd"),
)
KIND = rf"(?:(?P<kind>{match_any(_UNIT_KINDS)}){S})?"  # A word between "the past five" or "last" and the unit.
FISCAL = frozenset(("fiscal", "financial"))


def match_unit(units: Iterable[str]) -> str:
    """The group `unit`, which matches one of the names."""
    return f"(?P<unit>{match_any(units)})"


def parse_grain(unit: str) -> Grain:
    """The grain of a unit in any of its forms."""
    word = unit.lower()
    return UNITS.get(word) or PLURAL_UNITS.get(word) or SHORT_UNITS[word]


_OFFSET = r"(?:\s?(?P<offset>[+-]\s?[01]?\d(?::?[0-5]\d)?)(?!\d))?"
NAMED_ZONE = r"(?-i:[ECMP][SD]?T|CES?T|[BIJM]ST|HKT|SGT|KST|AE[SD]?T|MSK|WIB)"
_SPOKEN_ZONE = rf"(?:local|(?:Eastern|Central|Mountain|Pacific)(?:{S}(?:Standard|Daylight))?){S}time\b"
ZONE = (
    rf"(?:{S}{_SPOKEN_ZONE}"
    rf"|{S}?(?P<paren>\()?(?:(?P<utc>(?-i:UTC|GMT|Z)){_OFFSET}|{NAMED_ZONE})(?![A-Za-z0-9])(?(paren)\)))?"
)
"""A zone, optional: UTC with its offset, which is in the value, or a name, which is not."""
ISO_ZONE = r"(?:(?P<utc>Z)|(?P<offset>[+-][01]\d(?::?[0-5]\d)?)|\s(?P<named>UTC|GMT))?(?![A-Za-z0-9])"
"""The zone of an ISO 8601 time."""


def read_zone(match: re.Match[str]) -> str:
    """Z, +08:00 or, for times without a zone in the value, nothing."""
    groups = match.groupdict()
    offset = (groups.get("offset") or "").replace(" ", "").replace(":", "")
    if not (offset or groups.get("utc") or groups.get("named")):
        return ""
    if not offset.strip("+-0"):
        return "Z"
    digits = offset[1:].rjust(2, "0") if len(offset) <= 3 else offset[1:].rjust(4, "0")
    return f"{offset[0]}{digits[:2]}:{digits[2:] or '00'}"
