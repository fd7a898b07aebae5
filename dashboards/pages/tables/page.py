"""Tables page: the list of all tables, with searches for figures and cells as its other parts, and one table below."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.html.safe_text import markdown_label
from dashboards.pages.tables.cell_search import TALLEST, draw_cells, draw_figures
from dashboards.pages.tables.filters import CacheKey, table_filters
from dashboards.pages.tables.queries import TableFilters, TableListing, list_tables
from dashboards.pages.tables.table_view import draw_table, open_table
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.row_lists import draw_download, draw_row_list
from tasks.quality.phrases import counted
from warehouse.reader import Warehouse

TABLES_A_PAGE = 50
"""Tables on one page of the list."""
MOST_TABLES = 100_000
"""Tables that a download holds at most."""


def page() -> None:
    """Draw the part of the page that the address names, and the table that it names."""
    st.title("Tables")
    here = page_context()
    names = list(PARTS)
    part = st.segmented_control(
        "Part",
        names,
        default=names[0],
        required=True,
        key=state.key("tables", "part"),
        bind="query-params",
        label_visibility="collapsed",
    )
    PARTS[part or names[0]](here)
    draw_table(here)


def draw_list(here: PageContext) -> None:
    """Draw the list, collapsed where the address names a table."""
    table = st.query_params.get("table", "")
    with st.expander("All tables", expanded=not table, icon=":material/list:"):
        _draw_filtered_list(here)


def _draw_filtered_list(here: PageContext) -> None:
    warehouse, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    filters, order = table_filters(warehouse, key)
    if filters.document_id:
        draw_document_filter(warehouse, filters.document_id)
    with st.spinner("Searching tables …"):
        past = _offset()
        listing = _cached_listing(key, filters, order, past, warehouse)
        if past and not listing.rows:
            past, listing = 0, _cached_listing(key, filters, order, 0, warehouse)
    if not listing.rows:
        st.html(nothing_html("No table matches these filters.", "Remove a filter, or add documents with tables."))
        return
    _draw_rows(listing, filters, order, past)
    with st.container(horizontal=True, vertical_alignment="center"):
        if listing.matches > TABLES_A_PAGE:
            st.pagination(
                -(-listing.matches // TABLES_A_PAGE), key=state.key("tables", "list-page"), bind="query-params"
            )
        draw_download(
            "kalends-tables",
            listing.matches,
            lambda: _download_rows(list_tables(warehouse, filters, order, MOST_TABLES)),
        )
        st.caption(counted(listing.matches, "table"))


def _draw_rows(listing: TableListing, filters: TableFilters, order: str, past: int) -> None:
    columns = _list_columns()
    table = pa.table({name: [_cell_text(row, name) for row in listing.rows] for name in columns})
    key = f"tables-list-{hash((filters, order, past))}"
    place = draw_row_list(table, columns, key, "Tables that match the filters", tallest=TALLEST)
    if place is not None:
        row = listing.rows[place]
        open_table(row["document_id"], row["number"])


def _offset() -> int:
    return (int(state.value("tables", "list-page")) - 1) * TABLES_A_PAGE


def _cell_text(row: dict[str, Any], name: str) -> Any:
    value = row[name]
    if name == "title":
        return value or row["source"]
    return " ".join(value.split()) if isinstance(value, str) else value


def _list_columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "title": config.TextColumn("Document", width="medium"),
        "number": config.NumberColumn("Table", format="%d"),
        "caption": config.TextColumn("Caption", width="large"),
        "page": config.NumberColumn("Page", format="%d"),
        "rows": config.NumberColumn("Rows", format="%d"),
        "columns": config.NumberColumn("Columns", format="%d"),
        "wrong": config.NumberColumn("Wrong totals", format="%d", help="Totals that do not add up"),
        "company": config.TextColumn("Company"),
        "document_date": config.DateColumn("Date", format="YYYY-MM-DD"),
        "kind": config.TextColumn("Kind"),
    }


def _download_rows(listing: TableListing) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: value for name, value in row.items() if name != "matches"} for row in listing.rows]
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _cached_listing(key: CacheKey, filters: TableFilters, order: str, past: int, _warehouse: Warehouse) -> TableListing:
    return list_tables(_warehouse, filters, order, TABLES_A_PAGE, past)


def draw_document_filter(warehouse: Warehouse, document_id: str) -> None:
    """Say that the list is of one document, with a button for all documents."""
    entry = warehouse.snapshot.entries([document_id]).get(document_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = markdown_label(entry.title or entry.file.path) if entry else "a document that is not in the library"
        st.caption(f"Only tables of {name}")
        if st.button("Show all documents", key="tables-everywhere", icon=":material/close:", type="tertiary"):
            del st.query_params["document"]
            st.rerun()


PARTS: MappingProxyType[str, Callable[[PageContext], None]] = MappingProxyType(
    {"Tables": draw_list, "Find a figure": draw_figures, "All cells": draw_cells}
)
"""The parts of the page above the table, by the names on it."""
