"""The runs as a table, what their stages cost as a chart, and one of them chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.charts.runs import stage_times
from dashboards.facts.runs.listed import StageRow, run_rows, stage_rows
from dashboards.widgets.choosing import draw_row_list
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from tasks.quality.wording import counted
from warehouse.records import Run
from warehouse.store.generations import retained

LATEST = 30
"""Runs in the chart."""
_TALLEST = 320


def draw(here: PageContext, runs: Sequence[Run]) -> Run:
    """Draw them; returns the run that the address names, else the latest."""
    kept = {int(folder.name) for folder in retained(here.warehouse.layout)}
    rows = run_rows(runs, kept)
    table = pa.Table.from_pylist([asdict(row) for row in rows])
    alt = "Runs with their generation, time, seconds and counts"
    place = draw_row_list(table, _columns(), "runs-list", alt, tallest=_TALLEST)
    draw_download("kalends-runs", len(rows), lambda: table)
    if place is not None:
        st.query_params["generation"] = str(rows[place].generation)
    _times(stage_rows(runs[-LATEST:]))
    chosen = _named(runs)
    _chosen(chosen, runs)
    return chosen


def _named(runs: Sequence[Run]) -> Run:
    asked = st.query_params.get("generation", "")
    return next((run for run in runs if str(run.generation) == asked), runs[-1])


def _times(rows: Sequence[StageRow]) -> None:
    st.header("Time of each stage")
    if not rows:
        st.caption("There are no times yet.")
        return
    slowest = max(rows, key=lambda row: row.seconds)
    told = f"Seconds of each stage by generation; the longest is {slowest.stage} with {slowest.seconds:.1f} s"
    st.altair_chart(stage_times(rows), theme="streamlit", alt=told)


def _chosen(run: Run, runs: Sequence[Run]) -> None:
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


def _columns() -> dict[str, Any]:
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
        **{name: config.NumberColumn(told, format="localized") for name, told in numbers.items()},
        "model": config.TextColumn("Embedding model"),
        "kept": config.CheckboxColumn("Kept", help="Whether the generation can still be opened and compared"),
    }
