"""Properties of notes: YAML between `---` lines or TOML between `+++` lines at their head, and lines "name: value".

Exports have such lines: Notion writes them below the title of a page, Joplin at the end of a note, TiddlyWiki at its
beginning.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime

import yaml

from tasks.parsers.assembly import BlockContent
from tasks.parsers.notes.obsidian import WIKILINK, get_link_text
from tasks.parsers.written_dates import make_date, parse_entry_interval
from warehouse.records import BlockKind, DateClaim, DateOrigin

_FENCED = re.compile(r"\A\s*---[^\S\n]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TEMPLATED = re.compile(
    r"^([^\S\n]*(?:-|[^\s#:'\"][^:\n]{0,80}:)[^\S\n]+)((?:\{\{|<%)[^\n]*(?:\}\}|%>)[^\n]*)$", re.MULTILINE
)
"""A value that a template fills in later ("date: {{date}}"), which is text and no YAML."""
_FENCED_TOML = re.compile(r"\A\+\+\+[^\S\n]*\n(.*?)^\+\+\+[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PROPERTY = re.compile(r"^(?=[^\s#:-][^:\n]{0,80}:(?:\s|\Z))", re.MULTILINE)
_MAX_LENGTH = 50_000  # Characters of front matter that are read as YAML.
CREATION_PROPERTIES = (
    "user_created_time", "created", "date created", "date_created", "created_at", "created time", "created_time",
    "created on", "creation date", "creation-date",
)  # fmt: skip
"""The names of properties that say when a note was made, which other texts have not."""
DATE_PROPERTIES = (
    "date", "datum", "fecha", "日期", "日付", "published", "publish_date", "pubdate",
    *CREATION_PROPERTIES, "clipped", "start", "day", "updated",
    "date modified", "date_modified", "updated_at", "modified", "last_modified", "lastmod", "last edited time",
    "last_update", "last_updated", "last updated",
    "last edited", "user_updated_time", "updated_time",
)  # fmt: skip
"""The names of properties that say when a note is from, the surest first."""
_COMPACT = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?\d{4,9}Z?)?")
_LINE = re.compile(r"[ \t]*(?P<name>[^\W\d_][\w '’/&.-]{0,40})[:：](?:[ \t]+(?P<value>\S.*))?")
"""A line "name: value"; the value may be missing."""
_MAX_LINES = 60  # Of a block of them.
_MIN_AT_END = 3  # Lines of a block of them at the end of a note.
_OF_OTHER_DAYS = frozenset({"start", "day", "clipped"})
"""Properties of front matter that a line of a text may have for other days than that on which it was written."""
_TAGS = re.compile(r"\[\[([^\[\]]+)\]\]|([^,\s\[\]]+)")
_MONTH = re.compile(r"((?:19|20)\d{2})(?:[-/.](\d{1,2}))?")


_TITLE_BLOCK = re.compile(
    r"\A%[ \t]+(?P<title>\S.*(?:\n[ \t]+\S.*)*)\n%[ \t]*(?P<author>.*(?:\n[ \t]+\S.*)*)"
    r"(?:\n%[ \t]*(?P<date>.*))?(?:\n|\Z)"
)
"""The head of a note for Pandoc: title, authors and date, each behind a percent sign."""
_OF_JOPLIN = re.compile(r"\n[^\S\n]*\n(id: [0-9a-f]{32}\n(?:[a-z_]+:[^\n]*\n)*type_: \d+)\s*\Z")
"""What Joplin writes at the end of a note that it exports."""
_LOGSEQ_SIGN = r"collapsed:: (?:true|false)|id:: [0-9a-f-]{36}|:LOGBOOK:\n(?:.*\n)*?[ \t]*:END:"
_OF_LOGSEQ = re.compile(rf"^[ \t]*(?:{_LOGSEQ_SIGN}|#\+(?:BEGIN|END)_\w+)[ \t]*(?:\n|\Z)", re.MULTILINE)
"""Lines that Logseq keeps for itself: whether a block is folded, its id, the clock of a task, marks around blocks."""
_BY_LOGSEQ = re.compile(rf"^[ \t]*(?:(?:{_LOGSEQ_SIGN})[ \t]*$|- #\+BEGIN_\w+[ \t]*$)", re.MULTILINE)
"""What only Logseq writes; marks around blocks alone may be an example of Org mode."""
_LOGSEQ_MARK = re.compile(r"^([ \t]*- )#\+BEGIN_\w+[ \t]*\n[ \t]*", re.MULTILINE)


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
    """Front matter and body, in YAML, the TOML of Hugo and Zola, or Pandoc's; nothing is lost where it is broken."""
    if block := _TITLE_BLOCK.match(text):
        names = [name.strip() for name in re.split(r"[;\n]", block["author"]) if name.strip()]
        values = {"title": " ".join(block["title"].split()), "author": names, "date": (block["date"] or "").strip()}
        return FrontMatter(text[block.end() :], {name: value for name, value in values.items() if value})
    if toml := _FENCED_TOML.match(text):
        with suppress(tomllib.TOMLDecodeError, RecursionError):
            return FrontMatter(text[toml.end() :], tomllib.loads(toml[1]))
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
    for piece in _PROPERTY.split(source[:_MAX_LENGTH]):
        name, colon, rest = piece.partition(":")
        if colon and name.strip():
            alone, failure = _load_properties(piece)
            properties.update({name.strip(): rest.strip()} if failure else alone)
    return FrontMatter(body, properties, source, problem)


def split_machine_lines(body: str) -> tuple[str, str]:
    """A note without the lines that its program wrote for itself, and of them those at its end that date it."""
    joplin_lines = _OF_JOPLIN.search(body)
    body = body[: joplin_lines.start()] if joplin_lines else body
    if _BY_LOGSEQ.search(body):
        body = _OF_LOGSEQ.sub("", _LOGSEQ_MARK.sub(r"\1", body))
    return body, joplin_lines[1] if joplin_lines else ""


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases, since a few lines of them can stand for gigabytes.

    A day that does not exist, such as 2024-02-30, is text.
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
    """The properties, or the problem with its line number; `above` is the number of lines before the source."""
    if len(source) > _MAX_LENGTH:
        return {}, f"it is longer than {_MAX_LENGTH} characters"
    try:
        plain = _TEMPLATED.sub(lambda match: match[1] + json.dumps(match[2].rstrip(), ensure_ascii=False), source)
        data = yaml.load(plain, _Loader)  # noqa: S506 - it is a safe loader
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1 + above}" if error.problem_mark else ""
        return {}, f"{' '.join(str(error.problem or error.context).split())[:120]}{line}"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {}, " ".join(str(error).split())[:120] or type(error).__name__
    if data is None:
        return {}, ""
    if not isinstance(data, dict):
        return {}, "it is not a list of properties"
    return {str(key): value for key, value in data.items()}, ""


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


def find_value(properties: Mapping[str, object], *names: str) -> object:
    """The value of the first of these properties that has one; capitals do not matter."""
    values = {key.strip().lower(): value for key, value in properties.items()}
    return next((values[name] for name in names if values.get(name) not in (None, "")), None)


def find_first_words(properties: Mapping[str, object], *names: str) -> str:
    """The first words of the first of these properties that has one, or nothing."""
    return next(iter_property_words(find_value(properties, *names)), "")


def list_words(value: object) -> list[str]:
    """The words of a property that is a list, or a text of several words between commas."""
    pieces = value.split(",") if isinstance(value, str) else [value]
    return [text for piece in pieces for text in iter_property_words(piece)]


def iter_tags(properties: Mapping[str, object]) -> Iterator[str]:
    """The tags: a list, or a text between commas or spaces, in which `[[two words]]` are one."""
    for name in ("tags", "tag"):
        value = find_value(properties, name)
        words = _split_tags(value) if isinstance(value, str) else iter_property_words(value)
        yield from (tag for word in words if (tag := word.strip().lstrip("#").strip("/")))


def _split_tags(text: str) -> Iterator[str]:
    yield from (match[1] or match[2] for match in _TAGS.finditer(text))


def list_authors(properties: Mapping[str, object]) -> list[str]:
    """The authors; where each is a map, their names."""
    value = find_value(properties, "author", "authors", "creator")
    people = value if isinstance(value, list) else [value]
    names = (find_value(one, "name") or one if isinstance(one, dict) else one for one in people)
    return [name for text in names for name in list_words(text)]


def format_source(value: object) -> str:
    """The texts in a value, one a line."""
    if isinstance(value, Mapping):
        return "\n".join(format_source(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(map(format_source, value))
    return str(value)


def parse_property_day(value: object, order: str) -> date | None:
    """The first date in it; of a month or a year that stands alone, its first day."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, Mapping):
        return parse_property_day(find_value(value, "date"), order)
    text = next(iter_property_words(value), "").strip("'\" ")
    if compact := _COMPACT.fullmatch(text):
        return make_date(*map(int, compact.groups()))
    if alone := _MONTH.fullmatch(text):
        return make_date(int(alone[1]), int(alone[2] or 1), 1)
    days = parse_entry_interval(text, order)
    return days[0] if days else None


def list_property_claims(
    properties: Mapping[str, object], order: str = "", names: Sequence[str] = DATE_PROPERTIES
) -> list[DateClaim]:
    """When a text is from by its properties of these names, the surest first; `order` is `Attributes.day_order`."""
    days = (parse_property_day(find_value(properties, name), order) for name in names)
    return [DateClaim(day, DateOrigin.FRONT_MATTER) for day in days if day]


def find_written_properties(blocks: Sequence[BlockContent]) -> dict[str, object]:
    """The properties that lines "name: value" give right below the title of a note, or at its end.

    Such a block holds nothing else and names a day on which the note was written; at the end there are several, each
    named in small letters, and the first line of the note is its title.
    """
    below_title = blocks[1:2] if blocks and blocks[0].kind is BlockKind.HEADING else blocks[:1]
    written_properties: dict[str, object] = {}
    for block in (*below_title, *blocks[-1:]):
        properties = _read_lines(block.text) if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) else {}
        is_at_end = block is blocks[-1] and block is not blocks[0]
        if is_at_end and (len(properties) < _MIN_AT_END or any(name != name.lower() for name in properties)):
            continue
        if is_at_end and blocks[0].kind is BlockKind.PARAGRAPH and "\n" not in blocks[0].text:
            properties.setdefault("title", blocks[0].text)
        names = {name.lower() for name in properties} & {*DATE_PROPERTIES} - _OF_OTHER_DAYS
        if list_property_claims(properties, names=list(names)):
            written_properties = {**properties, **written_properties}
    return {name: value for name, value in written_properties.items() if name.lower() not in _OF_OTHER_DAYS}


def _read_lines(text: str) -> dict[str, object]:
    """The properties of a text whose lines are all "name: value"; none where a line is another."""
    lines = text.split("\n")
    matches = [_LINE.fullmatch(line.rstrip()) for line in lines[: _MAX_LINES + 1]]
    if len(lines) > _MAX_LINES or None in matches:
        return {}
    return {match["name"].strip(): (match["value"] or "").rstrip() for match in reversed(matches) if match}
