"""The lists beside the console: the tables, examples, saved queries, and what was asked in this session."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.notices import error_html
from dashboards.drawing.sql.schemas import columns_html
from dashboards.facts.sql.known import EXAMPLES
from dashboards.facts.sql.queries import Queries
from dashboards.facts.sql.schema import TableSchema
from dashboards.widgets import state
from warehouse.errors import KalendsError

REMEMBERED = 20
"""Queries of a session that are listed, the latest."""


def draw(schema: tuple[TableSchema, ...], kept: Queries) -> st.delta_generator.DeltaGenerator:
    """Draw the parts; the last one, of which `tell` knows, is left to be filled once the query has run."""
    tables, examples, own, before = st.tabs(["Tables", "Examples", "Saved", "History"])
    with tables:
        _tables(schema)
    with examples:
        for number, (told, query) in enumerate(EXAMPLES.items()):
            _offer(told, query, f"example-{number}")
    with own:
        _saved(kept)
    return before


def remember(query: str, came: str) -> None:
    """Put a query at the head of the session's history."""
    history: dict[str, str] = dict(state.value("sql", "history") or {})
    history.pop(query, None)
    history[query] = came
    for oldest in list(history)[:-REMEMBERED]:
        del history[oldest]
    state.put("sql", "history", history)


def tell(history: st.delta_generator.DeltaGenerator) -> None:
    """Draw what was asked in this session, the latest first."""
    asked: dict[str, str] = state.value("sql", "history") or {}
    with history:
        if not asked:
            st.caption("No query was run in this session.")
        for number, (query, came) in enumerate(reversed(asked.items())):
            _offer(f"{markdown_label(query, 60)} · {came}", query, f"before-{number}")


def _tables(tables: tuple[TableSchema, ...]) -> None:
    for table in tables:
        with st.expander(markdown_label(table.name), type="compact"):
            st.html(columns_html(table))
            _offer("Show its rows", table.query, f"table-{table.name}")


def _saved(kept: Queries) -> None:
    names = kept.names()
    if not names:
        st.caption("None yet. “Save” keeps the query that is in the editor.")
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", key=f"sql-kept-{name}"):
            try:
                _offer(markdown_label(name), kept.text(name), f"saved-{name}")
            except KalendsError as error:
                st.html(error_html(error))
            with st.popover("", icon=":material/delete:", type="tertiary", help="Delete", key=f"sql-delete-{name}"):
                if st.button(f"Delete “{markdown_label(name)}”", key=f"sql-delete-it-{name}"):
                    kept.delete(name)
                    st.rerun()


def _offer(told: str, query: str, key: str) -> None:
    """A button that puts a query into the console, where it is run."""
    st.button(told, key=f"sql-{key}", type="tertiary", on_click=_put, args=(query,), help=markdown_label(query, 300))


def _put(query: str) -> None:
    state.put("sql", "query", query)
