"""Export an experiment in the forms of `kalends evaluate --report`."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from dashboards.pages.experiments.held import load_findings
from dashboards.serializers.grid_reports import write_grid_report
from tasks.evaluate.experiments.outcome import GridOutcome

EXPORT_FORMS = {
    "Report (Markdown)": (".md", "text/markdown"),
    "All figures (JSON)": (".json", "application/json"),
    "All figures (CSV)": (".csv", "text/csv"),
    "Charts (HTML)": (".html", "text/html"),
}


def draw_export(found: GridOutcome, name: str) -> None:
    """Draw the buttons; a file is written once it is asked for."""
    st.header("Export")
    st.caption(
        "The JSON file is also a baseline: 'kalends evaluate --gate FILE' fails if a later run is significantly worse."
    )
    with st.container(horizontal=True):
        for title, (suffix, media) in EXPORT_FORMS.items():
            st.download_button(
                title,
                partial(_written, found, suffix),
                f"kalends-experiments-{name}{suffix}",
                media,
                on_click="ignore",
                key=f"experiments-report{suffix}",
                icon=":material/download:",
            )


def _written(found: GridOutcome, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"found{suffix}"
        write_grid_report(load_findings(found), file)
        return file.read_bytes()
