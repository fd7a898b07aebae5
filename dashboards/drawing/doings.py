"""What was done for an answer, as HTML: the tools that were used and the passages that were read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.assistant.answer_types import ToolCall
from dashboards.drawing.escaping import text_html
from dashboards.drawing.hits import location_words
from dashboards.drawing.passages import passage_html
from warehouse.records import Hit

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
    return f"<li{looks}><code>{text_html(call.name)}</code> {text_html(_given(call.given))}{head}</li>"


def _given(given: Mapping[str, Any]) -> str:
    told = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in given.items())
    return told if len(told) <= _LONGEST else told[:_LONGEST] + " …"


def _read(hit: Hit, number: int | None) -> str:
    mark = f"[{number}] " if number else ""
    where = f"{hit.citation.label}, {location_words(hit.citation)}"
    score = f'<span class="k-score">relevance <strong>{hit.score:.3f}</strong></span>'
    text = passage_html(hit.text, frozenset())
    return f"<li><details><summary>{mark}{text_html(where)} {score}</summary>{text}</details></li>"
