"""Research papers in JATS, the Journal Article Tag Suite (ANSI/NISO Z39.96), and its NLM ancestors.

This module has the parser and the body: abstracts, nested sections, lists, tables (CALS and XHTML), references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.publications.jats_front import (
    UNSHOWN_TAGS,
    format_inline,
    get_text,
    read_attributes,
    read_authors,
    read_publication_dates,
    read_title,
)
from tasks.parsers.publisher_xml import find_vocabulary
from tasks.parsers.table_form import LaidTable, SpanCell, lay_out, parse_span
from tasks.parsers.trees import (
    MARKUP,
    PAGE_TAGS,
    collapse_spaces,
    collect_text,
    find_root_tag,
    get_tag,
    has_own_words,
    read_xml,
)
from tasks.parsers.web.page_blocks import read_table
from warehouse.records import BlockKind, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element


_JATS = re.compile(r"//DTD (?:JATS|[^\"']*(?:Archiving|Publishing))|<(?:\w+:)?front\b|\b(?:article-type|dtd-version)=")
_WRAPPED_MARKS = (re.compile(r"<(?:\w+:)?article[\s>]"), re.compile(r"<(?:\w+:)?article-meta[\s>]"))
_BOOK_TAGS = frozenset(["book", "book-part-wrapper", "book-part"])
_ABSTRACT_ONLY = ("abstract only", "does not allow downloading of the full text")
_ABSTRACT_TAGS = frozenset(["abstract", "trans-abstract"])
_TITLES = {"teaser": "Teaser", "toc": "Summary", "web-summary": "Summary", "key-points": "Key points"}
_INNER = frozenset(["sub-article", "response"])
_GROUP_TAGS = frozenset(
    {"sec", "abstract", "trans-abstract", "ack", "app", "app-group", "notes", "fn-group", "glossary", "statement"}
    | {"bio", "boxed-text", "disp-quote", "fig-group", "table-wrap-group", "disp-formula-group", "verse-group"}
)
_FLOAT_TAGS = frozenset(["fig", "table-wrap", "supplementary-material", "media", "graphic", "chem-struct-wrap"])
_TEXT_BLOCKS = frozenset(["disp-formula", "preformat", "code", "ref-list", "fn", "attrib"])
_AFTER_PARAGRAPH = _FLOAT_TAGS | {"fn", "boxed-text", "fig-group", "table-wrap-group"}
_SHOWN_BY_PARENT = frozenset(["label", "title", "caption", "term-head", "def-head"])
_GROUP_TITLES = {"ack": "Acknowledgements", "glossary": "Glossary", "fn-group": "Footnotes"}
LIST_TAGS = frozenset(["list", "def-list"])
_ITEM_TAGS = frozenset(["list-item", "def-item"])
TABLE_TAGS = frozenset(["table", "array", "tgroup"])
_BLOCK_TAGS = _GROUP_TAGS | _FLOAT_TAGS | _TEXT_BLOCKS | LIST_TAGS | TABLE_TAGS | {"p"}
_MAX_COLUMNS = 200  # Columns that a cell may cover.
_PEOPLE = frozenset(["name", "string-name", "collab", "etal"])
_ORDERED = frozenset(["label", "person-group", "year", "article-title", "source", "volume", "fpage", "lpage"]) | _PEOPLE


def _is_jats(raw: Raw) -> bool:
    """Whether it is an `article` with a sign of JATS and of no publisher's vocabulary, or one in a wrapper."""
    beginning = decode_head(raw.data)
    root = find_root_tag(beginning)
    if root == "article":
        return _JATS.search(beginning) is not None and find_vocabulary(beginning) is None
    return root not in ("", *PAGE_TAGS) and all(sign.search(beginning) for sign in _WRAPPED_MARKS)


class Jats:
    """Title, abstracts, nested sections, captions, tables, references; the front matter becomes the record's fields."""

    version = 5
    media_type = "application/jats+xml"
    suffixes: tuple[str, ...] = (".xml", ".nxml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_jats)

    def measure_confidence(self, raw: Raw) -> float:
        """An `article` without a sign of JATS; also books, to refuse them by name."""
        return 0.6 if find_root_tag(decode_head(raw.data)) in ("article", *_BOOK_TAGS) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for malformed XML, for books, and for papers with only the abstract."""
        root = read_xml(raw.data)
        articles = find_articles(root)
        if not articles:
            raise refusals.foreign_xml(get_tag(root))
        full_articles = [article for article in articles if not is_abstract_only(article)]
        if not full_articles:
            raise refusals.abstract_only()
        assembly = Assembly()
        for article in full_articles:
            add_article(assembly, article)
        findings = (
            [refusals.report_abstracts(len(articles) - len(full_articles), len(articles))]
            if len(full_articles) < len(articles)
            else []
        )
        if len(full_articles) > 1:
            return assembly.finish(Kind.PAPER, self.media_type, findings=findings)
        return assembly.finish(
            Kind.PAPER,
            self.media_type,
            title=read_title(full_articles[0]),
            authors=read_authors(full_articles[0]),
            dates=read_publication_dates(full_articles[0]),
            attributes=read_attributes(full_articles[0]),
            findings=findings,
        )


def find_articles(root: _Element) -> list[_Element]:
    """The articles in a file: the root itself, or those in a wrapper such as `pmc-articleset` or OAI-PMH's records."""
    candidates = [root] if get_tag(root) == "article" else root.iter("article")
    return [article for article in candidates if article.find("front") is not None or article.find("body") is not None]


def is_abstract_only(article: _Element) -> bool:
    """Whether a publisher's comment states it, or the body is missing or empty."""
    from lxml import etree

    comments = (*article.itersiblings(etree.Comment, preceding=True), *article.iter(etree.Comment))
    if any(mark in (comment.text or "") for comment in comments for mark in _ABSTRACT_ONLY):
        return True
    body = article.find("body")
    return body is None or not "".join(map(str, body.itertext(etree.Element))).strip()


def add_article(assembly: Assembly, article: _Element, level: int = 1) -> None:
    """Adds an article; its title, or the kind of an untitled one inside another, is a heading of this level."""
    kind = get_tag(article)
    assembly.add_heading(read_title(article) or (kind.replace("-", " ").capitalize() if kind in _INNER else ""), level)
    for front in (part for part in article if get_tag(part) in ("front", "front-stub")):
        for abstract in (part for part in front.iter(*_ABSTRACT_TAGS) if get_text(part)):
            _add_abstract(assembly, abstract, level + 1)
    for part in article:
        if get_tag(part) in ("body", "floats-group"):
            add_content(assembly, part, level + 1)
            assembly.end_sections(level + 1)
        elif get_tag(part) == "back":
            for child in part:
                add_block(assembly, child, level + 1)
        elif get_tag(part) in _INNER:
            add_article(assembly, part, level + 1)
    assembly.end_sections(level)


def _add_abstract(assembly: Assembly, abstract: _Element, level: int) -> None:
    """An abstract as a section, "Abstract" where it has no title."""
    kind = (abstract.get("abstract-type") or "").replace("-", " ")
    assembly.add_heading(get_title(abstract) or _TITLES.get(kind) or f"{kind} abstract".strip().capitalize(), level)
    add_content(assembly, abstract, level + 1)
    assembly.end_sections(level)


def add_content(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds the content of an element; headings inside it have this level. Text between blocks is a paragraph.

    Figures, tables and notes that are anchored in a paragraph follow it, so that no sentence is interrupted.
    """
    inline_texts, floats = [node.text or ""], []
    for child in node:
        tag = get_tag(child)
        if tag in _AFTER_PARAGRAPH and get_tag(node) == "p":
            floats.append(child)
        elif tag in _BLOCK_TAGS or (tag not in ("", "&") and next(child.iter(*_BLOCK_TAGS), None) is not None):
            _add_paragraph(assembly, inline_texts)
            add_block(assembly, child, level)
        elif tag not in UNSHOWN_TAGS and tag not in _SHOWN_BY_PARENT:
            inline_texts.append(collect_text(child, format_inline))
        inline_texts.append(child.tail or "")
    _add_paragraph(assembly, inline_texts)
    for child in floats:
        add_block(assembly, child, level)


def add_block(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds an element that is a block."""
    tag = get_tag(node)
    if tag in _FLOAT_TAGS:
        _add_float(assembly, node, level)
    elif tag in TABLE_TAGS:
        _add_tables(assembly, node)
    elif tag in LIST_TAGS:
        assembly.add(BlockKind.LIST, "\n".join(list_lines(node)))
    elif tag == "ref-list":
        add_references(assembly, node, level)
    elif tag in ("code", "preformat"):
        assembly.add(BlockKind.CODE, collect_text(node))
    elif tag in ("disp-formula", "fn", "attrib"):
        assembly.add(BlockKind.PARAGRAPH, get_text(node))
    elif tag in _GROUP_TAGS:
        _add_section(assembly, node, level)
    elif tag and tag not in UNSHOWN_TAGS and tag not in _SHOWN_BY_PARENT:
        add_content(assembly, node, level)


def _add_section(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds a titled group as a section. Without a title its content belongs to the outer section."""
    heading = get_title(node) or _GROUP_TITLES.get(get_tag(node), "")
    assembly.add_heading(heading, level)
    caption = node.find("caption")
    if caption is not None:
        add_content(assembly, caption, level + 1)
    add_content(assembly, node, level + bool(heading))
    assembly.end_sections(level)


def get_title(node: _Element) -> str:
    """The title with its label, or the one in the caption."""
    title = next((element for path in ("title", "caption/title") if (element := node.find(path)) is not None), None)
    return " ".join(filter(None, (get_text(node.find("label")), get_text(title))))


def _add_float(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds the label and the caption of a figure, table or file, then its tables, then its other content."""
    heading, caption = get_title(node), node.find("caption")
    texts = (
        [] if caption is None else [text for part in caption if get_tag(part) != "title" and (text := get_text(part))]
    )
    assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (heading, *texts))))
    table_caption = heading if node.find("caption/title") is not None else " ".join((heading, *texts[:1]))
    _add_tables(assembly, node, table_caption)
    for child in node:
        if get_tag(child) not in TABLE_TAGS | {"alternatives"}:
            add_block(assembly, child, level)


def _add_tables(assembly: Assembly, node: _Element, caption: str = "") -> None:
    footnotes = (note for foot in node.iterfind("table-wrap-foot") for note in foot.iter("fn", "p", "attrib"))
    notes = [get_text(note) for note in footnotes if next(note.iterancestors("fn"), None) is None]
    for table in lay_out_tables(node):
        assembly.add_table(table.rows, header_rows=table.header_rows, merges=table.merges, caption=caption, notes=notes)


def add_references(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds a list of references, one a line after its label or number, and the lists inside it as sections."""
    assembly.add_heading(get_title(node) or "References", level)
    for child in node:
        if get_tag(child) == "ref-list":
            add_references(assembly, child, level + 1)
        elif get_tag(child) != "ref":
            add_block(assembly, child, level + 1)
    lines = []
    for number, ref in enumerate(node.iterfind("ref"), start=1):
        label = get_text(ref.find("label")).strip("[]().") or str(number)
        if entry := " ".join(
            text for part in ref if get_tag(part) not in ("", "label") and (text := _format_reference(part))
        ):
            lines.append(f"{label}. {entry}")
    assembly.add(BlockKind.LIST, "\n".join(lines))
    assembly.end_sections(level)


def _add_paragraph(assembly: Assembly, inline_texts: list[str]) -> None:
    assembly.add(BlockKind.PARAGRAPH, collapse_spaces("".join(inline_texts)))
    inline_texts.clear()


def list_lines(node: _Element, depth: int = 0) -> list[str]:
    """One line an item; lists inside an item are indented below it. A title and the headers of columns come first."""
    indent = "  " * depth
    titles = (text for tag in ("label", "title", "term-head", "def-head") if (text := get_text(node.find(tag))))
    lines = [f"{indent}{head}" for head in titles]
    items = [child for child in node if get_tag(child) in (*_ITEM_TAGS, *LIST_TAGS)]
    number = 0
    for item in items:
        if get_tag(item) in LIST_TAGS:
            lines += list_lines(item, depth + 1)
            continue
        number += 1
        default_mark = f"{number}." if node.get("list-type") == "order" else "-"
        mark = get_text(item.find("label")) or default_mark
        lines.append(f"{indent}{mark} {collapse_spaces(collect_text(item, _format_item_part))}".rstrip())
        for inner in item.iter("list", "def-list"):
            if next(inner.iterancestors("list-item", "def-item")) is item:
                lines += list_lines(inner, depth + 1)
    return lines


def _format_item_part(node: _Element, inner: str) -> str | None:
    """The words of an item without its mark and the lists inside it."""
    tag = get_tag(node)
    parent = node.getparent()
    if tag in LIST_TAGS or (tag == "label" and parent is not None and get_tag(parent) == "list-item"):
        return " "
    if tag == "term" and inner.strip():
        return f"{inner.strip()}: "
    return f" {inner} " if tag in ("def", "title", "p") else format_inline(node, inner)


def lay_out_tables(node: _Element) -> Iterator[LaidTable]:
    """The tables of an element: itself if it is one, else those directly in it or among the alternatives in it."""
    if get_tag(node) == "tgroup":
        yield _lay_out_group(node)
    elif get_tag(node) in TABLE_TAGS and node.find("tgroup") is None:
        yield read_table(node, get_text)
    else:
        for child in node:
            if get_tag(child) in TABLE_TAGS | {"alternatives"}:
                yield from lay_out_tables(child)


def _lay_out_group(group: _Element) -> LaidTable:
    """A group of the OASIS model: `row` and `entry`, with names for the columns that an entry spans."""
    names = {column.get("colname", ""): place for place, column in enumerate(group.iterfind("colspec"))}
    sections = [part for tag in ("thead", "tbody", "tfoot") for part in group.iterfind(tag)]
    rows = [
        [_make_cell(entry, names) for entry in row.iterfind("entry")]
        for part in sections
        for row in part.iterfind("row")
    ]
    head = group.find("thead")
    return lay_out(rows, (len(head.findall("row")) if head is not None else 0) or None)


def _make_cell(entry: _Element, names: dict[str, int]) -> SpanCell:
    first, last = names.get(entry.get("namest", "")), names.get(entry.get("nameend", ""))
    columns = last - first + 1 if first is not None and last is not None and last >= first else 1
    extra_rows = entry.get("morerows", "")
    return SpanCell(
        get_text(entry), parse_span(str(int(extra_rows) + 1)) if extra_rows.isdigit() else 1, min(columns, _MAX_COLUMNS)
    )


def _format_reference(node: _Element) -> str:
    """The entry as printed where it has its punctuation, else names (year) title. source volume: pages."""
    if get_tag(node) == "citation-alternatives":
        return next((text for form in node if (text := _format_reference(form))), "")
    if has_own_words(node):
        return get_text(node)  # there is text between the parts
    first_parts = {tag: node.find(tag) for tag in _ORDERED}
    texts = {tag: get_text(part) for tag, part in first_parts.items()}
    label, pages = texts["label"], "–".join(filter(None, (texts["fpage"], texts["lpage"])))
    others = (child for child in node if child not in first_parts.values() and get_tag(child) not in _PEOPLE | {""})
    place = " ".join(filter(None, (texts["source"], texts["volume"])))
    year = f"({texts['year']})" if texts["year"] else ""
    title, source = _end_sentence(texts["article-title"]), _end_sentence(": ".join(filter(None, (place, pages))))
    return collapse_spaces(" ".join([label, _format_people(node), year, title, source, *map(get_text, others)]))


def _format_people(node: _Element) -> str:
    """The names of people outside of groups, and of the first group."""
    group = node.find("person-group")
    people = [part for part in node if get_tag(part) in _PEOPLE] + ([] if group is None else list(group.iter(*_PEOPLE)))
    names = []
    for person in people:
        parts = (get_text(person.find(tag)) for tag in ("surname", "given-names", "suffix"))
        full_name = " ".join(filter(None, parts)) or get_text(person)
        names.append(full_name or ("et al." if get_tag(person) == "etal" else ""))
    return ", ".join(filter(None, names))


def _end_sentence(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".?!" else text


member = Jats()
