"""When a JATS article was published: of several dates the one on which readers could first have it."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.papers.front import meta
from tasks.parsers.papers.inline import text_of
from tasks.parsers.prose import make_date
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_KINDS = (
    *("epub", "pub electronic", "publication electronic", "pub", "publication", "original-publication", "epub-ppub"),
    *("ppub", "pub print", "publication print", "", "collection", "collection electronic", "issue-pub"),
    *("epreprint", "preprint"),
)
"""`pub-type`, or `date-type` and `publication-format`, the surest first. Others are no publication in a journal."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


def dates(article: _Element) -> list[DateClaim]:
    """The dates of publication, the best first: a known kind before others, a full date before one without a day."""
    about = meta(article)
    ranked = []
    for element in about.iterfind("pub-date") if about is not None else ():
        rank = _rank(element)
        if day := _date(element):
            ranked.append((rank == len(_KINDS), _missing(element), rank, day))
    return [DateClaim(day, DateOrigin.PUBLICATION) for *_, day in sorted(ranked)]


def _rank(element: _Element) -> int:
    kind = element.get("pub-type") or element.get("date-type") or ""
    names = (f"{kind} {element.get('publication-format') or ''}".strip(), kind)
    return next((_KINDS.index(name) for name in names if name in _KINDS), len(_KINDS))


def _missing(element: _Element) -> int:
    """How many parts of the date are not given."""
    return sum(not text_of(element.find(tag)) for tag in ("month", "day")) if not element.get("iso-8601-date") else 0


def _date(element: _Element) -> date | None:
    """The date; the first day of the month, season or year where the rest is not given."""
    written = [text_of(element.find(tag)) for tag in ("year", "month", "day")]
    iso = (element.get("iso-8601-date") or "").split("T")[0].split("-")
    year, month, day = (own or given for own, given in zip(written, [*iso, "", "", ""][:3], strict=True))
    found = _YEAR.search(year) or _YEAR.search(text_of(element.find("string-date")))
    if found is None:
        return None
    number = _month(month) or _SEASONS.get(text_of(element.find("season")).lower(), 1)
    return make_date(int(found[0]), number, int(day) if day.isdigit() else 1)


def _month(text: str) -> int:
    """1 to 12, or 0."""
    if text.isdigit():
        return int(text) if 1 <= int(text) <= len(_MONTHS) else 0
    return _MONTHS.index(text[:3].lower()) + 1 if text[:3].lower() in _MONTHS else 0
