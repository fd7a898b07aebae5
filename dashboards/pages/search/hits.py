"""The hits: the words of each, its page with the very lines boxed, and one row of what can be done with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from dashboards.drawing.hits import hit_html
from dashboards.facts.search.marks import Highlight
from dashboards.pages.search.actions import draw_actions
from dashboards.widgets.resources import PageContext
from tasks.ask.units import Span
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
