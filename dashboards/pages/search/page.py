"""Search page: a question with its filters, how it was understood, the short answer, and the passages found.

Each step of an answer is cached by question and generation, and drawn as soon as it is known: passages, then the parts
of them that answer, then quotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from time import monotonic

import streamlit as st
from pydantic_core import to_json

from dashboards.assistant.answer_types import ExtractsStatus
from dashboards.assistant.extract_answers import PassageQuotations, select_quotations
from dashboards.assistant.tools.contract import ToolContext
from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.highlights import Highlight, HighlightKind
from dashboards.drawing.hits import best_quotes_html
from dashboards.drawing.marking import query_words
from dashboards.drawing.notices import note_html, nothing_html
from dashboards.drawing.understanding import fact_list_html
from dashboards.pages.search.asking import PLAINLY, Asked, Shown, asked_of
from dashboards.pages.search.hits import HitSlots
from dashboards.pages.search.queries import (
    DocumentSpan,
    QuestionReading,
    answer_spans,
    find_highlights,
    first_tables,
    list_alternatives,
    list_readings,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.serializers.finds import hits_table, search_json
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.frame import name_tab
from dashboards.widgets.resources import PageContext, page_context
from tasks.ask.excerpts import with_excerpts
from tasks.ask.explaining import facts
from tasks.ask.finding import find
from tasks.quality.wording import counted
from warehouse.records import Found, Hit

_NO_SENTENCE = "<p>No single sentence answers this; see the passages below.</p>"


def page() -> None:
    """Draw the question and, once it is asked, its answer."""
    st.title("Search")
    here = page_context()
    catalogue = here.catalogue()
    asked, seen = asked_of(catalogue)
    if not asked.text:
        _draw_start(catalogue)
        return
    name_tab(asked.text, "Search")
    key = answer_key(here)
    with st.spinner("Searching …"):
        answer = run_search(key, asked, here)
    draw_understanding(asked, answer.found, explain=seen.explain)
    if not answer.found.hits:
        st.html(nothing_html("No passage matches these filters.", "Clear one of them, or choose a longer period."))
        return
    _draw_answer(key, asked, answer, seen, here)


def _draw_start(catalogue: LibraryCatalogue) -> None:
    st.html(
        nothing_html(
            f"Ask a question to search {counted(catalogue.chunks, 'passage')} "
            f"of {counted(catalogue.readable, 'document')}.",
            "The address of this page keeps the question and its filters, so you can share an answer by its link.",
        )
    )


def _draw_answer(key: AnswerKey, asked: Asked, answer: TimedSearch, seen: Shown, here: PageContext) -> None:
    """What is known soonest is drawn first: passages, the parts that answer, quotations, pictures."""
    found, words = answer.found, query_words(asked.text)
    above = st.container(key="search-answer")
    foot = st.container(horizontal=True, vertical_alignment="center", key="search-found")
    drawn = HitSlots(here, found.hits, answer.tables)
    marks = highlights_of(key, hit_spans(found.hits), seen.looks, here)
    drawn.tell(found.hits, words, marks, explain=seen.explain)
    hits = with_answering_parts(key, asked, found, here)
    drawn.tell(hits, words, marks, explain=seen.explain)
    with foot:
        count = st.empty()
        _draw_downloads(answer, hits)
    count.caption(_count_words(hits, answer))
    with above:
        st.header("Short answer, word for word", anchor=False)
        with st.spinner("Choosing quotations …"):
            said = quote_answer(key, asked, found, here)
        sure = said.standing is ExtractsStatus.ANSWER and said.extracts
        st.html(best_quotes_html(said.extracts, said.hits, words) if sure else _NO_SENTENCE)
    further = said.hits[len(hits) :]
    if further:
        drawn.add(further, first_tables(here.warehouse.at(), further))
        count.caption(_count_words(hits, answer, further))
    told = [*hits, *further]
    spans = [answer_spans(hit, place, said.extracts, asked.text) for place, hit in enumerate(told)]
    every = [*marks, *highlights_of(key, hit_spans(further), seen.looks, here)]
    drawn.tell(told, words, every, spans, explain=seen.explain)
    drawn.act(told, spans, {0, said.extracts[0].hit} if sure else {0})


def _count_words(hits: Sequence[Hit], answer: TimedSearch, further: Sequence[Hit] = ()) -> str:
    """How many passages were found, and how many stand below them because the short answer quotes them."""
    more = f", and {len(further)} more that the short answer quotes" if further else ""
    return f"{counted(len(hits), 'passage')} in {answer.seconds:.2f} s{more}"


def _draw_downloads(answer: TimedSearch, hits: list[Hit]) -> None:
    found = answer.found
    draw_download("kalends-hits", len(hits), lambda: hits_table(hits))
    st.download_button(
        "JSON",
        lambda: to_json(search_json(found.question, hits, found.notes), indent=2, inf_nan_mode="null"),
        "kalends-hits.json",
        "application/json",
        on_click="ignore",
        icon=":material/data_object:",
        help="As 'kalends search --json' prints it",
    )


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


_READINGS_KEY = "search-readings"


def draw_understanding(asked: Asked, found: Found, *, explain: bool) -> None:
    """The readings to take back or to take up again, the notes, and all that was understood."""
    _draw_readings(asked, found)
    for note in found.notes:
        st.html(note_html(note))
    for number, other in enumerate(list_alternatives(found.question)):
        st.button(
            f"Read it as {markdown_label(other.told, 120)}",
            icon=":material/calendar_month:",
            key=f"search-other-reading-{number}",
            on_click=_ask_alternative,
            args=(other.question,),
        )
    with st.expander("How the question was understood", expanded=explain, type="compact"):
        st.html(fact_list_html(list(facts(found.question))))


def _ask_alternative(question: str) -> None:
    state.put("search", "q", question)
    st.query_params.pop(PLAINLY, None)


def _draw_readings(asked: Asked, found: Found) -> None:
    """Each reading is pressed or not; its words stand in the address once it is not."""
    counted = list_readings(found.question)
    kept = {reading.words.lower() for reading in counted}
    back = tuple(QuestionReading(words, "plain words") for words in asked.plainly if words.lower() not in kept)
    there = {reading.words: reading for reading in (*counted, *back)}
    if not there:
        return
    key = f"{_READINGS_KEY}-{asked.text}-{len(there)}-{'-'.join(asked.plainly)}"
    st.pills(
        "Understood in the question",
        list(there),
        selection_mode="multi",
        default=[reading.words for reading in counted],
        format_func=lambda words: _reading_label(there[words]),
        key=key,
        on_change=partial(_update_literal_words, key, list(there)),
        help="Press one to search for its words as plain text. To set another period or name, "
        "use the filters “Period mentioned” and, under “More filters”, “Name”.",
    )


def _update_literal_words(key: str, there: list[str]) -> None:
    chosen = st.session_state[key]
    left = [words for words in there if words not in chosen]
    if left:
        st.query_params[PLAINLY] = left
    else:
        st.query_params.pop(PLAINLY, None)


def _reading_label(reading: QuestionReading) -> str:
    told = reading.told or f"“{reading.words}”"
    return f"**{markdown_label(reading.what)}** {markdown_label(told, 120)}"
