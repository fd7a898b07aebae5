"""The front matter of a paper in JATS: title, authors, journal, identifiers, keywords, dates of publication."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.papers.jats_inline import inline_text, jats_text
from tasks.parsers.trees import local, squeezed, words
from tasks.parsers.written_dates import make_date
from warehouse.records import Attributes, DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_NOT_KEYWORDS = frozenset(["abbreviations", "abbreviation"])
_PAPER_TYPES = {"review-article": "Review", "research-article": "Research Article"}
_PLAIN_TYPES = frozenset(["", "Other", "Research Article"])
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_JOURNAL = ("journal-title-group/journal-title", "journal-title", "journal-title-group/abbrev-journal-title")
_MEMBERS = frozenset(["contrib-group", "xref", "aff", "email", "fn", "address", "ext-link"])
_AUTHORS = ("author", "collab", "group", "corresp")
_DATE_KINDS = (
    *("epub", "pub electronic", "publication electronic", "pub", "publication", "original-publication", "epub-ppub"),
    *("ppub", "pub print", "publication print", "", "collection", "collection electronic", "issue-pub"),
    *("epreprint", "preprint"),
)
"""`pub-type`, or `date-type` and `publication-format`, the surest first. Others are no publication in a journal."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


def article_meta(article: _Element) -> _Element | None:
    """The element that describes the article itself; of an article inside another, its stub of one."""
    found = article.find("front/article-meta")
    return found if found is not None else article.find("front-stub")


def read_title(article: _Element) -> str:
    """The article's title, with its subtitle and without the marks of footnotes."""
    about = article_meta(article)
    group = about.find("title-group") if about is not None else None
    if group is None:
        return ""
    return ": ".join(filter(None, (_unmarked(group.find(tag)) for tag in ("article-title", "subtitle"))))


def _unmarked(node: _Element | None) -> str:
    def without_notes(part: _Element, inner: str) -> str | None:
        is_note = local(part) == "fn" or (local(part) == "xref" and part.get("ref-type") in ("fn", "author-notes"))
        return "" if is_note else inline_text(part, inner)

    return squeezed(words(node, without_notes))


def read_authors(article: _Element) -> list[str]:
    """Given names and surname, or the group's name, in the order of the article; those they write for come last."""
    about = article_meta(article)
    if about is None:
        return []
    groups = [group for group in about.iterfind("contrib-group") if "editor" not in (group.get("content-type") or "")]
    people = (one for group in groups for one in group.iterfind("contrib"))
    names = [_name(one) for one in people if one.get("contrib-type", "author") in _AUTHORS]
    names += [_bare(group) for group in groups for group in group.iterfind("collab")]
    names += [jats_text(group) for group in about.iter("on-behalf-of")]
    return list(dict.fromkeys(filter(None, names)))


def _name(contrib: _Element) -> str:
    """A person's name as it is spoken; one of several spellings only."""
    collab = contrib.find("collab")
    if collab is None:
        collab = contrib.find("collab-alternatives/collab")
    if collab is not None:
        return _bare(collab)
    found = (contrib.find(path) for path in ("name", "name-alternatives/name", "string-name", "name-alternatives/*"))
    name = next((one for one in found if one is not None), None)
    if name is None:
        return "Anonymous" if contrib.find("anonymous") is not None else ""
    order = ("surname", "given-names") if name.get("name-style") == "eastern" else ("given-names", "surname")
    parts = [jats_text(name.find(tag)) for tag in ("prefix", *order, "suffix")]
    return " ".join(filter(None, parts)) if any(parts) else jats_text(name)


def _bare(collab: _Element) -> str:
    """A group's name without the list of its members."""
    return squeezed(words(collab, lambda part, inner: "" if local(part) in _MEMBERS else inline_text(part, inner)))


def read_attributes(article: _Element) -> Attributes:
    """Journal, identifiers, subjects, type and keywords."""
    about = article_meta(article)
    if about is None:
        return Attributes()
    ids = {element.get("pub-id-type"): jats_text(element) for element in about.iterfind("article-id")}
    number = next(filter(None, (ids.get(kind) for kind in ("pmcid", "pmc", "pmc-aid"))), "").upper().split(".")[0]
    journal = article.find("front/journal-meta")
    named = (jats_text(journal.find(path)) for path in _JOURNAL) if journal is not None else iter(())
    subjects = tuple(dict.fromkeys(filter(None, map(jats_text, about.iterfind("article-categories//subject")))))
    return Attributes(
        journal=next(filter(None, named), ""),
        pmcid=f"PMC{number}" if number.isdigit() else number,
        pmid=ids.get("pmid", ""),
        doi=_DOI.sub("", ids.get("doi", "")),
        paper_type=_paper_type(article.get("article-type") or "", subjects),
        keywords=tuple(dict.fromkeys(_keywords(about))),
        subjects=subjects,
    )


def _paper_type(kind: str, subjects: tuple[str, ...]) -> str:
    """The type in words. Where the mark-up names none or the most common one, a heading may say that it is a review."""
    known = _PAPER_TYPES.get(kind, kind.replace("-", " ").title())
    heading = subjects[0] if subjects else ""
    if known in _PLAIN_TYPES and re.search(r"\breview\b", heading, re.IGNORECASE):
        return "Review"
    return heading if known in ("", "Other") else known


def _keywords(about: _Element) -> Iterator[str]:
    for group in about.iterfind("kwd-group"):
        if group.get("kwd-group-type") not in _NOT_KEYWORDS:
            for keyword in group.iter("kwd", "nested-kwd", "compound-kwd"):
                parts = [jats_text(part) for part in keyword.iterfind("compound-kwd-part")]
                if text := " ".join(parts) if parts else jats_text(keyword):
                    yield text


def publication_dates(article: _Element) -> list[DateClaim]:
    """The dates of publication, the best first: a known kind before others, a full date before one without a day."""
    about = article_meta(article)
    ranked = []
    for element in about.iterfind("pub-date") if about is not None else ():
        rank, is_whole = _rank(element), bool(element.get("iso-8601-date"))
        missing = 0 if is_whole else sum(not jats_text(element.find(tag)) for tag in ("month", "day"))
        if day := _date(element):
            ranked.append((rank == len(_DATE_KINDS), missing, rank, day))
    return [DateClaim(day, DateOrigin.PUBLICATION) for *_, day in sorted(ranked)]


def _rank(element: _Element) -> int:
    kind = element.get("pub-type") or element.get("date-type") or ""
    names = (f"{kind} {element.get('publication-format') or ''}".strip(), kind)
    return next((_DATE_KINDS.index(name) for name in names if name in _DATE_KINDS), len(_DATE_KINDS))


def _date(element: _Element) -> date | None:
    """The date; the first day of the month, season or year where the rest is not given."""
    written = [jats_text(element.find(tag)) for tag in ("year", "month", "day")]
    iso = (element.get("iso-8601-date") or "").split("T")[0].split("-")
    year, month, day = (own or given for own, given in zip(written, [*iso, "", "", ""][:3], strict=True))
    found = _YEAR.search(year) or _YEAR.search(jats_text(element.find("string-date")))
    if found is None:
        return None
    number = _month(month) or _SEASONS.get(jats_text(element.find("season")).lower(), 1)
    return make_date(int(found[0]), number, int(day) if day.isdigit() else 1)


def _month(text: str) -> int:
    """1 to 12, or 0."""
    if text.isdigit():
        return int(text) if 1 <= int(text) <= len(_MONTHS) else 0
    return _MONTHS.index(text[:3].lower()) + 1 if text[:3].lower() in _MONTHS else 0
