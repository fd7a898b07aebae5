"""WordprocessingML elements by their local names, and which of them Word shows (ECMA-376 parts 1 and 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_HIDDEN = frozenset(
    {"pPr", "rPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "del", "moveFrom", "instrText", "delText"}
    | {"delInstrText", "docPr", "nvPr", "positionH", "positionV", "sectPr"}
)
_WRAPPERS = frozenset(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"])


def name(node: _Element) -> str:
    """The tag; nothing for comments and processing instructions."""
    tag: object = node.tag
    return tag if isinstance(tag, str) else ""


def attribute(node: _Element | None, local: str) -> str:
    """An attribute by its local name, or nothing."""
    if node is None:
        return ""
    return next((str(value) for key, value in node.attrib.items() if str(key).rpartition("}")[2] == local), "")


def child(node: _Element | None, *path: str) -> _Element | None:
    """The first descendant along a path of names."""
    for step in path:
        node = next((part for part in node if name(part) == step), None) if node is not None else None
    return node


def value(node: _Element | None, *path: str) -> str:
    """The `val` attribute of the first descendant along a path, or nothing."""
    return attribute(child(node, *path), "val")


def is_on(node: _Element | None, *path: str) -> bool:
    """Whether a switch such as `vanish` is there and not turned off."""
    switch = child(node, *path)
    return switch is not None and attribute(switch, "val") not in ("0", "false", "off")


def visible_elements(node: _Element) -> Iterator[_Element]:
    """The children that Word shows: no properties, no tracked deletions, one of several alternatives."""
    for part in node:
        if name(part) == "AlternateContent":
            yield from visible_elements(_choice(part))
        elif name(part) not in _HIDDEN:
            yield part


def _choice(alternatives: _Element) -> _Element:
    """The first alternative with words in it: Word writes the same words again for programs that know less."""
    with_words = (option for option in alternatives if any(True for _ in option.iter("t")))
    return next(with_words, alternatives[0] if len(alternatives) else alternatives)


def inside(node: _Element, *wanted: str) -> Iterator[_Element]:
    """The elements of these names in order, through content controls, insertions and other wrappers."""
    for part in visible_elements(node):
        if name(part) in wanted:
            yield part
        elif name(part) in _WRAPPERS:
            yield from inside(part, *wanted)


def text_boxes(node: _Element) -> Iterator[_Element]:
    """The contents of the text boxes anchored in a paragraph, each once."""
    for part in visible_elements(node):
        if name(part) == "txbxContent":
            yield part
        else:
            yield from text_boxes(part)
