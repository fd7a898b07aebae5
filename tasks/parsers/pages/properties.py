"""What a PDF says of itself: a title if it looks like one, authors, the date of creation, the titles of bookmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tasks.parsers.titles import is_placeholder
from tasks.parsers.written_dates import make_date
from warehouse.records import DateClaim, DateOrigin

_DOI = re.compile(
    r"\bdoi(?:\.org/|\s?[:：]?\s?)(?:https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE
)
_MOST_BOOKMARKS = 2_000
"""Bookmarks that are read: a file may have more than headings."""
_SHORTEST = 5
"""Letters that a title in Latin script has at least."""
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d{2})-?(\d{2})")


def title(metadata: Mapping[str, object]) -> str:
    """The title, or nothing where it is a file name, a program's default or a single code."""
    text = " ".join(str(metadata.get("Title") or "").split())
    return "" if is_placeholder(text) or (text.isascii() and len(text) < _SHORTEST) else text


def authors(metadata: Mapping[str, object]) -> list[str]:
    """The author, several of them where semicolons part them."""
    return [name for each in str(metadata.get("Author") or "").split(";") if " " in (name := each.strip())]


def dates(metadata: Mapping[str, object]) -> list[DateClaim]:
    """The date of creation, else of the last change."""
    matches = (_DATE.match(str(metadata.get(key) or "")) for key in ("CreationDate", "ModDate"))
    days = (make_date(*map(int, match.groups())) for match in matches if match)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day][:1]


def bookmarks(catalog: Mapping[str, object]) -> Iterator[str]:
    """The titles in a file's outline, in no particular order; what is damaged in it is left out."""
    from pdfminer.pdftypes import PDFObjRef, dict_value, resolve1
    from pdfminer.utils import decode_text

    waiting, seen = [catalog.get("Outlines")], set[int]()
    while waiting and len(seen) < _MOST_BOOKMARKS:
        place = waiting.pop()
        if not isinstance(place, PDFObjRef) or place.objid in seen:
            continue
        seen.add(place.objid)
        entry = dict_value(place)
        title = resolve1(entry.get("Title"))
        if isinstance(title, bytes):
            yield " ".join(decode_text(title).split())
        waiting += [entry.get("First"), entry.get("Next")]


def doi_of(beginning: str) -> str:
    """The DOI that the beginning of a paper gives as its own; nothing where it has none or several."""
    found = {match[1].rstrip(".,;)").lower() for match in _DOI.finditer(beginning)}
    return found.pop() if len(found) == 1 else ""
