"""Hits of the search page: the text of each, its page with the answering lines boxed, and a row of actions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from dashboards.html.hits import hit_html
from dashboards.html.passage_markup import Highlight, passage_html
from dashboards.html.safe_text import text_html
from dashboards.pages.search.search_queries import NearbyPassage, find_nearby_passages
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.page_pictures import draw_span_pages, has_page_pictures
from dashboards.widgets.resources import PageContext
from dashboards.widgets.sources import draw_citation
from tasks.ask.passage_units import Span
from warehouse.records import Hit

Slot = st.delta_generator.DeltaGenerator


class HitSlots:
    """Slots of the page for hits. Each is drawn again whenever more is known of the hits."""

    def __init__(self, here: PageContext, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve a slot for each hit, see `reserve`."""
        self._here = here
        self._passages: list[Slot] = []
        self._actions: list[Slot] = []
        self._tables: list[int | None] = []
        self.reserve(hits, tables)

    def reserve(self, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve slots for further hits, below. `tables`: by the index of a hit the first table it touches."""
        for index in range(len(hits)):
            with st.container(border=True, key=f"search-hit-{len(self._passages) + 1}"):
                self._passages.append(st.empty())
                self._actions.append(st.container())
                self._tables.append(tables.get(index))

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
        for index, (hit, slot) in enumerate(zip(hits, self._passages, strict=True)):
            own = spans[index] if spans else ()
            slot.html(hit_html(index + 1, hit, words, highlights[index], own, explain=explain))

    def draw_actions(self, hits: Sequence[Hit], spans: Sequence[tuple[Span, ...]], opened: Collection[int]) -> None:
        """Draw the actions of each hit, and of those whose index is in `opened` the page with the `spans` boxed."""
        for index, (hit, slot) in enumerate(zip(hits, self._actions, strict=True)):
            with slot:
                draw_hit_actions(self._here, hit, spans[index], index + 1, self._tables[index], opened=index in opened)


MOST_NEARBY = 5  # Passages shown before and after a hit at most; the whole document is in the library.


@st.fragment
def draw_hit_actions(
    here: PageContext, hit: Hit, spans: tuple[Span, ...], number: int, table: int | None, *, opened: bool
) -> None:
    """Draw the page of a hit if it is open, the row of actions, and the nearby passages if they are open.

    `number` counts hits from 1; `table` is the number of the first table that the hit touches; `opened` is whether the
    page is open at first.
    """
    name = f"{number}-{hit.chunk_id}"
    page_key, nearby_key = f"search-page-{name}", f"search-around-{name}"
    has_page = has_page_pictures(here.warehouse, hit.document_id)
    shows_page = has_page and st.session_state.get(page_key, opened)
    shows_nearby = st.session_state.get(nearby_key, False)
    if shows_page:
        with st.container(key=f"search-strip-{number}"):
            page_number, close = hit.citation.page, f"search-whole-{name}"
            draw_span_pages(here.warehouse, hit.document_id, spans, page_number, close=close)
    with st.container(horizontal=True, key=f"search-links-{number}", vertical_alignment="center", gap="small"):
        if has_page:
            name_of_page = f"page {hit.citation.page}" if hit.citation.page else "the page"
            words = f"{'Hide' if shows_page else 'Show'} {name_of_page}"
            _draw_setter(words, "picture_as_pdf", page_key, not shows_page)
        page = {"page": str(hit.citation.page)} if hit.citation.page else {}
        draw_link("library", "Document", ":material/library_books:", document=hit.document_id, **page)
        if table is not None:
            draw_link("tables", "Table", ":material/table:", document=hit.document_id, table=str(table))
        if not hit.leaves:
            draw_link("quality", "Quality", ":material/fact_check:", document=hit.document_id, chunk=hit.chunk_id)
        words = "Hide the passages around" if shows_nearby else "Before and after"
        _draw_setter(words, "unfold_more", nearby_key, not shows_nearby)
        with st.popover("Cite", icon=":material/format_quote:", type="tertiary", key=f"search-cite-{name}"):
            draw_citation(hit.citation.formatted_with_link, hit.citation.url)
    if shows_nearby:
        _draw_nearby(here, hit, f"search-reach-{name}")


def _draw_setter(words: str, icon: str, key: str, value: object) -> None:
    """Draw a button that sets the session's value at `key`, which opens or closes a part of the hit."""
    icon, own = f":material/{icon}:", f"{key}-button"
    st.button(words, icon=icon, key=own, type="tertiary", on_click=_set_value, args=(key, value))


def _set_value(key: str, value: object) -> None:
    st.session_state[key] = value


def _draw_nearby(here: PageContext, hit: Hit, key: str) -> None:
    """Draw the passages before and after the hit, as many on either side as the session's value at `key`."""
    reach = st.session_state.get(key, 1)
    before, after = find_nearby_passages(here.warehouse.at(), hit, reach)
    for passage in before:
        _draw_nearby_passage(passage)
    st.caption("The passage of the hit is here." if before or after else "The passage is the whole document.")
    for passage in after:
        _draw_nearby_passage(passage)
    if reach < MOST_NEARBY and max(len(before), len(after)) == reach:
        st.button("Show more", key=f"{key}-further", on_click=_set_value, args=(key, reach + 1))


def _draw_nearby_passage(passage: NearbyPassage) -> None:
    st.html(f'<p class="k-where">{text_html(passage.location)}</p>{passage_html(passage.text, frozenset())}')
