"""The lists of a JATS article as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.papers.inline import inline_text, text_of
from tasks.parsers.trees import local, squeezed, words

if TYPE_CHECKING:
    from lxml.etree import _Element

LISTS = frozenset(["list", "def-list"])
_ITEMS = frozenset(["list-item", "def-item"])


def list_lines(node: _Element, depth: int = 0) -> list[str]:
    """One line an item; lists inside an item are indented below it. A title and the heads of columns come first."""
    indent = "  " * depth
    heads = (text for tag in ("label", "title", "term-head", "def-head") if (text := text_of(node.find(tag))))
    lines = [f"{indent}{head}" for head in heads]
    items = [child for child in node if local(child) in (*_ITEMS, *LISTS)]
    number = 0
    for item in items:
        if local(item) in LISTS:
            lines += list_lines(item, depth + 1)
            continue
        number += 1
        plain = f"{number}." if node.get("list-type") == "order" else "-"
        mark = text_of(item.find("label")) or plain
        lines.append(f"{indent}{mark} {squeezed(words(item, _own))}".rstrip())
        for inner in item.iter("list", "def-list"):
            if next(inner.iterancestors("list-item", "def-item")) is item:
                lines += list_lines(inner, depth + 1)
    return lines


def _own(node: _Element, inner: str) -> str | None:
    """The words of an item without its mark and the lists inside it."""
    tag = local(node)
    parent = node.getparent()
    if tag in LISTS or (tag == "label" and parent is not None and local(parent) == "list-item"):
        return " "
    if tag == "term" and inner.strip():
        return f"{inner.strip()}: "
    return f" {inner} " if tag in ("def", "title", "p") else inline_text(node, inner)
