"""What the front matter of a JATS article says of it: title, authors, dates, journal, identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.jats_inline import text_of
from tasks.parsers.prose import make_date
from warehouse.records import Attributes, DateClaim, DateOrigin

if TYPE_CHECKING:
    from datetime import date

    from lxml.etree import _Element

_META = "front/article-meta"
_FIRST_PUBLISHED = ("epub", "pub", "epub-ppub", "ppub", "epreprint", "preprint", "collection")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PAPER_TYPES = {"review-article": "Review"}


def title(root: _Element) -> str:
    """The article's title, with its subtitle."""
    group = root.find(f"{_META}/title-group")
    if group is None:
        return ""
    parts = [text_of(group.find(tag)) for tag in ("article-title", "subtitle")]
    return ": ".join(filter(None, parts))


def authors(root: _Element) -> list[str]:
    """Given names and surname, or the group's name, in the order of the article."""
    contribs = root.iterfind(f"{_META}//contrib")
    names = (_name(contrib) for contrib in contribs if contrib.get("contrib-type", "author") == "author")
    return list(dict.fromkeys(filter(None, names)))


def _name(contrib: _Element) -> str:
    name = contrib.find(".//name")
    if name is None:
        first = next((part for tag in ("string-name", "collab") if (part := contrib.find(tag)) is not None), None)
        return text_of(first)
    parts = (text_of(name.find(tag)) for tag in ("given-names", "surname", "suffix"))
    return " ".join(filter(None, parts))


def dates(root: _Element) -> list[DateClaim]:
    """The dates of publication, first the one that came first for readers; a date without its day comes last."""
    ranked = []
    for element in root.iterfind(f"{_META}/pub-date"):
        kind = element.get("pub-type") or element.get("date-type") or ""
        rank = _FIRST_PUBLISHED.index(kind) if kind in _FIRST_PUBLISHED else len(_FIRST_PUBLISHED)
        if day := _date(element):
            ranked.append((element.find("day") is None, rank, day))
    return [DateClaim(day, DateOrigin.PUBLICATION) for _, _, day in sorted(ranked)]


def _date(element: _Element) -> date | None:
    """The date; the first day of the month or year where the rest is not given."""
    year, month, day = (text_of(element.find(tag)) for tag in ("year", "month", "day"))
    if not year.isdigit():
        return None
    number = int(month) if month.isdigit() else 1
    if month[:3].lower() in _MONTHS:
        number = _MONTHS.index(month[:3].lower()) + 1
    return make_date(int(year), number, int(day) if day.isdigit() else 1)


def attributes(root: _Element) -> Attributes:
    """Journal, identifiers, type and keywords."""
    ids = {element.get("pub-id-type"): text_of(element) for element in root.iterfind(f"{_META}/article-id")}
    pmcid = ids.get("pmcid") or ids.get("pmc") or ""
    kind = root.get("article-type") or ""
    return Attributes(
        journal=text_of(root.find("front/journal-meta//journal-title")),
        pmcid=f"PMC{pmcid}" if pmcid.isdigit() else pmcid,
        doi=ids.get("doi", ""),
        paper_type=_PAPER_TYPES.get(kind, kind.replace("-", " ").title()),
        keywords=tuple(dict.fromkeys(filter(None, map(text_of, root.iterfind(f"{_META}/kwd-group//kwd"))))),
    )
