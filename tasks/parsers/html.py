"""Saved web pages: headings, paragraphs, lists, tables and code, without scripts, styles and navigation."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.contract import Raw
from tasks.parsers.decoding import decode, head
from tasks.parsers.html_tables import read_table
from tasks.parsers.prose import make_date
from tasks.parsers.trees import local, root_tag, squeezed, words
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_DROPPED = frozenset(
    {"script", "style", "nav", "noscript", "template", "svg", "iframe", "object", "head", "select", "button"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font"}
    | {"i", "img", "input", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike"}
    | {"strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "br"}
)
_BEGINNINGS = frozenset(["body", "head", "h1", "h2", "h3", "p", "div", "table", "ul", "ol", "main", "header"])
_DATE_NAMES = (
    "article:published_time",
    "datepublished",
    "dcterms.created",
    "dc.date",
    "citation_publication_date",
    "date",
)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]+)", re.IGNORECASE)


class Html:
    """The words a reader of the page would see, in the order of its source."""

    version = 2
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """A doctype or an `html` element; weaker for a piece of a page."""
        beginning = head(raw.data)
        root = root_tag(beginning)
        if root == "html" or re.match(r"\s*<!doctype\s+html", beginning, re.IGNORECASE):
            return 0.95
        return 0.5 if root in _BEGINNINGS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where there is no markup at all."""
        root = _tree(raw.data)
        assembly = Assembly()
        _walk(assembly, root)
        title = squeezed(words(root.find(".//title"))) or squeezed(words(root.find(".//h1")))
        authors = [author for author in (_meta(root, "author"),) if author]
        return assembly.finish(Kind.TEXT, self.media_type, title=title, authors=authors, dates=_dates(root))


def _tree(data: bytes) -> _Element:
    from lxml import etree

    declared = _META_CHARSET.search(data[:4096])
    text = _as(data, declared[1].decode("ascii")) if declared else decode(data)
    if text is None:
        raise refusals.unknown(data)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        raise refusals.damaged("web page", "no element in it")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise refusals.damaged("web page", "its elements are nested too deeply")  # and libxml2 dropped what is deeper
    return root


def _as(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return decode(data)


def _walk(assembly: Assembly, node: _Element) -> None:
    """Adds the blocks inside an element; text between them is a paragraph."""
    loose = [node.text or ""]
    for child in node:
        if local(child) in _INLINE and not _holds_blocks(child):
            loose.append(_text(child))
        elif local(child) not in _DROPPED:
            _paragraph(assembly, loose)
            _block(assembly, child)
        loose.append(child.tail or "")
    _paragraph(assembly, loose)


def _block(assembly: Assembly, node: _Element) -> None:
    tag = local(node)
    if tag in _HEADINGS:
        assembly.heading(_text(node), _HEADINGS[tag])
    elif tag == "pre":
        assembly.add(BlockKind.CODE, words(node))
    elif tag in ("ul", "ol", "menu", "dl"):
        assembly.add(BlockKind.LIST, "\n".join(_items(node, 0)))
    elif tag == "table" and node.find(".//table") is None:
        caption = squeezed(words(node.find("caption")))
        assembly.add(BlockKind.PARAGRAPH, caption)
        rows, header_rows = read_table(node, _text)
        assembly.table(rows, header_rows=header_rows, caption=caption)
    else:
        _walk(assembly, node)


def _items(node: _Element, depth: int) -> list[str]:
    """The items of a list, one a line; lists inside are indented."""
    lines: list[str] = []
    number = int(start) if (start := node.get("start", "")).isdigit() and len(start) < 9 else 1
    for child in node:
        if local(child) in ("ul", "ol"):
            lines += _items(child, depth + 1)
            continue
        inner = [part for part in child if local(part) in ("ul", "ol")]
        mark = f"{number}." if local(node) == "ol" else "-"
        own = squeezed(words(child, lambda part, text: "" if local(part) in ("ul", "ol") else _shown(part, text)))
        lines.append("  " * depth + f"{mark} {own}")
        number += 1
        for part in inner:
            lines += _items(part, depth + 1)
        lines += [squeezed(child.tail)] if child.tail and child.tail.strip() else []
    return lines


def _paragraph(assembly: Assembly, loose: list[str]) -> None:
    """Adds what was gathered between blocks and empties it."""
    lines = (squeezed(line) for line in re.sub(r"\s*\n\s*", " ", "".join(loose)).split("\v"))
    assembly.add(BlockKind.PARAGRAPH, "\n".join(filter(None, lines)))
    loose.clear()


def _text(node: _Element) -> str:
    return words(node, _shown)


def _shown(node: _Element, inner: str) -> str | None:
    """A `br` becomes a vertical tab, which paragraphs turn into a line end and cells into a space."""
    tag = local(node)
    if tag in _DROPPED:
        return ""
    if tag == "br":
        return "\v"
    return None if tag in _INLINE else f" {inner} "


def _holds_blocks(node: _Element) -> bool:
    return any(local(inner) not in _INLINE and local(inner) for inner in node.iterdescendants())


def _meta(root: _Element, name: str) -> str:
    for element in root.iter("meta"):
        if (element.get("name") or element.get("property") or element.get("itemprop") or "").lower() == name:
            return squeezed(element.get("content") or "")
    return ""


def _dates(root: _Element) -> list[DateClaim]:
    found: list[date | None] = []
    for name in _DATE_NAMES:
        match = re.match(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", _meta(root, name))
        found.append(make_date(*map(int, match.groups())) if match else None)
    return [DateClaim(day, DateOrigin.PUBLICATION) for day in found if day]


member = Html()
