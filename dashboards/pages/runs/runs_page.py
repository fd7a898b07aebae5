"""Runs page: imports with the times of their stages, what a generation changed, the Prefect server, and disk use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config

from dashboards.html.safe_text import escape_text, render_empty_state, render_error
from dashboards.pages.runs.run_charts import chart_disk_use, chart_stage_times
from dashboards.pages.runs.run_queries import (
    DocumentChangeKind,
    GenerationDifference,
    StageRow,
    build_run_rows,
    compare_generations,
    iter_stage_rows,
    list_disk_parts,
)
from dashboards.widgets import imports
from dashboards.widgets.data_elements import (
    draw_download,
    draw_figures,
    draw_row_list,
    draw_table,
    make_number_columns,
    make_text_columns,
)
from dashboards.widgets.navigation import open_page
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from flows.service.run_history import RecordedDeployment, ServerRecord, read_server_record
from tasks.quality.phrases import format_count, format_size
from warehouse.errors import KalendsError, ServerFailed
from warehouse.records import Run
from warehouse.store.generations import list_folders
from warehouse.store.layout import Layout

DISK_FRESH = 30.0  # Seconds for which the disk use of a folder is cached.
LATEST = 30  # Latest runs in the chart.
_TALLEST, _TALLEST_DIFFERENCE = 320, 360  # Largest heights of the lists of runs and of differences, in pixels.
SERVER_FRESH = 10.0  # Seconds for which the answer of the server is cached.
_OPTIONS: dict[str, Any] = {"max_entries": 4, "hash_funcs": {Layout: lambda layout: str(layout.folder)}}
_list_cached_parts = st.cache_data(show_spinner=False, ttl=DISK_FRESH, **_OPTIONS)(list_disk_parts)
_read_cached_server_record = st.cache_data(show_spinner="Asking the Prefect server …", ttl=SERVER_FRESH, **_OPTIONS)(
    read_server_record
)


def draw_page() -> None:
    """Draw the runs, the comparison of the chosen one, the Prefect server and the disk use."""
    st.title("Runs")
    st.markdown("Each import that changed something made a new generation: a complete state of the library.")
    here = load_page_context()
    imports.draw_imports(here)
    catalogue = here.read_catalogue()
    run = draw_list(here, catalogue.runs)
    draw_comparison(here, catalogue.runs, run)
    draw_server(here, run)
    _draw_disk(here)


def _draw_disk(here: PageContext) -> None:
    st.header("Disk use")
    parts = _list_cached_parts(Layout(here.settings.warehouse))
    total, files = sum(part.bytes for part in parts), sum(part.files for part in parts)
    st.caption(f"{format_size(total)} in {format_count(files, 'file')} of the folder {here.settings.warehouse.name}")
    summary = ", ".join(f"{part.name} {format_size(part.bytes)}" for part in parts)
    st.altair_chart(chart_disk_use(parts), theme="streamlit", alt=f"Disk use of each part: {summary}")
    rows = {
        "part": [part.name for part in parts],
        "bytes": [part.bytes for part in parts],
        "size": [format_size(part.bytes) for part in parts],
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


def draw_list(here: PageContext, runs: Sequence[Run]) -> Run:
    """Draw the list of runs and the chosen run; returns the run of the address, or else the latest."""
    kept_generations = {int(folder.name) for folder in list_folders(here.warehouse.layout)}
    rows = build_run_rows(runs, kept_generations)
    table = pa.Table.from_pylist(rows)
    columns = {
        "generation": config.NumberColumn("Generation", format="%d"),
        "published": config.DatetimeColumn("Published (UTC)", format="YYYY-MM-DD HH:mm", timezone="UTC"),
        "seconds": config.NumberColumn("Seconds", format="%.1f"),
        **make_number_columns(documents="Files", chunks="Passages", new="Added", changed="Updated", gone="Removed"),
        "model": config.TextColumn("Embedding model"),
        "kept": config.CheckboxColumn("Kept", help="Whether the generation can still be opened and compared"),
    }
    alt = "Runs with their generation, time, seconds and counts"
    place = draw_row_list(table, columns, "runs-list", alt, tallest=_TALLEST)
    draw_download("kalends-runs", len(rows), lambda: table)
    if place is not None:
        st.query_params["generation"] = str(rows[place]["generation"])
    _draw_times(list(iter_stage_rows(runs[-LATEST:])))
    generation = st.query_params.get("generation", "")
    run = next((run for run in runs if str(run.generation) == generation), runs[-1])
    _draw_run(run)
    return run


def _draw_times(rows: Sequence[StageRow]) -> None:
    st.header("Time of each stage")
    if not rows:
        st.caption("There are no times yet.")
        return
    slowest = max(rows, key=lambda row: row.seconds)
    alt = f"Seconds of each stage by generation; the longest is {slowest.stage} with {slowest.seconds:.1f} s"
    st.altair_chart(chart_stage_times(rows), theme="streamlit", alt=alt)


def _draw_run(run: Run) -> None:
    st.header(f"Generation {run.generation}")
    st.caption(
        f"Published {run.visible_from:%Y-%m-%d %H:%M} UTC after {run.seconds:,.1f} s: "
        f"{format_count(run.documents, 'file')}, {format_count(run.chunks, 'passage')}; "
        f"{run.new:,} added, {run.changed:,} updated, {run.gone:,} removed."
    )
    rows = [asdict(row) for row in iter_stage_rows([run])]
    if not rows:
        return
    table = pa.Table.from_pylist(rows).drop_columns(["generation"])
    cache_help = "Documents whose output was already there"
    columns = {
        "stage": config.TextColumn("Stage"),
        "worked": config.NumberColumn("Processed", format="localized", help="Documents"),
        "spared": config.NumberColumn("From cache", format="localized", help=cache_help),
        "seconds": config.NumberColumn("Seconds", format="%.2f"),
    }
    alt = "Documents that each stage processed or took from the cache, and its seconds"
    draw_table(table, columns, alt, f"kalends-stages-{run.generation}")


def draw_server(here: PageContext, run: Run) -> None:
    """Draw the server's runs of this warehouse, also the failed ones, and the schedules."""
    st.header("Prefect server")
    try:
        record = _read_cached_server_record(Layout(here.settings.warehouse))
    except ServerFailed as error:
        st.html(render_error(error))
        record = None
    if record is None:
        cure = "An import or 'kalends up' starts one."
        st.html(render_empty_state("No Prefect server is running for this library.", cure))
    else:
        with st.container(horizontal=True):
            st.link_button("Open Prefect", record.ui, icon=":material/open_in_new:")
            if run.flow_run:
                address = record.get_run_page(run.flow_run)
                st.link_button(f"Run of generation {run.generation}", address, icon=":material/open_in_new:")
        _draw_server_runs(record)
    st.subheader("Schedules")
    if record and record.deployments:
        st.html(render_schedules(record.deployments))
    else:
        st.html(render_setup_help())


def _draw_server_runs(record: ServerRecord) -> None:
    if not record.runs:
        st.caption("The server has no runs of this library.")
        return
    names = ("flow", "name", "state", "started", "seconds", "message")
    table = pa.Table.from_pylist([{name: getattr(run, name) for name in names} for run in record.runs])
    columns = {
        **make_text_columns(flow="Flow", name="Run", state="State"),
        "started": config.DatetimeColumn("Started (UTC)", format="YYYY-MM-DD HH:mm", timezone="UTC"),
        "seconds": config.NumberColumn("Seconds", format="%.1f"),
        "message": config.TextColumn("Message", width="large"),
    }
    alt = "The latest runs on the Prefect server, with their states"
    draw_table(table, columns, alt, "kalends-flow-runs", placeholder="–")


def render_schedules(deployments: Sequence[RecordedDeployment]) -> str:
    """The deployments with their schedules."""
    items = ""
    for deployment in deployments:
        when = "paused" if deployment.paused else ", ".join(deployment.schedules) or "only when started by hand"
        about = f"<br><small>{escape_text(deployment.description)}</small>" if deployment.description else ""
        items += f"<dt>{escape_text(deployment.name)}</dt><dd>{escape_text(when)}{about}</dd>"
    return f'<dl class="k-facts">{items}</dl>'


def render_setup_help() -> str:
    """How to set up schedules, where there are none."""
    return (
        "<p>Nothing is scheduled. Run <code>kalends up</code> in the folder with <code>kalends.toml</code> to import "
        "all folders every night and to look for changes every hour.</p>"
    )


_compare_cached_generations = cache_query(8)(compare_generations)


def draw_comparison(here: PageContext, runs: Sequence[Run], run: Run) -> None:
    """Draw the difference between a run's generation and another one that the reader chooses."""
    st.header(f"What generation {run.generation} changed")
    generations = {int(folder.name) for folder in list_folders(here.warehouse.layout)}
    others = [
        recorded_run.generation
        for recorded_run in reversed(runs)
        if recorded_run.generation in generations - {run.generation}
    ]
    if run.generation not in generations:
        st.html(render_empty_state("This generation is no longer kept.", "Select one that is kept in the table above."))
        return
    if not others:
        cure = "The next import that changes something makes one."
        st.html(render_empty_state("There is no other generation to compare with.", cure))
        return
    earlier = [number for number in others if number < run.generation]
    default, key = others.index(earlier[0]) if earlier else 0, f"runs-against-{run.generation}"
    other = st.selectbox("Compared with generation", others, default, key=key, width=240)
    try:
        with st.spinner("Comparing …"):
            difference = _compare_cached_generations(
                here.warehouse.pin_generation(other), here.warehouse.pin_generation(run.generation)
            )
    except KalendsError as error:
        st.html(render_error(error))
        return
    name = f"{other}-{run.generation}"
    _draw_counts(difference)
    _draw_documents(difference, name)
    _draw_rules(difference, name)
    _draw_settings(difference, name)


def _draw_counts(difference: GenerationDifference) -> None:
    before, after = difference.chunks
    rules = sum(rule.difference for rule in difference.rules)
    kinds = {
        "Added": DocumentChangeKind.ADDED,
        "Updated": DocumentChangeKind.UPDATED,
        "Processed again": DocumentChangeKind.REPROCESSED,
        "Removed": DocumentChangeKind.REMOVED,
    }
    figures: dict[str, int | str] = {name: difference.count(kind) for name, kind in kinds.items()}
    figures |= {"Passages": after, "Findings": f"{rules:+,}" if rules else "0"}
    draw_figures(figures, changes={"Passages": after - before})


def _draw_documents(difference: GenerationDifference, name: str) -> None:
    if not difference.documents:
        st.caption("No document changed.")
        return
    table = pa.Table.from_pylist(
        [{**asdict(document), "change": document.change.value} for document in difference.documents]
    )
    columns = {
        "change": config.TextColumn("Change"),
        "title": config.TextColumn("Title", width=300),
        "chunks": config.NumberColumn("Passages", format="%+d", help="Difference to before"),
        "status": config.TextColumn("Status"),
        "source": config.TextColumn("File", width="large"),
    }
    place = draw_row_list(table, columns, f"runs-changed-{name}", "Documents that changed", tallest=_TALLEST_DIFFERENCE)
    draw_download(f"kalends-changes-{name}", len(difference.documents), lambda: table)
    if place is not None and difference.documents[place].change is not DocumentChangeKind.REMOVED:
        open_page("library", document=difference.documents[place].document_id)


def _draw_rules(difference: GenerationDifference, name: str) -> None:
    if not difference.rules:
        return
    st.subheader("Findings")
    table = pa.Table.from_pylist([{**asdict(rule), "difference": rule.difference} for rule in difference.rules])
    columns = {
        "code": config.TextColumn("Rule"),
        "name": config.TextColumn("Name", width="medium"),
        "severity": config.TextColumn("Severity"),
        **make_number_columns(before="Before", after="After"),
        "difference": config.NumberColumn("Difference", format="%+d"),
    }
    alt = "Rules with more or fewer findings than before"
    draw_table(table, columns, alt, f"kalends-findings-{name}", _TALLEST_DIFFERENCE)


def _draw_settings(difference: GenerationDifference, name: str) -> None:
    if not difference.settings:
        return
    st.subheader("Settings")
    rows = {
        "setting": [setting for setting, _, _ in difference.settings],
        "before": ["–" if before is None else str(before) for _, before, _ in difference.settings],
        "after": ["–" if after is None else str(after) for _, _, after in difference.settings],
    }
    columns = {name: config.TextColumn(name.capitalize(), width="medium") for name in rows}
    st.dataframe(rows, hide_index=True, column_config=columns, alt="Settings that differ")
    draw_download(f"kalends-settings-{name}", len(difference.settings), lambda: pa.table(rows))
