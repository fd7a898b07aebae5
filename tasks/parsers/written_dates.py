"""Dates as people write them where a document says when it is from: date headings, datelines, the order of days.

Diaries and logs head their entries with a date alone on a line, or at the beginning of a heading. A dateline says
when a document is given: "PURCHASE, N.Y. - April 25, 2023 - …", "Published: 12 May 2021".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice, pairwise

from warehouse.records import DateClaim, DateOrigin

DAY_FIRST = "day first"
MONTH_FIRST = "month first"
ASSUMED = "day first (assumed)"
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<=/)\d{2})(?!\d|[-/.]\d)")
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_MONTHS_IN_YEAR = 12
_LONGEST = 80
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
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
WITHIN = 1_500  # How many characters of a document are looked at.
_CITY = r"[A-Z][A-Z.'’ -]*[A-Z]\.?(?:,\s+[A-Z][\w. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATELINE = re.compile(
    rf"{_CITY}(?:,|\s*[-–—]{{1,2}})\s*\(?(?P<date>{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH}\s+\d{{4}})\b"
)
_LABEL = re.compile(
    r"\s*[*_]{0,2}(?:(?:first )?published(?: online)?|posted|issued|released|date(?:d| of (?:issue|publication))?"
    r"|发布(?:日期|时间|于)|出版日期|日期)[*_]{0,2}(?:\s*[:：][*_]{0,2}\s*|\s+(?:on\s+)?|(?<=[期间于]))(?=\S)",
    re.IGNORECASE,
)
"""What stands before a date that is alone on its line otherwise."""


def day_order(headings: Iterable[str], text: str = "") -> str:
    """The order of the numeric dates of a file, in the words of `Attributes.day_order`.

    It is settled by a number over 12, in the date headings first and then anywhere in the `text`; else by the headings
    following each other in time if they are read one way and not if they are read the other. Else the day comes first,
    which is then an assumption. Nothing where there is no numeric date.
    """
    lines = list(headings)
    ours, all_of_it = [_pairs(part) for part in ("\n".join(lines), text)]
    votes = _votes(ours) or _votes(all_of_it)
    votes = votes or _is_ordered(lines, day_first=True) - _is_ordered(lines, day_first=False)
    if votes:
        return DAY_FIRST if votes > 0 else MONTH_FIRST
    return ASSUMED if ours or all_of_it else ""


def _pairs(text: str) -> list[tuple[int, int]]:
    """The first two numbers of each numeric date that there can be."""
    found = ((int(match[1]), int(match[3])) for match in _NUMERIC.finditer(text))
    return [(a, b) for a, b in found if 0 < min(a, b) <= _MONTHS_IN_YEAR and max(a, b) <= 31]


def _votes(pairs: Iterable[tuple[int, int]]) -> int:
    """How many dates can only be read day first, less those that can only be read month first."""
    return sum((a > _MONTHS_IN_YEAR) - (b > _MONTHS_IN_YEAR) for a, b in pairs)


def _is_ordered(lines: Sequence[str], *, day_first: bool) -> bool:
    days = [day for line in lines if (day := _day(line, day_first=day_first))]
    return all(a <= b for a, b in pairwise(days)) or all(a >= b for a, b in pairwise(days))


def _day(line: str, *, day_first: bool) -> date | None:
    if (iso := _ISO.search(line)) is not None:
        return make_date(int(iso[1]), int(iso[2]), int(iso[3]))
    numeric = _NUMERIC.search(line)
    if numeric is None:
        return None
    first, second, year = int(numeric[1]), int(numeric[3]), int(numeric[4])
    return make_date(year + 2000 * (year < 100), *((second, first) if day_first else (first, second)))


def is_date_heading(line: str) -> bool:
    """Whether the line is a date, perhaps with a weekday or an hour, in brackets, in bold or before a colon."""
    short = line.strip() if len(line) < _LONGEST else ""
    return any(form.fullmatch(short) for form in _LINES) and entry_date(short) is not None


def entry_date(heading: str, order: str = "") -> date | None:
    """The day that a heading begins with; `order` is `Attributes.day_order` of its document."""
    match = _beginning(heading)
    if match is None:
        return None
    parts = match.groupdict()
    year = int(parts["y"]) + (2000 if len(parts["y"]) == 2 else 0)
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        likely, other = ((second, first), (first, second))[:: -1 if order == MONTH_FIRST else 1]
        return make_date(year, *likely) or make_date(year, *other)
    month = MONTHS[parts["name"][:3].lower()] if "name" in parts else int(parts["m"])
    return make_date(year, month, int(parts["d"]))


def read_dates(lines: Iterable[str]) -> list[date]:
    """The dates that these headings begin with. The order of day and month is one for all of them."""
    found = [line for line in lines if _beginning(line)]
    order = day_order(found)
    return [day for line in found if (day := entry_date(line, order))]


def _beginning(heading: str) -> re.Match[str] | None:
    return next((match for form in _HEADS if (match := form.match(heading[:_LONGEST].strip()))), None)


def datelines(paragraphs: Iterable[str]) -> list[DateClaim]:
    """The first date after a city in capitals or that is a whole paragraph, or a line but for "Published" or "Date"."""
    days = (day for paragraph in paragraphs for day in read_dates(_dates(paragraph)))
    return [DateClaim(day, DateOrigin.DATELINE) for day in islice(days, 1)]


def _dates(paragraph: str) -> Iterator[str]:
    city = _DATELINE.match(paragraph)
    if city:
        yield city["date"]
    elif is_date_heading(paragraph):
        yield paragraph
    for line in paragraph[:WITHIN].splitlines():
        label = _LABEL.match(line)
        if label and is_date_heading(rest := line[label.end() :].rstrip(".")):
            yield rest


def make_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
