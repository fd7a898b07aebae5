"""The blocks of a web page in the order of its source: headings, paragraphs, lists, tables, code.

Invisible elements and boilerplate are removed from its tree before (`page_boilerplate`). Lists have the marks that a
browser shows (HTML 5, 4.4.5 to 4.4.9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.numerals import format_numeral, raise_mark
from tasks.parsers.office.office_pages import MARK_ATTRIBUTE
from tasks.parsers.table_form import LaidTable, SpanCell, join_signs, lay_out, parse_span
from tasks.parsers.text import add_preformatted
from tasks.parsers.trees import (
    HEADING_LEVELS,
    REMOVED_TAG,
    ROW_GROUPS,
    collapse_spaces,
    collect_text,
    get_tag,
)
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_CELL_LENGTH = 2_000  # Characters of a cell in a table of data; a table with a longer one is a layout.
LIST_TAGS = frozenset(["ul", "ol", "menu", "dir", "dl"])
_BLOCK_TAGS = frozenset(["table", "pre", *HEADING_LEVELS])
_CODE_TAGS = frozenset(["code", "samp", "kbd"])
_CODE_CLASS = re.compile(r"lang(?:uage)?-|highlight|source|code|brush", re.IGNORECASE)
_NUMERALS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details"}
    | {"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav"}
    | {"noframes", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"}
)
"""Elements that begin and end lines; every other element, known or not, is inside a line (HTML 5, 15.3)."""
_BREAK = "\v"
_REPEATED_BREAKS = re.compile(rf" ?{_BREAK} ?(?:{_BREAK} ?)+")
_WHITESPACE = re.compile(rf"[^\S{_BREAK}]+")
_NOTE_NUMBER = re.compile(r"\s*(?:\d{1,3}|[a-z*†‡])\s*")
_ZERO_WIDTH = {0xAD: None, 0x200B: None, 0x2060: None}


def add_blocks(assembly: Assembly, node: _Element, caption: str = "") -> None:
    """Adds the contents of an element; text between blocks is a paragraph. `caption` is that of a table in it."""
    inline_texts = [node.text or ""]
    for child in node:
        # A block, or an inline element around blocks, as on malformed pages.
        if not any(get_tag(part) in BLOCKS for part in child.iter()):
            inline_texts.append(get_raw_text(child))
        elif get_tag(child) != "head":
            _add_inline_texts(assembly, inline_texts)
            _add_block(assembly, child, caption)
        inline_texts.append(child.tail or "")
    _add_inline_texts(assembly, inline_texts)


def _add_inline_texts(assembly: Assembly, inline_texts: list[str]) -> None:
    """Adds the texts that were collected between blocks and empties their list."""
    for paragraph in split_paragraphs("".join(inline_texts)):
        assembly.add(BlockKind.PARAGRAPH, paragraph)
    inline_texts.clear()


def _add_block(assembly: Assembly, node: _Element, caption: str) -> None:
    tag = get_tag(node)
    if tag in HEADING_LEVELS or node.get("role") == "heading":
        level = node.get("aria-level") or ""
        assembly.add_heading(
            get_element_text(node), HEADING_LEVELS.get(tag, int(level) if level in "123456" and level else 2)
        )
    elif tag in ("pre", "listing", "xmp", "table") and node.find(".//tr") is None:
        # Old pages have a table of lines, without rows, in text as it is written.
        text = collect_text(node, lambda part, _: {"br": "\n", REMOVED_TAG: ""}.get(get_tag(part)))
        if any(get_tag(part) in _CODE_TAGS or _CODE_CLASS.search(part.get("class") or "") for part in node.iter()):
            assembly.add(BlockKind.CODE, text)
        else:
            add_preformatted(assembly, text)
    elif tag in LIST_TAGS:
        assembly.add_list(iter_list_lines(node), lambda part: _add_block(assembly, part, ""))
    elif tag == "table":
        _add_table(assembly, node, caption)
    elif tag == "figure":
        caption_node = node.find(".//figcaption")
        add_blocks(assembly, node, "" if caption_node is None else get_element_text(caption_node))
    else:
        add_blocks(assembly, node, caption)


def _add_table(assembly: Assembly, node: _Element, caption: str) -> None:
    """Adds a table of data and after it those inside its cells; of a table for the layout, the blocks inside it."""
    caption_element = node.find("caption")
    if caption_element is not None and (title := get_element_text(caption_element)):
        caption = title
        add_blocks(assembly, caption_element)
    table = None if _is_layout(node) else read_table(node, _get_cell_text)
    if table is None or not table.is_table:
        for cell in iter_cells(node):
            add_blocks(assembly, cell)
        return
    assembly.add_table(table.rows, header_rows=table.header_rows, merges=table.merges, caption=caption)
    for cell in iter_cells(node):
        for inner in _list_inner_tables(cell):
            _add_table(assembly, inner, "")


def _is_layout(table: _Element) -> bool:
    """Whether a table states it, or has no caption, headers or border and contains tables, code or long texts."""
    if table.get("role") in ("presentation", "none"):
        return True
    cells = list(iter_cells(table))
    has_border = table.get("border", "0") not in ("", "0")
    has_header = any(get_tag(part) in ("caption", "thead") for part in table) or any(
        get_tag(cell) == "th" for cell in cells
    )
    if has_border or has_header:
        return False
    return any(
        cell.find(".//table") is not None
        or cell.find(".//pre") is not None
        or len(collect_text(cell)) > _MAX_CELL_LENGTH
        for cell in cells
    )


def _get_cell_text(cell: _Element) -> str:
    """The words of a cell without those of tables inside it; lists have their marks."""
    texts = [cell.text or ""]
    for part in cell if get_tag(cell) != "table" else ():
        if get_tag(part) in LIST_TAGS:
            texts += (item if isinstance(item, str) else _get_cell_text(item) for item in iter_list_lines(part))
        elif get_tag(part) == "sup":
            texts[-1] = f"{texts[-1].rstrip()}{get_raw_text(part)}"
        elif get_tag(part) != "table":
            texts.append(get_raw_text(part) if part.find(".//table") is None else _get_cell_text(part))
        texts.append(part.tail or "")
    return " ".join(texts)


def _list_inner_tables(node: _Element) -> list[_Element]:
    """The outermost tables inside an element."""
    tables: list[_Element] = []
    for part in node:
        tables += [part] if get_tag(part) == "table" else _list_inner_tables(part)
    return tables


def iter_list_lines(node: _Element, depth: int = 0) -> Iterator[str | _Element]:
    """The lines of a list in order; a table, code or heading inside it comes as its element.

    Inner lists are indented by two spaces more than the item that contains them.
    """
    number = _parse_integer(node.get("start"), 1)
    if node.text and node.text.strip():
        yield "  " * depth + collapse_spaces(node.text)
    for child in node:
        tag = get_tag(child)
        if tag in LIST_TAGS:
            yield from iter_list_lines(child, depth + 1)
            continue
        mark = child.get(MARK_ATTRIBUTE) or "-"
        if tag == "li" and get_tag(node) == "ol":
            number = _parse_integer(child.get("value"), number)
            mark = f"{format_numeral(number, _NUMERALS.get(node.get('type') or '', 'decimal'))}."
            number += 1
        if tag == "div" and get_tag(node) == "dl":
            yield from iter_list_lines(child, depth)
        else:
            yield from _iter_item_lines(child, "  " * depth + ("  " if tag == "dd" else f"{mark} "), depth)
        if child.tail and child.tail.strip():
            yield "  " * depth + collapse_spaces(child.tail)


def _iter_item_lines(node: _Element, prefix: str, depth: int) -> Iterator[str | _Element]:
    """The words of an item on one line, cut where it contains lists, tables or code."""
    texts: list[str] = []
    indent = " " * len(prefix)
    for part in _iter_parts(node):
        if isinstance(part, str):
            texts.append(part)
            continue
        if line := collapse_spaces("".join(texts)):
            yield prefix + line
            prefix = indent
        texts.clear()
        if get_tag(part) in LIST_TAGS:
            yield from iter_list_lines(part, depth + 1)
        else:
            yield part
    if line := collapse_spaces("".join(texts)):
        yield prefix + line


def _iter_parts(node: _Element) -> Iterator[str | _Element]:
    """The text of an element and the lists, tables and code at any depth in it."""
    yield node.text or ""
    for child in node:
        if get_tag(child) in LIST_TAGS or get_tag(child) in _BLOCK_TAGS:
            yield child
        elif any(get_tag(inner) in LIST_TAGS or get_tag(inner) in _BLOCK_TAGS for inner in child.iterdescendants()):
            yield " "
            yield from _iter_parts(child)
            yield " "
        else:
            yield get_raw_text(child)
        yield child.tail or ""


def _parse_integer(text: str | None, default: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else default


def read_table(table: _Element, get_text: Callable[[_Element], str]) -> LaidTable:
    """The rows of a table, its merged cells, and the number of its header rows, None if the markup does not state it.

    Rows of tables inside its cells are left out; `get_text` gives the text of a cell.
    """
    rows = _list_rows(table)
    header_rows = sum(1 for _ in takewhile(_is_header, rows))
    cells = [
        [
            SpanCell(get_text(cell), parse_span(cell.get("rowspan")), parse_span(cell.get("colspan")))
            for cell in _list_cells(row)
        ]
        for row in rows
    ]
    return join_signs(lay_out(cells, header_rows or (0 if _has_named_rows(rows) else None)))


def iter_cells(table: _Element) -> Iterator[_Element]:
    """The cells of a table in reading order, without those of tables inside it."""
    return (cell for row in _list_rows(table) for cell in _list_cells(row))


def _list_rows(table: _Element) -> list[_Element]:
    """The rows in reading order: a footer that is written before the body comes last."""
    parts = sorted(table, key=lambda part: get_tag(part) == "tfoot")
    rows = ((part,) if get_tag(part) == "tr" else part for part in parts if get_tag(part) in ROW_GROUPS)
    return [row for group in rows for row in group if get_tag(row) == "tr"]


def _list_cells(row: _Element) -> list[_Element]:
    return [cell for cell in row if get_tag(cell) in ("td", "th")]


def _is_header(row: _Element) -> bool:
    parent = row.getparent()
    if parent is not None and get_tag(parent) == "thead":
        return True
    cells = [get_tag(cell) for cell in _list_cells(row)]
    return bool(cells) and all(tag == "th" for tag in cells)


def _has_named_rows(rows: list[_Element]) -> bool:
    """Whether each row is a name and its value, or one cell over both, as in a list of properties."""
    tags = [[get_tag(cell) for cell in _list_cells(row)] for row in rows]
    return ["th", "td"] in tags and all(row == ["th", "td"] or len(row) == 1 for row in tags if row)


def get_element_text(node: _Element) -> str:
    """All words of an element; line breaks and the ends of blocks are white space."""
    return collapse_spaces(get_raw_text(node))


def get_raw_text(node: _Element) -> str:
    """The words of an element with a vertical tab for each `br`."""
    return collect_text(node, _format_inline).translate(_ZERO_WIDTH)


def split_paragraphs(text: str) -> list[str]:
    """Inline text cut at two or more successive breaks, with a new line for each single break."""
    paragraphs = _REPEATED_BREAKS.split(_WHITESPACE.sub(" ", text.translate(_ZERO_WIDTH)))
    return ["\n".join(filter(None, map(collapse_spaces, part.split(_BREAK)))) for part in paragraphs]


def _is_note_link(superscript: _Element) -> bool:
    """Whether a raised number is a link in its page; without brackets it would be read with the word before."""
    links = (*superscript.iter("a"), *superscript.iterancestors("a"))
    return any("#" in (link.get("href") or "") for link in links)


def _format_inline(node: _Element, inner: str) -> str | None:
    tag = get_tag(node)
    if tag == "br":
        return _BREAK
    if tag in (REMOVED_TAG, "head"):
        return ""
    if tag == "math":
        return node.get("alttext") or inner
    if tag == "sup" and _NOTE_NUMBER.fullmatch(inner) and _is_note_link(node):
        return f"[{inner.strip()}]"
    if tag == "sup":
        return raise_mark(inner)
    return f" {inner} " if tag in BLOCKS else None
