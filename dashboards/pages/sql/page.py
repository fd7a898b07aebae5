"""SQL: a read-only console over the warehouse, what there is to ask for beside it, and charts of what comes."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.sql.queries import Queries
from dashboards.facts.sql.results import Answered, answered
from dashboards.facts.sql.schema import TableSchema, empty_schema, schema_of
from dashboards.pages.sql import beside, result
from dashboards.pages.sql.editor import edit_query
from dashboards.pages.sql.keeping import keep
from dashboards.widgets.resources import PageContext, page_context
from warehouse.errors import BadQuery, KalendsError, NoWarehouse, QueryMistake, QueryTimeout
from warehouse.reader import Warehouse

ROWS = 1000
"""Rows that are shown."""
SECONDS = 20.0
"""The longest that a query may take."""


def page() -> None:
    """Draw the console, the tables and examples beside it and, once there is a query, what it gives."""
    st.title("SQL")
    here = page_context()
    kept = Queries(here.settings.warehouse)
    tables, empty = _tables(here)
    console, aside = st.columns([7, 3], gap="large")
    with aside:
        history = beside.draw(tables, kept)
    with console:
        query = _query(kept, tables)
        if empty:
            st.html(error_html(empty))
        elif query:
            _answer(here, query)
        else:
            cure = "Write one above, or choose a table or an example from the list; Ctrl+Enter runs it."
            st.html(nothing_html("No query yet.", cure))
    beside.tell(history)


def _tables(here: PageContext) -> tuple[tuple[TableSchema, ...], NoWarehouse | None]:
    """What can be asked for; before the first import the same tables, and that there is nothing in them."""
    try:
        return _schema((str(here.settings.warehouse), here.state), here.warehouse), None
    except NoWarehouse as error:
        return _empty_schema(), error


def _query(kept: Queries, tables: tuple[TableSchema, ...]) -> str:
    query = edit_query(tables)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Run", type="primary", icon=":material/play_arrow:", help="Ctrl+Enter does the same", key="sql-run")
        keep(kept, query)
        st.caption(
            f"DuckDB's SQL, read-only. The first {ROWS:,} rows are shown; a query may take {SECONDS:g} s.",
        )
    return query


def _answer(here: PageContext, query: str) -> None:
    key = (str(here.settings.warehouse), here.state)
    try:
        with st.spinner("Running the query …"):
            found = _answered(key, query, here.warehouse.at())
    except KalendsError as error:
        beside.remember(query, "too slow" if isinstance(error, QueryTimeout) else "failed")
        st.html(error_html(_with_cure(error)))
        if isinstance(error, QueryTimeout):
            result.offer_whole(query, here.warehouse)
        return
    rows = found.table.num_rows
    beside.remember(query, f"{rows:,}{'+' if found.truncated else ''} {'row' if rows == 1 else 'rows'}")
    result.draw(found, query, here.warehouse)


def _with_cure(error: KalendsError) -> KalendsError:
    """The error with what can be done about it on this page."""
    if isinstance(error, QueryTimeout):
        cure = f"Narrow it with WHERE or LIMIT, or download the result: a download may take {result.LONG:g} s."
        return QueryTimeout(f"The query took longer than {SECONDS:g} s.", cure)
    if isinstance(error, QueryMistake):
        return BadQuery(error.problem, "The tables and their columns are listed under “Tables”.")
    return error


@st.cache_data(show_spinner=False, max_entries=32)
def _answered(key: tuple[str, str], query: str, _held: Warehouse) -> Answered:
    return answered(_held, query, ROWS, SECONDS)


@st.cache_data(show_spinner=False, max_entries=4)
def _schema(key: tuple[str, str], _held: Warehouse) -> tuple[TableSchema, ...]:
    return schema_of(_held)


@st.cache_data(show_spinner=False)
def _empty_schema() -> tuple[TableSchema, ...]:
    return empty_schema()
