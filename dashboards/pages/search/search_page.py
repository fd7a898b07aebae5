"""Search page: the question form, how the question was understood, the short answer, and the passages found.

The address keeps the question with its filters, ranking and display options. Each step of an answer is cached by
request and generation, and drawn as soon as it is known: passages, then the parts of them that answer, then quotations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from time import monotonic

import streamlit as st
from pydantic_core import to_json

from dashboards.assistant.answer_types import ExtractsStatus
from dashboards.assistant.extract_answers import PassageQuotations, select_quotations
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.hits import render_best_quotes, render_hit
from dashboards.html.passage_markup import Highlight, HighlightKind, extract_query_stems, render_passage
from dashboards.html.safe_text import escape_text, format_markdown_label, render_empty_state, render_facts, render_note
from dashboards.pages.search.search_queries import (
    DocumentSpan,
    QuestionReading,
    find_answer_spans,
    find_first_tables,
    find_highlights,
    find_nearby_passages,
    list_alternatives,
    list_readings,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.serializers.search_results import build_hits_table, serialize_search
from dashboards.widgets import state
from dashboards.widgets.browser_scripts import draw_field_popover
from dashboards.widgets.data_elements import draw_download
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_span_pages, has_page_pictures
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from dashboards.widgets.search_filters import RANKING_OPTIONS, draw_filters, draw_ranking
from dashboards.widgets.sources import draw_citation
from tasks.ask.excerpts import with_excerpts
from tasks.ask.explanations import iter_question_facts
from tasks.ask.passage_units import Span
from tasks.quality.phrases import format_count
from tasks.query.retrieval import find
from warehouse.errors import BadInput
from warehouse.records import Hit, SearchRequest, SearchResult

LITERAL_PARAMETER = "plainly"
"""The parameter of the address for words of the question that are searched for as plain text."""
_NO_SENTENCE = "<p>No single sentence answers this; see the passages below.</p>"


@dataclass(frozen=True, slots=True, eq=False)
class TimedSearch:
    """The result of a search, the seconds it took, and by the index of a hit the first table that the hit touches."""

    result: SearchResult
    seconds: float
    tables: dict[int, int]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Which highlights passages have, and whether scores are explained."""

    highlights: tuple[HighlightKind, ...]
    explain: bool


def draw_page() -> None:
    """Draw the question form and, once a question is asked, its answer."""
    st.title("Search")
    here = load_page_context()
    catalogue = here.read_catalogue()
    request, options = draw_question_form(catalogue)
    if not request.text:
        counts = catalogue.counts
        passages, documents = format_count(counts.passages, "passage"), format_count(counts.documents, "document")
        cure = "The address of this page keeps the question and its filters, so you can share an answer by its link."
        st.html(render_empty_state(f"Ask a question to search {passages} of {documents}.", cure))
        return
    name_tab(request.text, "Search")
    today = datetime.now(UTC).date()
    with st.spinner("Searching …"):
        search = run_search(here, request, today)
    _draw_understanding(request, search.result, explain=options.explain)
    if not search.result.hits:
        cure = "Clear one of them, or choose a longer period."
        st.html(render_empty_state("No passage matches these filters.", cure))
        return
    _draw_answer(here, request, today, search, options)


def draw_question_form(catalogue: LibraryCatalogue) -> tuple[SearchRequest, DisplayOptions]:
    """Draw the form; returns the request and the display options. Raises `BadInput` for filters, once all is drawn."""
    text = st.text_input(
        "Question",
        type="search",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
        on_change=_clear_literal_terms,
        **state.bind_field("search", "q"),
    )
    with st.container(horizontal=True, key="search-bar", gap="small"):
        filter_error = None
        try:
            filters, count = draw_filters("search", catalogue)
        except BadInput as error:
            filter_error = error
        with draw_field_popover(
            "Ranking", "search", RANKING_OPTIONS, icon=":material/tune:", type="tertiary", key="search-ranking"
        ):
            ranking = draw_ranking("search")
        names = ("dates", "names", "explain")
        with draw_field_popover(
            "Display", "search", names, icon=":material/visibility:", type="tertiary", key="search-display"
        ):
            options = _draw_display_options()
    if filter_error:
        raise filter_error
    literal_terms = tuple(st.query_params.get_all(LITERAL_PARAMETER))
    return SearchRequest((text or "").strip(), filters, ranking, count, literal_terms), options


def _clear_literal_terms() -> None:
    st.query_params.pop(LITERAL_PARAMETER, None)


def _draw_display_options() -> DisplayOptions:
    toggles = {HighlightKind.DATE: ("Mark dates", "dates"), HighlightKind.NAME: ("Mark names", "names")}
    highlights = tuple(
        kind
        for kind, (label, name) in toggles.items()
        if st.toggle(label, value=True, **state.bind_field("search", name))
    )
    help_text = "How the question was understood, and what each score is made of"
    return DisplayOptions(
        highlights, st.toggle("Explain the scores", help=help_text, **state.bind_field("search", "explain"))
    )


def _draw_answer(
    here: PageContext, request: SearchRequest, today: date, search: TimedSearch, options: DisplayOptions
) -> None:
    """Draw the short answer above the hits; hits are drawn again with each step: passages, excerpts, quotations."""
    result, words, warehouse = search.result, extract_query_stems(request.text), here.warehouse.pin_generation()
    above = st.container(key="search-answer")
    bar = st.container(horizontal=True, vertical_alignment="center", key="search-found")
    slots = HitSlots(here, result.hits, search.tables)
    highlights = _find_cached_highlights(warehouse, _list_hit_spans(result.hits), options.highlights)
    slots.draw_passages(result.hits, words, highlights, explain=options.explain)
    hits = find_excerpts(here, request, today, result)
    slots.draw_passages(hits, words, highlights, explain=options.explain)
    with bar:
        count = st.empty()
        _draw_downloads(result, hits)
    count.caption(_format_count(hits, search))
    with above:
        st.header("Short answer, word for word", anchor=False)
        with st.spinner("Choosing quotations …"):
            answer = quote_answer(here, request, today, result)
        is_answered = answer.extracts_status is ExtractsStatus.ANSWER and answer.extracts
        st.html(render_best_quotes(answer.extracts, answer.hits, words) if is_answered else _NO_SENTENCE)
    # The short answer may quote passages that the search itself did not return.
    quoted_hits = answer.hits[len(hits) :]
    if quoted_hits:
        slots.reserve(quoted_hits, find_first_tables(warehouse, quoted_hits))
        count.caption(_format_count(hits, search, quoted_hits))
    hits = [*hits, *quoted_hits]
    spans = [find_answer_spans(hit, index, answer.extracts, request.text) for index, hit in enumerate(hits)]
    highlights = [*highlights, *_find_cached_highlights(warehouse, _list_hit_spans(quoted_hits), options.highlights)]
    slots.draw_passages(hits, words, highlights, spans, explain=options.explain)
    slots.draw_actions(hits, spans, {0, answer.extracts[0].hit} if is_answered else {0})


def _format_count(hits: Sequence[Hit], search: TimedSearch, quoted_hits: Sequence[Hit] = ()) -> str:
    more = f", and {len(quoted_hits)} more that the short answer quotes" if quoted_hits else ""
    return f"{format_count(len(hits), 'passage')} in {search.seconds:.2f} s{more}"


def _draw_downloads(result: SearchResult, hits: list[Hit]) -> None:
    draw_download("kalends-hits", len(hits), lambda: build_hits_table(hits))
    st.download_button(
        "JSON",
        lambda: to_json(serialize_search(result.question, hits, result.notes), indent=2, inf_nan_mode="null"),
        "kalends-hits.json",
        "application/json",
        on_click="ignore",
        icon=":material/data_object:",
        help="As 'kalends search --json' prints it",
    )


_find_cached_highlights = cache_query(64)(find_highlights)


@cache_query(64)
def run_search(here: PageContext, request: SearchRequest, today: date) -> TimedSearch:
    """Search the warehouse. Raises `BadInput` as `find` does."""
    started, warehouse = monotonic(), here.warehouse.pin_generation()
    result = find(warehouse, request, replace(here, warehouse=warehouse).get_embedder(), today, here.settings.rerank)
    return TimedSearch(result, monotonic() - started, find_first_tables(warehouse, result.hits))


@cache_query(64)
def find_excerpts(here: PageContext, request: SearchRequest, today: date, _result: SearchResult) -> list[Hit]:
    """The hits, each with the part of it that answers. Takes longer than the search itself."""
    return with_excerpts(_result.question, _result.hits, here.get_embedder())


@cache_query(64)
def quote_answer(here: PageContext, request: SearchRequest, today: date, _result: SearchResult) -> PassageQuotations:
    """The short answer, as 'kalends ask' gives it without a model."""
    return select_quotations(ToolContext(here.settings, here.warehouse.pin_generation(), today), request, _result)


def _list_hit_spans(hits: Sequence[Hit]) -> list[DocumentSpan]:
    return [(hit.document_id, hit.start, hit.end) for hit in hits]


def _draw_understanding(request: SearchRequest, result: SearchResult, *, explain: bool) -> None:
    """Draw readings of the question, notes, other readings of its periods, and all facts, unfolded with `explain`."""
    _draw_readings(request, result)
    for note in result.notes:
        st.html(render_note(note))
    for number, alternative in enumerate(list_alternatives(result.question)):
        st.button(
            f"Read it as {format_markdown_label(alternative.meaning, 120)}",
            icon=":material/calendar_month:",
            key=f"search-other-reading-{number}",
            on_click=_ask_alternative,
            args=(alternative.question,),
        )
    with st.expander("How the question was understood", expanded=explain, type="compact"):
        st.html(render_facts(list(iter_question_facts(result.question))))


def _ask_alternative(question: str) -> None:
    state.set_value("search", "q", question)
    _clear_literal_terms()


def _draw_readings(request: SearchRequest, result: SearchResult) -> None:
    """Draw the readings as pills: selected while they apply; the words of one that is deselected go to the address."""
    used_readings = list_readings(result.question)
    applied_words = {reading.words.lower() for reading in used_readings}
    literal = (QuestionReading(words, "plain words") for words in request.literal_terms)
    readings = {
        reading.words: reading
        for reading in (*used_readings, *(term for term in literal if term.words.lower() not in applied_words))
    }
    if not readings:
        return
    labels = {
        words: f"**{format_markdown_label(reading.kind)}**"
        f" {format_markdown_label(reading.meaning or f'“{words}”', 120)}"
        for words, reading in readings.items()
    }
    key = f"search-readings-{request.text}-{len(readings)}-{'-'.join(request.literal_terms)}"
    st.pills(
        "Understood in the question",
        list(readings),
        selection_mode="multi",
        default=[reading.words for reading in used_readings],
        format_func=labels.__getitem__,
        key=key,
        on_change=partial(_update_literal_terms, key, list(readings)),
        help="Press one to search for its words as plain text. To set another period or name, "
        "use the filters “Period mentioned” and, under “More filters”, “Name”.",
    )


def _update_literal_terms(key: str, terms: list[str]) -> None:
    selected_terms = st.session_state[key]
    literal_terms = [words for words in terms if words not in selected_terms]
    if literal_terms:
        st.query_params[LITERAL_PARAMETER] = literal_terms
    else:
        st.query_params.pop(LITERAL_PARAMETER, None)


Slot = st.delta_generator.DeltaGenerator


class HitSlots:
    """Slots of the page for hits. Each is drawn again whenever more is known of the hits."""

    def __init__(self, here: PageContext, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve a slot for each hit, see `reserve`."""
        self._here = here
        # A slot for the passage, one for its actions, and the first table that the hit touches.
        self._slots: list[tuple[Slot, Slot, int | None]] = []
        self.reserve(hits, tables)

    def reserve(self, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve slots for further hits, below. `tables`: by the index of a hit the first table it touches."""
        for index in range(len(hits)):
            with st.container(border=True, key=f"search-hit-{len(self._slots) + 1}"):
                self._slots.append((st.empty(), st.container(), tables.get(index)))

    def draw_passages(
        self,
        hits: Sequence[Hit],
        words: frozenset[str],
        highlights: Sequence[Sequence[Highlight]],
        spans: Sequence[Sequence[Span]] = (),
        *,
        explain: bool,
    ) -> None:
        """Draw the text of each hit with the `words` of the question marked, and the answering `spans` once known."""
        for index, (hit, (slot, _, _)) in enumerate(zip(hits, self._slots, strict=True)):
            hit_spans = spans[index] if spans else ()
            slot.html(render_hit(index + 1, hit, words, highlights[index], hit_spans, explain=explain))

    def draw_actions(self, hits: Sequence[Hit], spans: Sequence[tuple[Span, ...]], indexes: Collection[int]) -> None:
        """Draw the actions of each hit; if its index is in `indexes`, also the page with its `spans` boxed."""
        for index, (hit, (_, slot, table)) in enumerate(zip(hits, self._slots, strict=True)):
            with slot:
                draw_hit_actions(self._here, hit, spans[index], index + 1, table, is_open=index in indexes)


MAX_NEARBY = 5  # Passages shown before and after a hit at most; the whole document is in the library.


@st.fragment
def draw_hit_actions(
    here: PageContext, hit: Hit, spans: tuple[Span, ...], number: int, table: int | None, *, is_open: bool
) -> None:
    """Draw the page of a hit if open, at first where `is_open`, the row of actions, and the nearby passages if open.

    `number` counts hits from 1; `table` is the number of the first table that the hit touches.
    """
    name = f"{number}-{hit.chunk_id}"
    page_key, nearby_key = f"search-page-{name}", f"search-around-{name}"
    has_page = has_page_pictures(here.warehouse, hit.document_id)
    shows_page = has_page and st.session_state.get(page_key, is_open)
    shows_nearby = st.session_state.get(nearby_key, False)
    if shows_page:
        with st.container(key=f"search-strip-{number}"):
            page_number, close = hit.citation.page, f"search-whole-{name}"
            draw_span_pages(here.warehouse, hit.document_id, spans, page_number, close=close)
    with st.container(horizontal=True, key=f"search-links-{number}", vertical_alignment="center", gap="small"):
        if has_page:
            name_of_page = f"page {hit.citation.page}" if hit.citation.page else "the page"
            words = f"{'Hide' if shows_page else 'Show'} {name_of_page}"
            _draw_state_button(words, "picture_as_pdf", page_key, not shows_page)
        page = {"page": str(hit.citation.page)} if hit.citation.page else {}
        draw_link("library", "Document", ":material/library_books:", document=hit.document_id, **page)
        if table is not None:
            draw_link("tables", "Table", ":material/table:", document=hit.document_id, table=str(table))
        if not hit.leaves:
            draw_link("quality", "Quality", ":material/fact_check:", document=hit.document_id, chunk=hit.chunk_id)
        words = "Hide the passages around" if shows_nearby else "Before and after"
        _draw_state_button(words, "unfold_more", nearby_key, not shows_nearby)
        with st.popover("Cite", icon=":material/format_quote:", type="tertiary", key=f"search-cite-{name}"):
            draw_citation(hit.citation.formatted_with_link, hit.citation.url)
    if shows_nearby:
        with st.container(key=f"search-nearby-{number}"):
            _draw_nearby(here, hit, f"search-reach-{name}")


def _draw_state_button(words: str, icon: str, key: str, value: object) -> None:
    """Draw a button that sets a value of the session's state, which opens or closes a part of the hit."""
    icon, button_key = f":material/{icon}:", f"{key}-button"
    st.button(words, icon=icon, key=button_key, type="tertiary", on_click=_set_value, args=(key, value))


def _set_value(key: str, value: object) -> None:
    st.session_state[key] = value


def _draw_nearby(here: PageContext, hit: Hit, key: str) -> None:
    reach = st.session_state.get(key, 1)
    before, after = find_nearby_passages(here.warehouse.pin_generation(), hit, reach)
    here_words = "The passage of the hit is here." if before or after else "The passage is the whole document."
    for passages, words in ((before, here_words), (after, "")):
        for passage in passages:
            location = f'<p class="k-where">{escape_text(passage.location)}</p>'
            st.html(f"{location}{render_passage(passage.text, frozenset())}")
        if words:
            st.caption(words)
    if reach < MAX_NEARBY and max(len(before), len(after)) == reach:
        st.button("Show more", key=f"{key}-further", on_click=_set_value, args=(key, reach + 1))
