"""A web page's bytes as a tree: encoding (HTML 5, 13.2.3), bounded depth, machinery and boilerplate taken out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.decoder import decode, decode_as
from tasks.parsers.trees import local, words

if TYPE_CHECKING:
    from lxml.etree import _Element

GONE = "template"  # The tag of what was taken out: an element that shows nothing.

_META_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}(?:charset|encoding)=[\"']?([\w-]+)", re.IGNORECASE)
_DEEPEST = 200
_TAG = re.compile(r"<[a-zA-Z]")
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""")
_MOST_ATTRIBUTES = 1_000
"""Of one element. To append an attribute libxml2 walks along all before it; 200,000 would take it a minute."""
_SHORT = 50_000  # Characters. A shorter page has too few attributes to be slow.
_LONGEST_NAMES = 400
_MACHINERY = frozenset(
    {"script", "style", "noscript", "svg", "iframe", "object", "embed", "select", "button", "textarea", "datalist"}
    | {"audio", "video", "canvas", "dialog", "annotation", "annotation-xml", "ix:header"}
)
_ROLES = frozenset(
    ["navigation", "search", "contentinfo", "menu", "menubar", "toolbar", "dialog", "alertdialog", "complementary"]
)
_MAIN = frozenset(["main", "article"])
_SECTIONS = frozenset(["article", "aside", "main", "nav", "section", "td", "blockquote"])
_KEPT = frozenset(["html", "body", "main", "article", "head", "title"])
_UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_NAMES = re.compile(
    r"(?:^|\s)(?:(?:cookies?|consent|gdpr)[-_]*(?:law|policy)?[-_]*(?:banner|consent|notice|bar|popup|modal"
    r"|overlay|dialog|message|wall)s?|onetrust-[\w-]+|cybotcookiebotdialog|usercentrics-root|didomi-host"
    r"|qc-cmp2-[\w-]+|sp_message_container[\w-]*|truste-[\w-]+|sr-only|visually-?hidden|screen-reader-text"
    r"|skip-(?:link|nav|to|main)[\w-]*|mw-editsection|headerlink)(?=\s|$)",
    re.IGNORECASE,
)


def parse_page(data: bytes) -> _Element:
    """The root element. Raises `UnreadableFile` where there is no markup or it is nested deeper than 200 levels."""
    from lxml import etree

    declared = _META_CHARSET.search(data[:4096])
    text = decode_as(data, declared[1].decode("ascii")) if declared else decode(data)
    if text is None:
        raise refusals.unknown(data)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    root = etree.fromstring(with_few_attributes(text).encode("utf-8", "replace"), parser)
    if root is None:
        raise refusals.damaged("web page", "no element in it")
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _DEEPEST:
            raise refusals.damaged("web page", "its elements are nested too deeply")
    return root


def with_few_attributes(text: str) -> str:
    """The source without the attributes beyond the thousandth of an element, which show no words (HTML 13.2.5)."""
    if len(text) <= _SHORT:
        return text
    pieces, kept, position = [], 0, 0
    while (tag := _TAG.search(text, position)) is not None:
        position = tag.end()
        count, cut = 0, 0
        while (found := _ATTRIBUTE.match(text, position)) is not None:
            position = found.end()
            count += 1
            if count == _MOST_ATTRIBUTES:
                cut = position
        if cut:
            pieces.append(text[kept:cut])
            kept = position
    return "".join((*pieces, text[kept:])) if pieces else text


def take_out_machinery(root: _Element) -> None:
    """Empties what no reader of the page sees, or none reads: scripts, controls of forms, hidden elements."""
    for node in list(root.iter()):
        if local(node) in _MACHINERY or (local(node) not in _KEPT and _is_unseen(node)):
            _take_out(node)


def take_out_boilerplate(root: _Element) -> None:
    """Empties what stands on every page of a site, as far as its own markup says so: never what holds a main part."""
    mains = [node for node in root.iter() if local(node) in _MAIN or node.get("role") == "main"]
    titled = any(main.find(".//h1") is not None for main in mains)
    for node in list(root.iter()):
        if (
            local(node) in _KEPT
            or node.get("role") == "main"
            or not _is_boilerplate(node, has_main=bool(mains), titled=titled)
        ):
            continue
        if not any(local(inner) in _MAIN or inner.get("role") == "main" for inner in node.iterdescendants()):
            _take_out(node)


def main_part(root: _Element) -> _Element:
    """The one main element where it has the page's title and most of its words, else the whole page."""
    mains = [node for node in root.iter() if local(node) == "main" or node.get("role") == "main"]
    if len(mains) != 1 or mains[0].find(".//h1") is None:
        return root
    return mains[0] if 2 * len(words(mains[0])) >= len(words(root.find("body"))) else root


def _is_unseen(node: _Element) -> bool:
    hidden = node.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return True
    inline = local(node) in ("span", "a", "i", "b", "em", "sup")
    return bool(_UNSEEN.search(node.get("style") or "")) or (inline and node.get("aria-hidden") == "true")


def _is_boilerplate(node: _Element, *, has_main: bool, titled: bool) -> bool:
    tag, role = local(node), (node.get("role") or "").lower()
    if tag == "nav":
        return True
    if role in _ROLES or _NAMES.search(f"{node.get('class') or ''} {node.get('id') or ''}"[:_LONGEST_NAMES]):
        return role != "complementary" or has_main
    if tag not in ("header", "footer", "aside") or any(local(above) in _SECTIONS for above in node.iterancestors()):
        return False
    return tag == "footer" or (has_main if tag == "aside" else titled)


def _take_out(node: _Element) -> None:
    """The text behind the element stays where it is."""
    del node[:]
    node.text = None
    node.attrib.clear()
    node.tag = GONE
