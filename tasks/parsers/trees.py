"""XML and HTML read without entities, external DTDs or network, the text of their elements, and repair of tables.

The tree of a web page has its encoding by HTML 5, 13.2.3, and a bounded depth.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import clean
from tasks.parsers.decoder import decode, decode_as
from tasks.parsers.xbrl.xhtml_tree import (
    is_inline_xbrl,
    parse_xhtml,
    read_prefixes,
    simplify_tags,
    without_declarations,
)
from warehouse.errors import UnreadableFile

if TYPE_CHECKING:
    from lxml.etree import XMLParser, XMLSyntaxError, _Element

_PROLOG = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<!doctype[^\[>]*(?:\[[^\]]*\][^\[>]*)*>)", re.IGNORECASE | re.DOTALL)
MARKUP = re.compile(r"\A[\ufeff\s]*<")  # The beginning of a file of markup.
PAGE_TAGS = frozenset(["html", "body", "head", "h1", "h2", "h3", "p", "div", "table", "ul", "ol", "main", "header"])
"""The first elements of web pages and of pieces of them."""
HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}  # Of the headings of web pages, by their tags.
REMOVED_TAG = "template"  # The tag of removed elements: an element that shows nothing.
ROW_GROUPS = frozenset(["tr", "thead", "tbody", "tfoot"])
_CELLS = frozenset(["td", "th"])
_COLUMN_TAGS = frozenset(["caption", "colgroup", "col"])
_NON_XML_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ROOT = re.compile(r"\s*<(?:[^\W\d][\w.-]*:)?([^\W\d][\w.-]*)")
_META_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}(?:charset|encoding)=[\"']?([\w-]+)", re.IGNORECASE)
_EDGAR_WRAPPER = re.compile(r"[\ufeff\s]*<DOCUMENT>\s*<TYPE>[^<]*(?:<[A-Z]+>[^<]*)*<TEXT>\s*(?:<XBRL>\s*)?(?=<)")
_MAX_WRAPPER_LENGTH = 4_000  # Characters.
_MAX_DEPTH = 200  # Levels of elements of a page.
_TAG = re.compile(r"<[a-zA-Z]")
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""")
_MAX_ATTRIBUTES = 1_000
"""Attributes of one element. libxml2 goes through all of them to append one; 200,000 would take a minute."""
_SHORT_PAGE = 50_000  # Characters. A shorter page has too few attributes to be slow.
_MAX_NODES = 10_000  # The most objects of JSON-LD that are read.
_MAX_NAMES_LENGTH = 400  # Characters of an element's class and id that are read.
_MAX_JSON_LENGTH = 2**20  # Characters of a script of JSON-LD.


def find_root_tag(beginning: str) -> str:
    """The local name of a document's first element in lower case, or nothing where there is none."""
    position = 0
    while (match := _PROLOG.match(beginning, position)) is not None:
        position = match.end()
    root = _ROOT.match(beginning, position)
    return root[1].lower() if root else ""


def read_xml(data: bytes, noun: str = "XML") -> _Element:
    """The root, its tags without namespaces. Raises `UnreadableFile` for XML that is malformed or ends early.

    `noun` names it in messages: "XML of word/document.xml".
    An undeclared prefix and an invalid id are no errors: programs write both.
    """
    from lxml import etree

    parser = _make_parser(recover=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if parser.error_log.filter_from_fatals():
            raise make_xml_refusal(error, data, noun) from error
        root = etree.fromstring(data, _make_parser(recover=True))
    return _without_namespaces(root)


def _make_parser(*, recover: bool) -> XMLParser:
    from lxml import etree

    return etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=recover)


def make_xml_refusal(error: XMLSyntaxError, data: bytes, noun: str = "XML") -> UnreadableFile:
    """The refusal of malformed XML; `data` is its end, and `noun` names it."""
    problem = error.msg or "malformed"
    if "xcessive depth" in problem:
        return refusals.too_deep()
    if "esource limit" in problem or "amplification" in problem:
        return refusals.swollen_xml()
    is_truncated = "Premature end" in problem or not data.rstrip(b"\0 \t\r\n").endswith(b">")
    return refusals.truncated(noun) if is_truncated else refusals.damaged(noun, problem)


def read_damaged_xml(data: bytes) -> tuple[_Element, UnreadableFile | None]:
    """As `read_xml`, but the readable part of malformed XML, with what is wrong with it.

    Raises `UnreadableFile` where nothing can be read.
    """
    from lxml import etree

    try:
        return read_xml(data), None
    except UnreadableFile as problem:
        try:
            root = etree.fromstring(data, _make_parser(recover=True)) if data.strip() else None
        except etree.XMLSyntaxError:
            root = None
        if root is None:
            raise
        return _without_namespaces(root), problem


def recover_xml(data: bytes) -> _Element | None:
    """The readable part of XML, malformed or not; None if there is none."""
    try:
        return read_damaged_xml(data)[0]
    except UnreadableFile:
        return None


def parse_page(data: bytes) -> _Element:
    """The root element; of inline XBRL with plain tags (`xbrl/xhtml_tree.py`).

    Raises `UnreadableFile` where there is no markup or it is nested deeper than 200 levels.
    """
    from lxml import etree

    charset = _META_CHARSET.search(data[:4096])
    text = decode_as(data, charset[1].decode("ascii")) if charset else decode(data)
    if text is None:
        raise refusals.unknown(data)
    # Cleaned: characters that XML does not allow cannot be moved in a tree.
    text = without_wrapper(clean(text))
    is_inline = is_inline_xbrl(text)
    text = without_declarations(text) if is_inline else text
    root = parse_xhtml(text) if is_inline else None
    if root is None:
        parser = etree.HTMLParser(
            encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
        )
        root = etree.fromstring(with_few_attributes(text).encode("utf-8", "replace"), parser)
    if root is None:
        raise refusals.damaged("web page", "no element in it")
    if is_inline:
        simplify_tags(root, read_prefixes(root))
    if is_deeper(root, _MAX_DEPTH):
        raise refusals.damaged("web page", "its elements are nested too deeply")
    for table in () if is_inline else list(root.iter("table")):
        repair_table(table)
    return root


def is_deeper(root: _Element, max_levels: int) -> bool:
    """Whether elements are nested in more than `max_levels` levels."""
    from lxml import etree

    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > max_levels:
            return True
    return False


def without_wrapper(text: str) -> str:
    """A page without the lines in which EDGAR wraps each file of a submission: its type, number and name."""
    match = _EDGAR_WRAPPER.match(text[:_MAX_WRAPPER_LENGTH])
    if match is None:
        return text
    last_end = text.lower().rfind("</html>")
    return text[match.end() : last_end + len("</html>") if last_end > 0 else len(text)]


def with_few_attributes(text: str) -> str:
    """The source without the attributes beyond the thousandth of an element, which show no words (HTML 13.2.5)."""
    if len(text) <= _SHORT_PAGE:
        return text
    pieces, copied_to, position = [], 0, 0
    while (tag := _TAG.search(text, position)) is not None:
        position = tag.end()
        count, cut = 0, 0
        while (attribute := _ATTRIBUTE.match(text, position)) is not None:
            position = attribute.end()
            count += 1
            if count == _MAX_ATTRIBUTES:
                cut = position
        if cut:
            pieces.append(text[copied_to:cut])
            copied_to = position
    return "".join((*pieces, text[copied_to:])) if pieces else text


def _without_namespaces(root: _Element) -> _Element:
    """Reduces tags to their local names; after recovery an undeclared prefix is part of them."""
    from lxml import etree

    for element in root.iter(etree.Element):
        element.tag = str(element.tag).rpartition("}")[2].rpartition(":")[2] or "_"
    return root


def with_xml_characters(text: str | None) -> str:
    """Text that can be set in a tree: characters that XML does not allow are blanks (XML 1.0, 2.2).

    A parser of HTML accepts them in a page, and lxml refuses to set them in another element.
    """
    return _NON_XML_CHARACTER.sub(" ", text or "")


def get_tag(node: _Element) -> str:
    """The tag; nothing for comments and processing instructions, "&" for an entity."""
    tag: object = node.tag
    if isinstance(tag, str):
        return tag
    from lxml import etree

    return "&" if tag is etree.Entity else ""


def expand_entity(node: _Element) -> str:
    """The text of an entity of HTML; entities that a file declares are never expanded."""
    return html.unescape(node.text or "") if get_tag(node) == "&" else ""


def collect_text(node: _Element | None, replace: Callable[[_Element, str], str | None] | None = None) -> str:
    """All text inside an element in order, with white space unchanged.

    `replace` may return another text for an element: it gets the element and the text inside, and returns None to keep
    that.
    """
    if node is None:
        return ""
    if get_tag(node) in ("", "&"):
        return expand_entity(node)
    inner = "".join([node.text or "", *(collect_text(child, replace) + (child.tail or "") for child in node)])
    replacement = replace(node, inner) if replace else None
    return inner if replacement is None else replacement


def iter_own_texts(node: _Element) -> Iterator[str]:
    """The texts directly in an element, outside of its children, in order; they may be empty."""
    yield node.text or ""
    for child in node:
        yield child.tail or ""


def has_own_words(node: _Element) -> bool:
    """Whether an element has words outside of its children."""
    return any(map(str.strip, iter_own_texts(node)))


def collapse_spaces(text: str) -> str:
    """One line, single spaces."""
    return " ".join(text.split())


def repair_table(table: _Element) -> None:
    """Repairs the structure of a table as browsers do (HTML 5, 13.2.6.4.9 to 13.2.6.4.14).

    Cells without a row are put into one, rows and cells inside a form or another wrapper are moved out of it, and text
    and elements between the cells are moved before the table.
    """
    _repair_part(table, table, in_row=False)


def _repair_part(node: _Element, table: _Element, *, in_row: bool) -> None:
    _insert_before(table, node.text)
    node.text = None
    row: _Element | None = None
    for child in list(node):
        _insert_before(table, child.tail)
        child.tail = None
        tag = get_tag(child)
        if tag in _CELLS and not in_row:
            if row is None:
                row = node.makeelement("tr")
                child.addprevious(row)
            row.append(child)
            continue
        row = None if tag else row
        if tag in ROW_GROUPS and not in_row:
            _repair_part(child, table, in_row=tag == "tr")
        elif tag not in _CELLS and tag not in _COLUMN_TAGS and tag != REMOVED_TAG:
            if _contains_cells(child):
                _repair_part(child, table, in_row=in_row)
                for inner in list(child):
                    child.addprevious(inner)
                node.remove(child)
            elif collect_text(child).strip():
                table.addprevious(child)


def _insert_before(table: _Element, text: str | None) -> None:
    """Inserts text from between the cells of a table before it."""
    if text and text.strip():
        previous = table.getprevious()
        if previous is not None:
            previous.tail = f"{previous.tail or ''} {text}"
        elif (parent := table.getparent()) is not None:
            parent.text = f"{parent.text or ''} {text}"


def _contains_cells(node: _Element) -> bool:
    """Whether an element contains rows or cells outside of tables in it."""
    return get_tag(node) != "table" and any(get_tag(part) in ("tr", *_CELLS) or _contains_cells(part) for part in node)


def iter_linked_data(root: _Element) -> Iterator[dict[str, object]]:
    """The dated works that JSON-LD describes, else the dated pages."""
    nodes: list[dict[str, object]] = []
    for script in root.iter("script"):
        text = script.text or ""
        is_linked_data = (script.get("type") or "").split(";")[0].strip().lower() == "application/ld+json"
        # The page is complete without scripts that cannot be read.
        with suppress(ValueError, RecursionError):
            if is_linked_data and len(text) <= _MAX_JSON_LENGTH:
                nodes += _list_nodes(json.loads(text, strict=False))
    dated_nodes = [node for node in nodes if "datePublished" in node]
    works = [node for node in dated_nodes if re.search(r"Article|Posting|Report|Thesis|Book", str(node.get("@type")))]
    yield from works or [node for node in dated_nodes if "Page" in str(node.get("@type"))]


def _list_nodes(value: object) -> list[dict[str, object]]:
    """The objects at the top and in `@graph`."""
    nodes: list[dict[str, object]] = []
    pending = [value]
    while pending and len(nodes) < _MAX_NODES:
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(reversed(node))
        elif isinstance(node, dict):
            nodes.append(node)
            pending.append(node.get("@graph"))
    return nodes


def get_names(node: _Element) -> str:
    """The classes and the id of an element, which are names of its purpose."""
    return f"{node.get('class') or ''} {node.get('id') or ''}"[:_MAX_NAMES_LENGTH]
