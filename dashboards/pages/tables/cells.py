"""All cells that match the filters by row, column, document, period, unit and value."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.facts.tables.cells import FoundCell, cells_of, count_of, units
from dashboards.facts.tables.wanted import CellsWanted
from dashboards.pages.tables.filtering import days_of
from dashboards.pages.tables.found import as_table, show
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from tasks.quality.wording import counted
from warehouse.errors import BadInput
from warehouse.reader import Warehouse

A_PAGE = 100
"""Cells on one page of the list."""
MOST = 200_000
"""Cells that a download holds at most."""
Key = tuple[str, str]


def draw(here: PageContext) -> None:
    """Draw the filters and the cells that satisfy them."""
    held, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    wanted = _wanted(held, key)
    with st.spinner("Searching all cells …"):
        count = _count(key, wanted, held)
    if not count:
        st.html(nothing_html("No cell matches these filters.", "Remove a filter."))
        return
    page = state.value("tables", "cells-page")
    past = (min(page, -(-count // A_PAGE)) - 1) * A_PAGE
    show(_cells(key, wanted, past, held), "Cells that match the filters")
    with st.container(horizontal=True, vertical_alignment="center"):
        if count > A_PAGE:
            st.pagination(-(-count // A_PAGE), key=state.key("tables", "cells-page"))
        draw_download("kalends-cells", min(count, MOST), lambda: as_table(cells_of(held, wanted, MOST)))
        cut = f"; a download holds the first {MOST:,}" if count > MOST else ""
        st.caption(f"{counted(count, 'cell')}{cut}")


def _wanted(held: Warehouse, key: Key) -> CellsWanted:
    with st.container(key="filters"):
        row, column, named = st.columns(3)
        during, unit, least, most = st.columns([2, 2, 1, 1])
    called = row.text_input(
        "Row", key=state.key("tables", "row"), bind="query-params", type="search", placeholder="Words in the row name"
    )
    above = column.text_input(
        "Column",
        key=state.key("tables", "column"),
        bind="query-params",
        type="search",
        placeholder="Words in the column name",
    )
    whose = named.text_input(
        "Document",
        key=state.key("tables", "whose"),
        bind="query-params",
        type="search",
        placeholder="Title, file or company",
    )
    time = during.text_input(
        "Period", key=state.key("tables", "at"), bind="query-params", placeholder="Q2 2023, last year, 2021"
    )
    measures = unit.multiselect(
        "Unit", _units(key, held), key=state.key("tables", "unit"), bind="query-params", placeholder="Any unit"
    )
    low = least.number_input(
        "Value from", value=None, key=state.key("tables", "least"), bind="query-params", placeholder="Any", format="%g"
    )
    high = most.number_input(
        "Value to", value=None, key=state.key("tables", "most"), bind="query-params", placeholder="Any", format="%g"
    )
    if low is not None and high is not None and low > high:
        raise BadInput(f"the lowest value, {low:g}, is above the highest, {high:g}", "choose a higher end")
    words = st.toggle("Include cells without a number", key=state.key("tables", "any"), bind="query-params")
    return CellsWanted(
        (called or "").strip(),
        (above or "").strip(),
        (whose or "").strip(),
        tuple(measures),
        days_of(time or ""),
        low,
        high,
        figures=not words,
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _count(key: Key, wanted: CellsWanted, _held: Warehouse) -> int:
    return count_of(_held, wanted)


@st.cache_data(show_spinner=False, max_entries=64)
def _cells(key: Key, wanted: CellsWanted, past: int, _held: Warehouse) -> list[FoundCell]:
    return cells_of(_held, wanted, A_PAGE, past)


@st.cache_data(show_spinner=False, max_entries=4)
def _units(key: Key, _held: Warehouse) -> list[str]:
    return units(_held)
