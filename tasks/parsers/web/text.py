"""The words of inline HTML: line breaks, formulas, and nothing that was taken out of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.trees import local, squeezed, words
from tasks.parsers.web.page import GONE

if TYPE_CHECKING:
    from lxml.etree import _Element

BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "col",
        "colgroup",
        "dd",
        "details",
        "dir",
    }
    | {
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
    }
    | {"h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "noframes"}
    | {"ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td"}
    | {"tfoot", "th", "thead", "title", "tr", "ul", "xmp"}
)
"""What begins and ends a line of its own; every other element, known or not, stands in a line (HTML 5, 15.3)."""

_BREAK = "\v"
_BREAKS = re.compile(rf" ?{_BREAK} ?(?:{_BREAK} ?)+")
_BLANKS = re.compile(rf"[^\S{_BREAK}]+")
_INVISIBLE = {0xAD: None, 0x200B: None, 0x2060: None}


def text_of(node: _Element) -> str:
    """All words of an element; line breaks and the ends of blocks are white space."""
    return squeezed(raw_text(node))


def raw_text(node: _Element) -> str:
    """The words of an element with a vertical tab for each `br`."""
    return words(node, _shown).translate(_INVISIBLE)


def code_of(node: _Element) -> str:
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
