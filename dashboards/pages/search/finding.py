"""What is found for a question: passages at once, then the parts that answer, then quotations; each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic

import streamlit as st

from dashboards.assistant.extract_answers import Quoted, select_quotations
from dashboards.assistant.tools.contract import ToolContext
from dashboards.facts.search.marks import Look, Mark, Stretch, marks_in
from dashboards.facts.search.tables import first_tables
from dashboards.pages.search.asking import Asked
from dashboards.widgets.resources import Place
from tasks.ask.excerpts import with_excerpts
from tasks.ask.finding import find
from warehouse.records import Found, Hit

Key = tuple[str, str, str, date]
"""What an answer depends on beside the question: the warehouse's folder, what is published, the model, today."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was found for a question in how many seconds, and the first table that each hit touches, by its place."""

    found: Found
    seconds: float
    tables: dict[int, int]


def key_of(here: Place) -> Key:
    """What answers depend on now."""
    return str(here.settings.warehouse), here.state, here.settings.embed.model, datetime.now(UTC).date()


@st.cache_data(show_spinner=False, max_entries=64)
def answer_of(key: Key, asked: Asked, _here: Place) -> Answer:
    """The passages. Raises `BadInput` as `find` does."""
    started, held = monotonic(), _here.warehouse.at()
    found = find(held, asked.wanted, _here.embedder(), key[-1])
    return Answer(found, monotonic() - started, first_tables(held, found.hits))


@st.cache_data(show_spinner=False, max_entries=64)
def excerpts_of(key: Key, asked: Asked, _found: Found, _here: Place) -> list[Hit]:
    """The hits with the part of each that answers: takes longer than to find them."""
    return with_excerpts(_found.question, _found.hits, _here.embedder())


@st.cache_data(show_spinner=False, max_entries=64)
def quoted_of(key: Key, asked: Asked, _found: Found, _here: Place) -> Quoted:
    """The short answer, as 'kalends ask' gives it without a model."""
    return select_quotations(ToolContext(_here.settings, _here.warehouse.at(), key[-1]), asked.wanted, _found)


@st.cache_data(show_spinner=False, max_entries=64)
def marks_of(key: Key, passages: Sequence[Stretch], looks: tuple[Look, ...], _here: Place) -> list[tuple[Mark, ...]]:
    """The dates and names in each passage."""
    return marks_in(_here.warehouse.at(), passages, looks)


def stretches(hits: Sequence[Hit]) -> list[Stretch]:
    """Where hits stand."""
    return [(hit.document_id, hit.start, hit.end) for hit in hits]
