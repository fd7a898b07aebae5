"""Runs page: every import with the times of its stages, the runs and schedules of the Prefect server, and disk use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import error_html, nothing_html
from dashboards.html.safe_text import text_html
from dashboards.pages.runs import comparison
from dashboards.pages.runs.charts import disk_chart, stage_times_chart
from dashboards.pages.runs.queries import DiskPart, StageRow, disk_parts, run_rows, stage_rows
from dashboards.widgets import import_status
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.row_lists import draw_download, draw_row_list
from flows.service.run_history import RecordedDeployment, ServerRecord, read_server_record
from tasks.quality.phrases import counted, size_words
from warehouse.errors import ServerFailed
from warehouse.records import Run
from warehouse.store.generations import retained
from warehouse.store.layout import Layout

DISK_FRESH = 30.0
"""Seconds for which the disk use of a folder is cached."""
LATEST = 30
"""Latest runs in the chart."""
_TALLEST = 320
SERVER_FRESH = 10.0
"""Seconds for which the answer of the server is cached."""


def page() -> None:
    """Draw the runs, the comparison of the chosen one, the Prefect server and the disk use."""
    st.title("Runs")
    st.markdown("Each import that changed something made a new generation: a complete state of the library.")
    here = page_context()
    import_status.draw_imports(here)
    catalogue = here.catalogue()
    run = draw_list(here, catalogue.runs)
    comparison.draw_comparison(here, catalogue.runs, run)
    draw_server(here, run)
    _draw_disk(here)


def _draw_disk(here: PageContext) -> None:
    st.header("Disk use")
    parts = _cached_parts(str(here.settings.warehouse), Layout(here.settings.warehouse))
    total, files = sum(part.bytes for part in parts), sum(part.files for part in parts)
    st.caption(f"{size_words(total)} in {counted(files, 'file')} of the folder {here.settings.warehouse.name}")
    summary = ", ".join(f"{part.name} {size_words(part.bytes)}" for part in parts)
    st.altair_chart(disk_chart(parts), theme="streamlit", alt=f"Disk use of each part: {summary}")
    rows = {
        "part": [part.name for part in parts],
        "bytes": [part.bytes for part in parts],
        "size": [size_words(part.bytes) for part in parts],
        "files": [part.files for part in parts],
        "holds": [part.contents for part in parts],
    }
    st.dataframe(
        rows,
        hide_index=True,
        column_order=("part", "size", "files", "holds"),
        column_config={**{name: name.capitalize() for name in rows}, "holds": "Contents"},
        alt="The parts of the warehouse folder with their sizes",
    )
    draw_download("kalends-disk", len(parts), lambda: pa.table(rows))


@st.cache_data(show_spinner=False, ttl=DISK_FRESH, max_entries=4)
def _cached_parts(folder: str, _layout: Layout) -> list[DiskPart]:
    return disk_parts(_layout)


def draw_list(here: PageContext, runs: Sequence[Run]) -> Run:
    """Draw the list of runs and the chosen run; returns the run of the address, or else the latest."""
    kept = {int(folder.name) for folder in retained(here.warehouse.layout)}
    rows = run_rows(runs, kept)
    table = pa.Table.from_pylist([asdict(row) for row in rows])
    alt = "Runs with their generation, time, seconds and counts"
    place = draw_row_list(table, _list_columns(), "runs-list", alt, tallest=_TALLEST)
    draw_download("kalends-runs", len(rows), lambda: table)
    if place is not None:
        st.query_params["generation"] = str(rows[place].generation)
    _draw_times(stage_rows(runs[-LATEST:]))
    run = _run_of_address(runs)
    _draw_run(run)
    return run


def _run_of_address(runs: Sequence[Run]) -> Run:
    generation = st.query_params.get("generation", "")
    return next((run for run in runs if str(run.generation) == generation), runs[-1])


def _draw_times(rows: Sequence[StageRow]) -> None:
    st.header("Time of each stage")
    if not rows:
        st.caption("There are no times yet.")
        return
    slowest = max(rows, key=lambda row: row.seconds)
    alt = f"Seconds of each stage by generation; the longest is {slowest.stage} with {slowest.seconds:.1f} s"
    st.altair_chart(stage_times_chart(rows), theme="streamlit", alt=alt)


def _draw_run(run: Run) -> None:
    st.header(f"Generation {run.generation}")
    st.caption(
        f"Published {run.visible_from:%Y-%m-%d %H:%M} UTC after {run.seconds:,.1f} s: "
        f"{counted(run.documents, 'file')}, {counted(run.chunks, 'passage')}; "
        f"{run.new:,} added, {run.changed:,} updated, {run.gone:,} removed."
    )
    rows = [asdict(row) for row in stage_rows([run])]
    if not rows:
        return
    table = pa.Table.from_pylist(rows).drop_columns(["generation"])
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            "stage": st.column_config.TextColumn("Stage"),
            "worked": st.column_config.NumberColumn("Processed", format="localized", help="Documents"),
            "spared": st.column_config.NumberColumn(
                "From cache",
                format="localized",
                help="Documents whose output was already there",
            ),
            "seconds": st.column_config.NumberColumn("Seconds", format="%.2f"),
        },
        alt="Documents that each stage processed or took from the cache, and its seconds",
    )
    draw_download(f"kalends-stages-{run.generation}", len(rows), lambda: table)


def _list_columns() -> dict[str, Any]:
    config = st.column_config
    numbers = {
        "documents": "Files",
        "chunks": "Passages",
        "new": "Added",
        "changed": "Updated",
        "gone": "Removed",
    }
    return {
        "generation": config.NumberColumn("Generation", format="%d"),
        "published": config.DatetimeColumn("Published (UTC)", format="YYYY-MM-DD HH:mm", timezone="UTC"),
        "seconds": config.NumberColumn("Seconds", format="%.1f"),
        **{name: config.NumberColumn(title, format="localized") for name, title in numbers.items()},
        "model": config.TextColumn("Embedding model"),
        "kept": config.CheckboxColumn("Kept", help="Whether the generation can still be opened and compared"),
    }


def draw_server(here: PageContext, run: Run) -> None:
    """Draw the server's runs of this warehouse, also the failed ones, and the schedules."""
    st.header("Prefect server")
    try:
        record = _server_record(str(here.settings.warehouse), Layout(here.settings.warehouse))
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
        _draw_server_runs(record)
    st.subheader("Schedules")
    if record and record.deployments:
        st.html(schedules_html(record.deployments))
    else:
        st.html(setup_html())


def _draw_server_runs(record: ServerRecord) -> None:
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


@st.cache_data(show_spinner="Asking the Prefect server …", ttl=SERVER_FRESH, max_entries=4)
def _server_record(folder: str, _layout: Layout) -> ServerRecord | None:
    return read_server_record(_layout)


def schedules_html(deployments: Sequence[RecordedDeployment]) -> str:
    """The deployments with their schedules."""
    return f'<dl class="k-facts">{"".join(map(_deployment, deployments))}</dl>'


def setup_html() -> str:
    """The way to set up schedules, where there are none."""
    return (
        "<p>Nothing is scheduled. Run <code>kalends up</code> in the folder with <code>kalends.toml</code> to import "
        "all folders every night and to look for changes every hour.</p>"
    )


def _deployment(each: RecordedDeployment) -> str:
    when = "paused" if each.paused else ", ".join(each.schedules) or "only when started by hand"
    about = f"<br><small>{text_html(each.description)}</small>" if each.description else ""
    return f"<dt>{text_html(each.name)}</dt><dd>{text_html(when)}{about}</dd>"
