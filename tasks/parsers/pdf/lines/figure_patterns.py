"""Patterns of figures as tables print them: numbers, amounts, dates, and the signs for one that is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tasks.parsers.pdf.lines.line_settings import LINES

_FIGURE = re.compile(
    r"(?:[rpe] )?[(（\[<>~≈±+−–-]*\s*(?:US|HK|[CA])?[$€£¥]?\s*[(（+−–-]?\s*[$€£¥]?\s*"
    r"(?:\d[\d,.'’:/\u00a0 ]*[½¼¾⅓⅔⅛⅜⅝⅞]?|[.,]\d+|[½¼¾⅓⅔⅛⅜⅝⅞])\s*"
    r"(?:%|bps?|pp|pts?|[xX]|[kKmMbB]n?|(?:m|b|tr)illion|thousand|[万亿]?元)?\s*[)）\]]*\s*%?"
    r"(?:\s?(?:[*†‡§#a-z]|\(\w{1,2}\)|\[\w{1,2}\])){0,2}(?:\s?⁽?[¹²³⁴-⁹]{1,2}⁾?,?){0,3}"
)
_RANGE = re.compile(r"[(~]?\d{1,3}(?:\.\d+)?%?(?: ?(?:±|\+/-) ?| ?[-–—] ?)\d{1,3}(?:\.\d+)?\s?%?\)?")
_BLANK = re.compile(
    r"[-−–—.:*…xX•✓]{1,3}|[$€£¥]\s?[-−–—]{1,2}|n/?[adm]\.?|\((?:NA|X|D|Z|S|B|L)\)|nil|N/?[AMD]\.?|NM|\(?[a-z]\)",
    re.IGNORECASE,
)

_YEAR = re.compile(
    r"\(?(?:\d{1,2},? )?(?:FY|CY)?\s?(?:19|20)\d\d(?:[-/–]\d{2,4})?[a-z*†)¹²³⁴-⁹]?(?:\s*\(?[a-zA-Z]\)?)?"
)
_NUMERIC_DATE = re.compile(r"\d{1,2}/\d{1,2}/(?:\d\d){1,2}|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d")
_BRACKET = re.compile(r"\d{1,3} ?[-–] ?\d{1,3}")
_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?$|\b[A-Z][a-z]{2,8} \d{1,2},$",
    re.IGNORECASE,
)
_MONTHS = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_MONTH_DAY = re.compile(rf"{_MONTHS}(?: \d{{1,2}},?)?(?: (?:19|20)\d\d)?(?: \((?:un)?audited\))?", re.IGNORECASE)
_PERIOD = re.compile(
    r"(?:for )?(?:the )?(?:"
    r"(?:three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|\d{1,2})[- ](?:months?|weeks?)"
    r"|(?:fiscal |first |second |third |fourth )*(?:quarters?|years?|months?|periods?))(?: then)?(?: (?:ended|ending)"
    rf"(?: {_MONTHS}(?: \d{{1,2}},?)?)?)|as (?:of|at)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:ended|ending|as (?:of|at))$", re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}([/.-])\d{1,2}\1(?:\d\d){1,2}(?!\d)")
_DAY = re.compile(r"\d{1,2}(?![,.]?\d)|(?:19|20)\d\d(?!\d)")


@lru_cache(maxsize=8192)
def is_figure(text: str) -> bool:
    """Whether a text is a number as tables print them, or a sign that one is missing ("-", "n/a", ":")."""
    return len(text) < 40 and not text.endswith(",") and any(form.fullmatch(text) for form in (_FIGURE, _RANGE, _BLANK))


@lru_cache(maxsize=8192)
def is_amount(text: str) -> bool:
    """Whether a text is a figure other than a year, a date or a bracket of years or ages, which head columns."""
    heads = (_YEAR, _NUMERIC_DATE, _BRACKET)
    return is_figure(text) and not any(form.fullmatch(text) for form in heads)


def is_year(text: str) -> bool:
    """Whether a text is a year, which may head several columns."""
    return _YEAR.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Whether a text is a day, a month with its day, or a year, with nothing else: what stands below "Weeks Ended"."""
    return any(form.fullmatch(text.strip()) for form in (_YEAR, _NUMERIC_DATE, _MONTH_DAY))


def ends_on_dates(text: str) -> bool:
    """Whether a header says a length of time and leaves its end to the dates below: "Three Months Ended"."""
    return _PERIOD.fullmatch(text.strip()) is not None


def numbers_columns(texts: Sequence[str]) -> bool:
    """Whether texts number or letter columns: 1, 2, 3 or (a), (b), (c)."""
    bare = [text.strip("()[] ") for text in texts]
    if len(bare) < LINES.fewest_counted:
        return False
    if all(text.isdecimal() and len(text) < LINES.fewest_counted for text in bare):
        places = [int(text) for text in bare]
    elif all(len(text) == 1 and text.isascii() and text.isalpha() for text in bare):
        places = [ord(text.lower()) - ord("a") + 1 for text in bare]
    else:
        return False
    return places[0] in (1, 2) and places == list(range(places[0], places[0] + len(places)))


def in_date(before: str, after: str) -> bool:
    """Whether neighbours are parts of one date: a month and its day or year, a day and its year, "ended" and a date."""
    if _UNTIL.search(before) is not None:
        return _DATE.match(after) is not None
    return _MONTH.search(before) is not None and _DAY.match(after) is not None
