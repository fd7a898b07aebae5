"""Title, authors and dates of a Word document (core properties, ECMA-376 part 2, 11)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.titles import is_placeholder
from tasks.parsers.trees import squeezed
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties

_PROGRAMS = re.compile(
    r"python-docx|apache poi|un-?named|author|admin(?:istrator)?|(?:microsoft office |windows )?user|微软用户",
    re.IGNORECASE,
)
_TEMPLATE_DAY = date(2013, 12, 23)
_OLDEST = date(1983, 10, 25)


def title(properties: CoreProperties | None) -> str:
    """The title, or nothing where it is a file's name or a program's default."""
    found = squeezed(properties.title) if properties else ""
    return "" if is_placeholder(found) else found


def authors(properties: CoreProperties | None) -> list[str]:
    """The authors, several of them where semicolons part them; names that programs put there are left out."""
    names = re.split(r"\s*;\s*", squeezed(properties.author)) if properties else []
    return [name for name in names if not _PROGRAMS.fullmatch(name)]


def dates(properties: CoreProperties | None) -> list[DateClaim]:
    """The days of creation and of the last change.

    The day on which python-docx's own template was made is nobody's date, nor is one before the first Word.
    """
    times = (properties.created, properties.modified) if properties else ()
    days = (time.date() for time in times if time)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day >= _OLDEST and day != _TEMPLATE_DAY]
