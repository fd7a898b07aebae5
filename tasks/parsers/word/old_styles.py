"""The styles, lists and fonts of a Word 97 to 2003 file, as the equivalent parts of a newer file ([MS-DOC])."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lxml import etree

from tasks.parsers.trees import with_xml_characters
from tasks.parsers.word.old_format import (
    FONTS,
    LIST_USES,
    LISTS,
    STYLES,
    OldWordText,
    iter_properties,
    join_surrogates,
    to_number,
)
from tasks.parsers.word.word_styles import LEVELS

if TYPE_CHECKING:
    from lxml.etree import _Element

_STYLE_NAMES = {
    **{number: f"heading {number}" for number in range(1, 10)},
    **{number: f"toc {number - 18}" for number in range(19, 28)},
    34: "caption", 35: "table of figures", 47: "list", 48: "list bullet", 49: "list number", 62: "title",
    101: "html preformatted",
    **{number: f"list {number - 48}" for number in range(50, 54)},
    **{number: f"list bullet {number - 52}" for number in range(54, 58)},
    **{number: f"list number {number - 56}" for number in range(58, 62)},
}  # fmt: skip
"""Built-in styles by their numbers, whatever language their names are in (2.9.271)."""
_NO_STYLE = 0xFFF
_PARAGRAPH_STYLE = 1
_STYLE_TYPES = {_PARAGRAPH_STYLE: "paragraph", 2: "character"}
_MAX_STYLES = 4095  # Styles that a file can have.
_LIST_BYTES, _LEVEL_BYTES, _USE_BYTES, _CHANGED_LEVEL_BYTES = 28, 28, 16, 8
"""Bytes of the record of a list, a level of it, a use of it, and a level that a use changes (2.9.147, 2.9.150)."""
_IS_SIMPLE, _HAS_START, _HAS_FORMAT = 0x01, 0x10, 0x20
_NUMERALS = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal",
    10: "chineseCounting", 11: "ideographDigital", 17: "ideographDigital", 18: "decimalEnclosedCircle",
    22: "decimalZero", 23: "bullet",
    30: "ideographTraditional", 33: "taiwaneseCounting", 35: "taiwaneseCounting", 37: "chineseCounting",
    39: "chineseCounting", 255: "none",
}  # fmt: skip
"""Formats of numbers ([MS-OSHARED] 2.2.1.3) by their names in newer files."""
_IN_LIST, _LIST_LEVEL, _OUTLINE, _DROP_CAP = 0x460B, 0x260A, 0x2640, 0x442C
_DROP_CAPS = {1: "drop", 2: "margin"}
"""Places of a drop cap by the first three bits of its property (2.9.51), by their names in newer files."""
_HIDDEN = 0x083C
_NO_LIST = 0xF801


def add_element(parent: _Element, tag: str, **attributes: str) -> _Element:
    """A new element in another one."""
    return etree.SubElement(parent, tag, attributes)


def add_paragraph_properties(parent: _Element, properties: Mapping[int, bytes]) -> None:
    """Adds the properties of lists, the outline and a drop cap."""
    if _IN_LIST in properties or _LIST_LEVEL in properties:
        numbering = add_element(parent, "numPr")
        if _LIST_LEVEL in properties:
            add_element(numbering, "ilvl", val=str(to_number(properties[_LIST_LEVEL])))
        if _IN_LIST in properties:
            use = to_number(properties[_IN_LIST])
            add_element(numbering, "numId", val="0" if use == _NO_LIST else str(use))
    if _OUTLINE in properties:
        add_element(parent, "outlineLvl", val=str(to_number(properties[_OUTLINE])))
    if drop_cap := _DROP_CAPS.get(to_number(properties.get(_DROP_CAP, b"")) & 7):
        add_element(parent, "framePr", dropCap=drop_cap)


def read_styles(text: OldWordText) -> _Element:
    """The styles of paragraphs and of characters (2.9.271) as the part of a newer file."""
    root, data = etree.Element("styles"), text.read_table(STYLES)
    size, _, name_offset = struct.unpack_from("<HHH", data.ljust(6, b"\0"))
    place = 2 + size
    for number in range(_MAX_STYLES):
        if place + 2 > len(data):
            break
        (length,) = struct.unpack_from("<H", data, place)
        style = data[place + 2 : place + 2 + length]
        if len(style) > name_offset + 2:
            _add_style(root, number, style, name_offset)
        place += 2 + length + length % 2
    return root


def _add_style(root: _Element, number: int, style: bytes, name_offset: int) -> None:
    style_number, kind, list_count = struct.unpack_from("<HHH", style)
    kind, base_style = kind & 0xF, kind >> 4
    if kind not in _STYLE_TYPES:
        return
    (length,) = struct.unpack_from("<H", style, name_offset)
    place = name_offset + 2 + 2 * length
    name = join_surrogates("".join(map(chr, struct.unpack(f"<{length}H", style[name_offset + 2 : place]))))
    property_lists = list(_iter_property_lists(style, place + 2, min(list_count & 0xF, 3)))
    characters = property_lists[kind == _PARAGRAPH_STYLE :][:1]
    hidden_flag = to_number(dict(iter_properties(b"".join(characters))).get(_HIDDEN, b"\xff"))
    node = add_element(root, "style", type=_STYLE_TYPES[kind], styleId=str(number), default=str(int(not number)))
    add_element(node, "name", val=_STYLE_NAMES.get(style_number & 0xFFF) or with_xml_characters(name.partition(",")[0]))
    if base_style != _NO_STYLE:
        add_element(node, "basedOn", val=str(base_style))
    if hidden_flag in (0, 1):
        add_element(add_element(node, "rPr"), "vanish", val=str(hidden_flag))
    if len(property_lists) > 1:
        add_paragraph_properties(add_element(node, "pPr"), dict(iter_properties(property_lists[0][2:])))


def _iter_property_lists(style: bytes, place: int, count: int) -> Iterator[bytes]:
    """The properties of a style, of paragraphs and of characters, each at an even place."""
    for _ in range(count):
        place += place % 2
        if place + 2 > len(style):
            return
        (size,) = struct.unpack_from("<H", style, place)
        yield style[place + 2 : place + 2 + size]
        place += 2 + size


def read_lists(text: OldWordText) -> _Element:
    """The lists and their uses (2.9.199 and 2.9.198) as the part of a newer file."""
    root, data = etree.Element("numbering"), text.read_table(LISTS, has_following=True)
    if not data:
        return root
    (count,) = struct.unpack_from("<H", data)
    place = 2 + count * _LIST_BYTES
    for index in range(count):
        (number,) = struct.unpack_from("<i", data, 2 + index * _LIST_BYTES)
        node = add_element(root, "abstractNum", abstractNumId=str(number))
        is_simple = data[2 + index * _LIST_BYTES + 26] & _IS_SIMPLE
        for level in range(1 if is_simple else LEVELS):
            style_number = struct.unpack_from("<H", data, 2 + index * _LIST_BYTES + 8 + 2 * level)[0] & 0xFFF
            place = _read_level(node, data, place, level, style_number)
    uses = text.read_table(LIST_USES)
    count = struct.unpack_from("<I", uses)[0] if uses else 0
    place = 4 + count * _USE_BYTES
    for index in range(count):
        number, changes = struct.unpack_from("<i8xB", uses, 4 + index * _USE_BYTES)
        node = add_element(root, "num", numId=str(index + 1))
        add_element(node, "abstractNumId", val=str(number))
        place += 4
        for _ in range(changes):
            start, flags = struct.unpack_from("<iI", uses, place)
            place += _CHANGED_LEVEL_BYTES
            level = flags & 0xF
            change = add_element(node, "lvlOverride", ilvl=str(level))
            if flags & _HAS_FORMAT:
                place = _read_level(change, uses, place, level, _NO_STYLE)
            elif flags & _HAS_START:
                add_element(change, "startOverride", val=str(start))
    return root


def _read_level(parent: _Element, data: bytes, place: int, level: int, style_number: int) -> int:
    """Adds a level of a list; returns where the next one begins."""
    start, kind, flags = struct.unpack_from("<iBB", data, place)
    runs, paragraphs, limit = data[place + 24 : place + 27]
    place += _LEVEL_BYTES + runs + paragraphs
    length = int(struct.unpack_from("<H", data, place)[0])
    units = struct.unpack_from(f"<{length}H", data, place + 2)
    text = "".join(f"%{unit + 1}" if unit < LEVELS else chr(unit) for unit in units)
    node = add_element(parent, "lvl", ilvl=str(level))
    add_element(node, "start", val=str(max(start, 0)))
    add_element(node, "numFmt", val=_NUMERALS.get(kind, "decimal"))
    add_element(node, "lvlText", val=with_xml_characters(join_surrogates(text)))
    if flags & 0x04:
        add_element(node, "isLgl")
    if flags & 0x08:
        add_element(node, "lvlRestart", val=str(limit))
    if style_number != _NO_STYLE:
        add_element(node, "pStyle", val=str(style_number))
    return place + 2 + 2 * length


def read_fonts(text: OldWordText) -> list[str]:
    """The names of the fonts by their numbers (2.9.286)."""
    data, names, place = text.read_table(FONTS), list[str](), 4
    count = struct.unpack_from("<H", data)[0] if len(data) >= 4 else 0
    for _ in range(count):
        size = data[place] if place < len(data) else 0
        font = data[place + 1 : place + 1 + size]
        name = font[39:].decode("utf-16-le", "ignore").partition("\0")[0]
        names.append(with_xml_characters(name))
        place += 1 + size
    return names
