"""The line with which a release says where and when it is given: "PURCHASE, N.Y. - April 25, 2023 - …"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.parsers.date_headings import is_date_heading, read_dates
from warehouse.records import DateClaim, DateOrigin

WITHIN = 1_500
"""How many characters of a document are looked at."""

_CITY = r"[A-Z][A-Z.'’ -]*[A-Z]\.?(?:,\s+[A-Z][\w. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATELINE = re.compile(
    rf"{_CITY}(?:,|\s*[-–—]{{1,2}})\s*\(?(?P<date>{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH}\s+\d{{4}})\b"
)


def datelines(paragraphs: Iterable[str]) -> list[DateClaim]:
    """The first date that a paragraph gives after a city in capitals, or that is a whole paragraph by itself."""
    for paragraph in paragraphs:
        found = _DATELINE.match(paragraph)
        line = found["date"] if found else paragraph
        days = read_dates([line]) if found or is_date_heading(line) else []
        if days:
            return [DateClaim(days[0], DateOrigin.DATELINE)]
    return []
