"""The blocks of a web page in the order of its source: headings, paragraphs, lists, tables, code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.trees import local, words
from tasks.parsers.web.lists import LISTS, items
from tasks.parsers.web.tables import cells_of, read_table
from tasks.parsers.web.text import code_of, is_block, paragraphs, raw_text, text_of
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LONGEST_CELL = 2_000


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
        assembly.heading(text_of(node), _HEADINGS.get(tag, int(level) if level in "123456" and level else 2))
    elif tag in ("pre", "listing", "xmp"):
        assembly.add(BlockKind.CODE, code_of(node))
    elif tag in LISTS:
        _add_list(assembly, node)
    elif tag == "table":
        _add_table(assembly, node, caption)
    elif tag == "figure":
        below = node.find(".//figcaption")
        add_blocks(assembly, node, "" if below is None else text_of(below))
    else:
        add_blocks(assembly, node, caption)


def _add_list(assembly: Assembly, node: _Element) -> None:
    """A list; a table or code in one of its items parts it."""
    lines: list[str] = []
    for item in items(node):
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
    if own is not None and (title := text_of(own)):
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
        cell.find(".//table") is not None or cell.find(".//pre") is not None or _length(cell) > _LONGEST_CELL
        for cell in cells
    )


def _length(cell: _Element) -> int:
    return len(words(cell))


def _cell_text(cell: _Element) -> str:
    """The words of a cell, those of tables inside it left out, lists with their marks."""
    loose = [cell.text or ""]
    for part in cell if local(cell) != "table" else ():
        if local(part) in LISTS:
            loose.append(" ".join(item if isinstance(item, str) else _cell_text(item) for item in items(part)))
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
