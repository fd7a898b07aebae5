"""Papers in the vocabularies of publishers and tools other than JATS: metadata, abstract, sections and references.

Elsevier (full-text API and journal articles), PubMed, Springer A++, TEI (GROBID), DocBook, BioMed Central, arXiv (Atom
and OAI-PMH). `publisher_vocabularies.toml` has the paths of each; a file with only a title is refused with the name
of its vocabulary.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.references import find_first_day, parse_period
from tasks.parsers.trees import MARKUP, collapse_spaces, collect_text, find_root_tag, get_tag, has_own_words, read_xml
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_TABLE_TAGS = frozenset(["table", "informaltable", "tgroup", "tbl"])
_ROW_TAGS, _CELL_TAGS = frozenset(["row", "tr", "r"]), frozenset(["entry", "td", "th", "cell", "c"])
_MANUAL_TAGS = frozenset(["appendix", "book", "chapter", "part", "preface", "refentry", "sect1", "section"])
"""First elements of DocBook that are a manual, or a piece of one."""
_NOTE_TAGS = frozenset(["footnote", "note"])
"""Notes inside a paragraph, which become paragraphs after it."""
_UNREAD_TAGS = frozenset(
    ["cross-ref", "cross-refs", "inter-refs", "footnote", "indexterm", "note", "label", "fig-icon"]
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The paths of a vocabulary, as XPath from an article's element; the first of several that finds anything counts.

    `roots` are the names of a file's first element in lower case, `sign` a pattern that its beginning must also have.
    `article` is the path of the articles of a file. A person's name is one text or consists of `given` and `family`.
    `code` keeps its lines; it, tables and `blocks` are separate blocks inside a paragraph.
    """

    name: str
    roots: tuple[str, ...]
    article: str
    sign: str = ""
    title: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    journal: tuple[str, ...] = ()
    doi: tuple[str, ...] = ()
    abstract: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    pmid: tuple[str, ...] = ()
    pmcid: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@cache
def _load_vocabularies() -> tuple[Vocabulary, ...]:
    source = Path(__file__).with_name("publisher_vocabularies.toml")
    entries = tomllib.loads(source.read_text("utf-8"))["vocabulary"]
    frozen_entries: list[dict[str, Any]] = [
        {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()} for entry in entries
    ]
    return tuple(Vocabulary(**fields) for fields in frozen_entries)


class PublisherXml:
    """Title, authors, date, identifiers, abstract, sections and references of a paper, or of several in one file."""

    version = 4
    media_type = "application/xml"
    suffixes: tuple[str, ...] = (".xml", ".tei", ".dbk")
    heavy = False
    signature: Signature | None = Signature(
        text=MARKUP, confirms=lambda raw: find_vocabulary(decode_head(raw.data)) is not None
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for malformed XML, and for a file without an article's text."""
        vocabulary = find_vocabulary(decode_head(raw.data))
        root = read_xml(raw.data)
        if vocabulary is None:
            raise refusals.foreign_xml(get_tag(root))
        articles = [
            node for node in _find_elements(root, vocabulary.article) if _find_first_text(node, vocabulary.title)
        ]
        assembly = Assembly()
        has_content = list(_add_articles(assembly, articles, vocabulary))
        if not any(has_content):
            raise refusals.without_article(vocabulary.name, get_tag(root))
        if len(articles) > 1:
            return assembly.finish(Kind.TEXT, self.media_type)
        (node,) = articles
        return assembly.finish(
            Kind.TEXT if get_tag(node) in _MANUAL_TAGS else Kind.PAPER,
            self.media_type,
            title=_find_first_text(node, vocabulary.title),
            authors=_read_authors(node, vocabulary),
            dates=_read_dates(node, vocabulary),
            attributes=_read_attributes(node, vocabulary),
        )


def find_vocabulary(beginning: str) -> Vocabulary | None:
    """The vocabulary of the first element of a file, with its sign where others share the name."""
    root = find_root_tag(beginning)
    return next(
        (
            entry
            for entry in _load_vocabularies()
            if root in entry.roots and (not entry.sign or re.search(entry.sign, beginning, re.IGNORECASE))
        ),
        None,
    )


def _find_elements(node: _Element, path: str) -> list[_Element]:
    """The elements at an XPath that have words or attributes."""
    elements = cast("list[_Element]", node.xpath(path))
    return [element for element in elements if element.attrib or "".join(map(str, element.itertext())).strip()]


def _find_first_elements(node: _Element, paths: tuple[str, ...]) -> list[_Element]:
    """The elements at the first of the paths that has any."""
    return next((elements for path in paths if (elements := _find_elements(node, path))), [])


def _find_first_text(node: _Element, paths: tuple[str, ...]) -> str:
    return next((text for element in _find_first_elements(node, paths) if (text := _get_text(element))), "")


def _get_text(node: _Element) -> str:
    """The words of an element on one line, marks of citations and notes left out."""
    return collapse_spaces(collect_text(node, lambda part, inner: "" if get_tag(part) in _UNREAD_TAGS else None))


def _read_authors(node: _Element, vocabulary: Vocabulary) -> list[str]:
    names = []
    for person in _find_first_elements(node, vocabulary.people):
        parts = [_get_text(name_part) for name_part in person.iter(*vocabulary.given)]
        parts = parts[:1] if "Initials" in vocabulary.given else parts
        family = [_get_text(name_part) for name_part in person.iter(*vocabulary.family)]
        full_name = _get_text(person)
        last, _, first = full_name.partition(", ")
        if first and "," not in first:
            full_name = f"{first} {last}"  # "Jane Smith" for "Smith, Jane"
        names.append(" ".join([*parts, *family]) or full_name)
    return list(dict.fromkeys(filter(None, names)))


def _read_dates(node: _Element, vocabulary: Vocabulary) -> list[DateClaim]:
    day = find_first_day(_find_period(node, vocabulary))
    return [DateClaim(day, DateOrigin.PUBLICATION)] if day else []


def _read_period(node: _Element) -> str:
    """The day, month or year of ISO 8601 that an element states in its parts, attributes or words, else nothing."""
    parts = {get_tag(child).lower(): _get_text(child) for child in node}
    parts |= {str(name).lower(): str(value) for name, value in node.attrib.items()}
    period = " ".join(filter(None, (parts.get(part) for part in ("year", "month", "day"))))
    return parse_period(period) or parse_period(parts.get("when") or parts.get("iso-8601-date") or _get_text(node))


def _read_attributes(node: _Element, vocabulary: Vocabulary) -> Attributes:
    doi = _DOI.search(_find_first_text(node, vocabulary.doi))
    pmcid = _find_first_text(node, vocabulary.pmcid).upper()
    return Attributes(
        journal=_find_first_text(node, vocabulary.journal),
        doi=doi[0] if doi else "",
        pmid=_find_first_text(node, vocabulary.pmid),
        pmcid=f"PMC{pmcid}" if pmcid.isdigit() else pmcid,
        keywords=tuple(dict.fromkeys(filter(None, map(_get_text, _find_first_elements(node, vocabulary.keywords))))),
    )


def _add_articles(assembly: Assembly, articles: Sequence[_Element], vocabulary: Vocabulary) -> Iterator[bool]:
    """Adds articles, several each below its date of publication; yields whether each has more than its title."""
    last_period = ""
    for node in articles:
        period = _find_period(node, vocabulary) if len(articles) > 1 else ""
        if period != last_period:
            assembly.end_sections(1)
            assembly.add_heading(period, 1)
        last_period = period
        yield _add_article(assembly, node, vocabulary, level_offset=1 if len(articles) > 1 else 0)


def _find_period(node: _Element, vocabulary: Vocabulary) -> str:
    """The period of publication of an article, by the first element that states it."""
    periods = (_read_period(element) for path in vocabulary.dates for element in _find_elements(node, path))
    return next(filter(None, periods), "")


def _add_article(assembly: Assembly, node: _Element, vocabulary: Vocabulary, level_offset: int) -> bool:
    """Adds an article, its headings `level_offset` levels deeper; returns whether it has more than its title."""
    assembly.add_heading(_find_first_text(node, vocabulary.title), 1 + level_offset)
    start = assembly.end
    abstracts = _find_first_elements(node, vocabulary.abstract)[:1]
    for abstract in abstracts:
        assembly.add_heading("Abstract", 2 + level_offset)
        if not _add_blocks(assembly, abstract, vocabulary, 3 + level_offset, ()):
            assembly.add(BlockKind.PARAGRAPH, _get_text(abstract))
    has_content = assembly.end > start
    assembly.end_sections(2 + level_offset)
    references = _find_first_elements(node, vocabulary.references)
    lists = {parent for reference in references if (parent := reference.getparent()) is not None}
    for body in _find_first_elements(node, vocabulary.body)[:1]:
        has_content |= _add_blocks(assembly, body, vocabulary, 2 + level_offset, (*abstracts, *lists))
    assembly.end_sections(2 + level_offset)
    # No punctuation separates names, title and year of a reference.
    entries = [text for reference in references if (text := _get_reference(reference))]
    if entries:
        assembly.add_heading("References", 2 + level_offset)
        assembly.add(BlockKind.LIST, "\n".join(f"{number}. {text}" for number, text in enumerate(entries, 1)))
    assembly.end_sections(1 + level_offset)
    return has_content


def _get_reference(node: _Element) -> str:
    """The words of a reference, and the year that only an attribute has."""
    words = collapse_spaces(" ".join(map(str, node.itertext())))
    years = (date.get("when") or "" for date in node.iter("date") if not _get_text(date))
    return " ".join(filter(None, (words, next(filter(None, years), ""))))


def _add_blocks(
    assembly: Assembly, node: _Element, vocabulary: Vocabulary, level: int, excluded: tuple[_Element, ...]
) -> bool:
    """Adds the sections, paragraphs and tables of an element; returns whether there were any."""
    added = [_add_block(assembly, child, vocabulary, level, excluded) for child in node]
    return any(added)


def _add_block(
    assembly: Assembly, node: _Element, vocabulary: Vocabulary, level: int, excluded: tuple[_Element, ...]
) -> bool:
    """Adds an element by its kind; returns whether it had any content."""
    tag = get_tag(node)
    if not tag or tag == "&" or tag in vocabulary.titles or node in excluded or tag.endswith("info"):
        return False
    titles = (_get_text(child) for child in node if get_tag(child) in vocabulary.titles)
    title = next(filter(None, titles), "")
    if tag in vocabulary.sections:
        if title:
            assembly.add_heading(title, level)
        has_content = _add_blocks(assembly, node, vocabulary, level + bool(title), excluded)
        if title:
            assembly.end_sections(level)
        return has_content
    if tag in _TABLE_TAGS:
        rows = [[_get_text(cell) for cell in row.iter(*_CELL_TAGS)] for row in node.iter(*_ROW_TAGS)]
        return assembly.add_table([row for row in rows if row], caption=title) is not None if any(rows) else False
    if tag in vocabulary.code:
        return assembly.add(BlockKind.CODE, collect_text(node)) is not None
    if tag in vocabulary.paragraphs:
        return _add_paragraph(assembly, node, vocabulary, level, excluded)
    has_caption = tag in vocabulary.blocks and assembly.add(BlockKind.PARAGRAPH, title) is not None
    if not has_caption and tag not in _UNREAD_TAGS and has_own_words(node):
        return _add_paragraph(assembly, node, vocabulary, level, excluded)
    return _add_blocks(assembly, node, vocabulary, level, excluded) or has_caption


def _add_paragraph(
    assembly: Assembly, node: _Element, vocabulary: Vocabulary, level: int, excluded: tuple[_Element, ...]
) -> bool:
    """Adds the words of a paragraph, cut at the blocks in it, and its notes; returns whether there were any."""
    has_words = _add_words(assembly, node, vocabulary, level, excluded)
    notes = [note for note in node.iter(*_NOTE_TAGS) if get_tag(note) not in vocabulary.blocks]
    note_ancestors = (
        (note, (ancestor for ancestor in note.iterancestors(*vocabulary.paragraphs, node.tag))) for note in notes
    )
    paragraph_notes = [note for note, ancestors in note_ancestors if next(ancestors) is node]
    added = [assembly.add(BlockKind.PARAGRAPH, collapse_spaces(collect_text(note))) for note in paragraph_notes]
    return has_words or any(added)


def _add_words(
    assembly: Assembly, node: _Element, vocabulary: Vocabulary, level: int, excluded: tuple[_Element, ...]
) -> bool:
    """Adds the words of a paragraph, cut at the blocks in it; returns whether there were any."""
    label = node.get("Label")
    block_tags = (*vocabulary.blocks, *vocabulary.code, *(_TABLE_TAGS if vocabulary.blocks else ()))
    if not any(get_tag(part) in block_tags for part in node):
        text = f"{label.capitalize()}: {_get_text(node)}" if label else _get_text(node)
        return assembly.add(BlockKind.PARAGRAPH, text) is not None
    words, has_content = [node.text or ""], False
    for part in node:
        if get_tag(part) in block_tags:
            has_content |= assembly.add(BlockKind.PARAGRAPH, collapse_spaces("".join(words))) is not None
            has_content |= _add_block(assembly, part, vocabulary, level, excluded)
            words = []
        elif get_tag(part) not in _UNREAD_TAGS:
            words.append(collect_text(part))
        words.append(part.tail or "")
    return assembly.add(BlockKind.PARAGRAPH, collapse_spaces("".join(words))) is not None or has_content


member = PublisherXml()
