"""Data in XML of no vocabulary that another parser knows: feeds, exports, logs, configurations, and documents.

Elements are records of their attributes and children, neighbours of one name a list, and an element with words between
its children a text (`data.record_writer`). Outlines (OPML, FreeMind) are elements of one name inside each other; those
at the top are sections, others are lines of lists. Files that are embedded in an export are left out, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import Record, Value, find_title, format_value, read_day
from tasks.parsers.data.record_writer import RecordWriter
from tasks.parsers.dated_lines import make_heading_claims
from tasks.parsers.decoder import decode_head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import (
    PAGE_TAGS,
    collapse_spaces,
    collect_text,
    find_root_tag,
    get_tag,
    has_own_words,
    read_damaged_xml,
)
from tasks.parsers.written_dates import parse_entry_interval
from warehouse.records import BlockKind, Document, Finding, Kind, Severity

if TYPE_CHECKING:
    from lxml.etree import _Element

_REFUSED_ROOTS = frozenset(["xbrl", "svg", "stylesheet", "schema", "article", "book", "book-part", "book-part-wrapper"])
"""First elements of files without a document, or with one that another parser refuses with its reason."""
_MARKUP_ATTRIBUTES = frozenset(["type", "lang", "space", "base", "class", "style", "isPermaLink", "mode"])
"""Attributes of only the format of a text."""
_EMPTY_VALUES = frozenset(["", "null", "base64"])
"""Values of attributes without information: Java's value for none, and the encoding of an embedded file."""
_EMBEDDED_FILE = re.compile(
    rb"(?P<tag><[\w:-]+[^<>]{0,200}\sencoding=[\"']base64[\"'][^<>]{0,200}>)[A-Za-z0-9+/=\s]++(?=</)"
    rb"|(?P<name>\sdata=)\"[A-Za-z0-9+/=\s]{200,}+\""
)
"""A file in the text of an element, as in Evernote, or in an attribute, as in backups of messages."""
_CHECK_BOX = re.compile(r"<en-todo\b([^<>]*)>(?:</en-todo>)?")
"""The box before a task in a note of Evernote."""
_RENAMED_ATTRIBUTES = {"export-date": "exported"}
"""An attribute that would be read as the day of the content."""
_NOTE_ROOTS = frozenset(["en-export"])
"""First elements of exports of notes."""
_METADATA_TAGS = ("head", "metadata", "channel", "info", "siteinfo")
"""Elements with the metadata of a file, next to its content."""
_AUTHOR_TAGS = frozenset(["author", "creator", "ownerName", "username"])
_MAX_AUTHORS = 5  # Authors of a document; a feed with more has none.
_ENTRY_TAGS = frozenset(["item", "entry"])  # The entries of feeds: of RSS and of Atom.
_TAG_ELEMENTS = frozenset(["tag", "category", "keyword", "label"])
_MOMENT_NAMES = ("timestamp", "date", "created", "published", "time")
_MAX_TAG_LENGTH = 60  # Characters.
_CREATION_ATTRIBUTES = ("created", "CREATED")
_NOTE_ATTRIBUTES = ("_note", "note", "description")
_ADDRESS_ATTRIBUTES = ("url", "htmlUrl", "xmlUrl", "LINK")


class XmlData:
    """Any well-formed XML; the suffix does not matter."""

    version = 4
    media_type = "application/xml"
    suffixes: tuple[str, ...] = (".xml", ".rss", ".atom", ".opml", ".enex", ".dita", ".kml", ".gpx", ".fb2", ".mm")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Lower than that of known vocabularies."""
        root = find_root_tag(decode_head(raw.data))
        return 0.45 if root and root not in PAGE_TAGS and root not in _REFUSED_ROOTS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Malformed XML is read up to the error. Raises `UnreadableFile` where that has no text."""
        data, embedded = _EMBEDDED_FILE.subn(_remove_embedded, raw.data)
        root, findings = _read_root(data)
        if embedded:
            message = f"files that are embedded in it are not read: {embedded}"
            findings.append(faults.LOST_PART.make_finding(message, severity=Severity.NOTE))
        outlines = _list_outlines(root)
        value = _convert_element(root)
        file_record = value if isinstance(value, Record) else Record([(get_tag(root), value)])
        if outlines:
            document = _write_outlines(outlines, file_record, self.media_type, findings)
        else:
            writer = RecordWriter(Assembly())
            writer.write_file(file_record)
            document = writer.finish(file_record, self.media_type, findings)
        is_note = get_tag(root) in _NOTE_ROOTS
        headings = (block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING)
        entry_days = make_heading_claims(map(parse_entry_interval, headings)) if is_note else []
        metadata = (value for name, value in file_record.fields if name in _METADATA_TAGS and isinstance(value, Record))
        return replace(
            document,
            kind=Kind.NOTE if is_note else document.kind,
            dates=tuple(dict.fromkeys((*document.dates, *entry_days))),
            title=document.title or next(filter(None, map(find_title, metadata)), ""),
            authors=document.authors or _find_authors(root),
            attributes=replace(document.attributes, tags=tuple(dict.fromkeys(_iter_tags(root)))),
        )


def _remove_embedded(match: re.Match[bytes]) -> bytes:
    return match["tag"] or match["name"] + b'""'


def _read_root(data: bytes) -> tuple[_Element, list[Finding]]:
    """The root, and the findings on the file."""
    root, problem = read_damaged_xml(data)
    if problem is None:
        return root, []
    if not collapse_spaces(collect_text(root)):
        raise problem
    return root, [faults.LOST_PART.make_finding(f"{problem.problem}, and what could be read of it was: {problem.cure}")]


def _find_authors(root: _Element) -> tuple[str, ...]:
    """The authors of a file's content, where they are few."""
    texts = (collapse_spaces(node.text or "") for node in root.iter(*_AUTHOR_TAGS) if not len(node))
    names = tuple(dict.fromkeys(filter(None, texts)))
    return names if len(names) <= _MAX_AUTHORS else ()


def _iter_tags(root: _Element) -> Iterator[str]:
    """The tags of a file's content; addresses of vocabularies are no tags."""
    for node in root.iter(*_TAG_ELEMENTS):
        tag = collapse_spaces(node.text or node.get("term") or "") if not len(node) else ""
        if 0 < len(tag) <= _MAX_TAG_LENGTH and "://" not in tag:
            yield tag


def _convert_element(element: _Element) -> Value:
    """A text where an element has no attributes and no children, or words between them; else a record."""
    children = [child for child in element if get_tag(child)]
    attributes: list[tuple[str, Value]] = [
        (_RENAMED_ATTRIBUTES.get(str(name), str(name)).rpartition("}")[2], str(value))
        for name, value in element.items()
        if value not in _EMPTY_VALUES
    ]
    if children and not has_own_words(element):
        return _merge_dated_part(Record([*attributes, *_list_fields(children)]))
    text = collapse_spaces(collect_text(element)) if children else collect_text(element).strip()
    if not text and len(attributes) == 1 and attributes[0][0] == "value":
        return attributes[0][1]
    text = _CHECK_BOX.sub(lambda box: "[x] " if "true" in box[1] else "[ ] ", text)
    shown_attributes = [(name, value) for name, value in attributes if not text or name not in _MARKUP_ATTRIBUTES]
    return Record([*shown_attributes, *([("text", text)] if text else [])]) if shown_attributes else text


def _merge_dated_part(record: Record) -> Record:
    """A record with the fields of an inner one that has its moment, if it has none.

    A page of a wiki has a title, and its only revision the moment and the text.
    """
    inner = [value for _, value in record.fields if isinstance(value, Record) and _has_moment(value)]
    if len(inner) != 1 or _has_moment(record) or not find_title(Record(_list_texts(record))):
        return record
    fields: list[tuple[str, Value]] = []
    for name, value in record.fields:
        fields += value.fields if isinstance(value, Record) and value is inner[0] else [(name, value)]
    return Record(fields)


def _list_texts(record: Record) -> list[tuple[str, Value]]:
    return [(name, value) for name, value in record.fields if isinstance(value, str)]


def _has_moment(record: Record) -> bool:
    texts = ((name, value) for name, value in record.fields if name in _MOMENT_NAMES and isinstance(value, str))
    return any(read_day(format_value(name, value)) for name, value in texts)


def _list_fields(children: list[_Element]) -> list[tuple[str, Value]]:
    """Children by name, neighbours of one name as a list.

    Children of two alternating names, each with a moment, are one list for each name: messages of two kinds.
    """
    pairs = [(get_tag(child), _convert_element(child)) for child in children]
    runs = [(name, [value for _, value in run]) for name, run in groupby(pairs, key=itemgetter(0))]
    names = dict.fromkeys(name for name, _ in runs)
    if 1 < len(names) < len(runs) and all(isinstance(value, Record) and _has_moment(value) for _, value in pairs):
        runs = [(name, [value for run_name, value in pairs if run_name == name]) for name in names]
    return [
        (name, values if len(values) > 1 or (name in _ENTRY_TAGS and isinstance(values[0], Record)) else values[0])
        for name, values in runs
    ]


def _list_outlines(root: _Element) -> list[_Element]:
    """The outermost elements of an outline: with a text in an attribute, and others of their name inside them."""
    for node in root.iter():
        if get_tag(node) and _get_outline_text(node):
            parent = node.getparent()
            inner = node.find(get_tag(node))
            if parent is not None and inner is not None and _get_outline_text(inner):
                return [sibling for sibling in parent if get_tag(sibling) == get_tag(node)]
    return []


def _get_outline_text(node: _Element) -> str:
    return collapse_spaces(node.get("text") or node.get("TEXT") or "")


def _write_outlines(
    outlines: Sequence[_Element], file_record: Record, media_type: str, findings: Sequence[Finding]
) -> Document:
    """The document of an outline, below the metadata of the file."""
    assembly = Assembly()
    fields = [(name, value) for name, value in file_record.fields if name != "body" and name != get_tag(outlines[0])]
    writer = RecordWriter(assembly)
    writer.write_file(Record(fields))
    roots = list(outlines[0]) if len(outlines) == 1 and get_tag(outlines[0]) == "node" else outlines
    if roots is not outlines:
        assembly.add_heading(_get_outline_text(outlines[0]), 1)
    list_lines: list[str] = []
    for node in roots:
        text, day = _get_outline_text(node), _read_creation_day(node)
        if not text:
            continue
        if len(node) or day:
            assembly.add(BlockKind.LIST, "\n".join(list_lines))
            list_lines = []
            is_dated = parse_entry_interval(text) is not None or not day
            assembly.add_heading(text if is_dated else f"{day} {text}", 2)
            assembly.add(BlockKind.PARAGRAPH, _get_first(node, (*_NOTE_ATTRIBUTES, *_ADDRESS_ATTRIBUTES)))
            assembly.add(BlockKind.LIST, "\n".join(line for child in node for line in _iter_outline_lines(child, 0)))
            assembly.end_sections(2)
        else:
            list_lines += _iter_outline_lines(node, 0)
    assembly.add(BlockKind.LIST, "\n".join(list_lines))
    return writer.finish(Record(fields), media_type, findings)


def _iter_outline_lines(node: _Element, depth: int) -> Iterator[str]:
    if text := _get_outline_text(node):
        address = _get_first(node, _ADDRESS_ATTRIBUTES)
        yield f"{'  ' * depth}- {text}{f' ({address})' if address and address != text else ''}"
        if note := _get_first(node, _NOTE_ATTRIBUTES):
            yield f"{'  ' * depth}  {note}"
    for child in node:
        if get_tag(child) == get_tag(node):
            yield from _iter_outline_lines(child, depth + 1)


def _get_first(node: _Element, names: Sequence[str]) -> str:
    return next((collapse_spaces(value) for name in names if (value := node.get(name))), "")


def _read_creation_day(node: _Element) -> str:
    day = read_day(format_value("time", _get_first(node, _CREATION_ATTRIBUTES)))
    return day.isoformat() if day else ""


member = XmlData()
