"""The blocks of a Markdown body, from the tokens of markdown-it-py."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.date_headings import entry_date, is_date_heading
from tasks.parsers.notes import obsidian_blocks, obsidian_inline, wikilinks
from tasks.parsers.notes.entries import Entries
from tasks.parsers.notes.html import add_html
from tasks.parsers.notes.inline import InlineMarkup, words_of
from tasks.parsers.notes.lists import LISTS, pieces, without_callout
from tasks.parsers.notes.tables import id_of, rows_of
from tasks.parsers.prose import is_list, paragraphs
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_TOO_DEEP = re.compile(r"^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}|(?:\[[^\[\]]*){200}", re.MULTILINE)


@cache  # the rules are built once and never change
def _markdown() -> MarkdownIt:
    """CommonMark with the tables of GitHub and what Obsidian adds."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    for rules in (wikilinks, obsidian_inline, obsidian_blocks):
        rules.install(markdown)
    return markdown


def add_markdown(assembly: Assembly, body: str) -> InlineMarkup:
    """Adds the blocks of a body and returns what it points to.

    Text that opens more quotes, lists or brackets than anybody does is kept as plain paragraphs, since CommonMark's
    rules for it take time beyond all bounds.
    """
    if _TOO_DEEP.search(body):
        for paragraph in paragraphs(body):
            assembly.add(BlockKind.PARAGRAPH, paragraph)
        return InlineMarkup()
    from markdown_it.tree import SyntaxTreeNode

    environment: dict[str, dict[str, dict[str, str]]] = {}
    walk = _Walk(assembly, body)
    nodes = SyntaxTreeNode(_markdown().parse(body, environment)).children
    for node in nodes:
        walk.block(node, quoted=False)
    defined = environment.get("references", {}).values()
    walk.found.links.extend(link for each in defined if (link := each["href"]) not in walk.found.links)
    if nodes and nodes[0].type == "heading" and nodes[0].tag == "h1":
        walk.found.title = words_of(nodes[0], InlineMarkup())
    return walk.found


class _Walk:
    """Adds block after block, knowing what was met on the way."""

    def __init__(self, assembly: Assembly, body: str) -> None:
        self.found = InlineMarkup()
        self._assembly = assembly
        self._lines = body.split("\n")
        self._entries = Entries()

    def block(self, node: SyntaxTreeNode, *, quoted: bool) -> None:
        """Adds a block; in a quote nothing heads what follows it."""
        kind = node.type
        if kind == "heading" and not quoted:
            self._heading(words_of(node, self.found), int(node.tag[1]))
        elif kind in ("heading", "paragraph"):
            self._paragraph(words_of(node, self.found), quoted=quoted)
        elif kind in LISTS:
            self._list(node)
        elif kind in ("fence", "code_block"):
            self._assembly.add(BlockKind.CODE, _code(node))
        elif kind == "math_block":
            self._assembly.add(BlockKind.PARAGRAPH, node.content)
        elif kind == "table":
            self._assembly.table(rows_of(node, self._lines, _markdown(), self.found), header_rows=1)
            self._assembly.add(BlockKind.PARAGRAPH, id_of(node, self._lines))
        elif kind == "html_block":
            add_html(self._assembly, node.content, self.found.links)
        elif kind == "footnote_block":
            self._footnote(node)
        elif kind == "blockquote":
            for child in node.children:
                self.block(child, quoted=True)

    def _heading(self, text: str, level: int) -> None:
        is_date = entry_date(text) is not None
        level = self._entries.heading(level, is_date=is_date)
        self._assembly.heading(obsidian_inline.without_block_id(text), level)

    def _paragraph(self, text: str, *, quoted: bool) -> None:
        """A paragraph; lines in it that are a date alone head what follows them."""
        if quoted:
            self._prose(without_callout(text).split("\n"))
            return
        self.found.note_fields(text)
        lines: list[str] = []
        for line in text.split("\n"):
            if not is_date_heading(line):
                lines.append(line)
                continue
            self._prose(lines)
            self._assembly.heading(line.strip(" \t:：[]()*_【】（）"), self._entries.date_line())
            lines = []
        self._prose(lines)

    def _prose(self, lines: list[str]) -> None:
        for paragraph in paragraphs("\n".join(lines)):
            listed = paragraph.strip() and is_list(paragraph)
            self._assembly.add(BlockKind.LIST if listed else BlockKind.PARAGRAPH, paragraph)

    def _list(self, node: SyntaxTreeNode) -> None:
        lines: list[str] = []
        for piece in pieces(node, self.found):
            if isinstance(piece, str):
                lines.append(piece)
            else:
                self._assembly.add(BlockKind.LIST, "\n".join(lines))
                lines.clear()
                self.block(piece, quoted=True)
        self._assembly.add(BlockKind.LIST, "\n".join(lines))

    def _footnote(self, node: SyntaxTreeNode) -> None:
        """The text of a footnote after its mark, `[1]`."""
        first = (
            words_of(node.children[0], self.found) if node.children[:1] and node.children[0].type == "paragraph" else ""
        )
        self._prose([f"[{node.content}] {first}"])
        for child in node.children[bool(first) :]:
            self.block(child, quoted=True)


def _code(node: SyntaxTreeNode) -> str:
    """Code as it is written, with its fences."""
    if node.type == "code_block":
        return node.content.rstrip("\n")
    return f"{node.markup}{node.info}\n{node.content}{node.markup}"
