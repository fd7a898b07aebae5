"""The hits, each with its page below its words where it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboards.drawing.hits import hit_html
from dashboards.facts.search.marks import Mark
from dashboards.views.citing import cite
from dashboards.views.navigation import link
from dashboards.views.pictures import drawable
from dashboards.views.resources import Place
from dashboards.views.search.beside import around, picture
from tasks.ask.units import Span
from warehouse.records import Hit

Slot = st.delta_generator.DeltaGenerator


class Hits:
    """The places on the page where hits stand, filled once each time more is known of them."""

    def __init__(self, here: Place, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Draw all but the words and the pictures."""
        self._here = here
        self._words: list[Slot] = []
        self._pages: list[Slot] = []
        self.add(hits, tables)

    def add(self, hits: Sequence[Hit], tables: Mapping[int, int]) -> None:
        """Draw further ones below. `tables` are by the place in `hits`."""
        for place, hit in enumerate(hits):
            number = len(self._words) + 1
            with st.container(border=True, key=f"search-hit-{number}"):
                self._words.append(st.empty())
                self._pages.append(st.container())
                with st.container(horizontal=True, key=f"search-links-{number}"):
                    _links(hit, tables.get(place))
                around(self._here, hit, number)
                cite(hit.citation.formatted_with_link, hit.citation.url)

    def tell(
        self,
        hits: Sequence[Hit],
        asked: frozenset[str],
        marks: Sequence[Sequence[Mark]],
        spans: Sequence[Sequence[Span]] = (),
        *,
        explain: bool,
    ) -> None:
        """Draw the words; the `spans` that answer set off once it is known."""
        for place, (hit, slot) in enumerate(zip(hits, self._words, strict=True)):
            own = spans[place] if spans else ()
            slot.html(hit_html(place + 1, hit, asked, marks[place], own, explain=explain))

    def picture(self, hits: Sequence[Hit], spans: Sequence[tuple[Span, ...]], first: int) -> None:
        """Draw the pages of those that have any, with the spans boxed; that of number `first`, from 0, is opened."""
        for place, (hit, slot) in enumerate(zip(hits, self._pages, strict=True)):
            if drawable(self._here.warehouse, hit.document_id):
                with slot:
                    picture(self._here, hit, spans[place], place + 1, opened=place == first)


def _links(hit: Hit, table: int | None) -> None:
    """Where else of the dashboard the passage stands."""
    page = {"page": str(hit.citation.page)} if hit.citation.page else {}
    link("library", "Document", ":material/library_books:", document=hit.document_id, **page)
    if table is not None:
        link("tables", "Table", ":material/table:", document=hit.document_id, table=str(table))
    if not hit.leaves:
        link("quality", "Quality", ":material/fact_check:", document=hit.document_id, chunk=hit.chunk_id)
