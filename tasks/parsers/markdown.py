"""Markdown and Obsidian notes: CommonMark with GFM tables, front matter, wikilinks, tags and date headings.

The front matter is the YAML between `---` lines at the beginning of a note (Obsidian's properties).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tasks.faults import BAD_FRONT_MATTER
from tasks.parsers.assembly import Assembly, BlockContent
from tasks.parsers.dated_lines import make_heading_claims, parse_section_days
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines, parse_title_date
from tasks.parsers.notes.note_blocks import InlineMarkup, add_markdown
from tasks.parsers.notes.obsidian import WIKILINK, get_link_target
from tasks.parsers.notes.properties import (
    FrontMatter,
    find_first_words,
    find_value,
    find_written_properties,
    format_source,
    iter_property_words,
    iter_tags,
    list_authors,
    list_property_claims,
    list_words,
    split_front_matter,
    split_machine_lines,
)
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP
from tasks.parsers.written_dates import find_day_order, is_date_heading
from warehouse.records import Attributes, BlockKind, Document, Kind

_FRONT_MATTER = re.compile(r"\A---[^\S\n]*\n(?:.*\n)*?(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)")
_XML_DECLARATION = re.compile(r"\s*<(?:\?xml|!doctype)\b", re.IGNORECASE)
_ELEMENT = re.compile(r"\s*<(?!!--)")
_OTHER_MARKUP = re.compile(r"\s*<(?:\?xml|!doctype|(?:\w+:)?(?:html|article)\b)", re.IGNORECASE)
_TITLE = re.compile(r"^#[ \t]+\S", re.MULTILINE)
_SUBTITLE = re.compile(r"^#{2,6}[ \t]+\S", re.MULTILINE)
_MARKDOWN_MARKS = (
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\|?[ \t]*:?-{2,}:?[ \t]*\|", re.MULTILINE),
    re.compile(r"!?\[[^\[\]\n]{1,200}\]\([^)\s]{1,400}\)"),
    re.compile(r"\[\[[^\[\]\n]*[A-Za-z一-鿿][^\[\]\n]*\]\]"),
    re.compile(r"\*\*[^\s*][^*\n]*\*\*"),
)


class Markdown:
    """The words of the rendered note; code is kept as it is written."""

    version = 14
    media_type = "text/markdown"
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdx")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Front matter, or headings, fences, tables, links and emphasis; any other text with low confidence.

        With a suffix of Markdown any text except XML and a piece of a web page without a mark of Markdown.
        """
        beginning = decode_head(raw.data).replace("\r\n", "\n")
        has_markdown_suffix = raw.suffix in self.suffixes
        if not beginning.strip() or (_XML_DECLARATION if has_markdown_suffix else _OTHER_MARKUP).match(beginning):
            return 0.0
        if _FRONT_MATTER.match(beginning):
            return 0.8
        begins_with_element = (_ELEMENT if has_markdown_suffix else MARKUP).match(beginning) is not None
        if has_markdown_suffix and not begins_with_element:
            return 1.0
        mark_count = sum(pattern.search(beginning) is not None for pattern in _MARKDOWN_MARKS)
        has_title, has_subtitle = _TITLE.search(beginning) is not None, _SUBTITLE.search(beginning) is not None
        if begins_with_element:
            is_titled = (mark_count or has_markdown_suffix) and (has_title or has_subtitle)
            return 0.6 if is_titled else 0.45 if mark_count else 0.0
        if has_subtitle:
            return 0.6 if mark_count or has_title else 0.35
        return 0.45 if mark_count > 2 else 0.25

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = decode_text(raw.data)
        note = split_front_matter(source)
        assembly = Assembly()
        lines = ((key, ", ".join(iter_property_words(value))) for key, value in note.properties.items())
        property_text = "\n".join(f"{key}: {value}" for key, value in lines if value)
        front_block = assembly.add(BlockKind.CODE if note.broken else BlockKind.LIST, note.broken or property_text)
        body, machine_lines = split_machine_lines(note.body)
        markup = add_markdown(assembly, body)
        contents = assembly.contents[front_block is not None :]
        if assembly.add(BlockKind.FURNITURE, machine_lines):
            contents.append(BlockContent(BlockKind.PARAGRAPH, machine_lines))
        written_properties = find_written_properties(contents)
        stated_properties = {name: value for name, value in note.properties.items() if value is not None}
        properties = {**written_properties, **markup.fields, **stated_properties}
        headings = assembly.headings
        order = find_day_order(headings, source)
        title_days = parse_title_date(markup.title, order)
        heading_days = [title_days, *(parse_section_days(path, order) for path in assembly.heading_paths)]
        beginning = [
            words for words in assembly.list_beginning(HEAD_LENGTH)[front_block is not None :] if words not in headings
        ]
        findings = []
        if note.problem:
            message = f"the front matter is not valid YAML and is kept as text: {note.problem}"
            findings.append(BAD_FRONT_MATTER.make_finding(message, start=0, end=len(note.broken.strip("\n"))))
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=find_first_words({**markup.fields, **stated_properties}, "title")
            or ("" if is_date_heading(markup.title) else markup.title)
            or find_first_words(written_properties, "title"),
            authors=list_authors(properties),
            dates=[
                *list_property_claims(properties, order),
                *find_datelines(beginning, assembly.list_first_tables(HEAD_LENGTH)),
                *make_heading_claims(heading_days),
            ],
            attributes=_build_attributes(note, properties, markup, order),
            findings=findings,
        )


def _build_attributes(
    note: FrontMatter, properties: Mapping[str, object], markup: InlineMarkup, order: str
) -> Attributes:
    tags: dict[str, str] = {}
    for tag in (*iter_tags(properties), *markup.tags):
        tags.setdefault(tag.casefold(), tag)
    link_targets = (get_link_target(match) for match in WIKILINK.finditer(format_source(note.properties)))
    return Attributes(
        link=find_first_words(properties, "url", "source_url", "source", "link"),
        tags=tuple(tags.values()),
        aliases=tuple(dict.fromkeys(list_words(find_value(properties, "aliases", "alias")))),
        links=tuple(dict.fromkeys([*filter(None, link_targets), *markup.links])),
        day_order=order,
    )


member = Markdown()
