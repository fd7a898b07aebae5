"""Lists of publications as reference managers and PubMed export them: MEDLINE (.nbib), RIS, EndNote, BibTeX, abstracts.

A file of one publication is that paper's abstract. In others each is below a heading with its date of publication, so
that its passages have that day, month or year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.publications.bibtex import iter_bibtex_entries
from tasks.parsers.written_dates import MONTHS, make_date
from warehouse.errors import UnreadableFile
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind

_MEDLINE, _RIS, _ENDNOTE = r"PMID- ?\d", r"TY  ?- ?[A-Z]{2,8}\s", r"%0 [A-Z]"
_BIBTEX = (
    r"(?:%[^\n]*\s+)*@(?:article|book|in\w{3,12}|misc|comment|string|preamble|\w{2,5}thesis|techreport|unpublished"
    r")\s*[{(]"
)
_ABSTRACTS = r"1\. [^\n]{5,200}\b(?:18|19|20)\d\d\b"
_BEGINNING = re.compile(rf"\A[\ufeff\s]*(?:{_MEDLINE}|{_RIS}|{_ENDNOTE}|{_BIBTEX}|{_ABSTRACTS})", re.IGNORECASE)
_ABSTRACTS_START = re.compile(rf"\A\s*{_ABSTRACTS}")
_PMID = re.compile(r"^PMID: (\d+)", re.MULTILINE)
_TAG_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)|(%[0-9A-Z@!&])(?: (.*)|\s*)")
_FIELD_NAMES = {
    **dict.fromkeys(("TI", "T1", "%T", "title"), "title"),
    **dict.fromkeys(("BTI", "CT"), "other title"),
    **dict.fromkeys(("AU", "A1", "FAU", "%A", "author"), "author"),
    **dict.fromkeys(
        ("JO", "JF", "T2", "JA", "J2", "JT", "TA", "%J", "%B", "journal", "journaltitle", "booktitle"), "journal"
    ),
    **dict.fromkeys(("DA", "DP", "%8", "date"), "date"),
    **dict.fromkeys(("PY", "Y1", "%D", "year"), "year"),
    "month": "month",
    "day": "day",
    **dict.fromkeys(("AB", "N2", "%X", "abstract"), "abstract"),
    **dict.fromkeys(("KW", "MH", "OT", "%K", "keywords"), "keyword"),
    **dict.fromkeys(("DO", "%R", "doi", "LID", "AID"), "doi"),
    **dict.fromkeys(("PMID", "pmid"), "pmid"),
    **dict.fromkeys(("N1", "%Z", "note", "annote"), "note"),
    **dict.fromkeys(("VL", "VI", "%V", "volume"), "volume"),
    **dict.fromkeys(("SP", "PG", "%P", "pages"), "pages"),
}
"""The fields of the tags of all notations; other tags do not describe the publication."""
_SHORT_AUTHOR = "AU"  # In MEDLINE the full name precedes it.
_DOI = re.compile(r"10\.\d{4,9}/[^\s\]]+")
_DATE = re.compile(r"((?:1[5-9]|20)\d\d)(?:[-/\s]([A-Za-z]{3,9}|\d{1,2})(?:\b[^\d\s]*[-/\s](\d{1,2})(?!\d))?)?")
_CITATION = re.compile(r"\d+\. (.{3,200}?)\. ((?:18|19|20)\d\d[^;:.]{0,20})", re.DOTALL)
_AFFILIATION = re.compile(r"\((?:\d+|[a-z])\)")
_NO_ABSTRACT = re.compile(
    r"(?:Author information:|Comment in|Comment on|Erratum|Update in|Copyright|©|Conflict of interest|PMC?ID:|DOI:)"
)
_LABEL_START = re.compile(r"(?<=[.?!)]) (?=[A-Z][A-Z &/,-]{4,60}: )")
"""The blank between the named parts of an abstract."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A publication; `period` is its date, as a day, a month or a year of ISO 8601."""

    title: str
    authors: tuple[str, ...]
    journal: str
    period: str
    abstract: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    doi: str = ""
    pmid: str = ""
    location: str = ""

    @property
    def citation(self) -> str:
        """Authors, journal with volume and pages, period of publication, and DOI."""
        source = " ".join(filter(None, (self.journal, self.location)))
        parts = ["; ".join(self.authors), source, self.period, f"doi:{self.doi}" if self.doi else ""]
        return ". ".join(filter(None, parts))


class References:
    """Each publication with its citation, abstract, keywords and notes."""

    version = 1
    media_type = "application/x-references"
    suffixes: tuple[str, ...] = (".nbib", ".ris", ".enw", ".bib", ".bibtex")
    heavy = False
    signature: Signature | None = Signature(
        text=_BEGINNING,
        confirms=lambda raw: (
            not _ABSTRACTS_START.match(head := decode_head(raw.data).lstrip("\ufeff")) or bool(_PMID.search(head))
        ),
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where no publication is in it."""
        references = list(iter_references(decode_text(raw.data)))
        if not references:
            raise UnreadableFile("no publication is in it", "export the list again")
        assembly = Assembly()
        if len(references) == 1:
            return _finish_paper(assembly, references[0], self.media_type)
        last_period = ""
        for reference in references:
            if reference.period != last_period:
                assembly.end_sections(1)
                assembly.add_heading(reference.period, 1)
            last_period = reference.period
            _add_reference(assembly, reference, 2)
        return assembly.finish(Kind.TEXT, self.media_type)


def _finish_paper(assembly: Assembly, paper: Reference, media_type: str) -> Document:
    _add_reference(assembly, paper, 1)
    day = find_first_day(paper.period)
    return assembly.finish(
        Kind.PAPER,
        media_type,
        title=paper.title,
        authors=paper.authors,
        dates=[DateClaim(day, DateOrigin.PUBLICATION)] if day else [],
        attributes=Attributes(journal=paper.journal, doi=paper.doi, pmid=paper.pmid, keywords=paper.keywords),
    )


def _add_reference(assembly: Assembly, reference: Reference, level: int) -> None:
    assembly.add_heading(reference.title or reference.citation, level)
    assembly.add(BlockKind.PARAGRAPH, reference.citation)
    for paragraph in (*reference.abstract, *reference.notes):
        assembly.add(BlockKind.PARAGRAPH, paragraph)
    if reference.keywords:
        assembly.add(BlockKind.PARAGRAPH, f"Keywords: {'; '.join(reference.keywords)}")


def iter_references(text: str) -> Iterator[Reference]:
    """The publications of a text in any of the notations, in order; those without title and abstract are left out."""
    source = text.lstrip("\ufeff")
    if _ABSTRACTS_START.match(source):
        references: Iterator[Reference] = map(_read_abstract, re.split(r"\n{2,}(?=\d+\. )", source.strip()))
    else:
        records = (
            iter_bibtex_entries(source) if re.match(rf"\s*{_BIBTEX}", source, re.IGNORECASE) else _iter_tagged(source)
        )
        references = map(_build_reference, records)
    yield from (reference for reference in references if reference.title or reference.abstract)


def _iter_tagged(text: str) -> Iterator[dict[str, list[str]]]:
    """The values of each record by tag; a line without a tag continues the one above."""
    record: dict[str, list[str]] = {}
    last_tag = ""
    for line in text.split("\n"):
        match = _TAG_LINE.fullmatch(line.rstrip())
        if match is None:
            if last_tag and line.strip():
                record[last_tag][-1] = f"{record[last_tag][-1]} {line.strip()}".strip()
            continue
        tag, value = match[1] or match[3], (match[2] or match[4] or "").strip()
        if tag in ("TY", "ER", "%0") or (tag == "PMID" and tag in record):
            if record:
                yield record
            record = {}
        last_tag = tag
        record.setdefault(tag, []).append(value)
    if record:
        yield record


def _build_reference(record: Mapping[str, list[str]]) -> Reference:
    values: dict[str, list[str]] = {}
    for tag, texts in record.items():
        name = _FIELD_NAMES.get(tag)
        if name and not (tag == _SHORT_AUTHOR and "FAU" in record):
            values.setdefault(name, []).extend(filter(None, texts))
    identifiers = (_DOI.search(text) for text in values.get("doi", []))
    volume, pages = (next(iter(values.get(name, [])), "") for name in ("volume", "pages"))
    return Reference(
        title=" ".join(next(iter(values.get("title", [])), "").split()),
        authors=tuple(values.get("author", [])),
        journal=next(iter(values.get("journal", [])), ""),
        period=_find_period(values),
        abstract=tuple(part for text in values.get("abstract", []) for part in _LABEL_START.split(text)),
        keywords=tuple(dict.fromkeys(values.get("keyword", []))),
        notes=tuple(values.get("note", [])),
        doi=next((match[0] for match in identifiers if match), ""),
        pmid=next(iter(values.get("pmid", [])), ""),
        location=":".join(filter(None, (volume, pages))),
    )


def _find_period(values: Mapping[str, list[str]]) -> str:
    """The most exact date of a record."""
    year, month, day = (next(iter(values.get(name, [])), "") for name in ("year", "month", "day"))
    dates = [*values.get("date", []), " ".join(filter(None, (year, month, day))), year]
    return max(map(parse_period, dates), key=len, default="")


def parse_period(text: str) -> str:
    """The day, month or year in a text, as in ISO 8601: 2019-11-21 for "2019 Nov 21"; else nothing."""
    match = _DATE.search(text)
    if match is None:
        return ""
    year, month_text, day = match.groups()
    month = int(month_text) if month_text and month_text.isdecimal() else MONTHS.get((month_text or "")[:3].lower(), 0)
    if not 1 <= month <= 12:
        return str(year)
    if day and make_date(int(year), month, int(day)):
        return f"{year}-{month:02}-{int(day):02}"
    return f"{year}-{month:02}"


def find_first_day(period: str) -> date | None:
    """The first day of a period of `parse_period`; None for an empty one."""
    return date.fromisoformat(f"{period}-01-01"[: len("YYYY-MM-DD")]) if period else None


def _read_abstract(text: str) -> Reference:
    """A publication as PubMed prints it: citation, title, authors, notes on the authors, abstract, numbers."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
    citation_text, title, authors = (*paragraphs[:3], "", "", "")[:3]
    citation = _CITATION.match(citation_text)
    numbers = "\n".join(re.findall(r"^(?:DOI|PMID): \S+", text, re.MULTILINE))
    pmid, doi = _PMID.search(numbers), _DOI.search(numbers)
    abstract_parts = [part for part in paragraphs[3:] if not _NO_ABSTRACT.match(part)]
    names = _AFFILIATION.sub("", authors).rstrip(".").split(", ")
    return Reference(
        title=title.rstrip("."),
        authors=tuple(filter(None, (name.strip() for name in names))),
        journal=citation[1] if citation else "",
        period=parse_period(citation[2]) if citation else "",
        abstract=tuple(piece for part in abstract_parts for piece in _LABEL_START.split(part)),
        doi=doi[0] if doi else "",
        pmid=pmid[1] if pmid else "",
    )


member = References()
