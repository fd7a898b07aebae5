"""What is drawn of a hit once it is opened, and alone: its page with the very lines boxed, and its neighbours."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.escaping import plain
from dashboards.drawing.notices import error_html
from dashboards.drawing.passages import passage_html
from dashboards.facts.search.neighbours import Neighbour, neighbours
from dashboards.views.pictures import boxes_of, draw_pages
from dashboards.views.resources import Place
from tasks.ask.units import Span
from warehouse.errors import KalendsError
from warehouse.records import Hit

FURTHEST = 5
"""Passages on either side at most: the document itself is in the library."""


@st.fragment
def picture(here: Place, hit: Hit, spans: tuple[Span, ...], number: int, *, opened: bool) -> None:
    """The part of its page that is meant, once it is opened."""
    page = hit.citation.page
    fold = st.expander(
        f"Page {page}" if page else "The page",
        expanded=opened,
        key=f"search-page-{number}-{hit.chunk_id}",
        icon=":material/picture_as_pdf:",
        type="compact",
        on_change="rerun",
    )
    if fold.open:
        with fold, st.container(key=f"search-strip-{number}"):
            _draw(here, hit, spans, f"search-whole-{number}-{hit.chunk_id}")


def _draw(here: Place, hit: Hit, spans: tuple[Span, ...], key: str) -> None:
    try:
        boxes = boxes_of(here.warehouse, hit.document_id, spans)
        page = hit.citation.page
        draw_pages(here.warehouse, hit.document_id, boxes or ({page: ()} if page else {}), close=key)
    except KalendsError as error:
        st.html(error_html(error))


@st.fragment
def around(here: Place, hit: Hit, number: int) -> None:
    """The passages before and after."""
    fold = st.expander(
        "Before and after",
        key=f"search-around-{number}-{hit.chunk_id}",
        icon=":material/unfold_more:",
        type="compact",
        on_change="rerun",
    )
    if not fold.open:
        return
    with fold:
        key = f"search-reach-{number}-{hit.chunk_id}"
        reach = st.session_state.get(key, 1)
        found = neighbours(here.warehouse.at(), hit, reach)
        for each in found.before:
            _neighbour(each)
        st.caption("Here stands the passage above." if found.before or found.after else "It is the whole document.")
        for each in found.after:
            _neighbour(each)
        if reach < FURTHEST and max(len(found.before), len(found.after)) == reach:
            st.button("Further", key=f"{key}-further", on_click=_reach, args=(key, reach + 1))


def _reach(key: str, reach: int) -> None:
    st.session_state[key] = reach


def _neighbour(found: Neighbour) -> None:
    st.html(f'<p class="k-where">{plain(found.where)}</p>{passage_html(found.text, frozenset())}')
