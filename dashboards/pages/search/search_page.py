"""Search page: the question form, how the question was understood, the short answer, and the passages found.

The address keeps the question with its filters, ranking and display options. Each step of an answer is cached by
request and generation, and drawn as soon as it is known: passages, then the parts of them that answer, then quotations.
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
from dashboards.html.hits import best_quotes_html
from dashboards.html.passage_markup import HighlightKind, query_words
from dashboards.html.safe_text import fact_list_html, markdown_label, note_html, nothing_html
from dashboards.pages.search.hits import HitSlots
from dashboards.pages.search.search_queries import (
    DocumentSpan,
    QuestionReading,
    answer_spans,
    find_highlights,
    first_tables,
    list_alternatives,
    list_readings,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.serializers.search_results import hits_table, search_json
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download
from dashboards.widgets.navigation import name_tab
from dashboards.widgets.resources import PageContext, cached_query, page_context
from dashboards.widgets.search_filters import draw_filters, draw_ranking
from tasks.ask.excerpts import with_excerpts
from tasks.ask.explanations import question_facts
from tasks.quality.phrases import counted
from tasks.query.retrieval import find
from warehouse.errors import BadInput
from warehouse.records import Found, Hit, SearchRequest

LITERAL_PARAMETER = "plainly"
"""The parameter of the address for words of the question that are searched for as plain text."""
_NO_SENTENCE = "<p>No single sentence answers this; see the passages below.</p>"


@dataclass(frozen=True, slots=True, eq=False)
class TimedSearch:
    """The result of a search, the seconds it took, and by the index of a hit the first table that the hit touches."""

    found: Found
    seconds: float
    tables: dict[int, int]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Which highlights passages have, and whether scores are explained."""

    highlights: tuple[HighlightKind, ...]
    explain: bool


def page() -> None:
    """Draw the question form and, once a question is asked, its answer."""
    st.title("Search")
    here = page_context()
    catalogue = here.catalogue()
    request, options = draw_question_form(catalogue)
    if not request.text:
        passages, documents = counted(catalogue.chunks, "passage"), counted(catalogue.readable, "document")
        cure = "The address of this page keeps the question and its filters, so you can share an answer by its link."
        st.html(nothing_html(f"Ask a question to search {passages} of {documents}.", cure))
        return
    name_tab(request.text, "Search")
    today = datetime.now(UTC).date()
    with st.spinner("Searching …"):
        search = run_search(here, request, today)
    _draw_understanding(request, search.found, explain=options.explain)
    if not search.found.hits:
        st.html(nothing_html("No passage matches these filters.", "Clear one of them, or choose a longer period."))
        return
    _draw_answer(here, request, today, search, options)


def draw_question_form(catalogue: LibraryCatalogue) -> tuple[SearchRequest, DisplayOptions]:
    """Draw the form; returns the request, with an empty text before a question is typed, and the display options.

    Raises `BadInput` for filters that cannot be read, once the whole form is drawn.
    """
    text = st.text_input(
        "Question",
        type="search",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
        on_change=_clear_literal_terms,
        **state.binding("search", "q"),
    )
    with st.container(horizontal=True, key="search-bar", gap="small"):
        filter_error = None
        try:
            filters, count = draw_filters("search", catalogue)
        except BadInput as error:
            filter_error = error
        with st.popover("Ranking", icon=":material/tune:", type="tertiary", key="search-ranking"):
            ranking = draw_ranking("search")
        with st.popover("Display", icon=":material/visibility:", type="tertiary", key="search-display"):
            options = _draw_display_options()
    if filter_error:
        raise filter_error
    literal_terms = tuple(st.query_params.get_all(LITERAL_PARAMETER))
    return SearchRequest((text or "").strip(), filters, ranking, count, literal_terms), options


def _clear_literal_terms() -> None:
    """Another question has other words."""
    st.query_params.pop(LITERAL_PARAMETER, None)


def _draw_display_options() -> DisplayOptions:
    dates = st.toggle("Mark dates", value=True, **state.binding("search", "dates"))
    names = st.toggle("Mark names", value=True, **state.binding("search", "names"))
    help_text = "How the question was understood, and what each score is made of"
    explain = st.toggle("Explain the scores", help=help_text, **state.binding("search", "explain"))
    return DisplayOptions((*([HighlightKind.DATE] if dates else []), *([HighlightKind.NAME] if names else [])), explain)


def _draw_answer(
    here: PageContext, request: SearchRequest, today: date, search: TimedSearch, options: DisplayOptions
) -> None:
    """Draw the short answer above the hits; hits are drawn again with each step: passages, excerpts, quotations."""
    found, words, warehouse = search.found, query_words(request.text), here.warehouse.at()
    above = st.container(key="search-answer")
    bar = st.container(horizontal=True, vertical_alignment="center", key="search-found")
    slots = HitSlots(here, found.hits, search.tables)
    highlights = _cached_highlights(warehouse, hit_spans(found.hits), options.highlights)
    slots.draw_passages(found.hits, words, highlights, explain=options.explain)
    hits = hits_with_excerpts(here, request, today, found)
    slots.draw_passages(hits, words, highlights, explain=options.explain)
    with bar:
        count = st.empty()
        _draw_downloads(found, hits)
    count.caption(_count_words(hits, search))
    with above:
        st.header("Short answer, word for word", anchor=False)
        with st.spinner("Choosing quotations …"):
            answer = quote_answer(here, request, today, found)
        is_answered = answer.extracts_status is ExtractsStatus.ANSWER and answer.extracts
        st.html(best_quotes_html(answer.extracts, answer.hits, words) if is_answered else _NO_SENTENCE)
    # The short answer may quote passages that the search itself did not return.
    quoted_hits = answer.hits[len(hits) :]
    if quoted_hits:
        slots.reserve(quoted_hits, first_tables(warehouse, quoted_hits))
        count.caption(_count_words(hits, search, quoted_hits))
    hits = [*hits, *quoted_hits]
    spans = [answer_spans(hit, index, answer.extracts, request.text) for index, hit in enumerate(hits)]
    highlights = [*highlights, *_cached_highlights(warehouse, hit_spans(quoted_hits), options.highlights)]
    slots.draw_passages(hits, words, highlights, spans, explain=options.explain)
    slots.draw_actions(hits, spans, {0, answer.extracts[0].hit} if is_answered else {0})


def _count_words(hits: Sequence[Hit], search: TimedSearch, quoted: Sequence[Hit] = ()) -> str:
    """How many passages were found, and how many more are below them because the short answer quotes them."""
    more = f", and {len(quoted)} more that the short answer quotes" if quoted else ""
    return f"{counted(len(hits), 'passage')} in {search.seconds:.2f} s{more}"


def _draw_downloads(found: Found, hits: list[Hit]) -> None:
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


_cached_highlights = cached_query(64)(find_highlights)


@cached_query(64)
def run_search(here: PageContext, request: SearchRequest, today: date) -> TimedSearch:
    """Search the warehouse. Raises `BadInput` as `find` does."""
    started, warehouse = monotonic(), here.warehouse.at()
    found = find(warehouse, request, here.embedder(), today)
    return TimedSearch(found, monotonic() - started, first_tables(warehouse, found.hits))


@cached_query(64)
def hits_with_excerpts(here: PageContext, request: SearchRequest, today: date, _found: Found) -> list[Hit]:
    """The hits, each with the part of it that answers. Takes longer than the search itself."""
    return with_excerpts(_found.question, _found.hits, here.embedder())


@cached_query(64)
def quote_answer(here: PageContext, request: SearchRequest, today: date, _found: Found) -> PassageQuotations:
    """The short answer, as 'kalends ask' gives it without a model."""
    return select_quotations(ToolContext(here.settings, here.warehouse.at(), today), request, _found)


def hit_spans(hits: Sequence[Hit]) -> list[DocumentSpan]:
    """The document and the span of each hit."""
    return [(hit.document_id, hit.start, hit.end) for hit in hits]


def _draw_understanding(request: SearchRequest, found: Found, *, explain: bool) -> None:
    """Draw the readings of the question, its notes, other readings of its periods, and everything that was understood.

    `explain` unfolds the latter.
    """
    _draw_readings(request, found)
    for note in found.notes:
        st.html(note_html(note))
    for number, alternative in enumerate(list_alternatives(found.question)):
        st.button(
            f"Read it as {markdown_label(alternative.meaning, 120)}",
            icon=":material/calendar_month:",
            key=f"search-other-reading-{number}",
            on_click=_ask_alternative,
            args=(alternative.question,),
        )
    with st.expander("How the question was understood", expanded=explain, type="compact"):
        st.html(fact_list_html(list(question_facts(found.question))))


def _ask_alternative(question: str) -> None:
    state.put("search", "q", question)
    _clear_literal_terms()


def _draw_readings(request: SearchRequest, found: Found) -> None:
    """Draw the readings as pills: selected while they apply; the words of one that is deselected go to the address."""
    applied = list_readings(found.question)
    applied_words = {reading.words.lower() for reading in applied}
    literal = (QuestionReading(words, "plain words") for words in request.literal_terms)
    readings = {
        reading.words: reading
        for reading in (*applied, *(each for each in literal if each.words.lower() not in applied_words))
    }
    if not readings:
        return
    labels = {
        words: f"**{markdown_label(each.kind)}** {markdown_label(each.meaning or f'“{words}”', 120)}"
        for words, each in readings.items()
    }
    key = f"search-readings-{request.text}-{len(readings)}-{'-'.join(request.literal_terms)}"
    st.pills(
        "Understood in the question",
        list(readings),
        selection_mode="multi",
        default=[reading.words for reading in applied],
        format_func=labels.__getitem__,
        key=key,
        on_change=partial(_update_literal_terms, key, list(readings)),
        help="Press one to search for its words as plain text. To set another period or name, "
        "use the filters “Period mentioned” and, under “More filters”, “Name”.",
    )


def _update_literal_terms(key: str, offered: list[str]) -> None:
    selected = st.session_state[key]
    literal_terms = [words for words in offered if words not in selected]
    if literal_terms:
        st.query_params[LITERAL_PARAMETER] = literal_terms
    else:
        st.query_params.pop(LITERAL_PARAMETER, None)
