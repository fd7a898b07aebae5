"""Cells among numbers that were meant as numbers and are none: misread, mistyped, or what a program printed instead."""

from __future__ import annotations

import re

from tasks.tables.numbers import is_figure, number

_LONGEST = 24
_MISREAD = re.compile(
    r"(?=.*\d)[($€£¥+−-]*(?:\d[\dOolISB.,' ]*|[OolISB]\d[\dOolISB.,']*)[)%]*|[($€£¥+−-]*\d+[A-Za-z]\d+[)%]*"
    r"|[($€£¥+−-]*\d[\d.,]*[.,]\d*[A-Za-z][\d.,]*\d[)%]*|[($€£¥+−-]*\d+\.[A-Za-z][)%]*|[($€£¥+−-]*\d*[A-Za-z]\d*[.,][\d.,]*\d[)%]*"
)
_MISTYPED = re.compile(
    r"[-+−–]{2,}[$€£¥]?\d[\d.,]*|[$€£¥]?\d[\d.,]*\?+|[$€£¥]?\d[\d.,]*(?!(?i:st|nd|rd|th)\b)[A-Za-z]{3,}"
)
_TWO_SIGNS = re.compile(r"([-+−–])\1+[$€£¥]?\d[\d.,]*")
_GROUP = re.compile(r"[($€£¥+−-]*\d{1,3}(?:,\d{3})*,(?!\d{3})[\dOolISB]{3}(?:,\d{3})*[)%]*")
"""Thousands apart, one digit of them a letter: without knowing that, 1,18B is a billion and more."""
_INSTEAD = re.compile(
    r"#(?:ref|value|div/0|name|num|null|n/a)[!?]?|nan|[+-]?inf(?:inity)?|undefined|null|\?+|x{2,}|error"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a|one|two|five|ten) (?:hundred|thousand|million)",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|\d{1,2}[.:]\d{2}|\d{4}[-/]\d{2,4}|[1-4][QqHh]\d+"
    r"|[\d.]+[xX×][\d.]+|[\d.]+[eE]\d+|\d{5,}|(?:\d+ )+\d+|\d{1,2}[A-Z][a-z]{2,8}"
)
"""Dates, hours, spans of years, quarters, sizes, powers, telephone numbers, several numbers."""
_VERSION = re.compile(r"\d+(?:\.\d+){2,}")


def is_broken_number(cell: str, *, grouped: bool) -> bool:
    """Whether a cell was meant as a number and is none; `grouped` says that its column sets thousands apart."""
    if len(cell) > _LONGEST:
        return False
    if _TWO_SIGNS.fullmatch(cell) or (grouped and _GROUP.fullmatch(cell)):
        return True
    if is_figure(cell) or number(cell, comma=True) is not None:
        return False
    if _INSTEAD.fullmatch(cell) is not None:
        return True
    if _VERSION.fullmatch(cell) is not None:
        return grouped
    is_wrong = _MISREAD.fullmatch(cell) is not None or _MISTYPED.fullmatch(cell) is not None
    return is_wrong and _NO_NUMBER.fullmatch(cell) is None
