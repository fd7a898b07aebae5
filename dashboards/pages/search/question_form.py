"""Question form of the search page: the question, its filters and ranking, and display options; all in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboards.html.passage_markup import HighlightKind
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.search_filters import draw_filters, draw_ranking
from warehouse.errors import BadInput
from warehouse.records import SearchRequest

LITERAL_PARAMETER = "plainly"
"""The parameter of the address for words of the question that are searched for as plain text."""


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Which highlights passages have, and whether scores are explained."""

    highlights: tuple[HighlightKind, ...]
    explain: bool


def draw_question_form(catalogue: LibraryCatalogue) -> tuple[SearchRequest, DisplayOptions]:
    """Draw the form; returns the request, with an empty text before a question is typed, and the display options.

    Raises `BadInput` for filters that cannot be read, once the whole form is drawn.
    """
    text = st.text_input(
        "Question",
        key=state.key("search", "q"),
        type="search",
        bind="query-params",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
        on_change=_clear_literal_terms,
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


def _draw_display_options() -> DisplayOptions:
    dates = st.toggle(
        "Mark dates", value=state.default("search", "dates"), key=state.key("search", "dates"), bind="query-params"
    )
    names = st.toggle("Mark names", value=True, key=state.key("search", "names"), bind="query-params")
    explain = st.toggle(
        "Explain the scores",
        key=state.key("search", "explain"),
        bind="query-params",
        help="How the question was understood, and what each score is made of",
    )
    return DisplayOptions((*([HighlightKind.DATE] if dates else []), *([HighlightKind.NAME] if names else [])), explain)


def _clear_literal_terms() -> None:
    """Another question has other words."""
    st.query_params.pop(LITERAL_PARAMETER, None)
