"""Lines that hold a date and nothing else, with which diaries and logs head their entries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from tasks.parsers.prose import make_date

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_DATES = (
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})",
    r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日",
    r"(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{4})",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<name>{_MONTH})[a-z]*\.?,?\s+(?P<y>\d{{4}})",
    rf"(?P<name>{_MONTH})[a-z]*\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})",
)
_LINES = tuple(re.compile(rf"[#\s*_\[(]*{_WEEKDAY}{form}[\s*_\])]*[:：]?[\s*_]*", re.IGNORECASE) for form in _DATES)


def is_date_heading(line: str) -> bool:
    """Whether the line is a date, perhaps with a weekday, in brackets, in bold or before a colon."""
    return len(line) < 80 and _match(line) is not None


def _match(line: str) -> re.Match[str] | None:
    return next((match for form in _LINES if (match := form.fullmatch(line.strip()))), None)


def read_dates(lines: Iterable[str]) -> list[date]:
    """The dates of such lines in their order.

    Whether 3/4/2024 is in March or April is decided once for all lines: the day comes first unless one of them rules
    that out.
    """
    matches = [match for line in lines if len(line) < 80 and (match := _match(line))]
    day_first = not any("a" in (parts := match.groupdict()) and int(parts["b"]) > 12 for match in matches)
    return [day for match in matches if (day := _date(match.groupdict(), day_first=day_first))]


def _date(parts: dict[str, str], *, day_first: bool) -> date | None:
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        return make_date(int(parts["y"]), *((second, first) if day_first else (first, second)))
    month = _MONTH.split("|").index(parts["name"].lower()) + 1 if "name" in parts else int(parts["m"])
    return make_date(int(parts["y"]), month, int(parts["d"]))
