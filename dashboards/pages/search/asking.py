"""What is asked and how it is shown: the question, its filters and ranking, what is marked; all in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboards.drawing.highlights import HighlightKind
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.search_filters import draw_filters, draw_ranking
from warehouse.errors import BadInput
from warehouse.records import Filters, Ranking, SearchRequest

PLAINLY = "plainly"
"""The parameter of the address for words that are to be read as plain words."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is marked in passages, and whether scores are told in full."""

    looks: tuple[HighlightKind, ...]
    explain: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader wants to know."""

    text: str
    filters: Filters
    ranking: Ranking
    count: int
    plainly: tuple[str, ...]

    @property
    def wanted(self) -> SearchRequest:
        """The same as the search takes it."""
        return SearchRequest(self.text, self.filters, self.ranking, self.count, self.plainly)


def asked_of(catalogue: LibraryCatalogue) -> tuple[Asked, Shown]:
    """What is asked now, and what is to be seen of the answer. Raises `BadInput` for filters that say nothing."""
    text = st.text_input(
        "Question",
        key=state.key("search", "q"),
        type="search",
        bind="query-params",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
        on_change=_forget,
    )
    with st.container(horizontal=True, key="search-bar", gap="small"):
        # What the filters refuse is told once everything else of the line is drawn.
        refused = None
        try:
            filters, count = draw_filters("search", catalogue)
        except BadInput as error:
            refused = error
        with st.popover("Ranking", icon=":material/tune:", type="tertiary", key="search-ranking"):
            ranking = draw_ranking("search")
        with st.popover("Display", icon=":material/visibility:", type="tertiary", key="search-display"):
            seen = _shown()
    if refused:
        raise refused
    return Asked((text or "").strip(), filters, ranking, count, tuple(st.query_params.get_all(PLAINLY))), seen


def _shown() -> Shown:
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
    return Shown((*([HighlightKind.DATE] if dates else []), *([HighlightKind.NAME] if names else [])), explain)


def _forget() -> None:
    """What was taken back of a question means nothing for the next."""
    st.query_params.pop(PLAINLY, None)
