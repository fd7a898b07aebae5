"""Texts of passages and spans within a token budget: whole where they fit, else cut, tables below their head."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from dashboards.assistant.tools.document_spans import DocumentSpan
from tasks.token_budget import CUT, clip, count_tokens, fitting_length
from warehouse.reader import Warehouse
from warehouse.records import Hit
from warehouse.store.words import words
from warehouse.table_notation import CLOSING, OPENING_LINE

_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_HEAD_LINES = 8
GAP = "…"
LEAD = 0.3  # The most of a budget that the words above a table may take, where not all of its rows can be shown.


def passage_text(hit: Hit, budget: int, query_words: Collection[str] = ()) -> str:
    """The text of a hit in at most `budget` tokens; "…" marks what is left out.

    `query_words` are the stems of the question: of a table too long, rows with them are shown first.
    """
    if count_tokens(hit.text) <= budget:
        return hit.text
    place = hit.excerpt[0] - hit.start if hit.excerpt else 0
    before = f"{GAP}\n" if place else ""
    rest = hit.text[place:]
    table = OPENING_LINE.search(rest)
    lead = before + rest[: table.start()] if table else rest
    if table and count_tokens(lead) <= LEAD * budget and count_tokens(rest.partition(CLOSING)[0]) > budget:
        return lead + matching_rows(rest[table.start() :], budget - count_tokens(lead), query_words)
    head = table_head(hit.text, place)
    return clip(f"{head}\n{before}{rest}" if head else before + rest, budget)


def matching_rows(table: str, budget: int, query_words: Collection[str]) -> str:
    """The head of a table and as many of its rows as fit, those with most of the asked words first, in their order."""
    head, lines = _head_and_rows(table)
    if not head or count_tokens(head) > budget // 2:
        return clip(table, budget)
    # There may be a gap before each row and after the last.
    left = budget - count_tokens(head) - count_tokens(GAP) - 2
    kept_rows: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda place: -len(set(query_words) & set(words(lines[place])))):
        cost = count_tokens(lines[place]) + count_tokens(GAP) + 2
        if cost <= left:
            kept_rows.add(place)
            left -= cost
    return "\n".join([head, *_with_gaps(lines, kept_rows)])


def table_head(text: str, place: int) -> str:
    """The head of the table that a place of a text lies in, its marker and rule too; empty outside of tables."""
    starts = [lines_with_gaps.start() for lines_with_gaps in OPENING_LINE.finditer(text, 0, place)]
    if not starts or CLOSING in text[starts[-1] : place]:
        return ""
    return _head_and_rows(text[starts[-1] : place])[0]


def _head_and_rows(table: str) -> tuple[str, list[str]]:
    """A table's lines down to the rule below its header, and those of its rows; no head where it has no rule."""
    lines = table.partition(CLOSING)[0].rstrip().split("\n")
    rule = next((number for number, line in enumerate(lines[:_HEAD_LINES]) if _RULE.fullmatch(line.strip())), None)
    return ("", lines) if rule is None else ("\n".join(lines[: rule + 1]), lines[rule + 1 :])


def _with_gaps(lines: Sequence[str], kept_rows: Collection[int]) -> list[str]:
    lines_with_gaps: list[str] = []
    for place, line in enumerate(lines):
        if place in kept_rows:
            lines_with_gaps.append(line)
        elif not lines_with_gaps or lines_with_gaps[-1] != GAP:
            lines_with_gaps.append(GAP)
    return lines_with_gaps


_AROUND = """
    SELECT start, row_spans[header_rows + 1][1] FROM tables
    WHERE document_id = $id AND start < $place AND "end" > $place AND header_rows > 0 AND len(row_spans) > header_rows
"""
HEAD = 0.3  # The most of a budget that a repeated head may take.


@dataclass(frozen=True, slots=True)
class SpanText:
    """What is shown, and the span of it that is the place's own text; `left` is where it goes on, None at its end."""

    text: str
    place: DocumentSpan
    left: int | None = None


def read_span(warehouse: Warehouse, text: str, place: DocumentSpan, budget: int) -> SpanText:
    """As much of a place as fits the budget, from its start; `text` is the document's."""
    head = _head(warehouse, text, place, int(budget * HEAD))
    span_text = text[place.start : place.end]
    length = fitting_length(span_text, max(1, budget - count_tokens(head) - 1))
    if length >= len(span_text):
        return SpanText(head + span_text, place)
    left = place.start + length
    return SpanText(f"{head}{span_text[:length]}{CUT}", replace(place, end=left), left)


def text_before(text: str, place: DocumentSpan, budget: int) -> str:
    """The end of the text in a span before another, as much as fits."""
    span_text = text[place.start : place.end].strip()
    if count_tokens(span_text) <= budget:
        return span_text
    length = fitting_length(span_text[::-1], max(1, budget - 2))
    return f"{CUT.strip()} {span_text[-length:].lstrip()}" if budget > 2 else ""


def text_after(text: str, place: DocumentSpan, budget: int) -> str:
    """The beginning of the text in a span after another, as much as fits."""
    return clip(text[place.start : place.end].strip(), budget) if budget > 2 else ""


def _head(warehouse: Warehouse, text: str, place: DocumentSpan, budget: int) -> str:
    rows = warehouse.snapshot.rows(_AROUND, {"id": place.document_id, "place": place.start})
    if not rows or place.start < rows[0][1]:
        return ""
    head = text[rows[0][0] : rows[0][1]].rstrip()
    return f"{head}\n{CUT.strip()}\n" if count_tokens(head) <= budget else ""
