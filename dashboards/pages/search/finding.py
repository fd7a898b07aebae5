"""What is found for a question: passages at once, then the parts that answer, then quotations; each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic

import streamlit as st

from dashboards.assistant.extract_answers import PassageQuotations, select_quotations
from dashboards.assistant.tools.contract import ToolContext
from dashboards.facts.search.marks import DocumentSpan, Highlight, HighlightKind, find_highlights
from dashboards.facts.search.tables import first_tables
from dashboards.pages.search.asking import Asked
from dashboards.widgets.resources import PageContext
from tasks.ask.excerpts import with_excerpts
from tasks.ask.finding import find
from warehouse.records import Found, Hit

AnswerKey = tuple[str, str, str, date]
"""What an answer depends on beside the question: the warehouse's folder, what is published, the model, today."""


@dataclass(frozen=True, slots=True, eq=False)
class TimedSearch:
    """What was found for a question in how many seconds, and the first table that each hit touches, by its place."""

    found: Found
    seconds: float
    tables: dict[int, int]


def answer_key(here: PageContext) -> AnswerKey:
    """What answers depend on now."""
    return str(here.settings.warehouse), here.state, here.settings.embed.model, datetime.now(UTC).date()


@st.cache_data(show_spinner=False, max_entries=64)
def run_search(key: AnswerKey, asked: Asked, _here: PageContext) -> TimedSearch:
    """The passages. Raises `BadInput` as `find` does."""
    started, held = monotonic(), _here.warehouse.at()
    found = find(held, asked.wanted, _here.embedder(), key[-1])
    return TimedSearch(found, monotonic() - started, first_tables(held, found.hits))


@st.cache_data(show_spinner=False, max_entries=64)
def with_answering_parts(key: AnswerKey, asked: Asked, _found: Found, _here: PageContext) -> list[Hit]:
    """The hits with the part of each that answers: takes longer than to find them."""
    return with_excerpts(_found.question, _found.hits, _here.embedder())


@st.cache_data(show_spinner=False, max_entries=64)
def quote_answer(key: AnswerKey, asked: Asked, _found: Found, _here: PageContext) -> PassageQuotations:
    """The short answer, as 'kalends ask' gives it without a model."""
    return select_quotations(ToolContext(_here.settings, _here.warehouse.at(), key[-1]), asked.wanted, _found)


@st.cache_data(show_spinner=False, max_entries=64)
def highlights_of(
    key: AnswerKey, passages: Sequence[DocumentSpan], looks: tuple[HighlightKind, ...], _here: PageContext
) -> list[tuple[Highlight, ...]]:
    """The dates and names in each passage."""
    return find_highlights(_here.warehouse.at(), passages, looks)


def hit_spans(hits: Sequence[Hit]) -> list[DocumentSpan]:
    """Where hits stand."""
    return [(hit.document_id, hit.start, hit.end) for hit in hits]
