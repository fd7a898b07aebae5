"""Figures found by name, period and company: the best match first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import streamlit as st

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.query_cells import member
from dashboards.drawing.notices import note_html, nothing_html
from dashboards.facts.tables.cells import FoundCell, of_figure
from dashboards.pages.tables.found import as_table, show
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from tasks.ask.token_budget import MOST
from tasks.quality.wording import counted

FIGURES = 50
"""Figures that are shown, the best ones."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The best figures, how many there are, and what is to be known of them; `said` is all where there are none."""

    cells: tuple[FoundCell, ...]
    count: int
    notes: tuple[str, ...]
    said: str


def draw(here: PageContext) -> None:
    """Draw the question and the figures that answer it."""
    with st.container(key="filters"):
        item, period, whose = st.columns([2, 1, 1])
    asked = item.text_input(
        "Figure",
        key=state.key("tables", "item"),
        bind="query-params",
        type="search",
        placeholder="total assets, revenue Q2 2023 AMCOR",
    )
    time = period.text_input(
        "Period", key=state.key("tables", "time"), bind="query-params", placeholder="Q2 2023, FY2022"
    )
    document = whose.text_input(
        "Document or company", key=state.key("tables", "of"), bind="query-params", placeholder="All"
    )
    if not (asked or "").strip():
        st.html(
            nothing_html(
                "Enter the name of a figure.",
                "Write it as in the row of a table; add a period and a company if you like.",
            )
        )
        return
    given = {"item": asked, "period": time or "", "documents": (document,) if document else (), "count": FIGURES}
    key = (str(here.settings.warehouse), here.state, datetime.now(UTC).date())
    with st.spinner("Searching all cells …"):
        found = _found(key, given, here)
    for note in found.notes:
        st.html(note_html(note.removeprefix("Note: ")))
    if not found.cells:
        st.html(nothing_html("No table has a figure with this name.", found.said))
        return
    show(found.cells, "Matching figures, the best match first")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download("kalends-figures", len(found.cells), lambda: as_table(found.cells))
        more = f"The best {len(found.cells)} of " if found.count > len(found.cells) else ""
        st.caption(f"{more}{counted(found.count, 'figure')}")


@st.cache_data(show_spinner=False, max_entries=64)
def _found(key: tuple[str, str, date], given: dict[str, Any], _here: PageContext) -> Answer:
    answer = member.call(ToolContext(_here.settings, _here.warehouse.at(), key[-1]), {**given, "tokens": MOST})
    figures = answer.data["figures"]
    entries = _here.warehouse.snapshot.entries({figure["document_id"] for figure in figures})
    cells = []
    for figure in figures:
        entry = entries.get(figure["document_id"])
        cells.append(of_figure(figure, (entry.attributes.company or entry.title) if entry else ""))
    return Answer(tuple(cells), answer.data["count"], tuple(answer.data["notes"]), answer.text.rpartition("\n")[2])
