"""Searches in the cells of all tables: a figure by its name, or all cells that match filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.query_cells import member
from dashboards.html.notices import note_html, nothing_html
from dashboards.pages.tables.filters import CacheKey, cell_filters, figure_filters
from dashboards.pages.tables.queries import CellFilters, CellMatch, cell_of_figure, count_cells, list_cells
from dashboards.pages.tables.table_view import open_table
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download, draw_row_list
from tasks.ask.token_budget import MOST
from tasks.quality.phrases import counted
from warehouse.reader import Warehouse

FIGURES = 50
"""Best matches that are listed."""
CELLS_A_PAGE = 100
"""Cells on one page of the list."""
MOST_CELLS = 200_000
"""Cells that a download holds at most."""
TALLEST = 388
"""Pixels of a list, so that what is below it stays in view."""


@dataclass(frozen=True, slots=True)
class FigureMatches:
    """The best matches of a figure's name, the number of all, notes on them, and why there are none."""

    cells: tuple[CellMatch, ...]
    count: int
    notes: tuple[str, ...]
    explanation: str


def draw_figures(here: PageContext) -> None:
    """Draw the filters and the figures that match best."""
    item, period, document = figure_filters()
    if not item.strip():
        st.html(
            nothing_html(
                "Enter the name of a figure.",
                "Write it as in the row of a table; add a period and a company if you like.",
            )
        )
        return
    arguments = {"item": item, "period": period, "documents": (document,) if document else (), "count": FIGURES}
    key = (str(here.settings.warehouse), here.state, datetime.now(UTC).date())
    with st.spinner("Searching all cells …"):
        matches = _figures(key, arguments, here)
    for note in matches.notes:
        st.html(note_html(note.removeprefix("Note: ")))
    if not matches.cells:
        st.html(nothing_html("No table has a figure with this name.", matches.explanation))
        return
    draw_matches(matches.cells, "Matching figures, the best match first")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download("kalends-figures", len(matches.cells), lambda: match_table(matches.cells))
        more = f"The best {len(matches.cells)} of " if matches.count > len(matches.cells) else ""
        st.caption(f"{more}{counted(matches.count, 'figure')}")


@st.cache_data(show_spinner=False, max_entries=64)
def _figures(key: tuple[str, str, date], arguments: dict[str, Any], _here: PageContext) -> FigureMatches:
    answer = member.call(ToolContext(_here.settings, _here.warehouse.at(), key[-1]), {**arguments, "tokens": MOST})
    figures = answer.data["figures"]
    entries = _here.warehouse.snapshot.entries({figure["document_id"] for figure in figures})
    cells = []
    for figure in figures:
        entry = entries.get(figure["document_id"])
        cells.append(cell_of_figure(figure, (entry.attributes.company or entry.title) if entry else ""))
    return FigureMatches(
        tuple(cells), answer.data["count"], tuple(answer.data["notes"]), answer.text.rpartition("\n")[2]
    )


def draw_cells(here: PageContext) -> None:
    """Draw the filters and the cells that match them."""
    warehouse, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    filters = cell_filters(warehouse, key)
    with st.spinner("Searching all cells …"):
        count = _count(key, filters, warehouse)
    if not count:
        st.html(nothing_html("No cell matches these filters.", "Remove a filter."))
        return
    page = state.value("tables", "cells-page")
    past = (min(page, -(-count // CELLS_A_PAGE)) - 1) * CELLS_A_PAGE
    draw_matches(_cells(key, filters, past, warehouse), "Cells that match the filters")
    with st.container(horizontal=True, vertical_alignment="center"):
        if count > CELLS_A_PAGE:
            st.pagination(-(-count // CELLS_A_PAGE), key=state.key("tables", "cells-page"))
        draw_download(
            "kalends-cells", min(count, MOST_CELLS), lambda: match_table(list_cells(warehouse, filters, MOST_CELLS))
        )
        cut = f"; a download holds the first {MOST_CELLS:,}" if count > MOST_CELLS else ""
        st.caption(f"{counted(count, 'cell')}{cut}")


@st.cache_data(show_spinner=False, max_entries=64)
def _count(key: CacheKey, filters: CellFilters, _warehouse: Warehouse) -> int:
    return count_cells(_warehouse, filters)


@st.cache_data(show_spinner=False, max_entries=64)
def _cells(key: CacheKey, filters: CellFilters, past: int, _warehouse: Warehouse) -> list[CellMatch]:
    return list_cells(_warehouse, filters, CELLS_A_PAGE, past)


def draw_matches(cells: Sequence[CellMatch], alt: str) -> None:
    """Draw a list of cells; the table of the chosen one is opened."""
    columns = _columns()
    table = pa.table({name: [getattr(cell, name) for cell in cells] for name in columns})
    place = draw_row_list(table, columns, f"tables-found-{hash(tuple(cells))}", alt, tallest=TALLEST)
    if place is not None:
        cell = cells[place]
        open_table(cell.document_id, cell.table, cell.place)


def match_table(cells: Sequence[CellMatch]) -> pa.Table:
    """The cells for a download, with the address of each on this page."""
    return pa.Table.from_pylist([{**asdict(cell), "place": list(cell.place), "link": _address(cell)} for cell in cells])


def _address(cell: CellMatch) -> str:
    row, column = cell.place
    return f"/tables?document={cell.document_id}&table={cell.table}&cell={row}.{column}"


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "value": config.NumberColumn(
            "Value", format="localized", help="In single units, also where the table prints millions"
        ),
        "unit": config.TextColumn("Unit"),
        "period": config.TextColumn("Period"),
        "doubt": config.TextColumn("Uncertain", help="Why the scale or period is not certain"),
        "row": config.TextColumn("Row", width="medium"),
        "column": config.TextColumn("Column", width="medium"),
        "company": config.TextColumn("Company"),
        "printed": config.TextColumn("As printed"),
        "page": config.NumberColumn("Page", format="%d"),
        "source": config.TextColumn("File", width="medium"),
    }
