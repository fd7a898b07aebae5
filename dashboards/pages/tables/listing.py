"""The list of tables, a page at a time."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.facts.tables.listed import Listed, TablesWanted, tables_of
from dashboards.pages.tables.filtering import tell_document, wanted_tables
from dashboards.pages.tables.found import TALLEST
from dashboards.pages.tables.opening import open_table
from dashboards.widgets import state
from dashboards.widgets.choosing import draw_row_list
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from tasks.quality.wording import counted
from warehouse.reader import Warehouse

A_PAGE = 50
"""Tables on one page of the list."""
MOST = 100_000
"""Tables that a download holds at most."""


def draw(here: PageContext) -> None:
    """Draw the list, folded where the address names a table."""
    opened = st.query_params.get("table", "")
    with st.expander("All tables", expanded=not opened, icon=":material/list:"):
        _draw(here)


def _draw(here: PageContext) -> None:
    held, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    wanted, order = wanted_tables(held, key)
    if wanted.document_id:
        tell_document(held, wanted.document_id)
    with st.spinner("Searching tables …"):
        past = _past()
        listed = _listed(key, wanted, order, past, held)
        if past and not listed.rows:
            past, listed = 0, _listed(key, wanted, order, 0, held)
    if not listed.rows:
        st.html(nothing_html("No table matches these filters.", "Remove a filter, or add documents with tables."))
        return
    _show(listed, wanted, order, past)
    with st.container(horizontal=True, vertical_alignment="center"):
        if listed.found > A_PAGE:
            st.pagination(-(-listed.found // A_PAGE), key=state.key("tables", "list-page"), bind="query-params")
        draw_download("kalends-tables", listed.found, lambda: _whole(tables_of(held, wanted, order, MOST)))
        st.caption(counted(listed.found, "table"))


def _past() -> int:
    return (int(state.value("tables", "list-page")) - 1) * A_PAGE


def _show(listed: Listed, wanted: TablesWanted, order: str, past: int) -> None:
    columns = _columns()
    table = pa.table({name: [_told(row, name) for row in listed.rows] for name in columns})
    key = f"tables-list-{hash((wanted, order, past))}"
    place = draw_row_list(table, columns, key, "Tables that match the filters", tallest=TALLEST)
    if place is not None:
        row = listed.rows[place]
        open_table(row["document_id"], row["number"])


def _told(row: dict[str, Any], name: str) -> Any:
    value = row[name]
    if name == "title":
        return value or row["source"]
    return " ".join(value.split()) if isinstance(value, str) else value


def _columns() -> dict[str, Any]:
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


def _whole(listed: Listed) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: value for name, value in row.items() if name != "found"} for row in listed.rows]
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _listed(key: tuple[str, str], wanted: TablesWanted, order: str, past: int, _held: Warehouse) -> Listed:
    return tables_of(_held, wanted, order, A_PAGE, past)
