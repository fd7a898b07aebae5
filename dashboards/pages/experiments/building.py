"""A new experiment: its questions, the settings that vary, how much work that is, and the button that runs it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.experiments.notes import remark_html
from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.experiments.exams import library_dataset
from dashboards.facts.experiments.grids import GRID_FILE, grid_yaml, measure_grid, parse_grid
from dashboards.listening import is_local
from dashboards.pages.experiments.held import load_groups
from dashboards.pages.experiments.running import grid_runs
from dashboards.pages.experiments.varying import draw_exclusions, draw_settings
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext
from flows.questioning import MADE
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.making import COUNT, MAKERS, notes
from tasks.quality.wording import counted
from warehouse.errors import BadInput, KalendsError
from warehouse.store.layout import Layout

_MADE, _OWN = "Made from the documents", "A file or folder"
_REFUSED = "experiments-refused"
_BUSY = "Another experiment is running"
SMALL = "grid:\n  mode: [hybrid, dense, keyword]\n"
"""The small experiment: one import with the settings in use, and three ways to search."""
SMALL_COUNT = 60
"""Questions of the small experiment."""


def draw_form(here: PageContext) -> None:
    """Draw the small experiment, the questions, the settings that vary, and the configurations they make."""
    draw_small_experiment(here)
    st.header("Questions")
    questions, count = _questions()
    st.header("Settings to vary")
    text = grid_yaml(draw_settings(), draw_exclusions())
    if not text.startswith("grid:"):
        st.html(nothing_html("No setting is chosen yet.", "Choose a setting above and at least one value of it."))
        return
    st.header("Configurations")
    st.code(text, language="yaml")
    st.download_button(
        "Download as YAML",
        text,
        GRID_FILE,
        "application/yaml",
        on_click="ignore",
        icon=":material/download:",
        key="experiments-grid-file",
        help="The file that 'kalends evaluate --grid' reads",
    )
    try:
        tried = parse_grid(text, here.settings)
    except BadInput as error:
        st.html(error_html(error))
        return
    _extent(here, tried)
    _run(here, text, tried, questions, count)


def _questions() -> tuple[str, int | None]:
    """Where the questions come from, and how many are asked."""
    local = is_local(str(st.get_option("server.address") or ""))
    offered = [_MADE, _OWN] if local else [_MADE]
    source = st.segmented_control(
        "Questions", offered, default=_MADE, required=True, key=state.key("experiments", "source"), bind="query-params"
    )
    asked, number = st.columns([4, 1], vertical_alignment="top")
    count = number.number_input(
        "At most",
        1,
        100_000,
        COUNT,
        key=state.key("experiments", "count"),
        bind="query-params",
        help="How many questions are asked, spread evenly over the documents.",
    )
    if source == _OWN and local:
        place = asked.text_input(
            "A file or folder on this machine",
            key=state.key("experiments", "questions"),
            bind="query-params",
            placeholder="/home/ada/questions.jsonl",
            help='A file with lines like {"question": …, "evidence": [{"document": …, "page": …, "text": …}]}, or a '
            "folder with published questions.",
        )
        return (place or "").strip(), int(count)
    with asked:
        shows = "; ".join(f"{kind}: whether {maker.shows}" for kind, maker in MAKERS.items())
        st.caption(f"The questions come from facts in the documents; no model is needed. They show: {shows}.")
        *_, caution = notes(())
        st.html(remark_html(caution))
    return MADE, int(count)


def _extent(here: PageContext, tried: Sequence[Experiment]) -> None:
    name = library_dataset(here.warehouse).name
    known = [trial for each in load_groups(here) if each.exam == name for trial in each.trials]
    found = measure_grid(tried, Layout(here.settings.warehouse), known)
    figures = {
        "Configurations": found.configurations,
        "Tried before": found.tried,
        "Imports needed": found.ingests,
        "Imports done already": found.made,
    }
    with st.container(key="figures"):
        for column, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(label, f"{value:,}", border=True)
    st.caption(
        "Configurations that cut and embed documents in the same way share one import. What was tried before with the "
        "same questions and documents is not tried again."
    )


def _run(here: PageContext, text: str, tried: Sequence[Experiment], questions: str, count: int | None) -> None:
    held = grid_runs(str(here.settings.warehouse))
    if not st.button(
        f"Run {counted(len(tried), 'configuration')}",
        key="experiments-run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=held.running or not questions,
        help=_BUSY if held.running else None,
    ):
        return
    _start(here, text, tried, questions, count)


def draw_small_experiment(here: PageContext) -> None:
    """Draw the button that runs a small experiment at once, and why the last start was refused, if it was."""
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.html(error_html(refused))
    held = grid_runs(str(here.settings.warehouse))
    with st.container(key="experiments-quick", gap="xsmall"):
        pressed = st.button(
            "Run a small experiment",
            key="experiments-run-small",
            icon=":material/play_arrow:",
            disabled=held.running,
            help=_BUSY if held.running else None,
        )
        st.caption(
            f"Compares search by meaning, by keywords and by both, on up to {SMALL_COUNT} questions made from your "
            "documents. Takes a minute or two for a small library."
        )
    if pressed:
        _start(here, SMALL, parse_grid(SMALL, here.settings), MADE, SMALL_COUNT)


def _start(here: PageContext, text: str, tried: Sequence[Experiment], questions: str, count: int | None) -> None:
    try:
        grid_runs(str(here.settings.warehouse)).start(
            here.settings, text, [each.name for each in tried], questions, count
        )
    except KalendsError as error:
        st.session_state[_REFUSED] = error
    st.rerun()
