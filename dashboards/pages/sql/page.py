"""SQL page: a read-only console over the warehouse, the rows of a result, its chart and its download.

The console is CodeMirror over a text area of Streamlit, with SQL highlighted and names completed. The text area keeps
the query and its place in the address; where the editor (`dashboards/editor`) is missing, it is used itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pyarrow as pa
import streamlit as st

import dashboards
from dashboards.html.notices import error_html, note_html, nothing_html
from dashboards.pages.sql import query_lists
from dashboards.pages.sql.charts import (
    ChartKind,
    ChartPlan,
    ColumnKind,
    column_kinds,
    default_plan,
    result_chart,
    rows_charted,
)
from dashboards.pages.sql.queries import (
    QueryRows,
    TableSchema,
    empty_schema,
    run_query,
    shorten_cells,
    warehouse_schema,
)
from dashboards.pages.sql.query_lists import draw_save_button
from dashboards.pages.sql.saved_queries import LONGEST, SavedQueries
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.row_lists import draw_download
from warehouse.errors import BadQuery, KalendsError, NoWarehouse, QueryMistake, QueryTimeout
from warehouse.reader import Warehouse

ROWS = 1000
"""Rows of a result that are shown."""
SECONDS = 20.0
"""Seconds that a query may take."""
EDITOR = Path(dashboards.__file__).parent / "editor" / "sql_editor.js"
_PLACEHOLDER = "SELECT …"
_MOUNT_EDITOR = """
export default function ({ data, parentElement }) {
  const show = () => window.kalendsSqlEditor.show(parentElement, data);
  if (window.kalendsSqlEditor) show();
  else window.addEventListener("kalendsSqlEditor", show, { once: true });
  return () => {
    window.removeEventListener("kalendsSqlEditor", show);
    window.kalendsSqlEditor?.remove(parentElement);
  };
}
"""
MOST_DOWNLOADED = 1_000_000
"""Rows that a download holds at most."""
DOWNLOAD_SECONDS = 120.0
"""Seconds that the query of a download may take."""
NONE = "–"


def page() -> None:
    """Draw the console, the lists of queries beside it and, once there is a query, its result."""
    st.title("SQL")
    here = page_context()
    saved = SavedQueries(here.settings.warehouse)
    tables, error = _tables(here)
    console, aside = st.columns([7, 3], gap="large")
    with aside:
        history = query_lists.draw_lists(tables, saved)
    with console:
        query = _draw_console(saved, tables)
        if error:
            st.html(error_html(error))
        elif query:
            _draw_answer(here, query)
        else:
            cure = "Write one above, or choose a table or an example from the list; Ctrl+Enter runs it."
            st.html(nothing_html("No query yet.", cure))
    query_lists.draw_history(history)


def _tables(here: PageContext) -> tuple[tuple[TableSchema, ...], NoWarehouse | None]:
    """The tables that a query can name; before the first import the same tables with the error that they are empty."""
    try:
        return _schema((str(here.settings.warehouse), here.state), here.warehouse), None
    except NoWarehouse as error:
        return _empty_schema(), error


def _draw_console(saved: SavedQueries, tables: tuple[TableSchema, ...]) -> str:
    query = edit_query(tables)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Run", type="primary", icon=":material/play_arrow:", help="Ctrl+Enter does the same", key="sql-run")
        draw_save_button(saved, query)
        st.caption(
            f"DuckDB's SQL, read-only. The first {ROWS:,} rows are shown; a query may take {SECONDS:g} s.",
        )
    return query


def _draw_answer(here: PageContext, query: str) -> None:
    key = (str(here.settings.warehouse), here.state)
    try:
        with st.spinner("Running the query …"):
            result = _cached_rows(key, query, here.warehouse.at())
    except KalendsError as error:
        query_lists.add_to_history(query, "too slow" if isinstance(error, QueryTimeout) else "failed")
        st.html(error_html(_with_cure(error)))
        if isinstance(error, QueryTimeout):
            draw_slow_download(query, here.warehouse)
        return
    rows = result.table.num_rows
    query_lists.add_to_history(query, f"{rows:,}{'+' if result.truncated else ''} {'row' if rows == 1 else 'rows'}")
    draw_result(result, query, here.warehouse)


def _with_cure(error: KalendsError) -> KalendsError:
    """The error with a cure that is possible on this page."""
    if isinstance(error, QueryTimeout):
        cure = f"Narrow it with WHERE or LIMIT, or download the result: a download may take {DOWNLOAD_SECONDS:g} s."
        return QueryTimeout(f"The query took longer than {SECONDS:g} s.", cure)
    if isinstance(error, QueryMistake):
        return BadQuery(error.problem, "The tables and their columns are listed under “Tables”.")
    return error


@st.cache_data(show_spinner=False, max_entries=32)
def _cached_rows(key: tuple[str, str], query: str, _warehouse: Warehouse) -> QueryRows:
    return run_query(_warehouse, query, ROWS, SECONDS)


@st.cache_data(show_spinner=False, max_entries=4)
def _schema(key: tuple[str, str], _warehouse: Warehouse) -> tuple[TableSchema, ...]:
    return warehouse_schema(_warehouse)


@st.cache_data(show_spinner=False)
def _empty_schema() -> tuple[TableSchema, ...]:
    return empty_schema()


def edit_query(tables: Sequence[TableSchema]) -> str:
    """Draw the editor and return its query, "" for none; it completes the names of the tables and their columns."""
    with st.container(key="sql-console"):
        text = st.text_area(
            "Query",
            key=state.key("sql", "query"),
            bind="query-params",
            height=192,
            max_chars=LONGEST,
            placeholder=_PLACEHOLDER,
        )
        # As a component of its own the editor is sent once a session, not with every query.
        st.components.v2.component("kalends_sql_editor", js=_editor_source(), isolate_styles=False)(
            key="sql-editor-source"
        )
        st.components.v2.component("kalends_sql_query", js=_MOUNT_EDITOR, isolate_styles=False)(
            key="sql-editor",
            data={
                "query": text or "",
                "label": "Query",
                "placeholder": _PLACEHOLDER,
                "area": ".st-key-sql-query",
                "most": LONGEST,
                "tables": {table.name: [name for name, _ in table.columns] for table in tables},
            },
        )
    return (text or "").strip()


@cache
def _editor_source() -> str:
    return EDITOR.read_text(encoding="utf-8")


def draw_result(result: QueryRows, query: str, warehouse: Warehouse) -> None:
    """Draw the rows and the chart; a download queries the `warehouse` again where not all rows are shown."""
    table = result.table
    if not table.num_rows:
        st.html(nothing_html("No rows.", f"The query took {result.seconds:.2f} s."))
        return
    st.dataframe(
        shorten_cells(table),
        hide_index=True,
        placeholder="–",
        height=min(35 * (table.num_rows + 1) + 3, 420),
        alt="The rows of the result",
    )
    count = f"{table.num_rows:,} {'row' if table.num_rows == 1 else 'rows'}"
    with st.container(horizontal=True, vertical_alignment="center"):
        rows = MOST_DOWNLOADED if result.truncated else table.num_rows
        draw_download("kalends-query", rows, lambda: _all_rows(result, query, warehouse))
        columns = f"{table.num_columns} {'column' if table.num_columns == 1 else 'columns'}"
        st.caption(f"{'The first ' if result.truncated else ''}{count}, {columns}, in {result.seconds:.2f} s")
    if result.truncated:
        st.html(note_html(f"There are more rows. A download has them all, {MOST_DOWNLOADED:,} at most."))
    draw_chart(table)


def draw_slow_download(query: str, warehouse: Warehouse) -> None:
    """Draw a download for a query that takes too long to be shown."""
    draw_download(
        "kalends-query", MOST_DOWNLOADED, lambda: run_query(warehouse, query, MOST_DOWNLOADED, DOWNLOAD_SECONDS).table
    )


def _all_rows(result: QueryRows, query: str, warehouse: Warehouse) -> pa.Table:
    return run_query(warehouse, query, MOST_DOWNLOADED, DOWNLOAD_SECONDS).table if result.truncated else result.table


def draw_chart(table: pa.Table) -> None:
    """Draw the chart of a result with the choice of its columns; nothing where no column is a quantity."""
    kinds = column_kinds(table)
    if ColumnKind.QUANTITY not in kinds.values() or table.num_rows < 2:
        return
    st.header("Chart", anchor=False)
    plan = _choose_plan(default_plan(table), kinds)
    summary = f"{plan.kind.value}: {plan.y} by {plan.x}" + (f", {plan.by}" if plan.by else "")
    st.altair_chart(result_chart(table, plan), theme="streamlit", width="stretch", alt=f"Chart, {summary}")
    if table.num_rows > (most := rows_charted(plan.kind)):
        st.caption(f"The first {most:,} rows are drawn.")


def _choose_plan(default: ChartPlan | None, kinds: dict[str, ColumnKind]) -> ChartPlan:
    """Draw the choice of a chart and return it; a result with other columns has widgets of its own."""
    names = list(kinds)
    amounts = [name for name in names if kinds[name] is ColumnKind.QUANTITY]
    own = hash(tuple(kinds.items()))
    with st.container(key="filters"):
        columns = st.columns(4)
    kind = ChartKind(
        _select_one(columns[0], "Kind", [*ChartKind], default.kind if default else ChartKind.BAR, f"kind-{own}")
    )
    heat, bars = kind is ChartKind.HEAT, kind is ChartKind.BAR
    x = _select_one(
        columns[1], "Labels" if bars else "Horizontal", names, default.x if default else names[0], f"x-{own}"
    )
    vertical = names if heat else amounts
    y = _select_one(
        columns[2], "Values" if bars else "Vertical", vertical, default.y if default else amounts[-1], f"y-{own}-{heat}"
    )
    others = amounts if heat else [NONE, *names]
    by = _select_one(
        columns[3], "Shade" if heat else "Colour", others, (default and default.by) or NONE, f"by-{own}-{heat}"
    )
    return ChartPlan(kind, x, y, None if by == NONE else by)


def _select_one(
    column: st.delta_generator.DeltaGenerator, label: str, values: list[str], default: str, key: str
) -> str:
    index = values.index(default) if default in values else 0
    return column.selectbox(label, values, index, key=f"sql-chart-{key}") or values[index]
