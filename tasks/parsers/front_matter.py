"""The YAML between `---` lines at the head of a note (Obsidian's properties)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

import yaml

from tasks.parsers.prose import make_date
from tasks.parsers.wikilinks import WIKILINK, shown, target
from warehouse.records import DateClaim, DateOrigin

_FENCED = re.compile(r"\A---[^\S\n]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LONGEST = 50_000
_DATE_KEYS = ("date", "published", "created", "clipped", "start", "day", "updated", "modified")
_ISO = re.compile(r"\s*(?:\[\[)?(\d{4})-(\d{1,2})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties by name and the text after them. `broken` is the front matter's source where it is no YAML map."""

    body: str
    properties: Mapping[str, object] = field(default_factory=dict)
    broken: str = ""
    problem: str = ""


def split(text: str) -> FrontMatter:
    """Front matter and body; nothing is lost where the YAML is broken."""
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter(text)
    properties, problem = _load(match[1])
    body = text[match.end() :]
    return FrontMatter(body, broken=match[1], problem=problem) if problem else FrontMatter(body, properties)


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases, since a few lines of them can stand for gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Raises `YAMLError` at an alias."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it uses aliases")
        return super().compose_node(parent, index)


def _load(source: str) -> tuple[dict[str, object], str]:
    """The properties, or what is wrong with them."""
    if len(source) > _LONGEST:
        return {}, f"it is longer than {_LONGEST} characters"
    try:
        loaded = yaml.load(source, _Loader)  # noqa: S506 - it is a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {}, " ".join(str(error).split())[:120] or type(error).__name__
    if loaded is None:
        return {}, ""
    if not isinstance(loaded, dict):
        return {}, "it is not a list of properties"
    return {str(key): value for key, value in loaded.items()}, ""


def values(value: object) -> Iterator[str]:
    """The words of a property, one by one; wikilinks as Obsidian shows them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (f"{key}: {text}" for text in values(inner))
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from values(inner)
    elif value is not None and str(value).strip():
        yield WIKILINK.sub(shown, str(value)).strip()


def items(properties: Mapping[str, object], *names: str) -> list[str]:
    """The values of the first property that has one of these names; a text is cut at commas."""
    known = {key.lower(): value for key, value in properties.items()}
    value = next((known[name] for name in names if known.get(name) is not None), None)
    pieces = value.split(",") if isinstance(value, str) else [value]
    return [text for piece in pieces for text in values(piece)]


def links(properties: Mapping[str, object]) -> Iterator[str]:
    """The notes that the properties link to."""
    return (note for match in WIKILINK.finditer(_source(properties)) if (note := target(match)))


def _source(value: object) -> str:
    if isinstance(value, Mapping):
        return "\n".join(_source(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(map(_source, value))
    return str(value)


def dates(properties: Mapping[str, object]) -> list[DateClaim]:
    """The dates under the usual names, the surest name first."""
    known = {key.lower(): value for key, value in properties.items()}
    days = (_day(known.get(name)) for name in _DATE_KEYS)
    return [DateClaim(day, DateOrigin.FRONT_MATTER) for day in days if day]


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    match = _ISO.match(value) if isinstance(value, str) else None
    return make_date(*map(int, match.groups())) if match else None
