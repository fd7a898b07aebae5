"""What a query gave: its rows, a chart of them, and all of them to take along."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import note_html, nothing_html
from dashboards.facts.sql.results import Answered, answered, shown
from dashboards.pages.sql.charting import chart
from dashboards.widgets.downloading import draw_download
from warehouse.reader import Warehouse

WHOLE = 1_000_000
"""Rows that a download holds at most."""
LONG = 120.0
"""The longest that the query of a download may take, in seconds."""


def draw(found: Answered, query: str, warehouse: Warehouse) -> None:
    """Draw the rows and the chart. `warehouse` is asked again for the rows that are not shown, on demand."""
    table = found.table
    if not table.num_rows:
        st.html(nothing_html("No rows.", f"The query took {found.seconds:.2f} s."))
        return
    st.dataframe(
        shown(table),
        hide_index=True,
        placeholder="–",
        height=min(35 * (table.num_rows + 1) + 3, 420),
        alt="The rows of the result",
    )
    count = f"{table.num_rows:,} {'row' if table.num_rows == 1 else 'rows'}"
    with st.container(horizontal=True, vertical_alignment="center"):
        rows = WHOLE if found.truncated else table.num_rows
        draw_download("kalends-query", rows, lambda: _whole(found, query, warehouse))
        columns = f"{table.num_columns} {'column' if table.num_columns == 1 else 'columns'}"
        st.caption(f"{'The first ' if found.truncated else ''}{count}, {columns}, in {found.seconds:.2f} s")
    if found.truncated:
        st.html(note_html(f"There are more rows. A download has them all, {WHOLE:,} at most."))
    chart(table)


def offer_whole(query: str, warehouse: Warehouse) -> None:
    """A download of a result that takes too long to be shown."""
    draw_download("kalends-query", WHOLE, lambda: answered(warehouse, query, WHOLE, LONG).table)


def _whole(found: Answered, query: str, warehouse: Warehouse) -> pa.Table:
    return answered(warehouse, query, WHOLE, LONG).table if found.truncated else found.table
