"""Properties of office files: title, authors, dates, without values that programs set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime

from tasks.parsers.document_head import is_placeholder
from tasks.parsers.trees import collapse_spaces
from warehouse.records import DateClaim, DateOrigin

_PROGRAM_NAME = re.compile(
    r"python-docx|openpyxl|xlsxwriter|steve canny|apache poi|un-?named|author|admin(?:istrator)?"
    r"|(?:microsoft office |windows )?user|微软用户",
    re.IGNORECASE,
)
_TEMPLATE_DAYS = frozenset({
    date(2013, 12, 23), date(2013, 1, 27), date(1996, 10, 14), date(2006, 9, 16), date(2015, 6, 5),
})  # fmt: skip
"""The days of the templates of python-docx, python-pptx and Excel 97, 2007 and 2016."""
_FIRST_WORD_DAY = date(1983, 10, 25)
"""The day of the first Word, which is older than Excel and PowerPoint."""

FileDescription = tuple[str, list[str], list[DateClaim]]
"""Title, authors and days of a file."""
EMPTY_DESCRIPTION: FileDescription = ("", [], [])


def describe_file(title: str, authors: str, times: Iterable[datetime | None]) -> FileDescription:
    """Title, authors (several separated by semicolons) and days of a file, as it states them.

    Titles and names that programs set, dates before the first of these programs, and the days of templates are left
    out.
    """
    title, names = collapse_spaces(title), re.split(r"\s*;\s*", collapse_spaces(authors))
    days = (time.date() for time in times if time)
    return (
        "" if is_placeholder(title) else title,
        [name for name in names if name and not _PROGRAM_NAME.fullmatch(name)],
        [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day >= _FIRST_WORD_DAY and day not in _TEMPLATE_DAYS],
    )
