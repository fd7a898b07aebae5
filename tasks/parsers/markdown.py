"""Markdown and Obsidian notes: CommonMark with GFM tables, front matter, wikilinks, tags and date headings."""

from __future__ import annotations

import re

from tasks.parsers import front_matter, refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.date_headings import is_date_heading, read_dates
from tasks.parsers.decoding import decode, head
from tasks.parsers.front_matter import FrontMatter
from tasks.parsers.markdown_blocks import Links, add_markdown
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Finding, Kind, Severity

_FRONT = re.compile(r"\A---[^\S\n]*\n(?:.*\n)*?(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)")
_TITLE = re.compile(r"^#[ \t]+\S", re.MULTILINE)
_SUBTITLE = re.compile(r"^#{2,6}[ \t]+\S", re.MULTILINE)
_SIGNS = (
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\|?[ \t]*:?-{2,}:?[ \t]*\|", re.MULTILINE),
    re.compile(r"!?\[[^\[\]\n]{1,200}\]\([^)\s]{1,400}\)"),
    re.compile(r"\[\[[^\[\]\n]*[A-Za-z一-鿿][^\[\]\n]*\]\]"),
    re.compile(r"\*\*[^\s*][^*\n]*\*\*"),
)
_TAG = re.compile(r"(?:^|(?<=\s))#((?=[^\s#]*[^\W\d])[\w/-]+)")


class Markdown:
    """The words that a reader of the rendered note sees; code is kept as it is written."""

    version = 2
    media_type = "text/markdown"
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdx")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """Front matter, or headings, fences, tables, links and emphasis; any other text a little."""
        beginning = head(raw.data).replace("\r\n", "\n")
        if not beginning.strip() or beginning.lstrip().startswith("<"):
            return 0.0
        if _FRONT.match(beginning):
            return 0.8
        signs = sum(sign.search(beginning) is not None for sign in _SIGNS)
        if _SUBTITLE.search(beginning):
            return 0.6 if signs or _TITLE.search(beginning) else 0.35
        return 0.45 if signs > 2 else 0.25

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode(raw.data)
        if text is None:
            raise refusals.unknown(raw.data)
        note = front_matter.split(clean(text))
        assembly, links = Assembly(), Links()
        assembly.add(BlockKind.CODE if note.broken else BlockKind.LIST, note.broken or _shown(note))
        add_markdown(assembly, note.body, links)
        found = [*front_matter.links(note.properties), *links.targets]
        attributes = Attributes(
            link=next(iter(front_matter.items(note.properties, "url", "source", "link")), ""),
            tags=_tags(note),
            aliases=tuple(front_matter.items(note.properties, "aliases", "alias")),
            links=tuple(dict.fromkeys(found)),
        )
        headings = (DateClaim(day, DateOrigin.HEADING) for day in read_dates(assembly.headings))
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=_title(note),
            authors=front_matter.items(note.properties, "author", "authors"),
            dates=[*front_matter.dates(note.properties), *headings],
            attributes=attributes,
            findings=_findings(note),
        )


def _shown(note: FrontMatter) -> str:
    """The properties that say something, one a line."""
    lines = ((key, ", ".join(front_matter.values(value))) for key, value in note.properties.items())
    return "\n".join(f"{key}: {value}" for key, value in lines if value)


def _title(note: FrontMatter) -> str:
    """The title that the front matter gives, else the first heading if the body begins with it at level 1."""
    given = note.properties.get("title")
    if given is not None and str(given).strip():
        return next(front_matter.values(given), "")
    first = re.match(r"\s*#[ \t]+(.+?)[ \t#]*(?:\n|\Z)", note.body)
    return first[1] if first and not is_date_heading(first[1]) else ""


def _tags(note: FrontMatter) -> tuple[str, ...]:
    """Tags of the front matter and of the text outside code, without their "#"."""
    given = (word for item in front_matter.items(note.properties, "tags", "tag") for word in item.split())
    prose = re.sub(r"```.*?(?:```|\Z)|`[^`\n]*`|\]\([^)\n]*\)", " ", note.body, flags=re.DOTALL)
    written = (match[1] for match in _TAG.finditer(prose))
    return tuple(dict.fromkeys(tag for word in (*given, *written) if (tag := word.strip("#"))))


def _findings(note: FrontMatter) -> list[Finding]:
    if not note.problem:
        return []
    message = f"the front matter is not valid YAML and is kept as text: {note.problem}"
    return [Finding("DOC008", "bad-front-matter", Severity.WARNING, message, start=0, end=len(note.broken.strip("\n")))]


member = Markdown()
