"""The line that says when a document is given: "PURCHASE, N.Y. - April 25, 2023 - …", "Published: 12 May 2021"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tasks.parsers.date_headings import is_date_heading, read_dates
from warehouse.records import DateClaim, DateOrigin

WITHIN = 1_500
"""How many characters of a document are looked at."""

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


def datelines(paragraphs: Iterable[str]) -> list[DateClaim]:
    """The first date after a city in capitals or that is a whole paragraph, or a line but for "Published" or "Date"."""
    for paragraph in paragraphs:
        days = read_dates(_dates(paragraph))
        if days:
            return [DateClaim(days[0], DateOrigin.DATELINE)]
    return []


def _dates(paragraph: str) -> Iterator[str]:
    city = _DATELINE.match(paragraph)
    if city:
        yield city["date"]
    elif is_date_heading(paragraph):
        yield paragraph
    for line in paragraph[:WITHIN].splitlines():
        label = _LABEL.match(line)
        if label and is_date_heading(line[label.end() :].rstrip(".")):
            yield line[label.end() :].rstrip(".")
