"""The blocks of a Markdown body, from the tokens of markdown-it-py."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tasks.parsers import wikilinks
from tasks.parsers.assembly import Assembly
from tasks.parsers.date_headings import is_date_heading
from tasks.parsers.prose import is_list, paragraphs
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_DATE_LEVEL = 6
_TAG = re.compile(
    r"</?(?:a|b|big|br|center|code|del|details|div|em|figure|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|summary"
    r"|sup|u)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_TOO_DEEP = re.compile(r"^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}|(?:\[[^\[\]]*){200}", re.MULTILINE)
_CALLOUT = re.compile(r"\A\[!([\w-]+)\][+-]?[ \t]*")


@dataclass(slots=True)
class Links:
    """The targets met so far, in order: notes and addresses."""

    targets: list[str] = field(default_factory=list)


@cache  # the rules are built once and never change
def _markdown() -> MarkdownIt:
    """CommonMark with tables. Link definitions stay text, since `[2024-05-01]: done` is no address; so does HTML."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable(["table", "strikethrough"])
    markdown.disable(["reference"])
    wikilinks.install(markdown)
    return markdown


def add_markdown(assembly: Assembly, body: str, links: Links) -> None:
    """Adds the blocks of a body.

    Text that opens more quotes, lists or brackets than anybody does is kept as plain paragraphs, since CommonMark's
    rules for it take time beyond all bounds.
    """
    if _TOO_DEEP.search(body):
        for paragraph in paragraphs(body):
            assembly.add(BlockKind.PARAGRAPH, paragraph)
        return
    from markdown_it.tree import SyntaxTreeNode

    for node in SyntaxTreeNode(_markdown().parse(body)).children:
        _block(assembly, node, links, quoted=False)


def _block(assembly: Assembly, node: SyntaxTreeNode, links: Links, *, quoted: bool) -> None:
    kind = node.type
    if kind == "heading":
        text = _inline(node, links)
        if quoted:
            assembly.add(BlockKind.PARAGRAPH, text)
        else:
            assembly.heading(text, int(node.tag[1]))
    elif kind == "paragraph":
        _paragraph(assembly, _inline(node, links), quoted=quoted)
    elif kind in ("bullet_list", "ordered_list"):
        assembly.add(BlockKind.LIST, "\n".join(_items(node, links, "")))
    elif kind in ("fence", "code_block"):
        assembly.add(BlockKind.CODE, _code(node))
    elif kind == "table":
        rows = [[_inline(cell, links) for cell in row.children] for part in node.children for row in part.children]
        assembly.table(rows, header_rows=1)
    elif kind == "blockquote":
        for child in node.children:
            _block(assembly, child, links, quoted=True)


def _paragraph(assembly: Assembly, text: str, *, quoted: bool) -> None:
    """A paragraph; lines in it that are a date alone head what follows them."""
    lines: list[str] = []
    for line in _CALLOUT.sub("", text).split("\n") if quoted else text.split("\n"):
        if quoted or not is_date_heading(line):
            lines.append(line)
            continue
        _prose(assembly, lines)
        assembly.heading(line.strip(" \t:：[]()*_"), _DATE_LEVEL)
        lines = []
    _prose(assembly, lines)


def _prose(assembly: Assembly, lines: list[str]) -> None:
    for paragraph in paragraphs("\n".join(lines)):
        listed = paragraph.strip() and is_list(paragraph)
        assembly.add(BlockKind.LIST if listed else BlockKind.PARAGRAPH, paragraph)


def _items(node: SyntaxTreeNode, links: Links, indent: str) -> list[str]:
    """The lines of a list, its numbers as written."""
    lines: list[str] = []
    number = int(node.attrs.get("start", 1))
    for item in node.children:
        mark = f"{number}{item.markup}" if node.type == "ordered_list" else "-"
        number += 1
        inner = [line for child in item.children for line in _item_lines(child, links)]
        first, rest = (inner or [""])[0], inner[1:]
        lines.append(f"{indent}{mark} {first}")
        lines += [f"{indent}  {line}" for line in rest]
    return lines


def _item_lines(node: SyntaxTreeNode, links: Links) -> list[str]:
    if node.type in ("bullet_list", "ordered_list"):
        return _items(node, links, "")
    if node.type in ("fence", "code_block"):
        return _code(node).split("\n")
    if node.type in ("blockquote", "table", "thead", "tbody"):
        return [line for child in node.children for line in _item_lines(child, links)]
    if node.type == "tr":
        return [" | ".join(_inline(cell, links) for cell in node.children)]
    return _inline(node, links).split("\n")


def _code(node: SyntaxTreeNode) -> str:
    """Code as it is written, with its fences."""
    if node.type == "code_block":
        return node.content.rstrip("\n")
    return f"{node.markup}{node.info}\n{node.content}{node.markup}"


def _inline(node: SyntaxTreeNode, links: Links) -> str:
    """The words that the inside of a block shows, without HTML's marks; targets of links are noted."""
    kind = node.type
    if kind in ("softbreak", "hardbreak"):
        return "\n"
    if kind == "text":
        return _TAG.sub(_break, node.content)
    if kind in ("wikilink", "code_inline"):
        links.targets.extend(filter(None, [node.meta.get("target")]))
        return node.content
    address = node.attrs.get("href") or node.attrs.get("src")
    if address:
        links.targets.append(unquote(str(address)))
    if kind == "image":
        return node.content
    return "".join(_inline(child, links) for child in node.children)


def _break(tag: re.Match[str]) -> str:
    return "\n" if tag[0].lower().startswith("<br") else ""
