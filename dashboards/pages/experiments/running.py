"""The experiment in the background: its progress, seen from every session, and its result."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from dashboards.background.grids import GridRuns
from dashboards.background.processes import SHOWN_FOR
from dashboards.background.records import GridReport, GridRun
from dashboards.drawing.experiments.notes import remark_html
from dashboards.drawing.experiments.progress import configurations_html, describe_result
from dashboards.drawing.notices import error_html
from dashboards.drawing.progress import progress_html, refused_html
from dashboards.facts.experiments.rounds import find_group
from dashboards.pages.experiments.held import load_groups
from dashboards.widgets.imports import EVERY
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from warehouse.errors import KalendsError

_SEEN = "grid-seen"


@st.cache_resource(show_spinner=False)
def grid_runs(folder: str) -> GridRuns:
    """Those of the process, for one warehouse: they go on whoever looks."""
    return GridRuns()


def draw_run(here: PageContext) -> None:
    """The progress of what runs, or the result of the latest run until it is dismissed."""
    held = grid_runs(str(here.settings.warehouse))
    run = held.latest
    if run and held.running:
        _follow(held)
    elif (
        run and run.finished and datetime.now(UTC) - run.finished < SHOWN_FOR and st.session_state.get(_SEEN) != run.id
    ):
        _ended(here, run)


@st.fragment(run_every=EVERY)
def _follow(held: GridRuns) -> None:
    run = held.latest
    if run is None or not held.running:
        st.rerun()
    with st.container(key="experiments-run-status"):
        st.html(progress_html(run, datetime.now(UTC)))
        st.html(configurations_html(run.configurations))
        st.button(
            "Stop",
            key="experiments-stop",
            icon=":material/stop_circle:",
            on_click=held.stop,
            type="tertiary",
            help="Finished configurations are kept; the same experiment continues from there.",
        )


def _ended(here: PageContext, run: GridRun) -> None:
    with st.container(key="experiments-run-status"):
        if run.problem:
            st.html(error_html(KalendsError(run.problem.detail, run.problem.cure)))
        if run.report:
            _came(here, run.report)
        st.button("Dismiss", key="experiments-seen", on_click=_see, args=(run.id,), type="tertiary")


def _came(here: PageContext, report: GridReport) -> None:
    st.html(f'<p class="k-result" role="status">{describe_result(report)}</p>')
    found = find_group(load_groups(here), report.trials)
    if found:
        draw_link("experiments", "Show the result", part="Results", round=found.name)
    for note in report.notes:
        st.html(remark_html(note))
    if report.failed:
        st.html(refused_html(list(report.failed.items())))


def _see(run: str) -> None:
    st.session_state[_SEEN] = run
