"""What a PDF's information dictionary says: a title if it looks like one, authors, the date of creation."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tasks.parsers.prose import make_date
from tasks.parsers.titles import is_placeholder
from warehouse.records import DateClaim, DateOrigin

_SHORTEST = 5
"""Letters that a title in Latin script has at least."""
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d{2})-?(\d{2})")


def title(metadata: Mapping[str, object]) -> str:
    """The title, or nothing where it is a file name, a program's default or a single code."""
    text = " ".join(str(metadata.get("Title") or "").split())
    return "" if is_placeholder(text) or (text.isascii() and len(text) < _SHORTEST) else text


def authors(metadata: Mapping[str, object]) -> list[str]:
    """The author, several of them where semicolons part them."""
    return [name for name in re.split(r"\s*;\s*", str(metadata.get("Author") or "")) if " " in name.strip()]


def dates(metadata: Mapping[str, object]) -> list[DateClaim]:
    """The date of creation, else of the last change."""
    matches = (_DATE.match(str(metadata.get(key) or "")) for key in ("CreationDate", "ModDate"))
    days = (make_date(*map(int, match.groups())) for match in matches if match)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day][:1]
