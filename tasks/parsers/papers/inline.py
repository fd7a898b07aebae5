"""The words of a JATS element on one line: formulas once, raised numbers told from citations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.papers.math import formula
from tasks.parsers.trees import local, squeezed, words

if TYPE_CHECKING:
    from lxml.etree import _Element

SILENT = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "alt-text", "long-desc", "index-term", "permissions"}
    | {"sec-meta", "institution-id", "contrib-id", "processing-meta"}
)
"""What is not part of the words a reader of the page sees."""

_FORMULAS = frozenset(["alternatives", "inline-formula", "disp-formula", "math", "tex-math"])
_APART = frozenset(["label", "p", "title", "verse-line", "speaker", "td", "th", "def", "mixed-citation", "fn"])
_PARTS_OF_NAMES = frozenset(
    {"name", "string-name", "surname", "given-names", "prefix", "suffix", "institution", "country", "addr-line"}
)
_MARK = re.compile(r"\s*(?:\d+[a-z]?(?:\s*[,;–—-]\s*\d+[a-z]?)*|[*†‡§¶]+)\s*")


def text_of(node: _Element | None) -> str:
    """The words of an element, or nothing for None."""
    return squeezed(words(node, inline_text))


def inline_text(node: _Element, inner: str) -> str | None:
    """What stands for an element inside a line."""
    tag = local(node)
    if tag in SILENT:
        return ""
    if tag in _FORMULAS:
        return formula(node, inner, inline_text)
    if tag in ("sup", "xref"):
        return _raised(node, tag, inner)
    if tag in _APART:
        return f" {inner} "
    if tag in _PARTS_OF_NAMES:
        return inner if node.getnext() is None or (node.tail or "").strip() else f"{inner} "
    return "\n" if tag == "break" else None


def _raised(node: _Element, tag: str, inner: str) -> str | None:
    """A citation stands in brackets and apart from its word; a power after a number has its sign."""
    parent = node.getparent()
    cites = node.find("xref") is not None or (parent is not None and local(parent) == "xref")
    if tag == "sup" and cites:
        return None if inner.strip().startswith(("[", "(")) or not inner.strip(" ,;") else f" [{inner.strip()}]"
    if tag == "sup" and re.fullmatch(r"\s*[−–-]?\d+\s*", inner) and _before(node)[-1:].isdigit():
        return f"^{inner.strip()}"
    if tag == "xref" and _MARK.fullmatch(inner) and not (parent is not None and local(parent) == "sup"):
        return f" [{inner.strip()}]" if _before(node)[-1:].isalpha() else None
    return None


def _before(node: _Element) -> str:
    """The text that an element follows immediately."""
    previous, parent = node.getprevious(), node.getparent()
    if previous is not None:
        return previous.tail or "".join(map(str, previous.itertext()))[-1:]
    return (parent.text or "") if parent is not None else ""
