"""The words of WordprocessingML elements (ECMA-376 part 1, 17): what Word shows, tracked insertions included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.spans import SpanCell, lay_out, span

if TYPE_CHECKING:
    from lxml.etree import _Element

_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_HIDDEN = frozenset(["pPr", "rPr", "del", "moveFrom", "instrText", "delText", "Fallback", "txbxContent"])


def name(node: _Element) -> str:
    """The local name of an element."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def attribute(node: _Element | None, local: str) -> str:
    """An attribute by its local name, or nothing."""
    if node is None:
        return ""
    return next((str(value) for key, value in node.attrib.items() if str(key).rpartition("}")[2] == local), "")


def child(node: _Element | None, *path: str) -> _Element | None:
    """The first descendant along a path of local names."""
    for step in path:
        node = next((part for part in node if name(part) == step), None) if node is not None else None
    return node


def text_of(node: _Element) -> str:
    """The words inside a paragraph or a part of one; text boxes are left out."""
    tag = name(node)
    if tag == "t":
        return node.text or ""
    if tag in _SIGNS:
        return _SIGNS[tag]
    return "".join(text_of(part) for part in node if name(part) not in _HIDDEN)


def boxes(node: _Element) -> Iterator[_Element]:
    """The contents of the text boxes anchored in a paragraph, each once."""
    for part in node:
        if name(part) == "txbxContent":
            yield part
        elif name(part) != "Fallback":
            yield from boxes(part)


def blocks(node: _Element) -> Iterator[_Element]:
    """Paragraphs and tables in order, through content controls and other wrappers."""
    for part in node:
        if name(part) in ("p", "tbl"):
            yield part
        elif name(part) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from blocks(part)


def table_rows(table: _Element) -> tuple[list[list[str]], int | None]:
    """The rows of a table, merged cells filled in, and its header rows, None where none is marked."""
    rows = list(_inside(table, "tr"))
    header = 0
    while header < len(rows) and child(rows[header], "trPr", "tblHeader") is not None:
        header += 1
    laid = lay_out([[*_before(row), *(_cell(cell) for cell in _inside(row, "tc"))] for row in rows], header)
    for number, row in enumerate(rows):
        _continue_merged(laid, number, row)
    return laid, header or None


def _continue_merged(laid: list[list[str]], number: int, row: _Element) -> None:
    """A cell that continues the one above shows its words again."""
    column = sum(cell.columns for cell in _before(row))
    for cell in _inside(row, "tc"):
        merge = child(cell, "tcPr", "vMerge")
        continues = merge is not None and attribute(merge, "val") != "restart"
        if number and continues and column < min(len(laid[number]), len(laid[number - 1])):
            laid[number][column] = laid[number - 1][column]
        column += span(attribute(child(cell, "tcPr", "gridSpan"), "val"))


def _inside(node: _Element, wanted: str) -> Iterator[_Element]:
    for part in node:
        if name(part) == wanted:
            yield part
        elif name(part) in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _inside(part, wanted)


def _before(row: _Element) -> list[SpanCell]:
    """The columns that a row leaves free before its first cell."""
    skipped = attribute(child(row, "trPr", "gridBefore"), "val")
    return [SpanCell("", 1, span(skipped))] if skipped and skipped != "0" else []


def _cell(cell: _Element) -> SpanCell:
    return SpanCell(_words(cell), 1, span(attribute(child(cell, "tcPr", "gridSpan"), "val")))


def _words(cell: _Element) -> str:
    """The words of a cell's paragraphs, text boxes and inner tables."""
    found: list[str] = []
    for block in blocks(cell):
        if name(block) == "p":
            found += [text_of(block), *(_words(box) for box in boxes(block))]
        else:
            found += [_words(inner) for row in _inside(block, "tr") for inner in _inside(row, "tc")]
    return "\n".join(filter(None, found))
