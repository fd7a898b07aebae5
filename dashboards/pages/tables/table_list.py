"""List of all tables: filtered, sorted, and drawn a page at a time."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.html.text import markdown_label
from dashboards.pages.tables.cell_search import TALLEST
from dashboards.pages.tables.filters import CacheKey, table_filters
from dashboards.pages.tables.queries import TableFilters, TableListing, list_tables
from dashboards.pages.tables.table_view import open_table
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download, draw_row_list
from tasks.quality.wording import counted
from warehouse.reader import Warehouse

TABLES_A_PAGE = 50
"""Tables on one page of the list."""
MOST_TABLES = 100_000
"""Tables that a download holds at most."""


def draw_list(here: PageContext) -> None:
    """Draw the list, folded where the address names a table."""
    opened = st.query_params.get("table", "")
    with st.expander("All tables", expanded=not opened, icon=":material/list:"):
        _draw_list(here)


def _draw_list(here: PageContext) -> None:
    held, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    wanted, order = table_filters(held, key)
    if wanted.document_id:
        draw_document_filter(held, wanted.document_id)
    with st.spinner("Searching tables …"):
        past = _offset()
        listed = _listed(key, wanted, order, past, held)
        if past and not listed.rows:
            past, listed = 0, _listed(key, wanted, order, 0, held)
    if not listed.rows:
        st.html(nothing_html("No table matches these filters.", "Remove a filter, or add documents with tables."))
        return
    _draw_rows(listed, wanted, order, past)
    with st.container(horizontal=True, vertical_alignment="center"):
        if listed.found > TABLES_A_PAGE:
            st.pagination(-(-listed.found // TABLES_A_PAGE), key=state.key("tables", "list-page"), bind="query-params")
        draw_download("kalends-tables", listed.found, lambda: _whole(list_tables(held, wanted, order, MOST_TABLES)))
        st.caption(counted(listed.found, "table"))


def _offset() -> int:
    return (int(state.value("tables", "list-page")) - 1) * TABLES_A_PAGE


def _draw_rows(listed: TableListing, wanted: TableFilters, order: str, past: int) -> None:
    columns = _list_columns()
    table = pa.table({name: [_cell_text(row, name) for row in listed.rows] for name in columns})
    key = f"tables-list-{hash((wanted, order, past))}"
    place = draw_row_list(table, columns, key, "Tables that match the filters", tallest=TALLEST)
    if place is not None:
        row = listed.rows[place]
        open_table(row["document_id"], row["number"])


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


def _whole(listed: TableListing) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: value for name, value in row.items() if name != "found"} for row in listed.rows]
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _listed(key: CacheKey, wanted: TableFilters, order: str, past: int, _held: Warehouse) -> TableListing:
    return list_tables(_held, wanted, order, TABLES_A_PAGE, past)


def draw_document_filter(held: Warehouse, document_id: str) -> None:
    """That the list is of one document, and the way back to all."""
    found = held.snapshot.entries([document_id]).get(document_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = markdown_label(found.title or found.file.path) if found else "a document that is not in the library"
        st.caption(f"Only tables of {name}")
        if st.button("Show all documents", key="tables-everywhere", icon=":material/close:", type="tertiary"):
            del st.query_params["document"]
            st.rerun()
