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
from dashboards.pages.tables.queries import CellFilters, FoundCell, cell_of_figure, count_cells, list_cells
from dashboards.pages.tables.table_view import open_table
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download, draw_row_list
from tasks.ask.token_budget import MOST
from tasks.quality.wording import counted
from warehouse.reader import Warehouse

FIGURES = 50
"""Figures that are shown, the best ones."""


@dataclass(frozen=True, slots=True)
class FigureMatches:
    """The best figures, how many there are, and what is to be known of them; `said` is all where there are none."""

    cells: tuple[FoundCell, ...]
    count: int
    notes: tuple[str, ...]
    said: str


def draw_figures(here: PageContext) -> None:
    """Draw the question and the figures that answer it."""
    item, period, document = figure_filters()
    if not item.strip():
        st.html(
            nothing_html(
                "Enter the name of a figure.",
                "Write it as in the row of a table; add a period and a company if you like.",
            )
        )
        return
    given = {"item": item, "period": period, "documents": (document,) if document else (), "count": FIGURES}
    key = (str(here.settings.warehouse), here.state, datetime.now(UTC).date())
    with st.spinner("Searching all cells …"):
        found = _figures(key, given, here)
    for note in found.notes:
        st.html(note_html(note.removeprefix("Note: ")))
    if not found.cells:
        st.html(nothing_html("No table has a figure with this name.", found.said))
        return
    draw_matches(found.cells, "Matching figures, the best match first")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download("kalends-figures", len(found.cells), lambda: match_table(found.cells))
        more = f"The best {len(found.cells)} of " if found.count > len(found.cells) else ""
        st.caption(f"{more}{counted(found.count, 'figure')}")


@st.cache_data(show_spinner=False, max_entries=64)
def _figures(key: tuple[str, str, date], given: dict[str, Any], _here: PageContext) -> FigureMatches:
    answer = member.call(ToolContext(_here.settings, _here.warehouse.at(), key[-1]), {**given, "tokens": MOST})
    figures = answer.data["figures"]
    entries = _here.warehouse.snapshot.entries({figure["document_id"] for figure in figures})
    cells = []
    for figure in figures:
        entry = entries.get(figure["document_id"])
        cells.append(cell_of_figure(figure, (entry.attributes.company or entry.title) if entry else ""))
    return FigureMatches(
        tuple(cells), answer.data["count"], tuple(answer.data["notes"]), answer.text.rpartition("\n")[2]
    )


CELLS_A_PAGE = 100
"""Cells on one page of the list."""
MOST_CELLS = 200_000
"""Cells that a download holds at most."""


def draw_cells(here: PageContext) -> None:
    """Draw the filters and the cells that satisfy them."""
    held, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    wanted = cell_filters(held, key)
    with st.spinner("Searching all cells …"):
        count = _count(key, wanted, held)
    if not count:
        st.html(nothing_html("No cell matches these filters.", "Remove a filter."))
        return
    page = state.value("tables", "cells-page")
    past = (min(page, -(-count // CELLS_A_PAGE)) - 1) * CELLS_A_PAGE
    draw_matches(_cells(key, wanted, past, held), "Cells that match the filters")
    with st.container(horizontal=True, vertical_alignment="center"):
        if count > CELLS_A_PAGE:
            st.pagination(-(-count // CELLS_A_PAGE), key=state.key("tables", "cells-page"))
        draw_download(
            "kalends-cells", min(count, MOST_CELLS), lambda: match_table(list_cells(held, wanted, MOST_CELLS))
        )
        cut = f"; a download holds the first {MOST_CELLS:,}" if count > MOST_CELLS else ""
        st.caption(f"{counted(count, 'cell')}{cut}")


@st.cache_data(show_spinner=False, max_entries=64)
def _count(key: CacheKey, wanted: CellFilters, _held: Warehouse) -> int:
    return count_cells(_held, wanted)


@st.cache_data(show_spinner=False, max_entries=64)
def _cells(key: CacheKey, wanted: CellFilters, past: int, _held: Warehouse) -> list[FoundCell]:
    return list_cells(_held, wanted, CELLS_A_PAGE, past)


TALLEST = 388
"""Pixels of a list that has something to read below it."""


def draw_matches(cells: Sequence[FoundCell], alt: str) -> None:
    """Draw them; the chosen one is put into the address."""
    columns = _columns()
    table = pa.table({name: [getattr(cell, name) for cell in cells] for name in columns})
    place = draw_row_list(table, columns, f"tables-found-{hash(tuple(cells))}", alt, tallest=TALLEST)
    if place is not None:
        cell = cells[place]
        open_table(cell.document_id, cell.table, cell.place)


def match_table(cells: Sequence[FoundCell]) -> pa.Table:
    """The cells with the address of each on this page."""
    return pa.Table.from_pylist([{**asdict(cell), "place": list(cell.place), "link": _address(cell)} for cell in cells])


def _address(cell: FoundCell) -> str:
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
