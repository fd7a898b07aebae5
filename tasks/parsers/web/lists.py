"""Lists of HTML as lines with the marks that a browser shows (HTML 5, 4.4.5 to 4.4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.trees import local, squeezed
from tasks.parsers.web.text import raw_text
from tasks.parsers.word.numerals import numeral

if TYPE_CHECKING:
    from lxml.etree import _Element

LISTS = frozenset(["ul", "ol", "menu", "dir", "dl"])
_APART = frozenset(["table", "pre", "h1", "h2", "h3", "h4", "h5", "h6"])
_NUMERALS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


def items(node: _Element, depth: int = 0) -> Iterator[str | _Element]:
    """The lines of a list in order; a table, code or heading inside it comes as its element.

    Lists inside are indented by two spaces more than the item that holds them.
    """
    number = _integer(node.get("start"), 1)
    if node.text and node.text.strip():
        yield "  " * depth + squeezed(node.text)
    for child in node:
        tag = local(child)
        if tag in LISTS:
            yield from items(child, depth + 1)
            continue
        mark = "-"
        if tag == "li" and local(node) == "ol":
            number = _integer(child.get("value"), number)
            mark = f"{numeral(number, _NUMERALS.get(node.get('type') or '', 'decimal'))}."
            number += 1
        if tag == "div" and local(node) == "dl":
            yield from items(child, depth)
        else:
            yield from _item(child, "  " * depth + ("  " if tag == "dd" else f"{mark} "), depth)
        if child.tail and child.tail.strip():
            yield "  " * depth + squeezed(child.tail)


def _item(node: _Element, lead: str, depth: int) -> Iterator[str | _Element]:
    """An item's own words on one line, cut where lists, tables or code stand in it."""
    loose: list[str] = []
    indent = " " * len(lead)
    for part in _parts(node):
        if isinstance(part, str):
            loose.append(part)
            continue
        if line := squeezed("".join(loose)):
            yield lead + line
            lead = indent
        loose.clear()
        if local(part) in LISTS:
            yield from items(part, depth + 1)
        else:
            yield part
    if line := squeezed("".join(loose)):
        yield lead + line


def _parts(node: _Element) -> Iterator[str | _Element]:
    """The text of an element and, wherever they are inside it, the lists, tables and code."""
    yield node.text or ""
    for child in node:
        if local(child) in LISTS or local(child) in _APART:
            yield child
        elif any(local(inner) in LISTS or local(inner) in _APART for inner in child.iterdescendants()):
            yield " "
            yield from _parts(child)
            yield " "
        else:
            yield raw_text(child)
        yield child.tail or ""


def _integer(text: str | None, otherwise: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else otherwise
