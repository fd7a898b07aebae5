"""Texts of LibreOffice and other programs (OpenDocument: .odt, .ott, .fodt), read as Word documents are.

Tags of the older format of OpenOffice 1 and StarOffice (.sxw, .stw) are replaced by its tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.open_package import OpenPackage, is_open_document
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP, get_tag
from tasks.parsers.word.open_text import OpenStyles, OpenTextReader
from tasks.parsers.word.story_blocks import build_story_document
from warehouse.records import Document

if TYPE_CHECKING:
    from lxml.etree import _Element

_NOUN = "OpenDocument text"
_OLD_TYPE = "application/vnd.sun.xml.writer"
_NEW_TAGS = {
    "ordered-list": "list", "unordered-list": "list", "sub-table": "table", "properties": "text-properties",
    **{f"{note}{part}": f"note{part}" for note in ("footnote", "endnote") for part in ("", "-citation", "-body")},
}  # fmt: skip


class Odt:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are furniture, each text once. A course transcript is read as one.
    """

    version = 4
    media_type = "application/vnd.oasis.opendocument.text"
    suffixes: tuple[str, ...] = (".odt", ".ott", ".fodt", ".sxw", ".stw")
    heavy = True
    signature: Signature | None = Signature(
        re.compile(rb"\APK\x03\x04"),
        MARKUP,
        lambda raw: is_open_document(raw, Odt.media_type) or is_open_document(raw, _OLD_TYPE),
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = OpenPackage(raw.data, _NOUN)
        content, styles = package.read_xml_part("content.xml"), package.read_xml_part("styles.xml")
        body = None if content is None else content.find("body/text")
        if body is None and content is not None and is_open_document(raw, _OLD_TYPE):
            body = content.find("body")
            for root in (content, styles):
                _rename_old_tags(root)
        if body is None:
            raise refusals.damaged(_NOUN, "there is no text part in it")
        reader = OpenTextReader(OpenStyles(styles, content))
        document = build_story_document(
            self.media_type,
            reader,
            body,
            reader.stories,
            headers=_iter_page_parts(styles, "header"),
            footers=_iter_page_parts(styles, "footer"),
            properties=package.read_properties(),
        )
        return package.with_findings(document)


def _iter_page_parts(styles: _Element | None, kind: str) -> Iterator[_Element]:
    """The headers or footers of all pages."""
    pages = None if styles is None else styles.find("master-styles")
    return iter(()) if pages is None else pages.iter(kind, f"{kind}-first", f"{kind}-left")


def _rename_old_tags(root: _Element | None) -> None:
    """Give the elements of OpenOffice 1 the tags and attributes of OpenDocument."""
    for node in () if root is None else root.iter(*_NEW_TAGS, "h"):
        if get_tag(node) == "h":
            node.set("outline-level", get_attribute(node, "level"))
        elif get_tag(node) in ("footnote", "endnote"):
            node.set("note-class", get_tag(node))
        node.tag = _NEW_TAGS.get(get_tag(node), "h")


member = Odt()
