"""Search: a question, filters, and the passages that answer, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic

import streamlit as st

from dashboards.drawing.hits import answer_html, hit_html
from dashboards.drawing.marking import asked_words
from dashboards.drawing.notices import note_html, nothing_html
from dashboards.drawing.understanding import understood_html
from dashboards.shapes.catalogue import Catalogue
from dashboards.views.citing import cite
from dashboards.views.filtering import FEW, Asked, asked_of
from dashboards.views.frame import framed
from dashboards.views.resources import Place, place
from tasks.ask.excerpts import with_excerpts
from tasks.ask.explaining import facts
from tasks.ask.extracts import Extract, extracts
from tasks.ask.finding import find
from warehouse.records import Found, Hit, Wanted

Key = tuple[str, str, str, date]
"""What an answer depends on beside the question: the warehouse's folder, what is published, the model, today."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was found for a question in how many seconds, and its hits with their excerpts."""

    found: Found
    hits: Sequence[Hit]
    seconds: float


@framed
def page() -> None:
    """Draw the question and, once it is asked, its answer."""
    st.title("Search")
    here = place()
    catalogue = here.catalogue()
    asked = asked_of(catalogue)
    if not asked.text:
        _start(catalogue)
        return
    key = (str(here.settings.warehouse), here.state, here.settings.embed.model, datetime.now(UTC).date())
    with st.spinner("Looking for passages …"):
        answer = _answer(key, asked, here)
    _draw(asked, answer, lambda: _quotes(key, asked, answer, here))


def _start(catalogue: Catalogue) -> None:
    st.html(
        nothing_html(
            f"{catalogue.chunks:,} passages of {catalogue.readable:,} documents wait for a question.",
            "The address of this page keeps the question and its filters, so an answer can be sent.",
        )
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _answer(key: Key, asked: Asked, _here: Place) -> Answer:
    started, embedder = monotonic(), _here.embedder()
    found = find(_here.warehouse, Wanted(asked.text, asked.filters, k=asked.count), embedder, key[-1])
    seconds = monotonic() - started
    return Answer(found, with_excerpts(found.question, found.hits, embedder), seconds)


@st.cache_data(show_spinner=False, max_entries=64)
def _quotes(key: Key, asked: Asked, _answer: Answer, _here: Place) -> list[Extract]:
    return extracts(_answer.found.question, _answer.hits[:FEW], _here.embedder())


def _draw(asked: Asked, answer: Answer, quotes: Callable[[], list[Extract]]) -> None:
    """The passages first: to choose quotations takes longer than to find what they stand in."""
    _explain(answer.found)
    if not answer.hits:
        st.html(nothing_html("No passage satisfies these filters.", "Take one away, or widen the period."))
        return
    marks = asked_words(asked.text)
    above = st.container(key="answer")
    st.caption(f"{len(answer.hits)} passages in {answer.seconds:.2f} s")
    for number, hit in enumerate(answer.hits, 1):
        with st.container(border=True, key=f"hit-{number}"):
            st.html(hit_html(number, hit, marks))
            cite(hit.citation.formatted_with_link, hit.citation.url)
    with above:
        st.subheader("Short answer, word for word", anchor=False)
        with st.spinner("Choosing quotations …"):
            found = quotes()
        st.html(answer_html(found, answer.hits, marks) if found else "<p>No sentence here says it by itself.</p>")


def _explain(found: Found) -> None:
    """What the reader should know of the answer, and how the question was read."""
    for note in found.notes:
        st.html(note_html(note))
    with st.expander("How the question was understood"):
        st.html(understood_html(list(facts(found.question))))
