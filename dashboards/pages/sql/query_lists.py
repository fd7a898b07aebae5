"""Lists beside the console: tables with their columns, examples, saved queries and the session's history."""

from __future__ import annotations

import streamlit as st

from dashboards.html.notices import error_html
from dashboards.html.text import markdown_label, text_html
from dashboards.pages.sql.queries import EXAMPLES, TableSchema
from dashboards.pages.sql.saved_queries import SavedQueries
from dashboards.widgets import state
from warehouse.errors import KalendsError

REMEMBERED = 20
"""Queries of a session that are listed, the latest."""


def draw_lists(schema: tuple[TableSchema, ...], kept: SavedQueries) -> st.delta_generator.DeltaGenerator:
    """Draw the parts; the last one, of which `draw_history` knows, is left to be filled once the query has run."""
    tables, examples, own, before = st.tabs(["Tables", "Examples", "Saved", "History"])
    with tables:
        _draw_tables(schema)
    with examples:
        for number, (told, query) in enumerate(EXAMPLES.items()):
            _query_button(told, query, f"example-{number}")
    with own:
        _draw_saved(kept)
    return before


def add_to_history(query: str, came: str) -> None:
    """Put a query at the head of the session's history."""
    history: dict[str, str] = dict(state.value("sql", "history") or {})
    history.pop(query, None)
    history[query] = came
    for oldest in list(history)[:-REMEMBERED]:
        del history[oldest]
    state.put("sql", "history", history)


def draw_history(history: st.delta_generator.DeltaGenerator) -> None:
    """Draw what was asked in this session, the latest first."""
    asked: dict[str, str] = state.value("sql", "history") or {}
    with history:
        if not asked:
            st.caption("No query was run in this session.")
        for number, (query, came) in enumerate(reversed(asked.items())):
            _query_button(f"{markdown_label(query, 60)} · {came}", query, f"before-{number}")


def _draw_tables(tables: tuple[TableSchema, ...]) -> None:
    for table in tables:
        with st.expander(markdown_label(table.name), type="compact"):
            st.html(columns_html(table))
            _query_button("Show its rows", table.query, f"table-{table.name}")


def _draw_saved(kept: SavedQueries) -> None:
    names = kept.names()
    if not names:
        st.caption("None yet. “Save” keeps the query that is in the editor.")
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", key=f"sql-kept-{name}"):
            try:
                _query_button(markdown_label(name), kept.text(name), f"saved-{name}")
            except KalendsError as error:
                st.html(error_html(error))
            with st.popover("", icon=":material/delete:", type="tertiary", help="Delete", key=f"sql-delete-{name}"):
                if st.button(f"Delete “{markdown_label(name)}”", key=f"sql-delete-it-{name}"):
                    kept.delete(name)
                    st.rerun()


def _query_button(told: str, query: str, key: str) -> None:
    """A button that puts a query into the console, where it is run."""
    st.button(
        told, key=f"sql-{key}", type="tertiary", on_click=_put_query, args=(query,), help=markdown_label(query, 300)
    )


def _put_query(query: str) -> None:
    state.put("sql", "query", query)


def save_button(kept: SavedQueries, query: str) -> None:
    """A button that opens a field for the name."""
    with st.popover("Save", icon=":material/bookmark:", disabled=not query, key="sql-keeping"):
        with st.form("sql-keep", border=False, clear_on_submit=True):
            name = st.text_input("Name", key="sql-keep-name", max_chars=60, placeholder="Figures by quarter")
            saved = st.form_submit_button("Save the query", key="sql-keep-it")
        if not saved:
            return
        try:
            kept.keep(name or "", query)
        except KalendsError as error:
            st.html(error_html(error))
        else:
            st.toast("The query is saved.", icon=":material/bookmark_added:")
            st.rerun()


LONGEST = 60
"""Characters of a type that are shown; some records are many fields."""


def columns_html(table: TableSchema) -> str:
    """What a table holds, and its columns with their types."""
    rows = "".join(f"<dt>{text_html(name)}</dt><dd>{_type_html(sort)}</dd>" for name, sort in table.columns)
    return f'<div class="k-schema"><p>{text_html(table.told)}</p><dl>{rows}</dl></div>'


def _type_html(sort: str) -> str:
    if len(sort) <= LONGEST:
        return text_html(sort)
    return f"<details><summary>{text_html(sort[: sort.find('(')] + ' …')}</summary>{text_html(sort)}</details>"
