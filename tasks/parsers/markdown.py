"""Markdown and Obsidian notes: CommonMark with GFM tables, front matter, wikilinks, tags and date headings.

The front matter is the YAML between `---` lines at the head of a note (Obsidian's properties).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

import yaml

from tasks.faults import BAD_FRONT_MATTER
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.notes.dated_sections import make_heading_claims
from tasks.parsers.notes.note_blocks import InlineMarkup, add_markdown
from tasks.parsers.notes.obsidian import WIKILINK, get_link_target, get_link_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP
from tasks.parsers.written_dates import (
    WITHIN,
    find_datelines,
    find_day_order,
    is_date_heading,
    make_date,
    parse_entry_interval,
    parse_title_date,
)
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind

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
_FENCED = re.compile(r"\A\s*---[^\S\n]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TEMPLATED = re.compile(
    r"^([^\S\n]*(?:-|[^\s#:'\"][^:\n]{0,80}:)[^\S\n]+)((?:\{\{|<%)[^\n]*(?:\}\}|%>)[^\n]*)$", re.MULTILINE
)
"""A value that a template fills in later ("date: {{date}}"), which is text and no YAML."""
_PROPERTY = re.compile(r"^(?=[^\s#:-][^:\n]{0,80}:(?:\s|\Z))", re.MULTILINE)
_LONGEST = 50_000
DATE_PROPERTIES = (
    "date", "published", "publish_date", "pubdate", "created", "date created", "date_created", "created_at", "clipped",
    "start", "day", "updated", "date modified", "date_modified", "updated_at", "modified", "last_modified", "lastmod",
)  # fmt: skip
"""The names of properties that say when a note is from, the surest first."""
_COMPACT = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?\d{4,6})?")
_MONTH = re.compile(r"((?:19|20)\d{2})(?:[-/.](\d{1,2}))?")


class Markdown:
    """The words that a reader of the rendered note sees; code is kept as it is written."""

    version = 7
    media_type = "text/markdown"
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdx")
    heavy = False
    signature: Signature | None = None

    def measure_likeness(self, raw: Raw) -> float:
        """Front matter, or headings, fences, tables, links and emphasis; any other text a little.

        With a suffix of its own any text is, but XML and a piece of a web page without a mark of Markdown.
        """
        beginning = decode_head(raw.data).replace("\r\n", "\n")
        has_own_suffix = raw.suffix in self.suffixes
        if not beginning.strip() or (_DECLARED if has_own_suffix else _MARKUP).match(beginning):
            return 0.0
        if _FRONT.match(beginning):
            return 0.8
        begins_with_element = (_ELEMENT if has_own_suffix else MARKUP).match(beginning) is not None
        if has_own_suffix and not begins_with_element:
            return 1.0
        signs = sum(sign.search(beginning) is not None for sign in _SIGNS)
        titled, subtitled = _TITLE.search(beginning) is not None, _SUBTITLE.search(beginning) is not None
        if begins_with_element:
            return 0.6 if (signs or has_own_suffix) and (titled or subtitled) else 0.45 if signs else 0.0
        if subtitled:
            return 0.6 if signs or titled else 0.35
        return 0.45 if signs > 2 else 0.25

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = decode_text(raw.data)
        note = split_front_matter(source)
        assembly = Assembly()
        lines = ((key, ", ".join(iter_property_words(value))) for key, value in note.properties.items())
        shown = "\n".join(f"{key}: {value}" for key, value in lines if value)
        front = assembly.add(BlockKind.CODE if note.broken else BlockKind.LIST, note.broken or shown)
        found = add_markdown(assembly, note.body)
        known = {**found.fields, **{name: value for name, value in note.properties.items() if value is not None}}
        headings = assembly.headings
        order = find_day_order(headings, source)
        title_days = parse_title_date(found.title, order)
        heads = [title_days, *(parse_entry_interval(heading, order) for heading in headings)]
        beginning = [words for words in assembly.list_beginning(WITHIN)[front is not None :] if words not in headings]
        property_days = (parse_property_day(_find_value(known, name), order) for name in DATE_PROPERTIES)
        findings = []
        if note.problem:
            message = f"the front matter is not valid YAML and is kept as text: {note.problem}"
            findings.append(BAD_FRONT_MATTER.make_finding(message, start=0, end=len(note.broken.strip("\n"))))
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=_find_first_words(known, "title") or ("" if is_date_heading(found.title) else found.title),
            authors=_list_authors(known),
            dates=[
                *(DateClaim(day, DateOrigin.FRONT_MATTER) for day in property_days if day),
                *find_datelines(beginning),
                *make_heading_claims(heads),
            ],
            attributes=_build_attributes(note, known, found, order),
            findings=findings,
        )


def _build_attributes(note: FrontMatter, known: Mapping[str, object], found: InlineMarkup, order: str) -> Attributes:
    tags: dict[str, str] = {}
    for tag in (*_iter_tags(known), *found.tags):
        tags.setdefault(tag.casefold(), tag)
    linked = (get_link_target(match) for match in WIKILINK.finditer(_format_source(note.properties)))
    return Attributes(
        link=_find_first_words(known, "url", "source", "link"),
        tags=tuple(tags.values()),
        aliases=tuple(dict.fromkeys(_list_words(_find_value(known, "aliases", "alias")))),
        links=tuple(dict.fromkeys([*filter(None, linked), *found.links])),
        day_order=order,
    )


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties by name and the text after them.

    `broken` is the front matter's source where it is no YAML map; then `properties` has those of its properties that
    can be read one by one.
    """

    body: str
    properties: Mapping[str, object] = field(default_factory=dict)
    broken: str = ""
    problem: str = ""


def split_front_matter(text: str) -> FrontMatter:
    """Front matter and body; nothing is lost where the YAML is broken."""
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter(text)
    source, body = match[1], text[match.end() :]
    properties, problem = _load_properties(source, text.count("\n", 0, match.start(1)))
    if not problem:
        return FrontMatter(body, properties)
    if not source.split("\n", 1)[0].strip():
        return FrontMatter(text)  # a line between paragraphs, and no front matter
    # Each property read alone; the text after the colon where that fails as well.
    for piece in _PROPERTY.split(source[:_LONGEST]):
        name, colon, rest = piece.partition(":")
        if colon and name.strip():
            alone, failure = _load_properties(piece)
            properties.update({name.strip(): rest.strip()} if failure else alone)
    return FrontMatter(body, properties, source, problem)


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases, since a few lines of them can stand for gigabytes.

    A day that there is not, such as 2024-02-30, is text.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Raises `YAMLError` at an alias."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it uses aliases")
        return super().compose_node(parent, index)


def _construct_moment(loader: _Loader, node: yaml.ScalarNode) -> object:
    """The date or the moment; the words where there is none."""
    try:
        return loader.construct_yaml_timestamp(node)
    except (ValueError, OverflowError):
        return node.value


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _construct_moment)


def _load_properties(source: str, above: int = 0) -> tuple[dict[str, object], str]:
    """The properties, or what is wrong with them, by its line where so many lines stand above the source."""
    if len(source) > _LONGEST:
        return {}, f"it is longer than {_LONGEST} characters"
    try:
        plain = _TEMPLATED.sub(lambda match: match[1] + json.dumps(match[2].rstrip(), ensure_ascii=False), source)
        loaded = yaml.load(plain, _Loader)  # noqa: S506 - it is a safe loader
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1 + above}" if error.problem_mark else ""
        return {}, f"{' '.join(str(error.problem or error.context).split())[:120]}{line}"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {}, " ".join(str(error).split())[:120] or type(error).__name__
    if loaded is None:
        return {}, ""
    if not isinstance(loaded, dict):
        return {}, "it is not a list of properties"
    return {str(key): value for key, value in loaded.items()}, ""


def iter_property_words(value: object) -> Iterator[str]:
    """The words of a property, one by one; wikilinks as Obsidian shows them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (f"{key}: {text}" for text in iter_property_words(inner))
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from iter_property_words(inner)
    elif value is not None and str(value).strip():
        yield WIKILINK.sub(get_link_text, str(value)).strip()


def _find_value(properties: Mapping[str, object], *names: str) -> object:
    """The value of the first of these properties that has one; capitals do not matter."""
    known = {key.strip().lower(): value for key, value in properties.items()}
    return next((known[name] for name in names if known.get(name) not in (None, "")), None)


def _find_first_words(properties: Mapping[str, object], *names: str) -> str:
    return next(iter_property_words(_find_value(properties, *names)), "")


def _list_words(value: object) -> list[str]:
    """The words of a property that is a list, or a text of several words between commas."""
    pieces = value.split(",") if isinstance(value, str) else [value]
    return [text for piece in pieces for text in iter_property_words(piece)]


def _iter_tags(properties: Mapping[str, object]) -> Iterator[str]:
    """The tags: a list, or a text between commas or spaces."""
    for name in ("tags", "tag"):
        value = _find_value(properties, name)
        words = re.split(r"[,\s]+", value) if isinstance(value, str) else iter_property_words(value)
        yield from (tag for word in words if (tag := word.strip().lstrip("#").strip("/")))


def _list_authors(properties: Mapping[str, object]) -> list[str]:
    """The authors; where each is a map, their names."""
    value = _find_value(properties, "author", "authors")
    people = value if isinstance(value, list) else [value]
    named = (_find_value(one, "name") or one if isinstance(one, dict) else one for one in people)
    return [name for each in named for name in _list_words(each)]


def _format_source(value: object) -> str:
    if isinstance(value, Mapping):
        return "\n".join(_format_source(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(map(_format_source, value))
    return str(value)


def parse_property_day(value: object, order: str) -> date | None:
    """The first date in it; of a month or a year that stands alone, its first day."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = next(iter_property_words(value), "").strip("'\" ")
    if compact := _COMPACT.fullmatch(text):
        return make_date(*map(int, compact.groups()))
    if alone := _MONTH.fullmatch(text):
        return make_date(int(alone[1]), int(alone[2] or 1), 1)
    days = parse_entry_interval(text, order)
    return days[0] if days else None


member = Markdown()
