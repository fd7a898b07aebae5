"""Search: a question, filters, and the passages that answer, each with its citation and its page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from pydantic_core import to_json

from dashboards.assistant.answer_types import ExtractsStatus
from dashboards.drawing.hits import best_quotes_html
from dashboards.drawing.marking import query_words
from dashboards.drawing.notices import nothing_html
from dashboards.facts.search.meant import answer_spans
from dashboards.facts.search.tables import first_tables
from dashboards.pages.search.asking import Asked, Shown, asked_of
from dashboards.pages.search.finding import (
    AnswerKey,
    TimedSearch,
    answer_key,
    highlights_of,
    hit_spans,
    quote_answer,
    run_search,
    with_answering_parts,
)
from dashboards.pages.search.hits import HitSlots
from dashboards.pages.search.understanding import draw_understanding
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.serializers.finds import hits_table, search_json
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.frame import name_tab
from dashboards.widgets.resources import PageContext, page_context
from tasks.quality.wording import counted
from warehouse.records import Hit

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
