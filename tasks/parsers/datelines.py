"""Datelines, which say when a document is given: "PURCHASE, N.Y. - April 25, 2023 - …", "Published: 12 May 2021"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from tasks.parsers.written_dates import DATE_LABEL, is_date_heading, parse_dates
from warehouse.records import DateClaim, DateOrigin

WITHIN = 1_500  # How many characters of a document are looked at.
_CITY = r"[A-Z][A-Z.'’ -]*[A-Z]\.?(?:,\s+[A-Z][\w. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATELINE = re.compile(
    rf"{_CITY}(?:,|\s*[-–—]{{1,2}})\s*\(?(?P<date>{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH}\s+\d{{4}})\b"
)
_CAPITALS = r"[^\W\d_a-z][\w.'’-]*(?:[ -][^\W\d_a-z][\w.'’-]*){0,3}"
_WRITTEN_DAY = rf"{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH},?\s+\d{{4}}"
_STATES = (
    "Updated|Revised|Modified|Reviewed|Amended|Printed|Draft|Version|Effective|Valid|Copyright|Since|Until|By|On|From"
)
_RELEASED = re.compile(
    rf"[*_]{{0,2}}(?!(?:Balances?|(?:Last )?(?:{_STATES}))\b)(?:{_CAPITALS},?\s*){{1,2}}"
    rf"(?:[-–—/( ]{{1,5}}[A-Z][\w ]{{2,24}})?\s*[-–—/),]{{1,3}}\s*"
    rf"\(?(?P<date>{_WRITTEN_DAY})\)?[*_]{{0,2}}\s*(?:[-–—]+|(?=/\w))\s*"
    rf"(?!(?:{_WRITTEN_DAY}|[Pp]resent|[Cc]urrent|[Nn]ow)\b)(?=\S+(?:\s+\S+){{5}})",
)
"""A city in small letters, perhaps a wire, and the date of a release, up to the dash before its first sentence.

Before fewer words than a sentence has, or before another day, it is the line of a table, a programme or a life.
"""
_HISTORY = re.compile(r"(?:article history\W+)?(?:received|submitted)\b", re.IGNORECASE)
_STEP = re.compile(
    rf"(?:(?P<out>published(?: online)?|available online)|accepted(?: for publication)?)\W{{1,3}}(?:on\s+)?"
    rf"(?P<date>{_WRITTEN_DAY})\b",
    re.IGNORECASE,
)
"""The line of a paper that says when it was received, accepted and published."""
_PLACE = re.compile(rf"[*_]{{0,2}}(?!(?:Last )?(?:{_STATES})\b)(?:{_CAPITALS},\s+){{1,2}}(?=(?:\w+\s+)?\d)")
"""A city before the date of a letter or report, which stands alone on its line: "Lisboa, 5 de abril de 2022"."""


def find_datelines(paragraphs: Iterable[str]) -> list[DateClaim]:
    """The first date after a city in capitals, or that is a paragraph but for a city, or a line but for "Published"."""
    days = (day for paragraph in paragraphs for day in parse_dates(_iter_date_texts(paragraph)))
    return [DateClaim(day, DateOrigin.DATELINE) for day in islice(days, 1)]


def _iter_date_texts(paragraph: str) -> Iterator[str]:
    city = _DATELINE.match(paragraph) or _RELEASED.match(paragraph)
    if city:
        yield city["date"]
    elif is_date_heading(paragraph):
        yield paragraph
    elif (place := _PLACE.match(paragraph)) and is_date_heading(rest := paragraph[place.end() :].rstrip(".")):
        yield rest
    for line in paragraph[:WITHIN].splitlines():
        label = DATE_LABEL.match(line)
        if label and is_date_heading(rest := line[label.end() :].rstrip(".")):
            yield rest
        elif _HISTORY.match(line) and (steps := list(_STEP.finditer(line))):
            yield max(steps, key=lambda step: step["out"] is not None)["date"]
