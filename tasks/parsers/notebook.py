"""Jupyter notebooks (nbformat 3 and 4): the texts between the cells of code, the code, and its output.

Texts are read as Markdown. Of an output the tables of its web page are kept, which are the frames of pandas, else its
plain text; pictures are not read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, make_block_contents
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.markdown import member as markdown
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import parse_page
from tasks.parsers.web.page_blocks import add_blocks
from tasks.parsers.web.page_boilerplate import empty_unread_elements
from warehouse.records import BlockKind, Document, Kind

_BEGINNING = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')
_ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
MAX_OUTPUT_LENGTH = 20_000
"""Characters of an output that are kept: a longer one is a log or a dump of data, whose beginning is enough."""


class Notebook:
    """The title is that in the metadata, else the first heading."""

    version = 2
    media_type = "application/x-ipynb+json"
    suffixes: tuple[str, ...] = (".ipynb",)
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Whether it begins as notebooks do; other JSON may do so too, so the suffix is required."""
        return 0.6 if raw.suffix in self.suffixes and _BEGINNING.match(decode_head(raw.data)) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no JSON, or have no cells."""
        text = decode_text(raw.data)
        try:
            notebook = json.loads(text, strict=False)
        except json.JSONDecodeError as error:
            is_cut = error.pos >= len(text.rstrip()) or "Unterminated" in error.msg
            raise refusals.truncated("notebook") if is_cut else refusals.damaged("notebook", str(error)) from error
        cells = _list_cells(notebook)
        if cells is None:
            raise refusals.damaged("notebook", "it has no cells")
        assembly = Assembly()
        for cell in cells:
            _add_cell(assembly, cell)
        metadata = _as_record(notebook.get("metadata"))
        authors = [_as_record(author).get("name") or author for author in _as_list(metadata.get("authors"))]
        return assembly.finish(
            Kind.TEXT,
            self.media_type,
            title=str(metadata.get("title") or next(iter(assembly.headings), "")),
            authors=[author for author in authors if isinstance(author, str)],
        )


def _list_cells(notebook: Any) -> list[Any] | None:
    """The cells of a notebook, those of version 3 from its worksheets; None where it has none."""
    record = _as_record(notebook)
    sheets = record.get("worksheets")
    if isinstance(sheets, list):
        return [cell for sheet in sheets for cell in _as_list(_as_record(sheet).get("cells"))]
    return record["cells"] if isinstance(record.get("cells"), list) else None


def _add_cell(assembly: Assembly, cell: Any) -> None:
    """Adds a cell's text, and the output of its code."""
    fields = _as_record(cell)
    source = _join_text(fields.get("source", fields.get("input")))
    kind = fields.get("cell_type")
    if kind == "markdown":
        note = markdown.parse(Raw("cell.md", source.encode()))
        texts = (note.text[block.start : block.end] for block in note.blocks)
        for block in make_block_contents(note.blocks, texts, note.tables):
            assembly.add_block_content(block)
    elif kind == "heading":  # Of version 3.
        assembly.add_heading(source, fields["level"] if isinstance(fields.get("level"), int) else 1)
    else:
        assembly.add(BlockKind.CODE if kind == "code" else BlockKind.PARAGRAPH, source)
    for output in _as_list(fields.get("outputs")):
        _add_output(assembly, _as_record(output))


def _add_output(assembly: Assembly, output: dict[str, Any]) -> None:
    """Adds the tables of an output, else its text, without the colours of a terminal."""
    data = _as_record(output.get("data")) or output  # In version 3 they are fields of the output.
    page = _join_text(data.get("text/html", data.get("html")))
    if _TABLE.search(page):
        root = parse_page(page.encode())
        empty_unread_elements(root)
        add_blocks(assembly, root)
        return
    text = _join_text(data.get("text/markdown") or data.get("text/plain") or output.get("text"))
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
    assembly.add(BlockKind.CODE, _ANSI_COLOURS.sub("", text)[:MAX_OUTPUT_LENGTH])


def _join_text(value: Any) -> str:
    """A text that may be cut into its lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _as_record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


member = Notebook()
