"""Boilerplate of web pages, and invisible elements: both are emptied in the tree of a page.

Scripts, forms and hidden elements are emptied on every page; menus, banners, footers and lists of links by their
elements, roles and names, or because most of them is links outside of the prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tasks.parsers.trees import (
    HEADING_LEVELS,
    REMOVED_TAG,
    collapse_spaces,
    collect_text,
    get_names,
    get_tag,
    iter_own_texts,
)
from tasks.parsers.web.page_blocks import BLOCKS

if TYPE_CHECKING:
    from lxml.etree import _Element

_INVISIBLE_TAGS = frozenset(
    {"script", "style", "noscript", "svg", "iframe", "embed", "select", "button", "textarea", "datalist"}
    | {"audio", "video", "canvas", "dialog", "template", "annotation", "annotation-xml", "ix:header", "ix-header"}
)
_PLUGIN_ATTRIBUTES = ("data", "classid", "codebase", "type")
"""Attributes that name the content of an `object`, whose words are shown only if that cannot be."""
_BOILERPLATE_ROLES = frozenset(
    ["navigation", "search", "contentinfo", "menu", "menubar", "toolbar", "dialog", "alertdialog", "complementary"]
)
_SECTION_TAGS = frozenset(["article", "aside", "main", "nav", "section", "td", "blockquote"])
_FIXED_TAGS = frozenset(["html", "body", "main", "article", "head", "title"])
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_BOILERPLATE_NAME = re.compile(
    r"(?:^|\s)(?:(?:cookies?|consent|gdpr)[-_]*(?:law|policy)?[-_]*(?:banner|consent|notice|bar|popup|modal"
    r"|overlay|dialog|message|wall)s?|onetrust-[\w-]+|cybotcookiebotdialog|usercentrics-root|didomi-host"
    r"|qc-cmp2-[\w-]+|sp_message_container[\w-]*|truste-[\w-]+|sr-only|visually-?hidden|screen-reader-text"
    r"|skip-?(?:link|nav|to|main)[\w-]*|bread-?crumbs?|mw-editsection|headerlink|hash-link|md-content__button"
    r"|(?:[\w-]+[-_])?edit[-_]?(?:this[-_])?(?:page|link|button)(?:[-_][\w-]+)?"
    r"|noprint|no-print|d-print-none|printfooter)(?=\s|$)",
    re.IGNORECASE,
)
_FOOTER_NAME = re.compile(r"(?:^|\s)(?:(?:page|site|main|global|bottom)[-_]?)?foot(?:er)?(?=\s|$)", re.IGNORECASE)
_LINKS_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|(?:top|side|nav|main)?menu|topbar|sidebar|side|sidenav|share|sharing|sharedaddy|social|related(?:posts)?|pager"
    r"|pagination|jumpbox|dropdown|toolbar|foot(?:er)?|copyright|linklist|tags?cloud)(?=[\s_\d-]|$)",
    re.IGNORECASE,
)
_MIN_PARAGRAPH_BYTES, _MIN_PROSE_BYTES = 100, 1_000
"""Bytes of a paragraph of prose, and of all on a page of it: of 238 real pages only menus and teasers were emptied."""
_INNER_PARTS = frozenset(["li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "table", "ul", "ol", "dl"])


def empty_unread_elements(root: _Element) -> None:
    """Empties elements that are not shown or read: scripts, forms, hidden elements, deleted words before new ones."""
    for node in list(root.iter()):
        following = node.getnext() if get_tag(node) == "del" and not (node.tail or "").strip() else None
        if following is not None and get_tag(following) == "ins":
            empty_element(node)
        is_object = get_tag(node) == "object" and any(map(node.get, _PLUGIN_ATTRIBUTES))
        if is_object or get_tag(node) in _INVISIBLE_TAGS or (get_tag(node) not in _FIXED_TAGS and _is_hidden(node)):
            empty_element(node)


def empty_boilerplate(root: _Element) -> None:
    """Empties elements whose markup is that of a site's boilerplate, but none that contains a main part."""

    def is_main(node: _Element) -> bool:
        return get_tag(node) in ("main", "article") or node.get("role") == "main"

    main_nodes = [node for node in root.iter() if is_main(node)]
    has_title = any(main.find(".//h1") is not None for main in main_nodes)
    for node in list(root.iter()):
        if get_tag(node) in _FIXED_TAGS or not _is_boilerplate(node, has_main=bool(main_nodes), has_title=has_title):
            continue
        if not any(map(is_main, node.iter())):  # Only now, as it reads all that is inside.
            empty_element(node)
    _empty_link_lists(root)


def _empty_link_lists(root: _Element) -> None:
    """Empties elements outside of the prose of a page that are mostly links: menus, teasers, links to share.

    The prose is in the smallest element around all those with at least a quarter as much of it as the largest.
    With less prose only those with a name of such elements are emptied. Sizes are bytes of UTF-8.
    """
    sizes: dict[_Element, tuple[int, int, int]] = {}
    for node in reversed(list(root.iter())):
        sizes[node] = _measure_words(node, sizes)
    named = [
        node
        for node in root.iter(*BLOCKS - _FIXED_TAGS - HEADING_LEVELS.keys())
        if _LINKS_NAME.search(get_names(node)) and (_is_linked(node, sizes) or _is_linked_below_heading(node, sizes))
    ]
    if 2 * sum(sizes[node][0] for node in named) < sizes[root][0]:
        for node in named:
            empty_element(node)
    prose = [node for node in root.iter(*BLOCKS - {"html", "body"}) if sizes[node][2] >= _MIN_PARAGRAPH_BYTES]
    if sum(sizes[node][2] for node in prose) < _MIN_PROSE_BYTES:
        return
    prose_sizes: dict[_Element, int] = {}
    for node in prose:
        container = next(part for part in node.iterancestors() if get_tag(part) not in _INNER_PARTS)
        prose_sizes[container] = prose_sizes.get(container, 0) + sizes[node][2]
    min_size = max(prose_sizes.values()) / 4
    paths = [[*reversed(list(node.iterancestors())), node] for node, size in prose_sizes.items() if size >= min_size]
    main_part = [nodes[0] for nodes in zip(*paths, strict=False) if all(node is nodes[0] for node in nodes)][-1]
    protected_nodes = {inner for part in (main_part, *root.iter("main", "article")) for inner in part.iter()}
    protected_nodes.update(inner for table in root.iter("table") for inner in table.iterdescendants())
    protected_nodes.update(ancestor for node in (main_part, *prose) for ancestor in (node, *node.iterancestors()))
    for node in list(root.iter(*BLOCKS - _FIXED_TAGS)):
        if node not in protected_nodes and _is_linked(node, sizes):
            empty_element(node)


def _is_linked(node: _Element, sizes: Mapping[_Element, tuple[int, int, int]]) -> bool:
    """Whether most of an element is links, of which it has several."""
    size, linked_size, _ = sizes[node]
    return size > 0 and 3 * linked_size >= 2 * size and sum(1 for _ in node.iter("a")) > 1


def _is_linked_below_heading(node: _Element, sizes: Mapping[_Element, tuple[int, int, int]]) -> bool:
    """Whether most of an element except its headings is links, or it has nothing else: "Share this", "Related"."""
    headings_size = sum(sizes[heading][0] for heading in node.iter(*HEADING_LEVELS))
    size, linked_size, _ = sizes[node]
    return headings_size > 0 and 3 * linked_size >= 2 * (size - headings_size)


def _measure_words(node: _Element, sizes: Mapping[_Element, tuple[int, int, int]]) -> tuple[int, int, int]:
    """The bytes of the words in an element, of those in links, and of those outside links and inner blocks."""
    if get_tag(node) in (REMOVED_TAG, "", "head"):
        return 0, 0, 0
    own_size = sum(len(collapse_spaces(text).encode()) for text in iter_own_texts(node))
    size = own_size + sum(sizes[child][0] for child in node)
    # An address that is written out is a citation; menus name their targets.
    if get_tag(node) == "a" and node.get("href") and not (node.text or "").lstrip().startswith(("http", "www.")):
        return size, size, 0
    prose_size = own_size + sum(sizes[child][2] for child in node if get_tag(child) not in BLOCKS)
    return size, sum(sizes[child][1] for child in node), prose_size


def find_main_part(root: _Element) -> _Element:
    """The only main element if it has the page's title and most of its words, else the page."""
    main_nodes = [node for node in root.iter() if get_tag(node) == "main" or node.get("role") == "main"]
    if len(main_nodes) != 1 or main_nodes[0].find(".//h1") is None:
        return root
    return main_nodes[0] if 2 * len(collect_text(main_nodes[0])) >= len(collect_text(root.find("body"))) else root


def _is_hidden(node: _Element) -> bool:
    hidden_value = node.get("hidden")
    if hidden_value is not None and hidden_value.lower() != "until-found":
        return True
    is_inline = get_tag(node) in ("span", "a", "i", "b", "em", "sup")
    return bool(_HIDING_STYLE.search(node.get("style") or "")) or (is_inline and node.get("aria-hidden") == "true")


def _is_boilerplate(node: _Element, *, has_main: bool, has_title: bool) -> bool:
    tag, role, names = get_tag(node), (node.get("role") or "").lower(), get_names(node)
    if tag == "nav":
        return True
    if role in _BOILERPLATE_ROLES or _BOILERPLATE_NAME.search(names):
        return role != "complementary" or has_main
    tag = "footer" if tag == "div" and _FOOTER_NAME.search(names) else tag
    if tag not in ("header", "footer", "aside") or not _SECTION_TAGS.isdisjoint(map(get_tag, node.iterancestors())):
        return False
    return tag == "footer" or (has_main if tag == "aside" else has_title)


def empty_element(node: _Element) -> None:
    """Empties an element; the text after it is kept."""
    del node[:]
    node.text = None
    node.attrib.clear()
    node.tag = REMOVED_TAG
