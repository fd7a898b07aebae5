"""The blocks of a web page in the order of its source: headings, paragraphs, lists, tables, code.

Lists have the marks that a browser shows (HTML 5, 4.4.5 to 4.4.9). Nothing shows that was taken out of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.numerals import numeral
from tasks.parsers.table_spans import Laid, SpanCell, join_signs, lay_out, span
from tasks.parsers.trees import local, squeezed, words
from tasks.parsers.web.page_tree import GONE
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LONGEST_CELL = 2_000
LIST_TAGS = frozenset(["ul", "ol", "menu", "dir", "dl"])
_APART = frozenset(["table", "pre", "h1", "h2", "h3", "h4", "h5", "h6"])
_NUMERALS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details"}
    | {"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav"}
    | {"noframes", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"}
)
"""What begins and ends a line of its own; every other element, known or not, stands in a line (HTML 5, 15.3)."""
_BREAK = "\v"
_BREAKS = re.compile(rf" ?{_BREAK} ?(?:{_BREAK} ?)+")
_BLANKS = re.compile(rf"[^\S{_BREAK}]+")
_INVISIBLE = {0xAD: None, 0x200B: None, 0x2060: None}


def add_blocks(assembly: Assembly, node: _Element, caption: str = "") -> None:
    """Adds what stands inside an element; text between blocks is a paragraph. `caption` is that of a table in it."""
    loose = [node.text or ""]
    for child in node:
        if not is_block(child):
            loose.append(raw_text(child))
        elif local(child) != "head":
            _add_loose(assembly, loose)
            _add_block(assembly, child, caption)
        loose.append(child.tail or "")
    _add_loose(assembly, loose)


def _add_loose(assembly: Assembly, loose: list[str]) -> None:
    """Adds what was gathered between blocks and empties it."""
    for paragraph in paragraphs("".join(loose)):
        assembly.add(BlockKind.PARAGRAPH, paragraph)
    loose.clear()


def _add_block(assembly: Assembly, node: _Element, caption: str) -> None:
    tag = local(node)
    if tag in _HEADINGS or node.get("role") == "heading":
        level = node.get("aria-level") or ""
        assembly.heading(element_text(node), _HEADINGS.get(tag, int(level) if level in "123456" and level else 2))
    elif tag in ("pre", "listing", "xmp"):
        assembly.add(BlockKind.CODE, preformatted_text(node))
    elif tag in LIST_TAGS:
        _add_list(assembly, node)
    elif tag == "table":
        _add_table(assembly, node, caption)
    elif tag == "figure":
        below = node.find(".//figcaption")
        add_blocks(assembly, node, "" if below is None else element_text(below))
    else:
        add_blocks(assembly, node, caption)


def _add_list(assembly: Assembly, node: _Element) -> None:
    """A list; a table or code in one of its items parts it."""
    lines: list[str] = []
    for item in list_lines(node):
        if isinstance(item, str):
            lines.append(item)
        else:
            assembly.add(BlockKind.LIST, "\n".join(lines))
            lines.clear()
            _add_block(assembly, item, "")
    assembly.add(BlockKind.LIST, "\n".join(lines))


def _add_table(assembly: Assembly, node: _Element, caption: str) -> None:
    """A table of data and after it those inside its cells; a table for the layout is read as the blocks it holds."""
    own = node.find("caption")
    if own is not None and (title := element_text(own)):
        caption = title
        add_blocks(assembly, own)
    laid = None if _is_layout(node) else read_table(node, _cell_text)
    if laid is None or not laid.is_table:
        for cell in cells_of(node):
            add_blocks(assembly, cell)
        return
    assembly.table(laid.rows, header_rows=laid.header_rows, merges=laid.merges, caption=caption)
    for cell in cells_of(node):
        for inner in _tables_in(cell):
            _add_table(assembly, inner, "")


def _is_layout(table: _Element) -> bool:
    """Whether it says so, or has neither caption, headers nor border and holds tables, code or long texts."""
    if table.get("role") in ("presentation", "none"):
        return True
    cells = list(cells_of(table))
    bordered = table.get("border", "0") not in ("", "0")
    if bordered or any(local(part) in ("caption", "thead") for part in table) or any(local(c) == "th" for c in cells):
        return False
    return any(
        cell.find(".//table") is not None or cell.find(".//pre") is not None or len(words(cell)) > _LONGEST_CELL
        for cell in cells
    )


def _cell_text(cell: _Element) -> str:
    """The words of a cell, those of tables inside it left out, lists with their marks."""
    loose = [cell.text or ""]
    for part in cell if local(cell) != "table" else ():
        if local(part) in LIST_TAGS:
            loose.append(" ".join(item if isinstance(item, str) else _cell_text(item) for item in list_lines(part)))
        elif local(part) != "table" and part.find(".//table") is None:
            loose.append(raw_text(part))
        elif local(part) != "table":
            loose.append(_cell_text(part))
        loose.append(part.tail or "")
    return " ".join(loose)


def _tables_in(node: _Element) -> list[_Element]:
    """The outermost tables inside an element."""
    found: list[_Element] = []
    for part in node:
        found += [part] if local(part) == "table" else _tables_in(part)
    return found


def list_lines(node: _Element, depth: int = 0) -> Iterator[str | _Element]:
    """The lines of a list in order; a table, code or heading inside it comes as its element.

    Lists inside are indented by two spaces more than the item that holds them.
    """
    number = _integer(node.get("start"), 1)
    if node.text and node.text.strip():
        yield "  " * depth + squeezed(node.text)
    for child in node:
        tag = local(child)
        if tag in LIST_TAGS:
            yield from list_lines(child, depth + 1)
            continue
        mark = "-"
        if tag == "li" and local(node) == "ol":
            number = _integer(child.get("value"), number)
            mark = f"{numeral(number, _NUMERALS.get(node.get('type') or '', 'decimal'))}."
            number += 1
        if tag == "div" and local(node) == "dl":
            yield from list_lines(child, depth)
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
        if local(part) in LIST_TAGS:
            yield from list_lines(part, depth + 1)
        else:
            yield part
    if line := squeezed("".join(loose)):
        yield lead + line


def _parts(node: _Element) -> Iterator[str | _Element]:
    """The text of an element and, wherever they are inside it, the lists, tables and code."""
    yield node.text or ""
    for child in node:
        if local(child) in LIST_TAGS or local(child) in _APART:
            yield child
        elif any(local(inner) in LIST_TAGS or local(inner) in _APART for inner in child.iterdescendants()):
            yield " "
            yield from _parts(child)
            yield " "
        else:
            yield raw_text(child)
        yield child.tail or ""


def _integer(text: str | None, otherwise: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else otherwise


def read_table(table: _Element, text_of: Callable[[_Element], str]) -> Laid:
    """The rows of a table, its merged cells, and how many rows are its header, None where nothing says so.

    Rows of tables inside its cells are left to `element_text`, which gives the text of a cell.
    """
    rows = _rows(table)
    header = 0
    while header < len(rows) and _is_header(rows[header]):
        header += 1
    laid = [
        [SpanCell(text_of(cell), span(cell.get("rowspan")), span(cell.get("colspan"))) for cell in _cells(row)]
        for row in rows
    ]
    return join_signs(lay_out(laid, header or None))


def cells_of(table: _Element) -> Iterator[_Element]:
    """The cells of a table in reading order, those of tables inside it left out."""
    return (cell for row in _rows(table) for cell in _cells(row))


def _rows(table: _Element) -> list[_Element]:
    """The rows in reading order: a foot that is written before the body comes last."""
    found: list[_Element] = []
    feet: list[_Element] = []
    for part in table:
        tag = local(part)
        if tag == "tr":
            found.append(part)
        elif tag in ("thead", "tbody", "tfoot"):
            (feet if tag == "tfoot" else found).extend(row for row in part if local(row) == "tr")
    return found + feet


def _cells(row: _Element) -> list[_Element]:
    return [cell for cell in row if local(cell) in ("td", "th")]


def _is_header(row: _Element) -> bool:
    parent = row.getparent()
    if parent is not None and local(parent) == "thead":
        return True
    cells = [local(cell) for cell in _cells(row)]
    return bool(cells) and all(tag == "th" for tag in cells)


def element_text(node: _Element) -> str:
    """All words of an element; line breaks and the ends of blocks are white space."""
    return squeezed(raw_text(node))


def raw_text(node: _Element) -> str:
    """The words of an element with a vertical tab for each `br`."""
    return words(node, _shown).translate(_INVISIBLE)


def preformatted_text(node: _Element) -> str:
    """The words of preformatted text, as they are."""
    return words(node, lambda part, _: {"br": "\n", GONE: ""}.get(local(part)))


def paragraphs(text: str) -> list[str]:
    """Loose text cut where two or more breaks follow each other, with a line for each single break."""
    cut = _BREAKS.split(_BLANKS.sub(" ", text.translate(_INVISIBLE)))
    return ["\n".join(filter(None, map(squeezed, part.split(_BREAK)))) for part in cut]


def is_block(node: _Element) -> bool:
    """Whether it is a block or wraps some, as careless pages have it."""
    return local(node) in BLOCKS or any(local(inner) in BLOCKS for inner in node.iterdescendants())


def _shown(node: _Element, inner: str) -> str | None:
    tag = local(node)
    if tag == "br":
        return _BREAK
    if tag in (GONE, "head"):
        return ""
    if tag == "math":
        return node.get("alttext") or inner
    return f" {inner} " if tag in BLOCKS else None
