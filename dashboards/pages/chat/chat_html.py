"""Answers as HTML: a model's Markdown without links, images or elements, quotations, and the steps of an answer.

A mark [n] becomes a button that names its source as `data-cite="TURN.n"`, where the answer has such a source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from dashboards.assistant.answer_types import ToolCall
from dashboards.html.hits import describe_location
from dashboards.html.passage_markup import (
    TableGrid,
    is_row,
    mark_words,
    parse_table_grid,
    render_passage,
    render_table,
    wrap_spans,
)
from dashboards.html.safe_text import escape_text, render_list, render_more_item
from warehouse.records import Hit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


_MARK = re.compile(r"\[(\d{1,3}|\?)\]")
_LAST_MARK = re.compile(r"\s?\[(\d{1,3})\]\Z")
_UNPROVEN = '<span class="k-unproven" title="Not found in any of the sources">[?]</span>'
_DISABLED_RULES = ("html_inline", "html_block", "image", "link", "autolink", "reference")
MAX_PASSAGES = 60  # Passages drawn whole; the others are only counted.
_MAX_ARGUMENT_LENGTH = 400


@dataclass(frozen=True, slots=True)
class CitationButtons:
    """Buttons for the sources of one answer of the page: its `turn`, and the numbers of its sources."""

    turn: str
    numbers: Collection[int]

    def render_button(self, number: int) -> str:
        """A button that opens source `number`; the mark as written where the answer has no such source."""
        if number not in self.numbers:
            return f"[{number}]"
        return (
            f'<button type="button" class="k-cite" data-cite="{self.turn}.{number}" '
            f'aria-label="Open source {number}">{number}</button>'
        )


def render_copy_button(text: str) -> str:
    """A button that copies a text (`dashboards.widgets.browser_scripts`)."""
    return f'<button type="button" class="k-copy" data-copy="{escape(text)}">Copy</button>'


def render_model_answer(text: str, cites: CitationButtons) -> str:
    """A model's answer. It may repeat text of a document, so no link, image or element is made of it."""
    return f'<div class="k-said" dir="auto">{_make_markdown_renderer().render(text, {"cites": cites})}</div>'


def render_extracts(text: str, cites: CitationButtons, terms: frozenset[str]) -> str:
    """Quotations, a paragraph or rows each, with their marks; rows of one table and source share a header."""
    pieces: list[tuple[str | TableGrid, str]] = []
    for block in text.split("\n\n"):
        match = _LAST_MARK.search(block)
        piece = _parse_quotation(block[: match.start()] if match else block)
        mark = cites.render_button(int(match[1])) if match else ""
        last, last_mark = pieces[-1] if pieces else ("", "")
        same = mark == last_mark
        if same and isinstance(piece, TableGrid) and isinstance(last, TableGrid) and last.header == piece.header:
            pieces[-1] = (TableGrid(last.header, (*last.body, *piece.body)), mark)
        else:
            pieces.append((piece, mark))
    return render_list("k-answer k-cited", [_render_quotation(piece, mark, terms) for piece, mark in pieces if piece])


def _render_quotation(piece: str | TableGrid, mark: str, terms: frozenset[str]) -> str:
    if isinstance(piece, TableGrid):
        return f"{render_table(piece, terms)}{mark}"
    # A sentence without a source is no quotation.
    return f"<q>{mark_words(piece, terms)}</q> {mark}" if mark else f"<p>{escape(piece)}</p>"


def _parse_quotation(block: str) -> str | TableGrid:
    """A quotation without its quotation marks, or rows of a table; the first of several rows is the header."""
    lines = block.split("\n")
    if not all(map(is_row, lines)):
        return block.removeprefix("“").removesuffix("”")
    rows = parse_table_grid(lines)
    return rows if rows.header or len(rows.body) == 1 else TableGrid(rows.body[:1], rows.body[1:])


@cache
def _make_markdown_renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(_DISABLED_RULES)
    reader.add_render_rule("text", _render_text)
    return reader


def _render_text(self: Any, tokens: Sequence[Any], index: int, options: Any, env: dict[str, Any]) -> str:
    cites: CitationButtons = env["cites"]
    text = tokens[index].content
    marks = (match.span() for match in _MARK.finditer(text))
    return wrap_spans(text, marks, lambda mark: _UNPROVEN if mark == "[?]" else cites.render_button(int(mark[1:-1])))


def render_calls(calls: Sequence[ToolCall]) -> str:
    """Calls of tools: name, arguments, seconds, and the beginning of the result."""
    items = ""
    for call in calls:
        attribute, ended = (' class="k-failed"', "failed after") if call.failed else ("", "in")
        head = f"<details><summary>{ended} {call.seconds:.2f} s</summary><pre>{escape_text(call.text)}</pre></details>"
        words = f"<code>{escape_text(call.name)}</code> {escape_text(_format_arguments(call.arguments))}"
        items += f"<li{attribute}>{words}{head}</li>"
    return f'<ol class="k-calls">{items}</ol>'


def render_active_call(name: str, arguments: Mapping[str, Any]) -> str:
    """A call that is running."""
    return f'<p class="k-doing"><code>{escape_text(name)}</code> {escape_text(_format_arguments(arguments))}</p>'


def render_read_passages(hits: Sequence[Hit], source_numbers: Mapping[str, int]) -> str:
    """Passages that were read, each folded; `source_numbers` has the number of each that the answer cites."""
    items = ""
    for hit in hits[:MAX_PASSAGES]:
        number = source_numbers.get(hit.chunk_id)
        location = f"{hit.citation.label}, {describe_location(hit.citation)}"
        score = f'<span class="k-score">relevance <strong>{hit.score:.3f}</strong></span>'
        summary = f"<summary>{f'[{number}] ' if number else ''}{escape_text(location)} {score}</summary>"
        items += f"<li><details>{summary}{render_passage(hit.headed_text, frozenset())}</details></li>"
    return f'<ul class="k-read">{items}{render_more_item(len(hits) - MAX_PASSAGES)}</ul>'


def _format_arguments(arguments: Mapping[str, Any]) -> str:
    values = (f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in arguments.items())
    line = ", ".join(values)
    return line if len(line) <= _MAX_ARGUMENT_LENGTH else line[:_MAX_ARGUMENT_LENGTH] + " …"
