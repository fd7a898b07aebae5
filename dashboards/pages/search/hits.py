"""Hits of the search page: the text of each, its page with the answering lines boxed, and a row of actions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from dashboards.drawing.escaping import text_html
from dashboards.drawing.highlights import Highlight
from dashboards.drawing.hits import hit_html
from dashboards.drawing.notices import error_html
from dashboards.drawing.passages import passage_html
from dashboards.pages.search.queries import NearbyPassage, find_nearby_passages
from dashboards.widgets.citing import draw_citation
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.pictures import draw_page_pictures, has_page_pictures, span_boxes
from dashboards.widgets.resources import PageContext
from tasks.ask.units import Span
from warehouse.errors import KalendsError
from warehouse.records import Hit

Slot = st.delta_generator.DeltaGenerator


class HitSlots:
    """The places on the page where hits stand, filled once each time more is known of them."""

    def __init__(self, here: PageContext, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve their places."""
        self._here = here
        self._words: list[Slot] = []
        self._actions: list[Slot] = []
        self._tables: list[int | None] = []
        self.add(hits, tables)

    def add(self, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Reserve the places of further ones below. `tables` are by the place in `hits`."""
        for place in range(len(hits)):
            with st.container(border=True, key=f"search-hit-{len(self._words) + 1}"):
                self._words.append(st.empty())
                self._actions.append(st.container())
                self._tables.append(tables.get(place))

    def tell(
        self,
        hits: Sequence[Hit],
        asked: frozenset[str],
        marks: Sequence[Sequence[Highlight]],
        spans: Sequence[Sequence[Span]] = (),
        *,
        explain: bool,
    ) -> None:
        """Draw the words; the `spans` that answer set off once it is known."""
        for place, (hit, slot) in enumerate(zip(hits, self._words, strict=True)):
            own = spans[place] if spans else ()
            slot.html(hit_html(place + 1, hit, asked, marks[place], own, explain=explain))

    def act(self, hits: Sequence[Hit], spans: Sequence[tuple[Span, ...]], opened: Collection[int]) -> None:
        """Draw what can be done with each, and the pages, the spans boxed, of those whose places are `opened`."""
        for place, (hit, slot) in enumerate(zip(hits, self._actions, strict=True)):
            with slot:
                draw_actions(self._here, hit, spans[place], place + 1, self._tables[place], opened=place in opened)


MOST_NEARBY = 5
"""Passages on either side at most: the document itself is in the library."""


@st.fragment
def draw_actions(
    here: PageContext, hit: Hit, spans: tuple[Span, ...], number: int, table: int | None, *, opened: bool
) -> None:
    """Draw the page, if it is to be seen, the row, and the passages before and after if they are.

    `table` is the first table that the hit touches; whether the page is `opened` at first.
    """
    name = f"{number}-{hit.chunk_id}"
    page, near = f"search-page-{name}", f"search-around-{name}"
    has_page = has_page_pictures(here.warehouse, hit.document_id)
    shows_page = has_page and st.session_state.get(page, opened)
    shows_near = st.session_state.get(near, False)
    if shows_page:
        with st.container(key=f"search-strip-{number}"):
            _draw_pages(here, hit, spans, f"search-whole-{name}")
    with st.container(horizontal=True, key=f"search-links-{number}", vertical_alignment="center", gap="small"):
        if has_page:
            called = f"page {hit.citation.page}" if hit.citation.page else "the page"
            _toggle_button(f"{'Hide' if shows_page else 'Show'} {called}", "picture_as_pdf", page, on=not shows_page)
        _draw_links(hit, table)
        told = "Hide the passages around" if shows_near else "Before and after"
        _toggle_button(told, "unfold_more", near, on=not shows_near)
        with st.popover("Cite", icon=":material/format_quote:", type="tertiary", key=f"search-cite-{name}"):
            draw_citation(hit.citation.formatted_with_link, hit.citation.url)
    if shows_near:
        _draw_nearby(here, hit, f"search-reach-{name}")


def _toggle_button(words: str, icon: str, key: str, *, on: bool) -> None:
    """A button that opens or closes what stands under this key of the session."""
    st.button(
        words,
        icon=f":material/{icon}:",
        key=f"{key}-button",
        type="tertiary",
        on_click=_set_open,
        args=(key,),
        kwargs={"on": on},
    )


def _set_open(key: str, *, on: bool) -> None:
    st.session_state[key] = on


def _draw_links(hit: Hit, table: int | None) -> None:
    """Where else of the dashboard the passage is."""
    page = {"page": str(hit.citation.page)} if hit.citation.page else {}
    draw_link("library", "Document", ":material/library_books:", document=hit.document_id, **page)
    if table is not None:
        draw_link("tables", "Table", ":material/table:", document=hit.document_id, table=str(table))
    if not hit.leaves:
        draw_link("quality", "Quality", ":material/fact_check:", document=hit.document_id, chunk=hit.chunk_id)


def _draw_pages(here: PageContext, hit: Hit, spans: tuple[Span, ...], key: str) -> None:
    try:
        boxes = span_boxes(here.warehouse, hit.document_id, spans)
        page = hit.citation.page
        draw_page_pictures(here.warehouse, hit.document_id, boxes or ({page: ()} if page else {}), close=key)
    except KalendsError as error:
        st.html(error_html(error))


def _draw_nearby(here: PageContext, hit: Hit, key: str) -> None:
    """The passages before and after."""
    reach = st.session_state.get(key, 1)
    found = find_nearby_passages(here.warehouse.at(), hit, reach)
    for each in found.before:
        _draw_nearby_passage(each)
    st.caption("The passage above comes here." if found.before or found.after else "The passage is the whole document.")
    for each in found.after:
        _draw_nearby_passage(each)
    if reach < MOST_NEARBY and max(len(found.before), len(found.after)) == reach:
        st.button("Show more", key=f"{key}-further", on_click=_set_reach, args=(key, reach + 1))


def _set_reach(key: str, reach: int) -> None:
    st.session_state[key] = reach


def _draw_nearby_passage(found: NearbyPassage) -> None:
    st.html(f'<p class="k-where">{text_html(found.where)}</p>{passage_html(found.text, frozenset())}')
