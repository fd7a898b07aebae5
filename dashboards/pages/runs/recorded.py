"""What the Prefect server has on record, where one runs; how to set one up where none does."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import error_html, nothing_html
from dashboards.drawing.runs.scheduling import schedules_html, setup_html
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from flows.recorded import ServerRecord, recorded
from warehouse.errors import ServerFailed
from warehouse.records import Run
from warehouse.store.layout import Layout

FRESH = 10.0
"""Seconds for which the server is not asked again."""


def draw(here: PageContext, run: Run) -> None:
    """Draw the server's runs of this warehouse, also those that failed, and what is scheduled."""
    st.header("Prefect server")
    try:
        record = _recorded(str(here.settings.warehouse), Layout(here.settings.warehouse))
    except ServerFailed as error:
        st.html(error_html(error))
        record = None
    if record is None:
        st.html(nothing_html("No Prefect server is running for this library.", "An import or 'kalends up' starts one."))
    else:
        with st.container(horizontal=True):
            st.link_button("Open Prefect", record.ui, icon=":material/open_in_new:")
            if run.flow_run:
                page = record.page_of(run.flow_run)
                st.link_button(f"Run of generation {run.generation}", page, icon=":material/open_in_new:")
        _runs(record)
    st.subheader("Schedules")
    if record and record.deployments:
        st.html(schedules_html(record.deployments))
    else:
        st.html(setup_html())


def _runs(record: ServerRecord) -> None:
    if not record.runs:
        st.caption("The server has no runs of this library.")
        return
    names = ("flow", "name", "state", "started", "seconds", "message")
    table = pa.Table.from_pylist([{name: getattr(run, name) for name in names} for run in record.runs])
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        placeholder="–",
        column_config={
            "flow": config.TextColumn("Flow"),
            "name": config.TextColumn("Run"),
            "state": config.TextColumn("State"),
            "started": config.DatetimeColumn("Started (UTC)", format="YYYY-MM-DD HH:mm", timezone="UTC"),
            "seconds": config.NumberColumn("Seconds", format="%.1f"),
            "message": config.TextColumn("Message", width="large"),
        },
        alt="The latest runs on the Prefect server, with their states",
    )
    draw_download("kalends-flow-runs", len(record.runs), lambda: table)


@st.cache_data(show_spinner="Asking the Prefect server …", ttl=FRESH, max_entries=4)
def _recorded(folder: str, _layout: Layout) -> ServerRecord | None:
    return recorded(_layout)
