"""Form for a new experiment: questions, settings to vary, amount of work, and the progress of the one that runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from dashboards.background.grids import GRID_FILE, GridRuns, library_dataset, parse_grid
from dashboards.background.runs import SHOWN_FOR, GridReport, GridRun
from dashboards.html.import_progress import progress_html, refused_html
from dashboards.html.notices import error_html, nothing_html
from dashboards.http_server import is_local
from dashboards.pages.experiments.cached_queries import load_groups
from dashboards.pages.experiments.grid_settings import EMPTY_VALUE, SETTING_LABELS, grid_yaml, list_values, measure_grid
from dashboards.pages.experiments.html import configurations_html, describe_result, remark_html
from dashboards.pages.experiments.queries import find_group
from dashboards.widgets import state
from dashboards.widgets.import_status import EVERY
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from flows.datasets import GENERATED
from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.question_maker import COUNT, MAKERS, notes
from tasks.quality.phrases import counted
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
    return GENERATED, int(count)


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
        _start(here, SMALL, parse_grid(SMALL, here.settings), GENERATED, SMALL_COUNT)


def _start(here: PageContext, text: str, tried: Sequence[Experiment], questions: str, count: int | None) -> None:
    try:
        grid_runs(str(here.settings.warehouse)).start(
            here.settings, text, [each.name for each in tried], questions, count
        )
    except KalendsError as error:
        st.session_state[_REFUSED] = error
    st.rerun()


_FEW = 3
"""Of no more values all are tried if nothing is chosen."""


def draw_settings() -> dict[str, Sequence[str]]:
    """The values of each dimension that varies, as they are written."""
    known = list_values()
    names = {short(name): name for name in known}
    varied = st.multiselect(
        "Settings",
        list(names),
        key=state.key("experiments", "vary"),
        bind="query-params",
        placeholder="Choose settings",
        help="All other settings stay as they are in use.",
    )
    found: dict[str, Sequence[str]] = {}
    for each in varied:
        whole = names[each]
        few = known[whole] if len(known[whole]) <= _FEW else ()
        found[whole] = st.multiselect(
            f"{each}: {SETTING_LABELS[whole][0].lower()}{SETTING_LABELS[whole][1:]}",
            known[whole],
            few,
            format_func=lambda value: "none" if value == EMPTY_VALUE else str(value),
            key=f"{state.key('experiments', 'vary')}-{each}",
            bind="query-params",
            accept_new_options=True,
            placeholder="Choose values or type your own",
        )
    return found


def draw_exclusions() -> str:
    """The combinations that are left out, as a list in YAML."""
    text = st.text_area(
        "Combinations to leave out (YAML)",
        key=state.key("experiments", "exclude"),
        bind="query-params",
        height=80,
        max_chars=20_000,
        placeholder="- {chunker: fixed, size: 400}",
        help="A combination is left out if it has all values of a line.",
    )
    return text or ""


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
