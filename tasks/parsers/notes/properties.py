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

_YAML_HEAD = re.compile(r"\A\s*---[^\S\n]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TEMPLATE_VALUE = re.compile(
    r"^([^\S\n]*(?:-|[^\s#:'\"][^:\n]{0,80}:)[^\S\n]+)((?:\{\{|<%)[^\n]*(?:\}\}|%>)[^\n]*)$", re.MULTILINE
)
"""A value that a template engine fills in later ("date: {{date}}"), which is text and no YAML."""
_TOML_HEAD = re.compile(r"\A\+\+\+[^\S\n]*\n(.*?)^\+\+\+[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PROPERTY_START = re.compile(r"^(?=[^\s#:-][^:\n]{0,80}:(?:\s|\Z))", re.MULTILINE)
_MAX_FRONT_MATTER_LENGTH = 50_000  # Characters of front matter that are read as YAML.
CREATION_PROPERTIES = (
    "user_created_time", "created", "date created", "date_created", "created_at", "created time", "created_time",
    "created on", "creation date", "creation-date",
)  # fmt: skip
"""The names of properties with the day when a note was made, which other texts do not have."""
DATE_PROPERTIES = (
    "date", "datum", "fecha", "日期", "日付", "published", "publish_date", "pubdate",
    *CREATION_PROPERTIES, "clipped", "start", "day", "updated",
    "date modified", "date_modified", "updated_at", "modified", "last_modified", "lastmod", "last edited time",
    "last_update", "last_updated", "last updated",
    "last edited", "user_updated_time", "updated_time",
)  # fmt: skip
"""The names of properties with the date of a note, the most reliable first."""
_COMPACT_DAY = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?\d{4,9}Z?)?")
_PROPERTY_LINE = re.compile(r"[ \t]*(?P<name>[^\W\d_][\w '’/&.-]{0,40})[:：](?:[ \t]+(?P<value>\S.*))?")
"""A line "name: value"; the value may be missing."""
_MAX_PROPERTY_LINES = 60  # Of a block of them.
_MIN_LINES_AT_END = 3  # Lines of a block of them at the end of a note.
_UNRELATED_DATES = frozenset({"start", "day", "clipped"})
"""Properties of front matter whose names in a line of text may be of other days than that of writing."""
_TAG = re.compile(r"\[\[([^\[\]]+)\]\]|([^,\s\[\]]+)")
_MONTH = re.compile(r"((?:19|20)\d{2})(?:[-/.](\d{1,2}))?")


_TITLE_BLOCK = re.compile(
    r"\A%[ \t]+(?P<title>\S.*(?:\n[ \t]+\S.*)*)\n%[ \t]*(?P<author>.*(?:\n[ \t]+\S.*)*)"
    r"(?:\n%[ \t]*(?P<date>.*))?(?:\n|\Z)"
)
"""The head of a note for Pandoc: title, authors and date, each after a percent sign."""
_JOPLIN_LINES = re.compile(r"\n[^\S\n]*\n(id: [0-9a-f]{32}\n(?:[a-z_]+:[^\n]*\n)*type_: \d+)\s*\Z")
"""The lines at the end of a note that Joplin exports."""
_LOGSEQ_SIGN = r"collapsed:: (?:true|false)|id:: [0-9a-f-]{36}|:LOGBOOK:\n(?:.*\n)*?[ \t]*:END:"
_LOGSEQ_LINE = re.compile(rf"^[ \t]*(?:{_LOGSEQ_SIGN}|#\+(?:BEGIN|END)_\w+)[ \t]*(?:\n|\Z)", re.MULTILINE)
"""Lines with internal data of Logseq: whether a block is folded, its id, the clock of a task, marks around blocks."""
_LOGSEQ_ONLY_LINE = re.compile(rf"^[ \t]*(?:(?:{_LOGSEQ_SIGN})[ \t]*$|- #\+BEGIN_\w+[ \t]*$)", re.MULTILINE)
"""Lines that only Logseq writes; marks around blocks without them may be an example of Org mode."""
_LOGSEQ_MARK = re.compile(r"^([ \t]*- )#\+BEGIN_\w+[ \t]*\n[ \t]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties by name and the text after them.

    `broken` is the front matter's source where it is no YAML map; then `properties` has those that can be
    read one by one.
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
    if toml := _TOML_HEAD.match(text):
        with suppress(tomllib.TOMLDecodeError, RecursionError):
            return FrontMatter(text[toml.end() :], tomllib.loads(toml[1]))
    match = _YAML_HEAD.match(text)
    if match is None:
        return FrontMatter(text)
    source, body = match[1], text[match.end() :]
    properties, problem = _load_properties(source, text.count("\n", 0, match.start(1)))
    if not problem:
        return FrontMatter(body, properties)
    if not source.split("\n", 1)[0].strip():
        return FrontMatter(text)  # a rule between paragraphs, and no front matter
    # Each property is read separately; where that fails as well, its value is the text after the colon.
    for piece in _PROPERTY_START.split(source[:_MAX_FRONT_MATTER_LENGTH]):
        name, colon, value = piece.partition(":")
        if colon and name.strip():
            piece_properties, failure = _load_properties(piece)
            properties.update({name.strip(): value.strip()} if failure else piece_properties)
    return FrontMatter(body, properties, source, problem)


def split_machine_lines(body: str) -> tuple[str, str]:
    """A note without the internal lines of its program, and those of them at its end, which have its dates."""
    joplin_lines = _JOPLIN_LINES.search(body)
    body = body[: joplin_lines.start()] if joplin_lines else body
    if _LOGSEQ_ONLY_LINE.search(body):
        body = _LOGSEQ_LINE.sub("", _LOGSEQ_MARK.sub(r"\1", body))
    return body, joplin_lines[1] if joplin_lines else ""


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases, since a few lines of them can expand to gigabytes.

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


def _load_properties(source: str, lines_before: int = 0) -> tuple[dict[str, object], str]:
    """The properties, or the problem with its line number; `lines_before` is the number of lines before the source."""
    if len(source) > _MAX_FRONT_MATTER_LENGTH:
        return {}, f"it is longer than {_MAX_FRONT_MATTER_LENGTH} characters"
    try:
        source = _TEMPLATE_VALUE.sub(lambda match: match[1] + json.dumps(match[2].rstrip(), ensure_ascii=False), source)
        data = yaml.load(source, _Loader)  # noqa: S506 - it is a safe loader
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1 + lines_before}" if error.problem_mark else ""
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
    yield from (match[1] or match[2] for match in _TAG.finditer(text))


def list_authors(properties: Mapping[str, object]) -> list[str]:
    """The authors; where each is a map, their names."""
    value = find_value(properties, "author", "authors", "creator")
    authors = value if isinstance(value, list) else [value]
    names = (find_value(author, "name") or author if isinstance(author, dict) else author for author in authors)
    return [name for text in names for name in list_words(text)]


def format_source(value: object) -> str:
    """The texts in a value, one a line."""
    if isinstance(value, Mapping):
        return "\n".join(format_source(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(map(format_source, value))
    return str(value)


def parse_property_day(value: object, order: str) -> date | None:
    """The first date in a value; the first day of a month or of a year."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, Mapping):
        return parse_property_day(find_value(value, "date"), order)
    text = next(iter_property_words(value), "").strip("'\" ")
    if compact_day := _COMPACT_DAY.fullmatch(text):
        return make_date(*map(int, compact_day.groups()))
    if month := _MONTH.fullmatch(text):
        return make_date(int(month[1]), int(month[2] or 1), 1)
    days = parse_entry_interval(text, order)
    return days[0] if days else None


def list_property_claims(
    properties: Mapping[str, object], order: str = "", names: Sequence[str] = DATE_PROPERTIES
) -> list[DateClaim]:
    """The dates of a text by its properties of these names, the surest first. `order`: see `Attributes.day_order`."""
    days = (parse_property_day(find_value(properties, name), order) for name in names)
    return [DateClaim(day, DateOrigin.FRONT_MATTER) for day in days if day]


def find_written_properties(blocks: Sequence[BlockContent]) -> dict[str, object]:
    """The properties that lines "name: value" give right below the title of a note, or at its end.

    Such a block has no other lines and states a day on which the note was written; at the end it has several, all
    with lower-case names, and the first line of the note is its title.
    """
    below_title = blocks[1:2] if blocks and blocks[0].kind is BlockKind.HEADING else blocks[:1]
    written_properties: dict[str, object] = {}
    for block in (*below_title, *blocks[-1:]):
        properties = _read_lines(block.text) if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) else {}
        is_at_end = block is blocks[-1] and block is not blocks[0]
        if is_at_end and (len(properties) < _MIN_LINES_AT_END or any(name != name.lower() for name in properties)):
            continue
        if is_at_end and blocks[0].kind is BlockKind.PARAGRAPH and "\n" not in blocks[0].text:
            properties.setdefault("title", blocks[0].text)
        names = {name.lower() for name in properties} & {*DATE_PROPERTIES} - _UNRELATED_DATES
        if list_property_claims(properties, names=list(names)):
            written_properties = {**properties, **written_properties}
    return {name: value for name, value in written_properties.items() if name.lower() not in _UNRELATED_DATES}


def _read_lines(text: str) -> dict[str, object]:
    """The properties of a text whose lines are all "name: value"; none where a line has another form."""
    lines = text.split("\n")
    matches = [_PROPERTY_LINE.fullmatch(line.rstrip()) for line in lines[: _MAX_PROPERTY_LINES + 1]]
    if len(lines) > _MAX_PROPERTY_LINES or None in matches:
        return {}
    return {match["name"].strip(): (match["value"] or "").rstrip() for match in reversed(matches) if match}
