"""Answers as HTML: a model's Markdown without links, images or elements, quotations, and the steps of an answer.

A mark [n] becomes a button that names its source as `data-cite="TURN.n"`, where the answer has such a source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from dashboards.assistant.answer_types import ToolCall
from dashboards.html.hits import location_words
from dashboards.html.passage_markup import TableGrid, is_row, mark_words, passage_html, table_grid, table_html
from dashboards.html.safe_text import text_html
from warehouse.records import Hit

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
    """A button that copies a text (`dashboards.widgets.browser_scripts`)."""
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


MOST = 60
"""Passages drawn whole; the others are only counted."""
_LONGEST = 400


def calls_html(calls: Sequence[ToolCall]) -> str:
    """Each use of a tool: its name, what it was given, its seconds, and the head of what it gave."""
    return f'<ol class="k-calls">{"".join(map(_call, calls))}</ol>'


def active_call_html(name: str, given: Mapping[str, Any]) -> str:
    """A tool that is being used."""
    return f'<p class="k-doing"><code>{text_html(name)}</code> {text_html(_given(given))}</p>'


def read_passages_html(hits: Sequence[Hit], cited: Mapping[str, int]) -> str:
    """Each passage that was read, to be opened; `cited` are the numbers of those that the answer cites, by id."""
    items = "".join(_read(hit, cited.get(hit.chunk_id)) for hit in hits[:MOST])
    more = f"<li>and {len(hits) - MOST:,} more</li>" if len(hits) > MOST else ""
    return f'<ul class="k-read">{items}{more}</ul>'


def _call(call: ToolCall) -> str:
    looks, ended = (' class="k-failed"', "failed after") if call.failed else ("", "in")
    head = f"<details><summary>{ended} {call.seconds:.2f} s</summary><pre>{text_html(call.text)}</pre></details>"
    return f"<li{looks}><code>{text_html(call.name)}</code> {text_html(_given(call.arguments))}{head}</li>"


def _given(given: Mapping[str, Any]) -> str:
    told = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in given.items())
    return told if len(told) <= _LONGEST else told[:_LONGEST] + " …"


def _read(hit: Hit, number: int | None) -> str:
    mark = f"[{number}] " if number else ""
    where = f"{hit.citation.label}, {location_words(hit.citation)}"
    score = f'<span class="k-score">relevance <strong>{hit.score:.3f}</strong></span>'
    text = passage_html(hit.text, frozenset())
    return f"<li><details><summary>{mark}{text_html(where)} {score}</summary>{text}</details></li>"
