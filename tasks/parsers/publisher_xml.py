"""Papers in the vocabularies of publishers and tools other than JATS: metadata, abstract, sections and references.

Elsevier (full-text API and journal articles), PubMed, Springer A++, TEI (GROBID), DocBook, BioMed Central, arXiv (Atom
and OAI-PMH). Each is described by where it keeps what; a file that has nothing but a title is refused by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, cast

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP, local, read_xml, root_tag, squeezed, words
from tasks.parsers.written_dates import make_date
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_YEAR = re.compile(r"\b((?:1[89]|20)\d\d)(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TABLES, _ROWS, _CELLS = (
    frozenset(["table", "informaltable", "tgroup", "tbl"]),
    frozenset(["row", "tr", "r"]),
    frozenset(["entry", "td", "th", "cell", "c"]),
)
_SILENT = frozenset(["cross-ref", "cross-refs", "inter-refs", "footnote", "indexterm", "note", "label", "fig-icon"])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Where a vocabulary keeps what, as XPath from an article's element; the first of several that finds anything.

    `roots` are the names of a file's first element in lower case, `sign` what its beginning must hold beside them.
    `article` leads to each article of a file. A person's name is one text or consists of `given` and `family`.
    """

    name: str
    roots: frozenset[str]
    sign: str
    article: str
    title: tuple[str, ...]
    people: tuple[str, ...]
    given: frozenset[str]
    family: frozenset[str]
    dates: tuple[str, ...]
    journal: tuple[str, ...]
    doi: tuple[str, ...]
    abstract: tuple[str, ...]
    body: tuple[str, ...]
    sections: frozenset[str]
    titles: frozenset[str]
    paragraphs: frozenset[str]
    references: tuple[str, ...]
    pmid: tuple[str, ...] = ()
    pmcid: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


VOCABULARIES = (
    Vocabulary(
        "Elsevier",
        frozenset(["full-text-retrieval-response", "article", "converted-article", "simple-article", "book-review"]),
        r"elsevier\.com/xml|<(?:\w+:)?full-text-retrieval-response",
        ".",
        ("coredata/title", ".//head/title", ".//head//article-title"),
        (".//head/author-group/author", "coredata/creator"),
        frozenset(["given-name"]),
        frozenset(["surname"]),
        ("coredata/coverDate", ".//date-received", ".//date-accepted", ".//copyright"),
        ("coredata/publicationName", ".//srctitle"),
        ("coredata/doi", ".//item-info/doi"),
        (".//head/abstract", "coredata/description"),
        (".//body/sections", ".//body"),
        frozenset(["section", "sections", "acknowledgment", "appendices"]),
        frozenset(["section-title"]),
        frozenset(["para", "simple-para", "list-item", "def-description"]),
        (".//bibliography//bib-reference",),
        pmid=("pubmed-id",),
        keywords=(".//head/keywords/keyword", "coredata/subject"),
    ),
    Vocabulary(
        "PubMed",
        frozenset(["pubmedarticleset", "pubmedarticle", "medlinecitationset", "medlinecitation"]),
        "",
        ".//PubmedArticle|.//MedlineCitation[not(parent::PubmedArticle)]|self::PubmedArticle",
        (".//ArticleTitle", ".//VernacularTitle"),
        (".//AuthorList/Author",),
        frozenset(["ForeName", "Initials"]),
        frozenset(["LastName", "CollectiveName"]),
        (".//Article/ArticleDate", ".//JournalIssue/PubDate", ".//DateCompleted", ".//DateRevised"),
        (".//Journal/Title", ".//Journal/ISOAbbreviation"),
        (".//ELocationID[@EIdType='doi']", ".//PubmedData/ArticleIdList/ArticleId[@IdType='doi']"),
        (".//Abstract",),
        (),
        frozenset(),
        frozenset(),
        frozenset(["AbstractText"]),
        (".//ReferenceList/Reference/Citation",),
        pmid=(".//PMID",),
        pmcid=(".//PubmedData/ArticleIdList/ArticleId[@IdType='pmc']",),
        keywords=(".//KeywordList/Keyword",),
    ),
    Vocabulary(
        "Springer A++",
        frozenset(["publisher"]),
        r"<(?:PublisherInfo|Journal|Series|Book)\b|A\+\+",
        ".//Article|.//Chapter",
        (".//ArticleTitle", ".//ChapterTitle"),
        (".//ArticleHeader/AuthorGroup/Author", ".//ChapterHeader/AuthorGroup/Author", ".//AuthorGroup/Author"),
        frozenset(["GivenName"]),
        frozenset(["Particle", "FamilyName"]),
        (".//OnlineDate", ".//PublicationDate", ".//Accepted", ".//Received", "..//CoverDate", ".//ArticleCopyright"),
        ("ancestor::Journal//JournalTitle", "ancestor::Book//BookTitle"),
        (".//ArticleDOI", ".//ChapterDOI"),
        (".//Abstract",),
        ("Body", ".//Body"),
        frozenset([*(f"Section{level}" for level in range(1, 7)), "Appendix", "Acknowledgments"]),
        frozenset(["Heading"]),
        frozenset(["Para", "SimplePara", "ItemContent"]),
        (".//Bibliography/Citation",),
        keywords=(".//KeywordGroup/Keyword",),
    ),
    Vocabulary(
        "TEI",
        frozenset(["tei", "teicorpus"]),
        "",
        ".//TEI|self::TEI",
        (".//titleStmt/title", ".//sourceDesc//analytic/title", ".//sourceDesc//title"),
        (".//sourceDesc//analytic/author", ".//titleStmt/author"),
        frozenset(["forename"]),
        frozenset(["surname"]),
        (".//publicationStmt/date", ".//sourceDesc//imprint/date", ".//sourceDesc//date"),
        (".//sourceDesc//monogr/title",),
        (".//sourceDesc//idno[@type='DOI']", ".//idno[@type='DOI']"),
        (".//profileDesc/abstract", ".//front//div[@type='abstract']"),
        ("text/body",),
        frozenset(["div", "div1", "div2", "div3"]),
        frozenset(["head"]),
        frozenset(["p", "ab", "item"]),
        (".//listBibl/biblStruct", ".//listBibl/bibl"),
        keywords=(".//profileDesc//keywords//term",),
    ),
    Vocabulary(
        "DocBook",
        frozenset(["article", "book", "chapter"]),
        r"docbook",
        ".",
        ("info/title", "articleinfo/title", "bookinfo/title", "chapterinfo/title", "title"),
        ("*[contains(name(), 'info')]//author",),
        frozenset(["firstname", "givenname", "othername"]),
        frozenset(["surname"]),
        ("*[contains(name(), 'info')]//pubdate", "*[contains(name(), 'info')]//date"),
        ("*[contains(name(), 'info')]//publishername",),
        (".//biblioid[@class='doi']",),
        ("*[contains(name(), 'info')]/abstract", "abstract"),
        (".",),
        frozenset(["section", "chapter", "part", "appendix", "preface", *(f"sect{level}" for level in range(1, 6))]),
        frozenset(["title"]),
        frozenset(["para", "simpara", "programlisting", "term"]),
        (".//bibliography//bibliomixed", ".//bibliography//biblioentry"),
    ),
    Vocabulary(
        "BioMed Central",
        frozenset(["art"]),
        r"<(?:fm|ji|ui)\b",
        ".",
        ("fm/bibl/title",),
        ("fm/bibl/aug/au",),
        frozenset(["fnm", "mi", "mnm"]),
        frozenset(["snm", "cnm"]),
        ("fm/bibl/pubdate", "fm/history/pub/date", "fm/history//date"),
        ("fm/bibl/source",),
        ("fm/bibl//pubid[@idtype='doi']",),
        ("fm/abs",),
        ("bdy",),
        frozenset(["sec"]),
        frozenset(["st"]),
        frozenset(["p", "li"]),
        ("bm/refgrp/bibl",),
        pmid=("fm/bibl//pubid[@idtype='pmpid']",),
    ),
    Vocabulary(
        "arXiv",
        frozenset(["feed", "oai-pmh", "arxiv", "entry"]),
        r"arxiv",
        ".//entry|.//arXiv|self::arXiv|self::entry",
        ("title",),
        ("author", "authors/author"),
        frozenset(["forenames"]),
        frozenset(["keyname", "name"]),
        ("published", "created"),
        ("journal_ref", "journal-ref"),
        ("doi",),
        ("summary", "abstract"),
        (),
        frozenset(),
        frozenset(),
        frozenset(["summary", "abstract"]),
        (),
    ),
)


class PublisherXml:
    """Title, authors, date, identifiers, abstract, sections and references of a paper, or of several in one file."""

    version = 1
    media_type = "application/xml"
    suffixes: tuple[str, ...] = (".xml", ".tei", ".dbk")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=lambda raw: vocabulary_of(head(raw.data)) is not None)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for malformed XML, and for a file without an article's text."""
        vocabulary = vocabulary_of(head(raw.data))
        root = read_xml(raw.data)
        if vocabulary is None:
            raise refusals.foreign_xml(local(root))
        articles = [node for node in _elements(root, vocabulary.article) if _first(node, vocabulary.title)]
        assembly = Assembly()
        told = [_add(assembly, node, vocabulary) for node in articles]
        if not any(told):
            raise refusals.without_article(vocabulary.name, local(root))
        if len(articles) > 1:
            return assembly.finish(Kind.PAPER, self.media_type)
        (node,) = articles
        return assembly.finish(
            Kind.PAPER,
            self.media_type,
            title=_first(node, vocabulary.title),
            authors=_authors(node, vocabulary),
            dates=_dates(node, vocabulary),
            attributes=_attributes(node, vocabulary),
        )


def vocabulary_of(beginning: str) -> Vocabulary | None:
    """The vocabulary of the first element of a file, with its sign where others share the name."""
    root = root_tag(beginning)
    return next(
        (
            each
            for each in VOCABULARIES
            if root in each.roots and (not each.sign or re.search(each.sign, beginning, re.IGNORECASE))
        ),
        None,
    )


def _elements(node: _Element, path: str) -> list[_Element]:
    """What an XPath finds that has words or attributes."""
    found = cast("list[_Element]", node.xpath(path))
    return [each for each in found if each.attrib or "".join(map(str, each.itertext())).strip()]


def _found(node: _Element, paths: tuple[str, ...]) -> list[_Element]:
    """What the first path finds that finds anything."""
    return next((found for path in paths if (found := _elements(node, path))), [])


def _first(node: _Element, paths: tuple[str, ...]) -> str:
    return next((text for each in _found(node, paths) if (text := _text(each))), "")


def _text(node: _Element) -> str:
    """The words of an element on one line, marks of citations and notes left out."""
    return squeezed(words(node, lambda part, inner: "" if local(part) in _SILENT else None))


def _spaced(node: _Element) -> str:
    """The words of an element whose parts no punctuation parts: names, title, year of a reference."""
    return squeezed(" ".join(map(str, node.itertext())))


def _authors(node: _Element, vocabulary: Vocabulary) -> list[str]:
    names = []
    for person in _found(node, vocabulary.people):
        parts = [_text(each) for each in person.iter(*vocabulary.given)]
        parts = parts[:1] if "Initials" in vocabulary.given else parts
        family = [_text(each) for each in person.iter(*vocabulary.family)]
        names.append(" ".join([*parts, *family]) or _inverted(_text(person)))
    return list(dict.fromkeys(filter(None, names)))


def _inverted(name: str) -> str:
    """A name as it is spoken: "Jane Smith" for "Smith, Jane"."""
    family, _, given = name.partition(", ")
    return f"{given} {family}" if given and "," not in given else name


def _dates(node: _Element, vocabulary: Vocabulary) -> list[DateClaim]:
    for path in vocabulary.dates:
        for each in _elements(node, path):
            day = _day(each)
            if day:
                return [DateClaim(day, DateOrigin.PUBLICATION)]
    return []


def _day(node: _Element) -> date | None:
    """The day that an element names in its parts, attributes or words, else the first of its month or year."""
    parts = {local(each).lower(): _text(each) for each in node}
    parts |= {str(name).lower(): str(value) for name, value in node.attrib.items()}
    year = parts.get("year", "")
    if year[:4].isdigit():
        return make_date(int(year[:4]), _month(parts.get("month", "")), _number(parts.get("day", "")))
    found = _YEAR.search(parts.get("when", "") or parts.get("iso-8601-date", "") or _text(node))
    return make_date(int(found[1]), int(found[2] or 1), int(found[3] or 1)) if found else None


def _month(text: str) -> int:
    names = [place for place, name in enumerate(_MONTHS, 1) if text.lower().startswith(name)]
    return names[0] if names else _number(text)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and 0 < int(text) < 32 else 1


def _attributes(node: _Element, vocabulary: Vocabulary) -> Attributes:
    doi = _DOI.search(_first(node, vocabulary.doi))
    pmcid = _first(node, vocabulary.pmcid).upper()
    return Attributes(
        journal=_first(node, vocabulary.journal),
        doi=doi[0] if doi else "",
        pmid=_first(node, vocabulary.pmid),
        pmcid=f"PMC{pmcid}" if pmcid.isdigit() else pmcid,
        keywords=tuple(dict.fromkeys(filter(None, map(_text, _found(node, vocabulary.keywords))))),
    )


def _add(assembly: Assembly, node: _Element, vocabulary: Vocabulary) -> bool:
    """Adds an article; whether there is more of it than its title."""
    assembly.heading(_first(node, vocabulary.title), 1)
    start = assembly.end
    abstracts = _found(node, vocabulary.abstract)[:1]
    for abstract in abstracts:
        assembly.heading("Abstract", 2)
        if not _add_blocks(assembly, abstract, vocabulary, 3, ()):
            assembly.add(BlockKind.PARAGRAPH, _text(abstract))
    told = assembly.end > start
    assembly.leave(2)
    references = _found(node, vocabulary.references)
    lists = {above for each in references if (above := each.getparent()) is not None}
    for body in _found(node, vocabulary.body)[:1]:
        told |= _add_blocks(assembly, body, vocabulary, 2, (*abstracts, *lists))
    assembly.leave(2)
    entries = [text for each in references if (text := _spaced(each))]
    if entries:
        assembly.heading("References", 2)
        assembly.add(BlockKind.LIST, "\n".join(f"{number}. {text}" for number, text in enumerate(entries, 1)))
    assembly.leave(1)
    return told


def _add_blocks(
    assembly: Assembly, node: _Element, vocabulary: Vocabulary, level: int, aside: tuple[_Element, ...]
) -> bool:
    """Adds the sections, paragraphs and tables of an element; whether there were any."""
    told = False
    for child in node:
        tag = local(child)
        if not tag or tag == "&" or tag in vocabulary.titles or child in aside or tag.endswith("info"):
            continue
        if tag in vocabulary.sections:
            title = next((text for each in child if local(each) in vocabulary.titles and (text := _text(each))), "")
            if title:
                assembly.heading(title, level)
            told |= _add_blocks(assembly, child, vocabulary, level + bool(title), aside)
            if title:
                assembly.leave(level)
        elif tag in _TABLES:
            rows = [[_text(cell) for cell in row.iter(*_CELLS)] for row in child.iter(*_ROWS)]
            told |= assembly.table([row for row in rows if row]) is not None if any(rows) else False
        elif tag in vocabulary.paragraphs:
            label = child.get("Label")
            text = f"{label.capitalize()}: {_text(child)}" if label else _text(child)
            told |= assembly.add(BlockKind.PARAGRAPH, text) is not None
        else:
            told |= _add_blocks(assembly, child, vocabulary, level, aside)
    return told


member = PublisherXml()
