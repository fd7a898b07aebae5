"""Lists beside the console: tables with their columns, examples, saved queries and the session's history."""

from __future__ import annotations

import streamlit as st

from dashboards.html.notices import error_html
from dashboards.html.safe_text import markdown_label, text_html
from dashboards.pages.sql.queries import EXAMPLES, TableSchema
from dashboards.pages.sql.saved_queries import SavedQueries
from dashboards.widgets import state
from warehouse.errors import KalendsError

MOST_HISTORY = 20
"""Latest queries of a session that are listed."""
LONGEST = 60
"""Characters of a type that are shown; a record with many fields has a long one."""


def draw_lists(schema: tuple[TableSchema, ...], saved: SavedQueries) -> st.delta_generator.DeltaGenerator:
    """Draw the tabs; returns that of the history, which `draw_history` fills once the query has run."""
    tables, examples, own, history = st.tabs(["Tables", "Examples", "Saved", "History"])
    with tables:
        _draw_tables(schema)
    with examples:
        for number, (title, query) in enumerate(EXAMPLES.items()):
            _query_button(title, query, f"example-{number}")
    with own:
        _draw_saved(saved)
    return history


def add_to_history(query: str, outcome: str) -> None:
    """Put a query with its outcome at the head of the session's history."""
    history: dict[str, str] = dict(state.value("sql", "history") or {})
    history.pop(query, None)
    history[query] = outcome
    for oldest in list(history)[:-MOST_HISTORY]:
        del history[oldest]
    state.put("sql", "history", history)


def draw_history(history: st.delta_generator.DeltaGenerator) -> None:
    """Draw the queries of the session into their tab, the latest first."""
    queries: dict[str, str] = state.value("sql", "history") or {}
    with history:
        if not queries:
            st.caption("No query was run in this session.")
        for number, (query, outcome) in enumerate(reversed(queries.items())):
            _query_button(f"{markdown_label(query, 60)} · {outcome}", query, f"before-{number}")


def _draw_tables(tables: tuple[TableSchema, ...]) -> None:
    for table in tables:
        with st.expander(markdown_label(table.name), type="compact"):
            st.html(columns_html(table))
            _query_button("Show its rows", table.query, f"table-{table.name}")


def _draw_saved(saved: SavedQueries) -> None:
    names = saved.names()
    if not names:
        st.caption("No saved queries yet. “Save” keeps the query in the editor.")
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", key=f"sql-kept-{name}"):
            try:
                _query_button(markdown_label(name), saved.text(name), f"saved-{name}")
            except KalendsError as error:
                st.html(error_html(error))
            with st.popover("", icon=":material/delete:", type="tertiary", help="Delete", key=f"sql-delete-{name}"):
                if st.button(f"Delete “{markdown_label(name)}”", key=f"sql-delete-it-{name}"):
                    saved.delete(name)
                    st.rerun()


def _query_button(title: str, query: str, key: str) -> None:
    """Draw a button that puts a query into the console and runs it."""
    st.button(
        title, key=f"sql-{key}", type="tertiary", on_click=_put_query, args=(query,), help=markdown_label(query, 300)
    )


def _put_query(query: str) -> None:
    state.put("sql", "query", query)


def draw_save_button(saved: SavedQueries, query: str) -> None:
    """Draw a button that opens a form for the name of a query to be saved."""
    with st.popover("Save", icon=":material/bookmark:", disabled=not query, key="sql-keeping"):
        with st.form("sql-keep", border=False, clear_on_submit=True):
            name = st.text_input("Name", key="sql-keep-name", max_chars=60, placeholder="Figures by quarter")
            is_submitted = st.form_submit_button("Save the query", key="sql-keep-it")
        if not is_submitted:
            return
        try:
            saved.save(name or "", query)
        except KalendsError as error:
            st.html(error_html(error))
        else:
            st.toast("The query is saved.", icon=":material/bookmark_added:")
            st.rerun()


def columns_html(table: TableSchema) -> str:
    """The description of a table, and its columns with their types."""
    rows = "".join(
        f"<dt>{text_html(name)}</dt><dd>{_type_html(column_type)}</dd>" for name, column_type in table.columns
    )
    return f'<div class="k-schema"><p>{text_html(table.description)}</p><dl>{rows}</dl></div>'


def _type_html(column_type: str) -> str:
    if len(column_type) <= LONGEST:
        return text_html(column_type)
    summary = text_html(column_type[: column_type.find("(")] + " …")
    return f"<details><summary>{summary}</summary>{text_html(column_type)}</details>"
