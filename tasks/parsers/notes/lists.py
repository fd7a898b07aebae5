"""Lists of a Markdown body: their items as lines, and tables and code inside them as blocks of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.notes.inline import InlineMarkup, words_of

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

LISTS = frozenset(["bullet_list", "ordered_list"])
_ALONE = frozenset(["fence", "code_block", "table", "html_block", "math_block"])
_CALLOUT = re.compile(r"\A\[!([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*")


def without_callout(text: str) -> str:
    """The beginning of a quote without Obsidian's `[!warning]`, which is shown where the callout has no title."""
    match = _CALLOUT.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    return f"{match[1].strip().capitalize()}{rest}" if rest[:1] in ("", "\n") else rest


def pieces(node: SyntaxTreeNode, found: InlineMarkup, indent: str = "") -> Iterator[str | SyntaxTreeNode]:
    """The lines of a list, its numbers as written, and in their places the blocks that cannot be lines."""
    number = int(node.attrs.get("start", 1))
    for item in node.children:
        mark = f"{number}{item.markup}" if node.type == "ordered_list" else "-"
        number += 1
        waiting = f"{indent}{mark} "
        for child in item.children:
            for piece in _inside(child, found, f"{indent}  ", quoted=False):
                yield piece if not isinstance(piece, str) else waiting + piece.lstrip(" ") if waiting else piece
                waiting = ""
        if waiting:
            yield waiting.rstrip()


def _inside(node: SyntaxTreeNode, found: InlineMarkup, indent: str, *, quoted: bool) -> Iterator[str | SyntaxTreeNode]:
    if node.type in _ALONE:
        yield node
    elif node.type in LISTS:
        yield from pieces(node, found, indent)
    elif node.type in ("paragraph", "heading"):
        text = words_of(node, found)
        yield from (f"{indent}{line}" for line in (without_callout(text) if quoted else text).split("\n"))
    else:
        for child in node.children:
            yield from _inside(child, found, indent, quoted=node.type == "blockquote")
