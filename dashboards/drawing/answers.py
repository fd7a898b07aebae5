"""An answer as HTML: the model's Markdown without what could load or lead anywhere, extracts as quotations.

A mark [n] becomes a button that names its source as `data-cite="TURN.n"`, where the answer has such a source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from dashboards.drawing.lines import is_row
from dashboards.drawing.marking import mark_words
from dashboards.drawing.passages import TableGrid, table_grid, table_html

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MARK = re.compile(r"\[(\d{1,3}|\?)\]")
_LAST = re.compile(r"\s?\[(\d{1,3})\]\Z")
_OFF = ("html_inline", "html_block", "image", "link", "autolink", "reference")


@dataclass(frozen=True, slots=True)
class CitationButtons:
    """The numbers of an answer's sources, and which answer of the page it is."""

    turn: str
    numbers: Collection[int]

    def button(self, number: int) -> str:
        """What opens a source; the mark as it was written where there is none."""
        if number not in self.numbers:
            return f"[{number}]"
        return (
            f'<button type="button" class="k-cite" data-cite="{self.turn}.{number}" '
            f'aria-label="Open source {number}">{number}</button>'
        )


def copy_button_html(text: str) -> str:
    """A button that copies a text (`dashboards.widgets.copying`)."""
    return f'<button type="button" class="k-copy" data-copy="{escape(text)}">Copy</button>'


def model_answer_html(text: str, cites: CitationButtons) -> str:
    """What a model wrote. It may repeat what a document told it to: no link, image or element comes of it."""
    return f'<div class="k-said" dir="auto">{_markdown().render(text, {"cites": cites})}</div>'


def extracts_html(text: str, cites: CitationButtons, asked: frozenset[str]) -> str:
    """Quotations, a paragraph or some rows each, with their marks; rows of one table and source share its header."""
    items = "".join(f"<li>{_quotation(piece, mark, asked)}</li>" for piece, mark in _joined(text, cites))
    return f'<ul class="k-answer k-cited">{items}</ul>'


def _quotation(piece: str | TableGrid, mark: str, asked: frozenset[str]) -> str:
    if isinstance(piece, TableGrid):
        return f"{table_html(piece, asked)}{mark}"
    # What has no source is said by nobody's document.
    return f"<q>{mark_words(piece, asked)}</q> {mark}" if mark else f"<p>{escape(piece)}</p>"


def _joined(text: str, cites: CitationButtons) -> Iterator[tuple[str | TableGrid, str]]:
    last: str | TableGrid = ""
    last_mark = ""
    for block in text.split("\n\n"):
        found = _LAST.search(block)
        piece = _piece(block[: found.start()] if found else block)
        mark = cites.button(int(found[1])) if found else ""
        if (
            isinstance(piece, TableGrid)
            and isinstance(last, TableGrid)
            and (last.header, last_mark) == (piece.header, mark)
        ):
            last = TableGrid(last.header, (*last.body, *piece.body))
            continue
        if last:
            yield last, last_mark
        last, last_mark = piece, mark
    if last:
        yield last, last_mark


def _piece(block: str) -> str | TableGrid:
    """A quotation without its quotation marks, or rows, the first of several being the header."""
    lines = block.split("\n")
    if not all(map(is_row, lines)):
        return block.removeprefix("“").removesuffix("”")
    rows = table_grid(lines)
    return rows if rows.header or len(rows.body) == 1 else TableGrid(rows.body[:1], rows.body[1:])


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(_OFF)
    reader.add_render_rule("text", _text)
    return reader


def _text(self: Any, tokens: Sequence[Any], place: int, options: Any, env: dict[str, Any]) -> str:
    cites: CitationButtons = env["cites"]
    pieces, done, text = [], 0, tokens[place].content
    for found in _MARK.finditer(text):
        pieces += [escape(text[done : found.start()]), _marked(found[1], cites)]
        done = found.end()
    return "".join((*pieces, escape(text[done:])))


def _marked(sign: str, cites: CitationButtons) -> str:
    if sign == "?":
        return '<span class="k-unproven" title="Not found in any of the sources">[?]</span>'
    return cites.button(int(sign))
