"""The cells of a Markdown table, none of them lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tasks.parsers.notes.inline import InlineMarkup, words_of

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_ID = re.compile(r"\^[A-Za-z0-9-]+")
_CELL = re.compile(r"(?:\[\[[^\[\]\n]*\]\]|\\.?|[^|\\])*+")


def rows_of(table: SyntaxTreeNode, lines: Sequence[str], markdown: MarkdownIt, found: InlineMarkup) -> list[list[str]]:
    """The rows. `lines` are those of the source, by which cells beyond the header's are found.

    GitHub's rules drop such cells. They come of a `|` in a wikilink that was not escaped, or of a header too short.
    Left out is the id of the table right below it, see `id_of`.
    """
    head, *bodies = table.children
    names = [[words_of(cell, found) for cell in row.children] for row in head.children]
    rows = [row for body in bodies for row in body.children]
    return names + [_row(row, lines, markdown, found) for row in (rows[:-1] if id_of(table, lines) else rows)]


def id_of(table: SyntaxTreeNode, lines: Sequence[str]) -> str:
    """Obsidian's `^id` on the line below a table, which GitHub's rules take for a row; nothing if there is none."""
    last = lines[table.map[1] - 1].strip(" \t>") if table.map else ""
    return last if _ID.fullmatch(last) else ""


def _row(row: SyntaxTreeNode, lines: Sequence[str], markdown: MarkdownIt, found: InlineMarkup) -> list[str]:
    source = lines[row.map[0]] if row.map else ""
    if "[[" not in source and source.count("|") - source.count("\\|") <= len(row.children) + 1:
        return [words_of(cell, found) for cell in row.children]
    from markdown_it.tree import SyntaxTreeNode

    cells = (cell.replace("\\|", "|") for cell in _split(source.lstrip(" \t>")))
    return [words_of(SyntaxTreeNode(markdown.parseInline(cell)).children[0], found) for cell in cells]


def _split(line: str) -> list[str]:
    """The cells between the pipes of a line, those in wikilinks and escaped ones left alone."""
    inner = line.strip().removeprefix("|")
    cells, position = [], 0
    while position <= len(inner):
        match = _CELL.match(inner, position)
        end = match.end() if match else position
        cells.append(inner[position:end].strip())
        position = end + 1
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells
