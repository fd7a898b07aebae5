"""Data in XML of no vocabulary that another parser knows: feeds, exports, logs, configurations, and documents.

Elements are records of their attributes and children, neighbours of one name a list, and an element with words between
its children a text (`data.record_writer`).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import Record, Value
from tasks.parsers.data.record_writer import RecordWriter
from tasks.parsers.decoder import decode_head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import PAGE_TAGS, collapse_spaces, collect_text, find_root_tag, get_tag, read_xml, recover_xml
from warehouse.errors import UnreadableFile
from warehouse.records import Document, Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_REFUSED = frozenset(["xbrl", "svg", "stylesheet", "schema", "article", "book", "book-part", "book-part-wrapper"])
"""First elements of files that hold no document, or one that another parser refuses with its reason."""
_MARKUP = frozenset(["type", "lang", "space", "base", "class", "style", "isPermaLink", "mode"])
"""Attributes that say how a text is written, and nothing beside it."""


class XmlData:
    """Any well-formed XML; the suffix does not matter."""

    version = 2
    media_type = "application/xml"
    suffixes: tuple[str, ...] = (".xml", ".rss", ".atom", ".opml", ".dita", ".kml", ".gpx", ".fb2")
    heavy = False
    signature: Signature | None = None

    def measure_likeness(self, raw: Raw) -> float:
        """Less than the vocabularies that are known have."""
        root = find_root_tag(decode_head(raw.data))
        return 0.45 if root and root not in PAGE_TAGS and root not in _REFUSED else 0.0

    def parse(self, raw: Raw) -> Document:
        """Malformed XML is read as far as it goes. Raises `UnreadableFile` where that is no text."""
        root, findings = _read_root(raw.data)
        value = _convert_element(root)
        whole = value if isinstance(value, Record) else Record([(get_tag(root), value)])
        writer = RecordWriter(Assembly())
        writer.write_whole(whole)
        return writer.finish(whole, self.media_type, findings)


def _read_root(data: bytes) -> tuple[_Element, list[Finding]]:
    """The root, and what is wrong with the file."""
    try:
        return read_xml(data), []
    except UnreadableFile as problem:
        root = recover_xml(data)
        if root is None or not collapse_spaces(collect_text(root)):
            raise
        return root, [faults.LOST_PART.make_finding(f"{problem.problem}: what could be read of it was")]


def _convert_element(element: _Element) -> Value:
    """A text where an element has no attributes and no children, or words between them; else a record."""
    children = [child for child in element if get_tag(child)]
    texts = [element.text, *(child.tail for child in element)]
    has_words = any(text and text.strip() for text in texts)
    attributes: list[tuple[str, Value]] = [
        (str(name).rpartition("}")[2], str(value)) for name, value in element.items() if value
    ]
    if children and not has_words:
        return Record([*attributes, *_list_fields(children)])
    text = collapse_spaces(collect_text(element)) if children else collect_text(element).strip()
    own_attributes = [(name, value) for name, value in attributes if not text or name not in _MARKUP]
    return Record([*own_attributes, *([("text", text)] if text else [])]) if own_attributes else text


def _list_fields(children: list[_Element]) -> list[tuple[str, Value]]:
    """Children by name, neighbours of one name as a list."""
    found: list[tuple[str, Value]] = []
    for name, run in groupby(children, key=get_tag):
        values = [_convert_element(child) for child in run]
        found.append((name, values if len(values) > 1 else values[0]))
    return found


member = XmlData()
