"""Dates with which diaries and logs head their entries: alone on a line, or at the beginning of a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from tasks.parsers.day_order import MONTH_FIRST, day_order
from tasks.parsers.prose import make_date

_LONGEST = 80
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?|(?:星期|周|週|礼拜)[一二三四五六日天])"
)
_CLOCK = r"(?:(?:T|\s+(?:at\s+)?)\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?)?"
_DATES = (
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})",
    r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号號]?",
    r"(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<y>\d{4}|(?<=/)\d{2})",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_NAME},?\s+(?P<y>\d{{4}})",
    rf"{_NAME}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})",
)
_BEFORE = rf"[#\s*_\[(（【]*(?:{_WEEKDAY}[,，\s]\s*)?"
_AFTER = rf"(?!\d|[-/.]\d){_CLOCK}(?:[,，]?\s*[(（]?{_WEEKDAY}[)）]?)?{_CLOCK}[\s*_\])）】]*"
_LINES = tuple(re.compile(rf"{_BEFORE}{form}{_AFTER}[:：]?[\s*_]*", re.IGNORECASE) for form in _DATES)
_HEADS = tuple(re.compile(rf"{_BEFORE}{form}{_AFTER}(?!\w)", re.IGNORECASE) for form in _DATES)


def is_date_heading(line: str) -> bool:
    """Whether the line is a date, perhaps with a weekday or an hour, in brackets, in bold or before a colon."""
    short = line.strip() if len(line) < _LONGEST else ""
    return any(form.fullmatch(short) for form in _LINES) and entry_date(short) is not None


def entry_date(heading: str, order: str = "") -> date | None:
    """The day that a heading begins with; `order` is `Attributes.day_order` of its document."""
    match = _beginning(heading)
    return _date(match.groupdict(), order) if match else None


def read_dates(lines: Iterable[str]) -> list[date]:
    """The dates that these headings begin with. The order of day and month is one for all of them."""
    found = [line for line in lines if _beginning(line)]
    order = day_order(found)
    return [day for line in found if (day := entry_date(line, order))]


def _beginning(heading: str) -> re.Match[str] | None:
    return next((match for form in _HEADS if (match := form.match(heading[:_LONGEST].strip()))), None)


def _date(parts: dict[str, str], order: str) -> date | None:
    year = int(parts["y"]) + (2000 if len(parts["y"]) == 2 else 0)
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        likely, other = ((second, first), (first, second))[:: -1 if order == MONTH_FIRST else 1]
        return make_date(year, *likely) or make_date(year, *other)
    month = _MONTHS.index(parts["name"][:3].lower()) + 1 if "name" in parts else int(parts["m"])
    return make_date(year, month, int(parts["d"]))
