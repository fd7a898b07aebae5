"""The YAML between `---` lines at the head of a note (Obsidian's properties), and what its properties say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

import yaml

from tasks.parsers.notes.obsidian import WIKILINK, link_target, link_text
from tasks.parsers.written_dates import entry_date, make_date
from warehouse.records import DateClaim, DateOrigin

_FENCED = re.compile(r"\A\s*---[^\S\n]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PROPERTY = re.compile(r"^(?=[^\s#:-][^:\n]{0,80}:(?:\s|\Z))", re.MULTILINE)
_LONGEST = 50_000
DATE_PROPERTIES = (
    "date", "published", "publish_date", "pubdate", "created", "date created", "date_created", "created_at", "clipped",
    "start", "day", "updated", "date modified", "date_modified", "updated_at", "modified", "last_modified", "lastmod",
)  # fmt: skip
"""The names of properties that say when a note is from, the surest first."""
_COMPACT = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?\d{4,6})?")
_MONTH = re.compile(r"((?:19|20)\d{2})(?:[-/.](\d{1,2}))?")


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
    properties, problem = _load(source, text.count("\n", 0, match.start(1)))
    if not problem:
        return FrontMatter(body, properties)
    if not source.split("\n", 1)[0].strip():
        return FrontMatter(text)  # a line between paragraphs, and no front matter
    return FrontMatter(body, _one_by_one(source), source, problem)


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases, since a few lines of them can stand for gigabytes.

    A day that there is not, such as 2024-02-30, is text.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Raises `YAMLError` at an alias."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it uses aliases")
        return super().compose_node(parent, index)


def _moment(loader: _Loader, node: yaml.ScalarNode) -> object:
    """The date or the moment; the words where there is none."""
    try:
        return loader.construct_yaml_timestamp(node)
    except (ValueError, OverflowError):
        return node.value


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _moment)


def _load(source: str, above: int = 0) -> tuple[dict[str, object], str]:
    """The properties, or what is wrong with them, by its line where so many lines stand above the source."""
    if len(source) > _LONGEST:
        return {}, f"it is longer than {_LONGEST} characters"
    try:
        loaded = yaml.load(source, _Loader)  # noqa: S506 - it is a safe loader
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


def _one_by_one(source: str) -> dict[str, object]:
    """The properties of a broken front matter, each read alone; the text after the colon where that fails as well."""
    properties: dict[str, object] = {}
    for piece in _PROPERTY.split(source[:_LONGEST]):
        name, colon, rest = piece.partition(":")
        if colon and name.strip():
            alone, problem = _load(piece)
            properties.update({name.strip(): rest.strip()} if problem else alone)
    return properties


def property_words(value: object) -> Iterator[str]:
    """The words of a property, one by one; wikilinks as Obsidian shows them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (f"{key}: {text}" for text in property_words(inner))
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from property_words(inner)
    elif value is not None and str(value).strip():
        yield WIKILINK.sub(link_text, str(value)).strip()


def property_value(properties: Mapping[str, object], *names: str) -> object:
    """The value of the first of these properties that has one; capitals do not matter."""
    known = {key.strip().lower(): value for key, value in properties.items()}
    return next((known[name] for name in names if known.get(name) not in (None, "")), None)


def property_list(value: object) -> list[str]:
    """The words of a property that is a list, or a text of several words between commas."""
    pieces = value.split(",") if isinstance(value, str) else [value]
    return [text for piece in pieces for text in property_words(piece)]


def property_tags(properties: Mapping[str, object]) -> Iterator[str]:
    """The tags: a list, or a text between commas or spaces."""
    for name in ("tags", "tag"):
        value = property_value(properties, name)
        words = re.split(r"[,\s]+", value) if isinstance(value, str) else property_words(value)
        yield from (tag for word in words if (tag := word.strip().lstrip("#").strip("/")))


def property_authors(properties: Mapping[str, object]) -> list[str]:
    """The authors; where each is a map, their names."""
    value = property_value(properties, "author", "authors")
    people = value if isinstance(value, list) else [value]
    named = (property_value(one, "name") or one if isinstance(one, dict) else one for one in people)
    return [name for each in named for name in property_list(each)]


def property_links(properties: Mapping[str, object]) -> Iterator[str]:
    """The notes that the properties link to."""
    return (note for match in WIKILINK.finditer(_source(properties)) if (note := link_target(match)))


def _source(value: object) -> str:
    if isinstance(value, Mapping):
        return "\n".join(_source(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(map(_source, value))
    return str(value)


def property_dates(properties: Mapping[str, object], order: str) -> list[DateClaim]:
    """The dates under the usual names, the surest name first; `order` is `Attributes.day_order` of the note."""
    days = (_day(property_value(properties, name), order) for name in DATE_PROPERTIES)
    return [DateClaim(day, DateOrigin.FRONT_MATTER) for day in days if day]


def _day(value: object, order: str) -> date | None:
    """The first date in it; of a month or a year that stands alone, its first day."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = next(property_words(value), "").strip("'\" ")
    if compact := _COMPACT.fullmatch(text):
        return make_date(*map(int, compact.groups()))
    if alone := _MONTH.fullmatch(text):
        return make_date(int(alone[1]), int(alone[2] or 1), 1)
    return entry_date(text, order)
