"""A page of inline XBRL as a tree of plain tags: "p", "td", "ix-nonfraction", "xbrli-context".

It is read as the XML that the standard prescribes, where it is well-formed, so that no rule of HTML closes a tag too
early; namespaces, whatever their prefixes, become the beginnings of the tags. Other pages are read as HTML.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from lxml.etree import _Element

_INLINE_NAMESPACE = re.compile(r"http://www\.xbrl\.org/20\d\d/inlineXBRL(?=[\"'])")
_IX, _INSTANCE, _DIMENSIONS = "ix-", "xbrli-", "xbrldi-"
_PREFIXES = {
    "http://www.xbrl.org/2013/inlineXBRL": _IX,
    "http://www.xbrl.org/2008/inlineXBRL": _IX,
    "http://www.xbrl.org/2003/instance": _INSTANCE,
    "http://xbrl.org/2006/xbrldi": _DIMENSIONS,
    "http://www.xbrl.org/2006/xbrldi": _DIMENSIONS,
}
NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_INTERNAL_SUBSET = re.compile(r"<!DOCTYPE[^\[>]*\[.*?\]\s*>", re.DOTALL)
_PLAIN_TAG = re.compile(r"[\w.-]+")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = frozenset(["amp", "lt", "gt", "quot", "apos"])
_DEFAULT_PREFIXES = (
    (re.compile(r"://fasb\.org/(us-gaap|srt)/"), None),
    (re.compile(r"://xbrl\.sec\.gov/([\w-]+)/"), None),
    (re.compile(r"://xbrl\.ifrs\.org/taxonomy/[^/]+/(ifrs-[\w-]+)"), None),
    (re.compile(r"://www\.xbrl\.org/2003/(iso4217)"), None),
    (re.compile(r"://www\.xbrl\.org/2003/instance"), "xbrli"),
)
"""The namespaces whose names get the same prefix here in every filing, whatever prefix the file uses."""


def is_inline_xbrl(text: str) -> bool:
    """Whether a page declares the namespace of inline XBRL."""
    return _INLINE_NAMESPACE.search(text) is not None


def without_declarations(text: str) -> str:
    """A page without entities that it declares itself: libxml2 would expand them in attributes without a bound."""
    return _INTERNAL_SUBSET.sub("<!DOCTYPE html>", text, count=1) if "<!ENTITY" in text else text


def parse_xhtml(text: str) -> _Element | None:
    """The root of a page of inline XBRL that is well-formed XML; None of any other.

    Named characters of HTML are read, as filers use them.
    """
    from lxml import etree

    markup = _ENTITY.sub(
        lambda match: match[0] if match[1] in _XML_ENTITIES else html5.get(f"{match[1]};", match[0]), text
    )
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, load_dtd=False, no_network=True, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(markup.lstrip("\ufeff \t\r\n").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    return root


def read_prefixes(root: _Element) -> dict[str, str]:
    """The namespaces that a page declares, by prefix; the first of each prefix."""
    from lxml import etree

    prefixes: dict[str, str] = {}
    for _, (prefix, namespace) in etree.iterwalk(root, events=("start-ns",)):
        prefixes.setdefault(prefix, namespace)
    if not isinstance(root.tag, str) or not root.tag.startswith("{"):
        # In HTML they are attributes.
        elements = root.xpath("descendant-or-self::*[@*[starts-with(name(), 'xmlns:')]]")
        for element in cast("list[_Element]", elements):
            for name, value in element.attrib.items():
                if str(name).startswith("xmlns:"):
                    prefixes.setdefault(str(name).removeprefix("xmlns:"), str(value))
    return prefixes


def normalize_name(name: str, prefixes: dict[str, str]) -> str:
    """A qualified name with the prefix that its namespace usually has: "dei:TradingSymbol"."""
    prefix, colon, local = name.strip().rpartition(":")
    namespace = prefixes.get(prefix, "")
    for pattern, default_prefix in _DEFAULT_PREFIXES:
        if match := pattern.search(namespace):
            return f"{default_prefix or match[1]}:{local}"
    return f"{prefix}{colon}{local}"


def simplify_tags(root: _Element, prefixes: dict[str, str]) -> None:
    """Give every element a plain tag in small letters; elements of other namespaces keep their local name."""
    from lxml import etree

    # The usual prefixes, for HTML whose namespaces are lost.
    tag_prefixes = {"ix": _IX, "xbrli": _INSTANCE, "xbrldi": _DIMENSIONS}
    tag_prefixes |= {prefix: _PREFIXES[namespace] for prefix, namespace in prefixes.items() if namespace in _PREFIXES}
    tags: dict[str, str] = {}
    for element in root.iter(etree.Element):
        tag = element.tag
        if tag not in tags:
            namespace, _, local = tag[1:].rpartition("}") if tag[0] == "{" else ("", "", tag)
            prefix, colon, local_name = local.partition(":")
            if namespace:
                tags[tag] = _PREFIXES.get(namespace, "") + local.lower()
            else:
                tags[tag] = tag_prefixes[prefix] + local_name.lower() if colon and prefix in tag_prefixes else local
        if tags[tag] != tag and _PLAIN_TAG.fullmatch(tags[tag]):
            element.tag = tags[tag]


def get_attribute(element: _Element, name: str) -> str:
    """An attribute of a tag, which HTML writes in small letters; empty without it."""
    return (element.get(name) or element.get(name.lower()) or "").strip()
