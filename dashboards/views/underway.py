"""The ingest in the background: started from a page, seen from every page that asks, gone on with by none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import streamlit as st

from dashboards.background.ingests import Ingests
from dashboards.background.records import IngestRun
from dashboards.drawing.notices import error_html, note_html
from dashboards.drawing.runs.progress import progress_html, refused_html, result_html
from dashboards.views.resources import Place
from warehouse.errors import KalendsError

EVERY = 1.0
"""Seconds between two looks at how far it is."""
TOLD = timedelta(hours=1)
"""After that a run is a row among the runs."""
_HEARD, _SEEN = "underway-heard", "underway-seen"


@dataclass(frozen=True, slots=True)
class Heard:
    """What an action came to before anything ran: lines for the reader, and why nothing runs where nothing does."""

    lines: tuple[str, ...]
    refused: KalendsError | None


def begin(here: Place, files: Sequence[Path] = (), drop: Sequence[str] = (), told: Sequence[str] = ()) -> NoReturn:
    """Start an ingest of files or folders, or of all that is declared, and draw the page anew.

    `told` are lines to be shown with it. Where it cannot start, the page says why.
    """
    refused = None
    try:
        _runs(str(here.settings.warehouse)).start(here.settings, files, drop)
    except KalendsError as error:
        refused = error
    tell(told, refused)


def tell(lines: Sequence[str], refused: KalendsError | None = None) -> NoReturn:
    """Say something at the head of the page, drawn anew."""
    st.session_state[_HEARD] = Heard(tuple(lines), refused)
    st.rerun()


def draw(here: Place) -> None:
    """What runs, stage by stage, or what the latest run came to until that is put away."""
    heard = st.session_state.pop(_HEARD, None)
    if heard:
        _hear(heard)
    runs = _runs(str(here.settings.warehouse))
    run = runs.latest
    if run and runs.running:
        _follow(runs)
    elif run and run.finished and datetime.now(UTC) - run.finished < TOLD and st.session_state.get(_SEEN) != run.id:
        _ended(run)


@st.fragment(run_every=EVERY)
def _follow(runs: Ingests) -> None:
    run = runs.latest
    if run is None or not runs.running:
        st.rerun()
    with st.container(key="underway"):
        st.html(progress_html(run, datetime.now(UTC)))
        st.button("Stop", key="underway-stop", icon=":material/stop_circle:", on_click=runs.stop, type="tertiary")


def _ended(run: IngestRun) -> None:
    with st.container(key="underway"):
        if run.problem:
            st.html(error_html(KalendsError(run.problem.detail, run.problem.cure)))
        if run.report:
            st.html(result_html(run.report))
            for warning in run.report.warnings:
                st.html(note_html(warning))
            if run.report.unreadable:
                with st.expander(f"{len(run.report.unreadable):,} files of the library cannot be read"):
                    st.html(refused_html(list(run.report.unreadable.items())))
        st.button("Put away", key="underway-seen-button", on_click=_see, args=(run.id,), type="tertiary")


def _hear(heard: Heard) -> None:
    for line in heard.lines:
        st.html(note_html(line))
    if heard.refused:
        st.html(error_html(heard.refused))


def _see(run: str) -> None:
    st.session_state[_SEEN] = run


@st.cache_resource(show_spinner=False)
def _runs(folder: str) -> Ingests:
    """Those of the process, for one warehouse: they go on whoever looks."""
    return Ingests()
