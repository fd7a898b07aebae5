"""A document as GitHub Flavored Markdown (https://github.github.com/gfm/)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warehouse.records import Block, BlockKind, Document, Table
from warehouse.table_notation import CLOSING, escape_cell, format_table_opening

_BULLET = re.compile(r"^(\s*)[•●○◦▪■‣–·*+-]\s+")
_NUMBERED = re.compile(r"^\s*[0-9]{1,9}[.)]\s")
_OPENS_BLOCK = re.compile(r"^\s*(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|={2,}\s*$|-{2,}\s*$|(?:`{3,}|~{3,})|\|)")
_ORDERED = re.compile(r"^(\s*[0-9]{1,9})([.)])(?=\s)")
_INLINE = re.compile(r"(?<!\\)(?:[*`](?=\S)|(?<=\S)[*`]|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|<(?=[A-Za-z/!?]))")
_FENCE = re.compile(r"`{3,}")


def iter_markdown(document: Document) -> Iterator[str]:
    """The document piece by piece, to be joined by blank lines: headings, paragraphs, lists, code and tables.

    Running headers and page numbers are left out. Tables are pipe tables between their `[TABLE n]`
    and `[END TABLE]`, between blank lines, as a line that follows a pipe table directly would be one of its rows.
    """
    tables = {table.number: table for table in document.tables}
    for block in document.blocks:
        if block.kind is BlockKind.TABLE and block.table in tables:
            table = tables[block.table]
            yield from (format_table_opening(table.number), format_pipe_table(table), CLOSING)
        elif block.kind in _WRITTEN:
            yield _format_block(block, document.text[block.start : block.end])


def format_code_block(text: str, language: str = "") -> str:
    """A fenced code block; its fence is longer than any in the text."""
    fence = max((len(run) + 1 for run in _FENCE.findall(text)), default=3) * "`"
    return f"{fence}{language}\n{text}\n{fence}"


def format_pipe_table(table: Table) -> str:
    """The rows of a table, all of the same number of cells.

    Markdown has one header row: several are lines of it, and it is empty if there is none.
    """
    header = table.rows[: table.header_rows]
    heads = ["<br>".join(filter(None, map(_format_cell, column))) for column in zip(*header, strict=True)]
    heads = heads or [""] * len(table.rows[0])
    body = [list(map(_format_cell, row)) for row in table.rows[table.header_rows :]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *body))


def _format_cell(text: str) -> str:
    return escape_cell(_escape_inline(text))


_WRITTEN = {BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.CODE}


def _format_block(block: Block, text: str) -> str:
    if block.kind is BlockKind.HEADING:
        return f"{'#' * max(block.level, 1)} {_escape_inline(' '.join(text.split()))}"
    if block.kind is BlockKind.PARAGRAPH:
        return "\n".join(map(_format_line, text.split("\n")))
    if block.kind is BlockKind.CODE:
        return format_code_block(text)
    lines = [_BULLET.sub(r"\1- ", line) for line in text.split("\n")]
    if not any(_BULLET.match(line) or _NUMBERED.match(line) for line in lines):
        return "\n".join(f"- {_escape_inline(line)}" for line in lines)
    return "\n".join(map(_escape_inline, lines))


def _format_line(line: str) -> str:
    """A line of prose that cannot be taken for the beginning of a list, heading, quotation or the like."""
    plain = _escape_inline(line).lstrip()
    if _OPENS_BLOCK.match(plain):
        return f"\\{plain}"
    return _ORDERED.sub(r"\1\\\2", plain)


def _escape_inline(text: str) -> str:
    return _INLINE.sub(r"\\\g<0>", text.replace("\\", "\\\\"))
