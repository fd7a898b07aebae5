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
from dashboards.pages.sql.query_lists import save_button
from dashboards.pages.sql.saved_queries import LONGEST, SavedQueries
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.row_lists import draw_download
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
    kept = SavedQueries(here.settings.warehouse)
    tables, empty = _tables(here)
    console, aside = st.columns([7, 3], gap="large")
    with aside:
        history = query_lists.draw_lists(tables, kept)
    with console:
        query = _query(kept, tables)
        if empty:
            st.html(error_html(empty))
        elif query:
            _run(here, query)
        else:
            cure = "Write one above, or choose a table or an example from the list; Ctrl+Enter runs it."
            st.html(nothing_html("No query yet.", cure))
    query_lists.draw_history(history)


def _tables(here: PageContext) -> tuple[tuple[TableSchema, ...], NoWarehouse | None]:
    """What can be asked for; before the first import the same tables, and that there is nothing in them."""
    try:
        return _schema((str(here.settings.warehouse), here.state), here.warehouse), None
    except NoWarehouse as error:
        return _empty_schema(), error


def _query(kept: SavedQueries, tables: tuple[TableSchema, ...]) -> str:
    query = edit_query(tables)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Run", type="primary", icon=":material/play_arrow:", help="Ctrl+Enter does the same", key="sql-run")
        save_button(kept, query)
        st.caption(
            f"DuckDB's SQL, read-only. The first {ROWS:,} rows are shown; a query may take {SECONDS:g} s.",
        )
    return query


def _run(here: PageContext, query: str) -> None:
    key = (str(here.settings.warehouse), here.state)
    try:
        with st.spinner("Running the query …"):
            found = _cached_rows(key, query, here.warehouse.at())
    except KalendsError as error:
        query_lists.add_to_history(query, "too slow" if isinstance(error, QueryTimeout) else "failed")
        st.html(error_html(_with_cure(error)))
        if isinstance(error, QueryTimeout):
            offer_download(query, here.warehouse)
        return
    rows = found.table.num_rows
    query_lists.add_to_history(query, f"{rows:,}{'+' if found.truncated else ''} {'row' if rows == 1 else 'rows'}")
    draw_result(found, query, here.warehouse)


def _with_cure(error: KalendsError) -> KalendsError:
    """The error with what can be done about it on this page."""
    if isinstance(error, QueryTimeout):
        cure = f"Narrow it with WHERE or LIMIT, or download the result: a download may take {DOWNLOAD_SECONDS:g} s."
        return QueryTimeout(f"The query took longer than {SECONDS:g} s.", cure)
    if isinstance(error, QueryMistake):
        return BadQuery(error.problem, "The tables and their columns are listed under “Tables”.")
    return error


@st.cache_data(show_spinner=False, max_entries=32)
def _cached_rows(key: tuple[str, str], query: str, _held: Warehouse) -> QueryRows:
    return run_query(_held, query, ROWS, SECONDS)


@st.cache_data(show_spinner=False, max_entries=4)
def _schema(key: tuple[str, str], _held: Warehouse) -> tuple[TableSchema, ...]:
    return warehouse_schema(_held)


@st.cache_data(show_spinner=False)
def _empty_schema() -> tuple[TableSchema, ...]:
    return empty_schema()


EDITOR = Path(dashboards.__file__).parent / "editor" / "sql_editor.js"
_PLACEHOLDER = "SELECT …"
_SHOW = """
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


def edit_query(tables: Sequence[TableSchema]) -> str:
    """The query that is in the editor, "" for none; names of these tables and their columns are completed."""
    with st.container(key="sql-console"):
        text = st.text_area(
            "Query",
            key=state.key("sql", "query"),
            bind="query-params",
            height=192,
            max_chars=LONGEST,
            placeholder=_PLACEHOLDER,
        )
        # Drawn apart, the editor itself is sent once a session, whatever the query is.
        st.components.v2.component("kalends_sql_editor", js=_source(), isolate_styles=False)(key="sql-editor-source")
        st.components.v2.component("kalends_sql_query", js=_SHOW, isolate_styles=False)(
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
def _source() -> str:
    return EDITOR.read_text(encoding="utf-8")


MOST_DOWNLOADED = 1_000_000
"""Rows that a download holds at most."""
DOWNLOAD_SECONDS = 120.0
"""The longest that the query of a download may take, in seconds."""


def draw_result(found: QueryRows, query: str, warehouse: Warehouse) -> None:
    """Draw the rows and the chart. `warehouse` is asked again for the rows that are not shown, on demand."""
    table = found.table
    if not table.num_rows:
        st.html(nothing_html("No rows.", f"The query took {found.seconds:.2f} s."))
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
        rows = MOST_DOWNLOADED if found.truncated else table.num_rows
        draw_download("kalends-query", rows, lambda: _all_rows(found, query, warehouse))
        columns = f"{table.num_columns} {'column' if table.num_columns == 1 else 'columns'}"
        st.caption(f"{'The first ' if found.truncated else ''}{count}, {columns}, in {found.seconds:.2f} s")
    if found.truncated:
        st.html(note_html(f"There are more rows. A download has them all, {MOST_DOWNLOADED:,} at most."))
    draw_chart(table)


def offer_download(query: str, warehouse: Warehouse) -> None:
    """A download of a result that takes too long to be shown."""
    draw_download(
        "kalends-query", MOST_DOWNLOADED, lambda: run_query(warehouse, query, MOST_DOWNLOADED, DOWNLOAD_SECONDS).table
    )


def _all_rows(found: QueryRows, query: str, warehouse: Warehouse) -> pa.Table:
    return run_query(warehouse, query, MOST_DOWNLOADED, DOWNLOAD_SECONDS).table if found.truncated else found.table


NONE = "–"


def draw_chart(table: pa.Table) -> None:
    """Draw the chart and what it can be made of; nothing where no column is a quantity."""
    sorts = column_kinds(table)
    if ColumnKind.QUANTITY not in sorts.values() or table.num_rows < 2:
        return
    st.header("Chart", anchor=False)
    plan = _choose_plan(default_plan(table), sorts)
    told = f"{plan.kind.value}: {plan.y} by {plan.x}" + (f", {plan.by}" if plan.by else "")
    st.altair_chart(result_chart(table, plan), theme="streamlit", width="stretch", alt=f"Chart, {told}")
    if table.num_rows > (most := rows_charted(plan.kind)):
        st.caption(f"The first {most:,} rows are drawn.")


def _choose_plan(first: ChartPlan | None, sorts: dict[str, ColumnKind]) -> ChartPlan:
    """What the reader wants drawn. Widgets belong to the columns there are: another result begins anew."""
    names = list(sorts)
    amounts = [name for name in names if sorts[name] is ColumnKind.QUANTITY]
    own = hash(tuple(sorts.items()))
    with st.container(key="filters"):
        columns = st.columns(4)
    kind = ChartKind(
        _select_one(columns[0], "Kind", [*ChartKind], first.kind if first else ChartKind.BAR, f"kind-{own}")
    )
    heat, bars = kind is ChartKind.HEAT, kind is ChartKind.BAR
    x = _select_one(columns[1], "Labels" if bars else "Horizontal", names, first.x if first else names[0], f"x-{own}")
    ups = names if heat else amounts
    y = _select_one(
        columns[2], "Values" if bars else "Vertical", ups, first.y if first else amounts[-1], f"y-{own}-{heat}"
    )
    others = amounts if heat else [NONE, *names]
    by = _select_one(
        columns[3], "Shade" if heat else "Colour", others, (first and first.by) or NONE, f"by-{own}-{heat}"
    )
    return ChartPlan(kind, x, y, None if by == NONE else by)


def _select_one(column: st.delta_generator.DeltaGenerator, label: str, values: list[str], first: str, key: str) -> str:
    place = values.index(first) if first in values else 0
    return column.selectbox(label, values, place, key=f"sql-chart-{key}") or values[place]
