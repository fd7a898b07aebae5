"""Search: a question, filters, and the passages that answer, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic

import streamlit as st

from dashboards.drawing.hits import answer_html, hit_html
from dashboards.drawing.marking import asked_words
from dashboards.drawing.notices import nothing_html
from dashboards.views.frame import framed
from dashboards.views.resources import Catalogue, Place, place
from tasks.ask.extracts import Extract, extracts
from tasks.ask.finding import find
from warehouse.errors import BadInput
from warehouse.records import Citation, Filters, Hit, Question, Wanted

COUNTS = (3, 5, 10, 20, 50)
FEW = 5
EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 31)

Key = tuple[str, str, str, date]
"""What an answer depends on beside the question: the warehouse's folder, what is published, the model, today."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader wants to know."""

    text: str
    filters: Filters
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was found for a question in how many seconds."""

    question: Question
    hits: Sequence[Hit]
    seconds: float


@framed
def page() -> None:
    """Draw the question and, once it is asked, its answer."""
    st.title("Search")
    here = place()
    catalogue = here.catalogue()
    asked = _asked(catalogue)
    if not asked.text:
        _start(catalogue)
        return
    key = (str(here.settings.warehouse), here.state, here.settings.embed.model, datetime.now(UTC).date())
    with st.spinner("Looking for passages …"):
        answer = _answer(key, asked, here)
    _draw(asked, answer, lambda: _quotes(key, asked, answer, here))


def _asked(catalogue: Catalogue) -> Asked:
    text = st.text_input(
        "Question",
        key="q",
        type="search",
        bind="query-params",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
    )
    with st.container(key="filters"):
        kind, root, since, until, count = st.columns([3, 3, 2, 2, 1.3])
    kinds = kind.multiselect("Kind", catalogue.kinds, key="kind", bind="query-params", placeholder="Any kind")
    roots = root.multiselect("Root", catalogue.roots, key="root", bind="query-params", placeholder="Any root")
    first = _day(since, "Dated from", "since")
    last = _day(until, "Dated before", "until")
    hits = count.selectbox("Passages", COUNTS, COUNTS.index(FEW), key="k", bind="query-params")
    if first and last and first >= last:
        raise BadInput(f"no day lies from {first} to before {last}", "choose a later end")
    return Asked((text or "").strip(), Filters(tuple(kinds), tuple(roots), (), first, last), hits or FEW)


def _day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    picked = column.date_input(
        label, None, EARLIEST, LATEST, key=key, format="YYYY-MM-DD", bind="query-params", help="The document's date"
    )
    return picked if isinstance(picked, date) else None


def _start(catalogue: Catalogue) -> None:
    st.html(
        nothing_html(
            f"{catalogue.chunks:,} passages of {catalogue.readable:,} documents wait for a question.",
            "The address of this page keeps the question and its filters, so an answer can be sent.",
        )
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _answer(key: Key, asked: Asked, _here: Place) -> Answer:
    started = monotonic()
    found = find(_here.warehouse, Wanted(asked.text, asked.filters, k=asked.count), _here.embedder(), key[-1])
    return Answer(found.question, found.hits, monotonic() - started)


@st.cache_data(show_spinner=False, max_entries=64)
def _quotes(key: Key, asked: Asked, _answer: Answer, _here: Place) -> list[Extract]:
    return extracts(_answer.question, _answer.hits[:FEW], _here.embedder())


def _draw(asked: Asked, answer: Answer, quotes: Callable[[], list[Extract]]) -> None:
    """The passages first: to choose quotations takes longer than to find what they stand in."""
    if not answer.hits:
        st.html(nothing_html("No passage satisfies these filters.", "Take one away, or widen the period."))
        return
    marks = asked_words(asked.text)
    above = st.container(key="answer")
    st.caption(f"{len(answer.hits)} passages in {answer.seconds:.2f} s")
    strongest = max((hit.keyword or 0.0 for hit in answer.hits), default=0.0)
    for number, hit in enumerate(answer.hits, 1):
        with st.container(border=True, key=f"hit-{number}"):
            st.html(hit_html(number, hit, strongest, marks))
            _cite(hit.citation)
    with above:
        st.subheader("Short answer, word for word", anchor=False)
        with st.spinner("Choosing quotations …"):
            found = quotes()
        st.html(answer_html(found, answer.hits, marks) if found else "<p>No sentence here says it by itself.</p>")


def _cite(citation: Citation) -> None:
    """The citation to copy: browsers refuse to open a file from a page, so its link must be readable."""
    with st.expander("Citation and link"):
        st.code(citation.formatted_with_link, language=None, wrap_lines=True)
        if citation.url.startswith("obsidian://open?vault="):
            st.link_button("Open in Obsidian", citation.url, icon=":material/open_in_new:")
