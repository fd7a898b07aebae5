"""Data in XML of no vocabulary that another parser knows: feeds, exports, logs, configurations, and documents.

Elements are records of their attributes and children, neighbours of one name a list, and an element with words between
its children a text (`data.record_writer`).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_writer import Record, RecordWriter, Value
from tasks.parsers.decoder import head
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import PAGE_TAGS, local, mended_xml, read_xml, root_tag, squeezed, words
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

    version = 1
    media_type = "application/xml"
    suffixes: tuple[str, ...] = (".xml", ".rss", ".atom", ".opml", ".dita", ".kml", ".gpx", ".fb2")
    heavy = False
    signature: Signature | None = None

    def likeness(self, raw: Raw) -> float:
        """Less than the vocabularies that are known have."""
        root = root_tag(head(raw.data))
        return 0.45 if root and root not in PAGE_TAGS and root not in _REFUSED else 0.0

    def parse(self, raw: Raw) -> Document:
        """Malformed XML is read as far as it goes. Raises `UnreadableFile` where that is no text."""
        root, findings = _read(raw.data)
        value = _value(root)
        whole = value if isinstance(value, Record) else Record([(local(root), value)])
        writer = RecordWriter(Assembly())
        writer.write_whole(whole)
        return writer.finish(whole, self.media_type, findings)


def _read(data: bytes) -> tuple[_Element, list[Finding]]:
    """The root, and what is wrong with the file."""
    try:
        return read_xml(data), []
    except UnreadableFile as problem:
        root = mended_xml(data)
        if root is None or not squeezed(words(root)):
            raise
        return root, [faults.LOST_PART.make_finding(f"{problem.problem}: what could be read of it was")]


def _value(element: _Element) -> Value:
    """A text where an element has no attributes and no children, or words between them; else a record."""
    children = [child for child in element if local(child)]
    said = [element.text, *(child.tail for child in element)]
    has_words = any(text and text.strip() for text in said)
    attributes: list[tuple[str, Value]] = [
        (str(name).rpartition("}")[2], str(value)) for name, value in element.items() if value
    ]
    if children and not has_words:
        return Record([*attributes, *_fields(children)])
    text = squeezed(words(element)) if children else words(element).strip()
    telling = [(name, value) for name, value in attributes if not text or name not in _MARKUP]
    return Record([*telling, *([("text", text)] if text else [])]) if telling else text


def _fields(children: list[_Element]) -> list[tuple[str, Value]]:
    """Children by name, neighbours of one name as a list."""
    found: list[tuple[str, Value]] = []
    for name, run in groupby(children, key=local):
        values = [_value(child) for child in run]
        found.append((name, values if len(values) > 1 else values[0]))
    return found


member = XmlData()
