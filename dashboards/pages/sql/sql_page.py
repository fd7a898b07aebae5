"""SQL page: a read-only console over the warehouse, lists of queries next to it, and the rows and chart of a result.

The console is CodeMirror over a text area of Streamlit, with SQL highlighted and names completed. The text area keeps
the query and its place in the address; where the editor (`dashboards/editor`) is missing, it is used itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import streamlit as st

import dashboards
from dashboards.html.safe_text import escape_text, format_markdown_label, render_empty_state, render_error, render_note
from dashboards.pages.sql.sql_charts import (
    ChartKind,
    ChartPlan,
    ColumnKind,
    chart_result,
    choose_default_plan,
    count_charted_rows,
    find_column_kinds,
)
from dashboards.pages.sql.sql_queries import (
    EXAMPLES,
    MAX_QUERY_LENGTH,
    QueryRows,
    SavedQueries,
    TableSchema,
    make_empty_schema,
    read_warehouse_schema,
    run_query,
    shorten_cells,
)
from dashboards.widgets import state
from dashboards.widgets.browser_scripts import mount_script
from dashboards.widgets.data_elements import compute_table_height, draw_download
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from tasks.quality.phrases import format_count
from warehouse.errors import BadQuery, KalendsError, NoWarehouse, QueryMistake, QueryTimeout
from warehouse.reader import Warehouse

ROWS = 1000  # Rows of a result that are shown.
SECONDS = 20.0  # Seconds that a query may take.
EDITOR = Path(dashboards.__file__).parent / "editor" / "sql_editor.js"
_PLACEHOLDER = "SELECT …"
MAX_DOWNLOADED = 1_000_000  # The most rows of a download.
DOWNLOAD_SECONDS = 120.0  # Seconds that the query of a download may take.
NONE = "–"
MAX_HISTORY = 20  # Latest queries of a session that are listed.
MAX_TYPE_LENGTH = 60  # Characters of a type that are shown; a record with many fields has a long one.

_read_cached_schema = cache_query(4)(read_warehouse_schema)
_make_cached_empty_schema = cache_query(1)(make_empty_schema)
_run_cached_query = cache_query(32)(run_query)


def draw_page() -> None:
    """Draw the console, the lists of queries next to it and, once there is a query, its result."""
    st.title("SQL")
    here = load_page_context()
    saved_queries = SavedQueries(here.settings.warehouse)
    error = None
    try:
        tables = _read_cached_schema(here.warehouse.pin_generation())
    except NoWarehouse as missing:
        # Before the first import a query can name the same tables, which are empty.
        tables, error = _make_cached_empty_schema(), missing
    console, side_column = st.columns([7, 3], gap="large")
    with side_column:
        history = draw_lists(tables, saved_queries)
    with console:
        query = edit_query(tables)
        with st.container(horizontal=True, vertical_alignment="center"):
            help_text = "Ctrl+Enter does the same"
            st.button("Run", type="primary", icon=":material/play_arrow:", help=help_text, key="sql-run")
            draw_save_button(saved_queries, query)
            st.caption(f"DuckDB's SQL, read-only. The first {ROWS:,} rows are shown; a query may take {SECONDS:g} s.")
        if error:
            st.html(render_error(error))
        elif query:
            _draw_answer(here, query)
        else:
            cure = "Write one above, or choose a table or an example from the list; Ctrl+Enter runs it."
            st.html(render_empty_state("No query yet.", cure))
    draw_history(history)


def _draw_answer(here: PageContext, query: str) -> None:
    try:
        with st.spinner("Running the query …"):
            result = _run_cached_query(here.warehouse.pin_generation(), query, ROWS, SECONDS)
    except KalendsError as error:
        add_to_history(query, "too slow" if isinstance(error, QueryTimeout) else "failed")
        if isinstance(error, QueryTimeout):
            cure = f"Narrow it with WHERE or LIMIT, or download the result: a download may take {DOWNLOAD_SECONDS:g} s."
            st.html(render_error(QueryTimeout(f"The query took longer than {SECONDS:g} s.", cure)))
            draw_download("kalends-query", MAX_DOWNLOADED, partial(_read_all_rows, query, here.warehouse))
        elif isinstance(error, QueryMistake):
            cure = "The tables and their columns are listed under “Tables”."
            st.html(render_error(BadQuery(error.problem, cure)))
        else:
            st.html(render_error(error))
        return
    rows = result.table.num_rows
    add_to_history(query, f"{rows:,}{'+' if result.truncated else ''} {'row' if rows == 1 else 'rows'}")
    draw_result(result, query, here.warehouse)


def _read_all_rows(query: str, warehouse: Warehouse) -> pa.Table:
    return run_query(warehouse, query, MAX_DOWNLOADED, DOWNLOAD_SECONDS).table


def edit_query(tables: Sequence[TableSchema]) -> str:
    """Draw the editor and return its query, "" for none; it completes the names of the tables and their columns."""
    with st.container(key="sql-console"):
        text = st.text_area(
            "Query",
            height=192,
            max_chars=MAX_QUERY_LENGTH,
            placeholder=_PLACEHOLDER,
            **state.bind_field("sql", "query"),
        )
        # As a component of its own the editor is sent once a session, not with every query.
        mount_script("sql_editor", EDITOR, isolate_styles=False, key="sql-editor-source")
        mount_script(
            "sql_query",
            isolate_styles=False,
            key="sql-editor",
            data={
                "query": text or "",
                "label": "Query",
                "placeholder": _PLACEHOLDER,
                "area": ".st-key-sql-query",
                "most": MAX_QUERY_LENGTH,
                "tables": {table.name: [name for name, _ in table.columns] for table in tables},
            },
        )
    return (text or "").strip()


def draw_result(result: QueryRows, query: str, warehouse: Warehouse) -> None:
    """Draw the rows and the chart; a download queries the `warehouse` again where not all rows are shown."""
    table = result.table
    if not table.num_rows:
        st.html(render_empty_state("No rows.", f"The query took {result.seconds:.2f} s."))
        return
    st.dataframe(
        shorten_cells(table),
        hide_index=True,
        placeholder="–",
        height=compute_table_height(table.num_rows, 420),
        alt="The rows of the result",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if result.truncated:
            draw_download("kalends-query", MAX_DOWNLOADED, partial(_read_all_rows, query, warehouse))
        else:
            draw_download("kalends-query", table.num_rows, lambda: table)
        size = f"{format_count(table.num_rows, 'row')}, {format_count(table.num_columns, 'column')}"
        st.caption(f"{'The first ' if result.truncated else ''}{size}, in {result.seconds:.2f} s")
    if result.truncated:
        st.html(render_note(f"There are more rows. A download has them all, {MAX_DOWNLOADED:,} at most."))
    draw_chart(table)


def draw_chart(table: pa.Table) -> None:
    """Draw the chart of a result with the choice of its columns; nothing where no column is a quantity."""
    kinds = find_column_kinds(table)
    if ColumnKind.QUANTITY not in kinds.values() or table.num_rows < 2:
        return
    st.header("Chart", anchor=False)
    plan = _choose_plan(choose_default_plan(table), kinds)
    summary = f"{plan.kind.value}: {plan.y} by {plan.x}" + (f", {plan.by}" if plan.by else "")
    st.altair_chart(chart_result(table, plan), theme="streamlit", width="stretch", alt=f"Chart, {summary}")
    if table.num_rows > (most := count_charted_rows(plan.kind)):
        st.caption(f"The first {most:,} rows are drawn.")


def _choose_plan(default: ChartPlan | None, kinds: dict[str, ColumnKind]) -> ChartPlan:
    """Draw the choice of a chart and return it; a result with other columns has widgets of its own."""
    names = list(kinds)
    amounts = [name for name in names if kinds[name] is ColumnKind.QUANTITY]
    columns_hash = hash(tuple(kinds.items()))
    with st.container(key="filters"):
        columns = st.columns(4)
    default_plan = default or ChartPlan(ChartKind.BAR, names[0], amounts[-1])
    kind = ChartKind(_select_one(columns[0], "Kind", [*ChartKind], default_plan.kind, f"kind-{columns_hash}"))
    heat, bars = kind is ChartKind.HEAT, kind is ChartKind.BAR
    x = _select_one(columns[1], "Labels" if bars else "Horizontal", names, default_plan.x, f"x-{columns_hash}")
    vertical, choices = (names, amounts) if heat else (amounts, [NONE, *names])
    y = _select_one(columns[2], "Values" if bars else "Vertical", vertical, default_plan.y, f"y-{columns_hash}-{heat}")
    by = _select_one(
        columns[3], "Shade" if heat else "Colour", choices, default_plan.by or NONE, f"by-{columns_hash}-{heat}"
    )
    return ChartPlan(kind, x, y, None if by == NONE else by)


def _select_one(
    column: st.delta_generator.DeltaGenerator, label: str, values: list[str], default: str, key: str
) -> str:
    index = values.index(default) if default in values else 0
    return column.selectbox(label, values, index, key=f"sql-chart-{key}") or values[index]


def draw_lists(schema: tuple[TableSchema, ...], saved_queries: SavedQueries) -> st.delta_generator.DeltaGenerator:
    """Draw the tabs; returns that of the history, which `draw_history` fills once the query has run."""
    tables, examples, saved_tab, history = st.tabs(["Tables", "Examples", "Saved", "History"])
    with tables:
        for table in schema:
            with st.expander(format_markdown_label(table.name), type="compact"):
                st.html(render_columns(table))
                _draw_query_button("Show its rows", table.query, f"table-{table.name}")
    with examples:
        for number, (title, query) in enumerate(EXAMPLES.items()):
            _draw_query_button(title, query, f"example-{number}")
    with saved_tab:
        _draw_saved(saved_queries)
    return history


def add_to_history(query: str, outcome: str) -> None:
    """Put a query with its outcome at the head of the session's history."""
    earlier = {key: value for key, value in (state.get_value("sql", "history") or {}).items() if key != query}
    latest = [*earlier.items(), (query, outcome)][-MAX_HISTORY:]
    state.set_value("sql", "history", dict(latest))


def draw_history(history: st.delta_generator.DeltaGenerator) -> None:
    """Draw the queries of the session into their tab, the latest first."""
    queries: dict[str, str] = state.get_value("sql", "history") or {}
    with history:
        if not queries:
            st.caption("No query was run in this session.")
        for number, (query, outcome) in enumerate(reversed(queries.items())):
            _draw_query_button(f"{format_markdown_label(query, 60)} · {outcome}", query, f"before-{number}")


def _draw_saved(saved_queries: SavedQueries) -> None:
    names = saved_queries.list_names()
    if not names:
        st.caption("No saved queries yet. “Save” keeps the query in the editor.")
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", key=f"sql-kept-{name}"):
            try:
                _draw_query_button(format_markdown_label(name), saved_queries.read_text(name), f"saved-{name}")
            except KalendsError as error:
                st.html(render_error(error))
            with st.popover("", icon=":material/delete:", type="tertiary", help="Delete", key=f"sql-delete-{name}"):
                if st.button(f"Delete “{format_markdown_label(name)}”", key=f"sql-delete-it-{name}"):
                    saved_queries.delete(name)
                    st.rerun()


def _draw_query_button(title: str, query: str, key: str) -> None:
    arguments, help_text = ("sql", "query", query), format_markdown_label(query, 300)
    st.button(title, key=f"sql-{key}", type="tertiary", on_click=state.set_value, args=arguments, help=help_text)


def draw_save_button(saved_queries: SavedQueries, query: str) -> None:
    """Draw a button that opens a form for the name of a query to be saved."""
    with st.popover("Save", icon=":material/bookmark:", disabled=not query, key="sql-keeping"):
        with st.form("sql-keep", border=False, clear_on_submit=True):
            name = st.text_input("Name", key="sql-keep-name", max_chars=60, placeholder="Figures by quarter")
            is_submitted = st.form_submit_button("Save the query", key="sql-keep-it")
        if not is_submitted:
            return
        try:
            saved_queries.save(name or "", query)
        except KalendsError as error:
            st.html(render_error(error))
        else:
            st.toast("The query is saved.", icon=":material/bookmark_added:")
            st.rerun()


def render_columns(table: TableSchema) -> str:
    """The description of a table, and its columns with their types."""
    rows = ""
    for name, kind in table.columns:
        words = escape_text(kind)
        if len(kind) > MAX_TYPE_LENGTH:
            words = f"<details><summary>{escape_text(kind[: kind.find('(')] + ' …')}</summary>{words}</details>"
        rows += f"<dt>{escape_text(name)}</dt><dd>{words}</dd>"
    return f'<div class="k-schema"><p>{escape_text(table.description)}</p><dl>{rows}</dl></div>'
