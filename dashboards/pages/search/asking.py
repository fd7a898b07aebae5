"""What is asked and how it is shown: the question, its filters and ranking, what is marked; all in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboards.facts.search.marks import HighlightKind
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.filtering import filters_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Fusion, Mode, Ranking, SearchRequest

PLAINLY = "plainly"
"""The parameter of the address for words that are to be read as plain words."""
RERANKERS = ("none", "maxsim")


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
            filters, count = filters_of("search", catalogue)
        except BadInput as error:
            refused = error
        with st.popover("Ranking", icon=":material/tune:", type="tertiary", key="search-ranking"):
            ranking = _ranking()
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


def _ranking() -> Ranking:
    chosen = st.segmented_control(
        "Find by",
        list(Mode),
        default=Mode.HYBRID,
        required=True,
        key=state.key("search", "mode"),
        bind="query-params",
        help="hybrid: by meaning and by words; dense: by meaning only (vectors); keyword: by words only (BM25)",
    )
    fused = st.selectbox(
        "Combine both by",
        list(Fusion),
        key=state.key("search", "fusion"),
        bind="query-params",
        disabled=chosen is not Mode.HYBRID,
        help="weighed: the question decides how much meaning counts; convex: a fixed share; rrf: by the ranks only",
    )
    reranker = st.selectbox("Rerank by", RERANKERS, key=state.key("search", "rerank"), bind="query-params")
    distinct = st.toggle(
        "Show near duplicates once", value=True, key=state.key("search", "distinct"), bind="query-params"
    )
    spread = st.toggle("One passage of each document", key=state.key("search", "spread"), bind="query-params")
    return Ranking(
        mode=chosen or Mode.HYBRID,
        fusion=fused or Fusion.WEIGHED,
        reranker="" if reranker == RERANKERS[0] else reranker or "",
        distinct=distinct,
        per_document=1 if spread else None,
    )
