"""The hits, each with its page beside it where it has one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.hits import hit_html
from dashboards.facts.marks import Mark
from dashboards.facts.meant import meant
from dashboards.views.citing import cite
from dashboards.views.navigation import link
from dashboards.views.pictures import drawable
from dashboards.views.resources import Place
from dashboards.views.search.beside import around, is_open, picture
from tasks.ask.extracts import Extract
from warehouse.records import Hit

Slot = st.delta_generator.DeltaGenerator


class Hits:
    """The places on the page where hits stand, filled once each time more is known of them."""

    def __init__(self, here: Place, hits: Sequence[Hit], tables: dict[int, int]) -> None:
        """Draw all but the words and the pictures."""
        self._here = here
        self._words: list[Slot] = []
        self._beside: list[Slot | None] = []
        for place, hit in enumerate(hits):
            with st.container(border=True, key=f"hit-{place + 1}"):
                self._lay_out(place, hit, tables.get(place))

    def tell(
        self, hits: Sequence[Hit], asked: frozenset[str], marks: Sequence[Sequence[Mark]], *, explain: bool
    ) -> None:
        """Draw the words."""
        for place, (hit, slot) in enumerate(zip(hits, self._words, strict=True)):
            slot.html(hit_html(place + 1, hit, asked, marks[place], explain=explain))

    def picture(self, hits: Sequence[Hit], quotes: Sequence[Extract], question: str) -> None:
        """Draw the pages, the first opened."""
        for place, (hit, slot) in enumerate(zip(hits, self._beside, strict=True)):
            if slot is not None:
                with slot:
                    picture(self._here, hit, meant(hit, place, quotes, question), place + 1)

    def _lay_out(self, place: int, hit: Hit, table: int | None) -> None:
        text, beside = self._halves(place, hit)
        with text:
            self._words.append(st.empty())
            with st.container(horizontal=True, key=f"links-{place + 1}"):
                _links(hit, table)
            around(self._here, hit, place + 1)
            cite(hit.citation.formatted_with_link, hit.citation.url)
        self._beside.append(beside)

    def _halves(self, place: int, hit: Hit) -> tuple[Slot, Slot | None]:
        """Where words and page go: half of the width is the page's once it is opened."""
        if not drawable(self._here.warehouse, hit.document_id):
            return st.container(), None
        with st.container(key=f"halves-{place + 1}"):
            text, beside = st.columns([1, 1] if is_open(hit, place + 1) else [4, 1], gap="medium")
        return text, beside


def _links(hit: Hit, table: int | None) -> None:
    """Where else of the dashboard the passage stands."""
    page = {"page": str(hit.citation.page)} if hit.citation.page else {}
    link("library", "Document", ":material/library_books:", document=hit.document_id, **page)
    if table is not None:
        link("tables", "Table", ":material/table:", document=hit.document_id, table=str(table))
    if not hit.leaves:
        link("quality", "Quality", ":material/fact_check:", document=hit.document_id, chunk=hit.chunk_id)
