"""The blocks of a web page in the order of its source: headings, paragraphs, lists, tables, code.

Machinery and boilerplate are removed from its tree before. Lists have the marks that a browser shows (HTML 5, 4.4.5 to
4.4.9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.numerals import format_numeral, raise_mark
from tasks.parsers.office_pages import MARK
from tasks.parsers.table_form import LaidTable, SpanCell, join_signs, lay_out, parse_span
from tasks.parsers.text import add_preformatted
from tasks.parsers.trees import (
    GONE,
    HEADING_LEVELS,
    ROW_GROUPS,
    collapse_spaces,
    collect_text,
    get_names,
    get_tag,
    iter_own_texts,
)
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_MACHINERY = frozenset(
    {"script", "style", "noscript", "svg", "iframe", "embed", "select", "button", "textarea", "datalist"}
    | {"audio", "video", "canvas", "dialog", "template", "annotation", "annotation-xml", "ix:header", "ix-header"}
)
_OF_PLUGINS = ("data", "classid", "codebase", "type")
"""Attributes that name the content of an `object`, whose words a reader sees only if that cannot be shown."""
_ROLES = frozenset(
    ["navigation", "search", "contentinfo", "menu", "menubar", "toolbar", "dialog", "alertdialog", "complementary"]
)
_SECTIONS = frozenset(["article", "aside", "main", "nav", "section", "td", "blockquote"])
_KEPT = frozenset(["html", "body", "main", "article", "head", "title"])
_UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_NAMES = re.compile(
    r"(?:^|\s)(?:(?:cookies?|consent|gdpr)[-_]*(?:law|policy)?[-_]*(?:banner|consent|notice|bar|popup|modal"
    r"|overlay|dialog|message|wall)s?|onetrust-[\w-]+|cybotcookiebotdialog|usercentrics-root|didomi-host"
    r"|qc-cmp2-[\w-]+|sp_message_container[\w-]*|truste-[\w-]+|sr-only|visually-?hidden|screen-reader-text"
    r"|skip-?(?:link|nav|to|main)[\w-]*|bread-?crumbs?|mw-editsection|headerlink"
    r"|noprint|no-print|d-print-none|printfooter)(?=\s|$)",
    re.IGNORECASE,
)
_FOOTER = re.compile(r"(?:^|\s)(?:(?:page|site|main|global|bottom)[-_]?)?foot(?:er)?(?=\s|$)", re.IGNORECASE)
_OF_LINKS = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|(?:top|side|nav|main)?menu|topbar|sidebar|side|sidenav|share|sharing|social|related|pager"
    r"|pagination|jumpbox|dropdown|toolbar|foot(?:er)?|copyright|linklist|tags?cloud)(?=[\s_\d-]|$)",
    re.IGNORECASE,
)
_MIN_PARAGRAPH_BYTES, _MIN_PROSE_BYTES = 100, 1_000
"""Bytes of a paragraph of prose, and of all on a page of it: of 238 real pages only menus and teasers were emptied."""
_PARTS = frozenset(["li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "table", "ul", "ol", "dl"])
_MAX_CELL_LENGTH = 2_000  # Characters of a cell of a table of data; a longer one makes the table a layout.
LIST_TAGS = frozenset(["ul", "ol", "menu", "dir", "dl"])
_APART = frozenset(["table", "pre", *HEADING_LEVELS])
_OF_CODE = frozenset(["code", "samp", "kbd"])
_CODE_CLASS = re.compile(r"lang(?:uage)?-|highlight|source|code|brush", re.IGNORECASE)
_NUMERALS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details"}
    | {"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav"}
    | {"noframes", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"}
)
"""Elements with lines of their own; every other element, known or not, is inside a line (HTML 5, 15.3)."""
_BREAK = "\v"
_BREAKS = re.compile(rf" ?{_BREAK} ?(?:{_BREAK} ?)+")
_BLANKS = re.compile(rf"[^\S{_BREAK}]+")
_NOTE_NUMBER = re.compile(r"\s*(?:\d{1,3}|[a-z*†‡])\s*")
_INVISIBLE = {0xAD: None, 0x200B: None, 0x2060: None}


def empty_machinery(root: _Element) -> None:
    """Empties elements that no reader sees or reads: scripts, forms, hidden elements, deleted words before new ones."""
    for node in list(root.iter()):
        following = node.getnext() if get_tag(node) == "del" and not (node.tail or "").strip() else None
        if following is not None and get_tag(following) == "ins":
            empty_element(node)
        is_object = get_tag(node) == "object" and any(map(node.get, _OF_PLUGINS))
        if is_object or get_tag(node) in _MACHINERY or (get_tag(node) not in _KEPT and _is_unseen(node)):
            empty_element(node)


def empty_boilerplate(root: _Element) -> None:
    """Empties elements that its markup shows to be on every page of a site, but none that contains a main part."""

    def is_main(node: _Element) -> bool:
        return get_tag(node) in ("main", "article") or node.get("role") == "main"

    mains = [node for node in root.iter() if is_main(node)]
    titled = any(main.find(".//h1") is not None for main in mains)
    for node in list(root.iter()):
        is_boilerplate = get_tag(node) not in _KEPT and _is_boilerplate(node, has_main=bool(mains), titled=titled)
        if is_boilerplate and not any(map(is_main, node.iter())):
            empty_element(node)
    _empty_link_lists(root)


def _empty_link_lists(root: _Element) -> None:
    """Empties elements beside the prose of a page that are mostly links: menus, teasers, links to share.

    The prose is in the smallest element around all those that hold at least a quarter as much of it as the largest.
    With less prose only those go whose names say so. Sizes are bytes of UTF-8, three for a Chinese character.
    """
    sizes: dict[_Element, tuple[int, int, int]] = {}
    for node in reversed(list(root.iter())):
        sizes[node] = _measure_words(node, sizes)
    named = [
        node for node in root.iter(*BLOCKS - _KEPT) if _OF_LINKS.search(get_names(node)) and _is_linked(node, sizes)
    ]
    if 2 * sum(sizes[node][0] for node in named) < sizes[root][0]:
        for node in named:
            empty_element(node)
    prose = [node for node in root.iter(*BLOCKS - {"html", "body"}) if sizes[node][2] >= _MIN_PARAGRAPH_BYTES]
    if sum(sizes[node][2] for node in prose) < _MIN_PROSE_BYTES:
        return
    prose_sizes: dict[_Element, int] = {}
    for node in prose:
        holder = next(each for each in node.iterancestors() if get_tag(each) not in _PARTS)
        prose_sizes[holder] = prose_sizes.get(holder, 0) + sizes[node][2]
    least_size = max(prose_sizes.values()) / 4
    paths = [[*reversed(list(node.iterancestors())), node] for node, size in prose_sizes.items() if size >= least_size]
    main_part = [nodes[0] for nodes in zip(*paths, strict=False) if all(node is nodes[0] for node in nodes)][-1]
    kept_nodes = {inner for each in (main_part, *root.iter("main", "article")) for inner in each.iter()}
    kept_nodes.update(inner for table in root.iter("table") for inner in table.iterdescendants())
    kept_nodes.update(ancestor for node in (main_part, *prose) for ancestor in (node, *node.iterancestors()))
    for node in list(root.iter(*BLOCKS - _KEPT)):
        if node not in kept_nodes and _is_linked(node, sizes):
            empty_element(node)


def _is_linked(node: _Element, sizes: Mapping[_Element, tuple[int, int, int]]) -> bool:
    """Whether most of an element are links, of which it has several."""
    size, linked_size, _ = sizes[node]
    return size > 0 and 3 * linked_size >= 2 * size and sum(1 for _ in node.iter("a")) > 1


def _measure_words(node: _Element, sizes: Mapping[_Element, tuple[int, int, int]]) -> tuple[int, int, int]:
    """The bytes of the words in an element, of those in links, and of those outside links and inner blocks."""
    if get_tag(node) in (GONE, "", "head"):
        return 0, 0, 0
    own_size = sum(len(collapse_spaces(text).encode()) for text in iter_own_texts(node))
    size = own_size + sum(sizes[child][0] for child in node)
    # An address that is written out is a citation; menus name their targets.
    if get_tag(node) == "a" and node.get("href") and not (node.text or "").lstrip().startswith(("http", "www.")):
        return size, size, 0
    prose_size = own_size + sum(sizes[child][2] for child in node if get_tag(child) not in BLOCKS)
    return size, sum(sizes[child][1] for child in node), prose_size


def find_main_part(root: _Element) -> _Element:
    """The only main element if it has the page's title and most of its words, else the whole page."""
    mains = [node for node in root.iter() if get_tag(node) == "main" or node.get("role") == "main"]
    if len(mains) != 1 or mains[0].find(".//h1") is None:
        return root
    return mains[0] if 2 * len(collect_text(mains[0])) >= len(collect_text(root.find("body"))) else root


def _is_unseen(node: _Element) -> bool:
    hidden_value = node.get("hidden")
    if hidden_value is not None and hidden_value.lower() != "until-found":
        return True
    is_inline = get_tag(node) in ("span", "a", "i", "b", "em", "sup")
    return bool(_UNSEEN.search(node.get("style") or "")) or (is_inline and node.get("aria-hidden") == "true")


def _is_boilerplate(node: _Element, *, has_main: bool, titled: bool) -> bool:
    tag, role, names = get_tag(node), (node.get("role") or "").lower(), get_names(node)
    if tag == "nav":
        return True
    if role in _ROLES or _NAMES.search(names):
        return role != "complementary" or has_main
    tag = "footer" if tag == "div" and _FOOTER.search(names) else tag
    if tag not in ("header", "footer", "aside") or any(get_tag(above) in _SECTIONS for above in node.iterancestors()):
        return False
    return tag == "footer" or (has_main if tag == "aside" else titled)


def empty_element(node: _Element) -> None:
    """Empties an element; the text behind it stays where it is."""
    del node[:]
    node.text = None
    node.attrib.clear()
    node.tag = GONE


def add_blocks(assembly: Assembly, node: _Element, caption: str = "") -> None:
    """Adds the contents of an element; text between blocks is a paragraph. `caption` is that of a table in it."""
    loose = [node.text or ""]
    for child in node:
        # A block, or an inline element around blocks, as on careless pages.
        if not any(get_tag(part) in BLOCKS for part in child.iter()):
            loose.append(get_raw_text(child))
        elif get_tag(child) != "head":
            _add_loose(assembly, loose)
            _add_block(assembly, child, caption)
        loose.append(child.tail or "")
    _add_loose(assembly, loose)


def _add_loose(assembly: Assembly, loose: list[str]) -> None:
    """Adds the texts that were collected between blocks and empties their list."""
    for paragraph in split_paragraphs("".join(loose)):
        assembly.add(BlockKind.PARAGRAPH, paragraph)
    loose.clear()


def _add_block(assembly: Assembly, node: _Element, caption: str) -> None:
    tag = get_tag(node)
    if tag in HEADING_LEVELS or node.get("role") == "heading":
        level = node.get("aria-level") or ""
        assembly.add_heading(
            get_element_text(node), HEADING_LEVELS.get(tag, int(level) if level in "123456" and level else 2)
        )
    elif tag in ("pre", "listing", "xmp", "table") and node.find(".//tr") is None:
        # Old pages have a table of lines, without rows, in text as it is written.
        text = collect_text(node, lambda part, _: {"br": "\n", GONE: ""}.get(get_tag(part)))
        if any(get_tag(part) in _OF_CODE or _CODE_CLASS.search(part.get("class") or "") for part in node.iter()):
            assembly.add(BlockKind.CODE, text)
        else:
            add_preformatted(assembly, text)
    elif tag in LIST_TAGS:
        assembly.add_list(iter_list_lines(node), lambda part: _add_block(assembly, part, ""))
    elif tag == "table":
        _add_table(assembly, node, caption)
    elif tag == "figure":
        below = node.find(".//figcaption")
        add_blocks(assembly, node, "" if below is None else get_element_text(below))
    else:
        add_blocks(assembly, node, caption)


def _add_table(assembly: Assembly, node: _Element, caption: str) -> None:
    """A table of data and after it those inside its cells; a table for the layout is read as the blocks inside it."""
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
    """Whether a table says so, or has no caption, headers or border and contains tables, code or long texts."""
    if table.get("role") in ("presentation", "none"):
        return True
    cells = list(iter_cells(table))
    has_border = table.get("border", "0") not in ("", "0")
    if (
        has_border
        or any(get_tag(part) in ("caption", "thead") for part in table)
        or any(get_tag(each) == "th" for each in cells)
    ):
        return False
    return any(
        cell.find(".//table") is not None
        or cell.find(".//pre") is not None
        or len(collect_text(cell)) > _MAX_CELL_LENGTH
        for cell in cells
    )


def _get_cell_text(cell: _Element) -> str:
    """The words of a cell without those of tables inside it; lists have their marks."""
    loose = [cell.text or ""]
    for part in cell if get_tag(cell) != "table" else ():
        if get_tag(part) in LIST_TAGS:
            loose += (item if isinstance(item, str) else _get_cell_text(item) for item in iter_list_lines(part))
        elif get_tag(part) == "sup":
            loose[-1] = f"{loose[-1].rstrip()}{get_raw_text(part)}"
        elif get_tag(part) != "table":
            loose.append(get_raw_text(part) if part.find(".//table") is None else _get_cell_text(part))
        loose.append(part.tail or "")
    return " ".join(loose)


def _list_inner_tables(node: _Element) -> list[_Element]:
    """The outermost tables inside an element."""
    tables: list[_Element] = []
    for part in node:
        tables += [part] if get_tag(part) == "table" else _list_inner_tables(part)
    return tables


def iter_list_lines(node: _Element, depth: int = 0) -> Iterator[str | _Element]:
    """The lines of a list in order; a table, code or heading inside it comes as its element.

    Lists inside are indented by two spaces more than the item that holds them.
    """
    number = _parse_integer(node.get("start"), 1)
    if node.text and node.text.strip():
        yield "  " * depth + collapse_spaces(node.text)
    for child in node:
        tag = get_tag(child)
        if tag in LIST_TAGS:
            yield from iter_list_lines(child, depth + 1)
            continue
        mark = child.get(MARK) or "-"
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
    """An item's own words on one line, cut where it contains lists, tables or code."""
    loose: list[str] = []
    indent = " " * len(prefix)
    for part in _iter_parts(node):
        if isinstance(part, str):
            loose.append(part)
            continue
        if line := collapse_spaces("".join(loose)):
            yield prefix + line
            prefix = indent
        loose.clear()
        if get_tag(part) in LIST_TAGS:
            yield from iter_list_lines(part, depth + 1)
        else:
            yield part
    if line := collapse_spaces("".join(loose)):
        yield prefix + line


def _iter_parts(node: _Element) -> Iterator[str | _Element]:
    """The text of an element and, wherever they are inside it, the lists, tables and code."""
    yield node.text or ""
    for child in node:
        if get_tag(child) in LIST_TAGS or get_tag(child) in _APART:
            yield child
        elif any(get_tag(inner) in LIST_TAGS or get_tag(inner) in _APART for inner in child.iterdescendants()):
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
    """The rows of a table, its merged cells, and the number of its header rows, None if it does not show it.

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
    """The rows in reading order: a foot that is written before the body comes last."""
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
    return collect_text(node, _format_inline).translate(_INVISIBLE)


def split_paragraphs(text: str) -> list[str]:
    """Loose text cut at two or more successive breaks, with a new line for each single break."""
    parts = _BREAKS.split(_BLANKS.sub(" ", text.translate(_INVISIBLE)))
    return ["\n".join(filter(None, map(collapse_spaces, part.split(_BREAK)))) for part in parts]


def _leads_to_note(raised: _Element) -> bool:
    """Whether a raised number is a link into its page, which without brackets would be read with the word before."""
    links = (*raised.iter("a"), *raised.iterancestors("a"))
    return any("#" in (link.get("href") or "") for link in links)


def _format_inline(node: _Element, inner: str) -> str | None:
    tag = get_tag(node)
    if tag == "br":
        return _BREAK
    if tag in (GONE, "head"):
        return ""
    if tag == "math":
        return node.get("alttext") or inner
    if tag == "sup" and _NOTE_NUMBER.fullmatch(inner) and _leads_to_note(node):
        return f"[{inner.strip()}]"
    if tag == "sup":
        return raise_mark(inner)
    return f" {inner} " if tag in BLOCKS else None
