"""A DOCX file as a package of parts, and its XML elements (ECMA-376 part 1, 17).

Only the parts that hold text are unpacked. python-docx reads the core properties only: opening the whole file with it
unpacks every part, pictures too, fails on a relationship without a target, and dates a file without properties to
the moment of reading.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from email import message_from_bytes
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office.office_package import OfficePackage, get_attribute
from tasks.parsers.parser_contract import Raw
from tasks.parsers.trees import get_tag, recover_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAIN_PART = "word/document.xml"
MAIN_NAME = re.compile(r"word/document\d*\.xml", re.IGNORECASE)
"""The name of the part that holds the text."""
_MESSAGE_HEADER = re.compile(rb"\s*(?:mime-version|content-type|from|subject):", re.IGNORECASE)
"""How a web page begins that is saved with its pictures as a message (RFC 2557)."""
_PREFIXED_STEP = re.compile(r"(/@?)[\w.-]+:")
_CONTROL_PATH = re.compile(r"/[\w.-]+(?:\[1\])?/((?:[\w.-]+(?:\[\d+\])?/?){1,20})")
"""The form of paths from a control to an element that it shows; they have no prefixes, as trees have none."""
_CORE_ID = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"
_EXTENDED_ID = "{6668398D-A668-4E3E-A5EB-62B293D839F1}"
_DRAWING_KINDS = ("chart", "chartEx", "diagramData")
_HIDDEN_TAGS = frozenset(
    {"pPr", "rPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "del", "moveFrom", "instrText", "delText"}
    | {"delInstrText", "nvPr", "positionH", "positionV", "sectPr"}
)
_WRAPPER_TAGS = frozenset(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"])


class WordPackage(OfficePackage):
    """The package of a DOCX file; `body` is the element that holds the text."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, "DOCX file", _MAIN_PART)
        self._related = self.read_relations(self.main_part)
        main = self.read_xml_part(self.main_part)
        body = None if main is None else main.find("body")
        if body is None:
            raise refusals.damaged(self.noun, "there is no text part in it")
        self.body = body
        self._fill_controls()

    def _fill_controls(self) -> None:
        """Fills controls of plain text from the parts that they are bound to, as Word does (17.5.2.6).

        Programs that fill in a form write those parts only.
        """
        controls = [
            control for control in self.body.iter("sdt") if find_child(control, "sdtPr", "dataBinding") is not None
        ]
        roots = dict(self._iter_data_parts()) if controls else {}
        for control in controls:
            binding, content = find_child(control, "sdtPr", "dataBinding"), find_child(control, "sdtContent")
            root = roots.get(get_attribute(binding, "storeItemID").upper())
            path = _CONTROL_PATH.fullmatch(_PREFIXED_STEP.sub(r"\1", get_attribute(binding, "xpath")))
            if root is None or path is None or content is None or find_child(control, "sdtPr", "text") is None:
                continue
            element, text_nodes = root.find(path[1].rstrip("/")), list(content.iter("t"))
            if element is not None and element.text and element.text.strip():
                for node in text_nodes:
                    node.text = element.text if node is text_nodes[0] else ""

    def _iter_data_parts(self) -> Iterator[tuple[str, _Element]]:
        """The parts that controls are bound to, by their ids, without those that hold no XML."""
        parts = [(_CORE_ID, self.core_part), (_EXTENDED_ID, "docProps/app.xml")]
        for kind, target in self._related.values():
            if kind == "customXml":
                properties_part = next(
                    (part for kind, part in self.read_relations(target).values() if kind == "customXmlProps"), ""
                )
                parts.append((get_attribute(self.read_xml_part(properties_part), "itemID").upper(), target))
        for key, part in parts:
            root = recover_xml(self.read_part(part) or b"")
            if root is not None:
                yield key, root

    def read_related_part(self, kind: str) -> _Element | None:
        """The root of the part that the text has such a relationship to ("styles", "numbering"), if there is one."""
        return next(
            (self.read_xml_part(target) for part_kind, target in self._related.values() if part_kind == kind), None
        )

    def iter_headers_or_footers(self, kind: str) -> Iterator[_Element]:
        """The headers or footers ("header", "footer") of all sections."""
        for reference in self.body.iter(f"{kind}Reference"):
            owner = reference.getparent()
            section_parent = None if owner is None else owner.getparent()
            relation = get_attribute(reference, "id")
            root = self.read_xml_part(self._related[relation][1]) if relation in self._related else None
            if root is not None and (section_parent is None or get_tag(section_parent) != "sectPrChange"):
                yield root

    def find_drawing(self, reference: _Element) -> _Element | None:
        """The root of the chart or of the data of the diagram that a drawing shows, if it is in the package."""
        kind, target = self._related.get(get_attribute(reference, "id") or get_attribute(reference, "dm"), ("", ""))
        return self.read_xml_part(target) if kind in _DRAWING_KINDS else None

    def find_chunk(self, reference: _Element) -> Raw | None:
        """The file of another format in the text, if it is in the package (17.17.2)."""
        target = self._related.get(get_attribute(reference, "id"), ("", ""))[1]
        data = self.read_part(target) if target else None
        if data is None or not _MESSAGE_HEADER.match(data):
            return None if data is None else Raw(posixpath.basename(target), data)
        pages = (part for part in message_from_bytes(data).walk() if part.get_content_type() == "text/html")
        page = next(pages, None)
        payload = None if page is None else page.get_payload(decode=True)
        return Raw("page.html", payload) if isinstance(payload, bytes) else None


def find_child(node: _Element | None, *path: str) -> _Element | None:
    """The first descendant along a path of names."""
    for step in path:
        node = next((part for part in node if get_tag(part) == step), None) if node is not None else None
    return node


def get_value(node: _Element | None, *path: str) -> str:
    """The `val` attribute of the first descendant along a path, or nothing."""
    return get_attribute(find_child(node, *path), "val")


def is_on(node: _Element | None, *path: str) -> bool:
    """Whether a switch such as `vanish` is there and not turned off."""
    switch = find_child(node, *path)
    return switch is not None and get_attribute(switch, "val") not in ("0", "false", "off")


def iter_visible(node: _Element) -> Iterator[_Element]:
    """The children that Word shows: no properties, no tracked deletions, one of several alternatives."""
    for part in node:
        if get_tag(part) == "AlternateContent":
            # The first alternative with words in it: Word writes the same words again for programs that know less.
            readable_options = (option for option in part if next(option.iter("t"), None) is not None)
            yield from iter_visible(next(readable_options, part[0] if len(part) else part))
        elif get_tag(part) not in _HIDDEN_TAGS:
            yield part


def iter_inside(node: _Element, *tags: str) -> Iterator[_Element]:
    """The elements of these names in order, through content controls, insertions and other wrappers."""
    for part in iter_visible(node):
        if get_tag(part) in tags:
            yield part
        elif get_tag(part) in _WRAPPER_TAGS:
            yield from iter_inside(part, *tags)


def iter_drawings(node: _Element) -> Iterator[_Element]:
    """The objects anchored in a paragraph, each once: text boxes, charts, diagrams, texts of pictures."""
    for part in iter_visible(node):
        if get_tag(part) in ("txbxContent", "chart", "relIds", "docPr"):
            yield part
        else:
            yield from iter_drawings(part)
