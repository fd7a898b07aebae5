"""A grid put together: what is asked, which settings vary, how much that is, and the button that runs it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.experiments.notes import told_html
from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.experiments.exams import library_of
from dashboards.facts.experiments.grids import NAME, experiments_of, extent, grid_yaml
from dashboards.listening import is_local
from dashboards.views import state
from dashboards.views.experiments.held import rounds_of
from dashboards.views.experiments.running import grids
from dashboards.views.experiments.varying import axes, excluded
from dashboards.views.resources import Place
from flows.questioning import MADE
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.making import COUNT, MAKERS, notes
from warehouse.errors import BadInput, KalendsError
from warehouse.store.layout import Layout

_MADE, _OWN = "Made from the documents", "A file or folder"
_REFUSED = "experiments-refused"


def draw(here: Place) -> None:
    """Draw the questions, the dimensions, and what comes of them."""
    st.header("What is asked")
    questions, count = _questions()
    st.header("What varies")
    text = grid_yaml(axes(), excluded())
    if not text.startswith("grid:"):
        st.html(nothing_html("Nothing varies yet.", "Choose a dimension and at least one value of it."))
        return
    st.header("The grid")
    st.code(text, language="yaml")
    st.download_button(
        "Download",
        text,
        NAME,
        "application/yaml",
        on_click="ignore",
        icon=":material/download:",
        key="experiments-grid-file",
        help="For 'kalends evaluate --grid'",
    )
    try:
        tried = experiments_of(text, here.settings)
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
        help="Questions, spread evenly over all.",
    )
    if source == _OWN and local:
        place = asked.text_input(
            "A file or folder on this machine",
            key=state.key("experiments", "questions"),
            bind="query-params",
            placeholder="/home/ada/questions.jsonl",
            help='Lines {"question": …, "evidence": [{"document": …, "page": …, "text": …}]}, or published questions.',
        )
        return (place or "").strip(), int(count)
    with asked:
        shows = "; ".join(f"{kind}: whether {maker.shows}" for kind, maker in MAKERS.items())
        st.caption(f"Questions are made from what surely stands in the documents, without a model. They show: {shows}.")
        *_, caution = notes(())
        st.html(told_html(caution))
    return MADE, int(count)


def _extent(here: Place, tried: Sequence[Experiment]) -> None:
    name = library_of(here.warehouse).name
    known = [trial for each in rounds_of(here) if each.exam == name for trial in each.trials]
    found = extent(tried, Layout(here.settings.warehouse), known)
    figures = {
        "Configurations": found.configurations,
        "Tried before": found.tried,
        "Ingests": found.ingests,
        "Made already": found.made,
    }
    with st.container(key="figures"):
        for column, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(label, f"{value:,}", border=True)
    st.caption(
        "Configurations that differ in their ranking alone share an ingest; parsing, tables and equal vectors are "
        "shared by all. What was tried with the same questions, documents and code is not asked again."
    )


def _run(here: Place, text: str, tried: Sequence[Experiment], questions: str, count: int | None) -> None:
    held = grids(str(here.settings.warehouse))
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.html(error_html(refused))
    if not st.button(
        f"Try {len(tried):,} configurations" if len(tried) > 1 else "Try it",
        key="experiments-run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=held.running or not questions,
        help="A grid runs already" if held.running else None,
    ):
        return
    try:
        held.start(here.settings, text, [each.name for each in tried], questions, count)
    except KalendsError as error:
        st.session_state[_REFUSED] = error
    st.rerun()
