"""Markdown and Obsidian notes: CommonMark with GFM tables, front matter, wikilinks, tags and date headings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tasks.faults import BAD_FRONT_MATTER
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import head, readable_text
from tasks.parsers.notes import front_matter
from tasks.parsers.notes.front_matter import FrontMatter
from tasks.parsers.notes.note_blocks import InlineMarkup, add_markdown
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP
from tasks.parsers.written_dates import WITHIN, datelines, day_order, entry_date, is_date_heading
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Finding, Kind

_FRONT = re.compile(r"\A---[^\S\n]*\n(?:.*\n)*?(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)")
_DECLARED = re.compile(r"\s*<(?:\?xml|!doctype)\b", re.IGNORECASE)
_ELEMENT = re.compile(r"\s*<(?!!--)")
_MARKUP = re.compile(r"\s*<(?:\?xml|!doctype|(?:\w+:)?(?:html|article)\b)", re.IGNORECASE)
_TITLE = re.compile(r"^#[ \t]+\S", re.MULTILINE)
_SUBTITLE = re.compile(r"^#{2,6}[ \t]+\S", re.MULTILINE)
_SIGNS = (
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\|?[ \t]*:?-{2,}:?[ \t]*\|", re.MULTILINE),
    re.compile(r"!?\[[^\[\]\n]{1,200}\]\([^)\s]{1,400}\)"),
    re.compile(r"\[\[[^\[\]\n]*[A-Za-z一-鿿][^\[\]\n]*\]\]"),
    re.compile(r"\*\*[^\s*][^*\n]*\*\*"),
)


class Markdown:
    """The words that a reader of the rendered note sees; code is kept as it is written."""

    version = 5
    media_type = "text/markdown"
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdx")
    heavy = False
    signature: Signature | None = None

    def likeness(self, raw: Raw) -> float:
        """Front matter, or headings, fences, tables, links and emphasis; any other text a little.

        With a suffix of its own any text is, but XML and a piece of a web page without a mark of Markdown.
        """
        beginning = head(raw.data).replace("\r\n", "\n")
        own = raw.suffix in self.suffixes
        if not beginning.strip() or (_DECLARED if own else _MARKUP).match(beginning):
            return 0.0
        if _FRONT.match(beginning):
            return 0.8
        begins_with_element = (_ELEMENT if own else MARKUP).match(beginning) is not None
        if own and not begins_with_element:
            return 1.0
        signs = sum(sign.search(beginning) is not None for sign in _SIGNS)
        titled, subtitled = _TITLE.search(beginning) is not None, _SUBTITLE.search(beginning) is not None
        if begins_with_element:
            return 0.6 if (signs or own) and (titled or subtitled) else 0.45 if signs else 0.0
        if subtitled:
            return 0.6 if signs or titled else 0.35
        return 0.45 if signs > 2 else 0.25

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = readable_text(raw.data)
        note = front_matter.split_front_matter(source)
        assembly = Assembly()
        front = assembly.add(BlockKind.CODE if note.broken else BlockKind.LIST, note.broken or _shown(note))
        found = add_markdown(assembly, note.body)
        known = {**found.fields, **{name: value for name, value in note.properties.items() if value is not None}}
        headed = assembly.headings
        order = day_order(headed, source)
        headings = (day for heading in headed if (day := entry_date(heading, order)))
        beginning = [words for words in assembly.beginning(WITHIN)[front is not None :] if words not in headed]
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=_title(known, found),
            authors=front_matter.property_authors(known),
            dates=[
                *front_matter.property_dates(known, order),
                *datelines(beginning),
                *(DateClaim(day, DateOrigin.HEADING) for day in headings),
            ],
            attributes=_attributes(note, known, found, order),
            findings=_findings(note),
        )


def _shown(note: FrontMatter) -> str:
    """The properties that say something, one a line."""
    lines = ((key, ", ".join(front_matter.property_words(value))) for key, value in note.properties.items())
    return "\n".join(f"{key}: {value}" for key, value in lines if value)


def _title(known: Mapping[str, object], found: InlineMarkup) -> str:
    """The title that the properties give, else the first heading if the body begins with it at level 1."""
    given = next(front_matter.property_words(front_matter.property_value(known, "title")), "")
    return given or ("" if is_date_heading(found.title) else found.title)


def _attributes(note: FrontMatter, known: Mapping[str, object], found: InlineMarkup, order: str) -> Attributes:
    tags: dict[str, str] = {}
    for tag in (*front_matter.property_tags(known), *found.tags):
        tags.setdefault(tag.casefold(), tag)
    links = [*front_matter.property_links(note.properties), *found.links]
    return Attributes(
        link=next(front_matter.property_words(front_matter.property_value(known, "url", "source", "link")), ""),
        tags=tuple(tags.values()),
        aliases=tuple(
            dict.fromkeys(front_matter.property_list(front_matter.property_value(known, "aliases", "alias")))
        ),
        links=tuple(dict.fromkeys(links)),
        day_order=order,
    )


def _findings(note: FrontMatter) -> list[Finding]:
    if not note.problem:
        return []
    message = f"the front matter is not valid YAML and is kept as text: {note.problem}"
    return [BAD_FRONT_MATTER.finding(message, start=0, end=len(note.broken.strip("\n")))]


member = Markdown()
