"""Experiments page: settings tried on the same questions, the form for a new experiment, and the running one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from dashboards.background.grids import GRID_FILE, GridRuns, build_library_dataset, parse_grid
from dashboards.background.runs import SHOWN_FOR, GridRun
from dashboards.html.import_progress import render_progress, render_refused_files
from dashboards.html.safe_text import render_empty_state, render_error
from dashboards.pages.experiments.experiment_html import describe_result, render_configurations, render_remark
from dashboards.pages.experiments.experiment_queries import find_group
from dashboards.pages.experiments.grid_settings import (
    EMPTY_VALUE,
    SETTING_LABELS,
    count_grid_figures,
    format_grid_yaml,
    list_values,
)
from dashboards.pages.experiments.results import draw_results, load_groups
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_figures
from dashboards.widgets.imports import REFRESH_SECONDS
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext, load_page_context
from flows.datasets import GENERATED
from tasks.evaluate.experiments.experiment import Experiment, get_short_name
from tasks.evaluate.question_maker import DEFAULT_COUNT, MAKERS, describe_questions
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput, KalendsError
from warehouse.settings.addresses import is_local
from warehouse.store.layout import Layout

RESULTS, NEW = "Results", "New experiment"
MEANING = (
    "An experiment answers the same questions with several settings and shows which settings find the right passages "
    "most often. It changes nothing in the library."
)


def draw_page() -> None:
    """Draw the part of the page that the address names."""
    st.title("Experiments")
    st.markdown(MEANING)
    context = load_page_context()
    context.read_catalogue()
    options = {"label_visibility": "collapsed", **state.bind_field("experiments", "part")}
    if st.segmented_control("Part", (RESULTS, NEW), default=RESULTS, required=True, **options) == NEW:
        draw_form(context)
        draw_run(context)
        return
    draw_run(context)
    if groups := load_groups(context):
        draw_results(context, groups)
    else:
        cure = "Run a small one, or choose the settings to try yourself."
        st.html(render_empty_state("There is no experiment yet.", cure))
        draw_small_experiment(context)
        draw_link("experiments", "Choose settings", icon=":material/tune:", part=NEW)


_GENERATED, _FROM_FILES = "Made from the documents", "A file or folder"
_REFUSAL_KEY = "experiments-refused"
_BUSY = "Another experiment is running"
SMALL_GRID = "grid:\n  mode: [hybrid, dense, keyword]\n"
"""Grid of the small experiment: one import with the current settings, and three ways to search."""
SMALL_COUNT = 60  # Questions of the small experiment.


_MAX_DEFAULTS = 3  # A setting with no more values than this starts with all of them selected.
_DISMISSED_KEY = "grid-seen"


def draw_form(context: PageContext) -> None:
    """Draw the small experiment, the questions, the settings that vary, and the resulting configurations."""
    draw_small_experiment(context)
    st.header("Questions")
    questions, count = _draw_questions()
    st.header("Settings to vary")
    axes = draw_settings()
    exclude_text = st.text_area(
        "Combinations to leave out (YAML)",
        height=80,
        max_chars=20_000,
        placeholder="- {chunker: fixed, size: 400}",
        help="A combination is left out if it has all values of a line.",
        **state.bind_field("experiments", "exclude"),
    )
    text = format_grid_yaml(axes, exclude_text or "")
    if not text.startswith("grid:"):
        st.html(render_empty_state("No setting is chosen yet.", "Choose a setting above and at least one value of it."))
        return
    _draw_grid(context, text, questions, count)


def _draw_grid(context: PageContext, text: str, questions: str, count: int | None) -> None:
    """Draw a grid in YAML, the work that it takes, and the button that runs it."""
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
        experiments = parse_grid(text, context.settings).experiments
    except BadInput as error:
        st.html(render_error(error))
        return
    name = build_library_dataset(context.warehouse).name
    trials = [trial for group in load_groups(context) if group.exam == name for trial in group.trials]
    draw_figures(count_grid_figures(experiments, Layout(context.settings.warehouse), trials))
    st.caption(
        "Configurations that cut and embed documents in the same way share one import. What was tried before with the "
        "same questions and documents is not tried again."
    )
    runs = get_grid_runs(str(context.settings.warehouse))
    if st.button(
        f"Run {format_count(len(experiments), 'configuration')}",
        key="experiments-run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=runs.is_running or not questions,
        help=_BUSY if runs.is_running else None,
    ):
        _start_run(context, text, experiments, questions, count)


def _draw_questions() -> tuple[str, int | None]:
    may_read_files = is_local(str(st.get_option("server.address") or ""))
    options = [_GENERATED, _FROM_FILES] if may_read_files else [_GENERATED]
    binding = state.bind_field("experiments", "source")
    source = st.segmented_control("Questions", options, default=_GENERATED, required=True, **binding)
    source_column, count_column = st.columns([4, 1], vertical_alignment="top")
    help_text = "How many questions are asked, spread evenly over the documents."
    binding = state.bind_field("experiments", "count")
    count = count_column.number_input("At most", 1, 100_000, DEFAULT_COUNT, help=help_text, **binding)
    if source == _FROM_FILES and may_read_files:
        path = source_column.text_input(
            "A file or folder on this machine",
            placeholder="/home/ada/questions.jsonl",
            help='A file with lines like {"question": …, "evidence": [{"document": …, "page": …, "text": …}]}, or a '
            "folder with published questions.",
            **state.bind_field("experiments", "questions"),
        )
        return (path or "").strip(), int(count)
    with source_column:
        shows = "; ".join(f"{kind}: whether {maker.description}" for kind, maker in MAKERS.items())
        st.caption(f"The questions come from facts in the documents; no model is needed. They show: {shows}.")
        *_, caution = describe_questions(())
        st.html(render_remark(caution))
    return GENERATED, int(count)


def draw_small_experiment(context: PageContext) -> None:
    """Draw the button that starts a small experiment, and the error of the last start, if it failed."""
    refusal = st.session_state.pop(_REFUSAL_KEY, None)
    if refusal:
        st.html(render_error(refusal))
    runs = get_grid_runs(str(context.settings.warehouse))
    with st.container(key="experiments-quick", gap="xsmall"):
        is_pressed = st.button(
            "Run a small experiment",
            key="experiments-run-small",
            icon=":material/play_arrow:",
            disabled=runs.is_running,
            help=_BUSY if runs.is_running else None,
        )
        st.caption(
            f"Compares search by meaning, by keywords and by both, on up to {SMALL_COUNT} questions made from your "
            "documents. Takes a minute or two for a small library."
        )
    if is_pressed:
        _start_run(context, SMALL_GRID, parse_grid(SMALL_GRID, context.settings).experiments, GENERATED, SMALL_COUNT)


def _start_run(
    context: PageContext, text: str, experiments: Sequence[Experiment], questions: str, count: int | None
) -> None:
    names = [experiment.name for experiment in experiments]
    try:
        get_grid_runs(str(context.settings.warehouse)).start(context.settings, text, names, questions, count)
    except KalendsError as error:
        st.session_state[_REFUSAL_KEY] = error
    st.rerun()


def draw_settings() -> dict[str, Sequence[str]]:
    """Draw the settings that vary and their values; return the values, as YAML, by the name of the setting."""
    values = list_values()
    names = {get_short_name(name): name for name in values}
    options = {"help": "All other settings stay as they are in use.", **state.bind_field("experiments", "vary")}
    selected_names = st.multiselect("Settings", list(names), placeholder="Choose settings", **options)
    axes: dict[str, Sequence[str]] = {}
    for selected_name in selected_names:
        setting = names[selected_name]
        defaults = values[setting] if len(values[setting]) <= _MAX_DEFAULTS else ()
        axes[setting] = st.multiselect(
            f"{selected_name}: {SETTING_LABELS[setting][0].lower()}{SETTING_LABELS[setting][1:]}",
            values[setting],
            defaults,
            format_func=lambda value: "none" if value == EMPTY_VALUE else str(value),
            key=f"{state.make_key('experiments', 'vary')}-{selected_name}",
            bind="query-params",
            accept_new_options=True,
            placeholder="Choose values or type your own",
        )
    return axes


@st.cache_resource(show_spinner=False)
def get_grid_runs(folder: str) -> GridRuns:
    """The experiments of this server for one warehouse, shared by all browser sessions."""
    return GridRuns()


def draw_run(context: PageContext) -> None:
    """Draw the progress of the running experiment, or the result of the latest until it is dismissed."""
    runs = get_grid_runs(str(context.settings.warehouse))
    run = runs.latest
    if run and runs.is_running:
        _draw_progress(runs)
        return
    is_dismissed = run is None or st.session_state.get(_DISMISSED_KEY) == run.id
    if run and run.finished and not is_dismissed and datetime.now(UTC) - run.finished < SHOWN_FOR:
        _draw_end(context, run)


@st.fragment(run_every=REFRESH_SECONDS)
def _draw_progress(runs: GridRuns) -> None:
    run = runs.latest
    if run is None or not runs.is_running:
        st.rerun()
    with st.container(key="experiments-run-status"):
        st.html(render_progress(run, datetime.now(UTC)))
        st.html(render_configurations(run.configurations))
        st.button(
            "Stop",
            key="experiments-stop",
            icon=":material/stop_circle:",
            on_click=runs.stop,
            type="tertiary",
            help="Finished configurations are kept; the same experiment continues from there.",
        )


def _draw_end(context: PageContext, run: GridRun) -> None:
    with st.container(key="experiments-run-status"):
        if run.problem:
            st.html(render_error(KalendsError(run.problem.detail, run.problem.cure)))
        if run.report:
            st.html(f'<p class="k-result" role="status">{describe_result(run.report)}</p>')
            group = find_group(load_groups(context), run.report.trials)
            if group:
                draw_link("experiments", "Show the result", part="Results", round=group.name)
            for note in run.report.notes:
                st.html(render_remark(note))
            if run.report.failed:
                st.html(render_refused_files(list(run.report.failed.items())))
        st.button("Dismiss", key="experiments-seen", on_click=_dismiss_run, args=(run.id,), type="tertiary")


def _dismiss_run(run: str) -> None:
    st.session_state[_DISMISSED_KEY] = run
