"""SQL: a read-only console over the warehouse, what there is to ask for beside it, and charts of what comes."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.sql.queries import LONGEST, Queries
from dashboards.facts.sql.results import Answered, answered
from dashboards.views import state
from dashboards.views.resources import Place, place
from dashboards.views.sql import beside, result
from dashboards.views.sql.keeping import keep
from warehouse.errors import BadQuery, KalendsError
from warehouse.reader import Warehouse

ROWS = 1000
"""Rows that are shown."""
SECONDS = 20.0
"""The longest that a query may take."""


def page() -> None:
    """Draw the console and, once there is a query, what it gives."""
    st.title("SQL")
    here = place()
    kept = Queries(here.settings.warehouse)
    console, aside = st.columns([7, 3], gap="large")
    with aside:
        history = beside.draw(here, kept)
    with console:
        query = _query(kept)
        if query:
            _answer(here, query)
        else:
            st.html(nothing_html("Nothing is asked yet.", "Write a query, or choose a table or an example beside."))
    beside.tell(history)


def _query(kept: Queries) -> str:
    text = st.text_area(
        "Query",
        key=state.key("sql", "query"),
        bind="query-params",
        height=190,
        max_chars=LONGEST,
        placeholder="SELECT …",
        help="DuckDB's SQL, read-only: no files, no network. Ctrl+Enter runs it.",
    )
    query = (text or "").strip()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Run", type="primary", icon=":material/play_arrow:", help="Ctrl+Enter does the same", key="sql-run")
        keep(kept, query)
        st.caption(f"The first {ROWS:,} rows are shown; a query may take {SECONDS:g} s.")
    return query


def _answer(here: Place, query: str) -> None:
    key = (str(here.settings.warehouse), here.state)
    try:
        with st.spinner("Asking …"):
            found = _answered(key, query, here.warehouse.at())
    except BadQuery as error:
        beside.remember(query, "refused")
        st.html(error_html(BadQuery(error.problem, "The tables and their columns stand beside")))
        return
    except KalendsError as error:
        st.html(error_html(error))
        return
    beside.remember(query, f"{found.table.num_rows:,}{'+' if found.truncated else ''} rows")
    result.draw(found, query, here.warehouse)


@st.cache_data(show_spinner=False, max_entries=32)
def _answered(key: tuple[str, str], query: str, _held: Warehouse) -> Answered:
    return answered(_held, query, ROWS, SECONDS)
