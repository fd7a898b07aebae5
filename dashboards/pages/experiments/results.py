"""Results of experiments: their list, and of one the plain result, configurations, effects, comparison and export."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config
from streamlit.delta_generator import DeltaGenerator

from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_error
from dashboards.pages.experiments.experiment_html import render_flip, render_price, render_remark, render_verdict
from dashboards.pages.experiments.experiment_queries import (
    MAX_TITLE_LENGTH,
    ExperimentTitles,
    TrialGroup,
    build_change_rows,
    build_effects_table,
    build_experiments_table,
    build_flips_table,
    build_trials_table,
    compare_best,
    find_current,
    get_mean,
    group_trials,
    list_question_notes,
    list_trial_files,
    read_outcome,
)
from dashboards.serializers.experiment_charts import chart_cost, chart_effects, chart_ranking
from dashboards.serializers.grid_reports import write_grid_report
from dashboards.widgets import state
from dashboards.widgets.data_elements import (
    compute_table_height,
    draw_table,
    make_number_columns,
    make_text_columns,
    select_table_row,
)
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext, cache_query
from flows.experiments.losses import LossReport, LostQuestion, explain_losses
from tasks.evaluate.experiments.grid_outcome import (
    Effect,
    GridFindings,
    GridOutcome,
    TrialOutcome,
    compute_effects,
    compute_price,
)
from tasks.evaluate.outcomes import find_flips
from tasks.quality.phrases import format_count
from warehouse.errors import KalendsError
from warehouse.records import TrialRecord
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

_LIST_HEIGHT, _CONFIGURATIONS_HEIGHT, _TABLE_HEIGHT = 260, 460, 420  # Largest heights of the tables, in pixels.
MAX_CHARTED = 40  # Configurations in the chart, the best ones; the table has all.
EXPORT_FORMS = {
    "Report (Markdown)": (".md", "text/markdown"),
    "All figures (JSON)": (".json", "application/json"),
    "All figures (CSV)": (".csv", "text/csv"),
    "Charts (HTML)": (".html", "text/html"),
}
_P_HELP = "Chance of such a difference if both were equally good (paired randomization test)"
_LOW_HELP, _HIGH_HELP = "Lower end of the 95 % interval", "Upper end of the 95 % interval"


def load_groups(context: PageContext) -> list[TrialGroup]:
    """All experiments, the latest first."""
    return _group_cached_trials(context, list_trial_files(Lake(Layout(context.settings.warehouse).lake)))


@cache_query(2, shared=True)
def _group_cached_trials(context: PageContext, files: tuple[str, ...]) -> list[TrialGroup]:
    return group_trials(context.warehouse, context.settings)


def _list_trial_ids(trials: GridOutcome | TrialGroup) -> list[str]:
    return [trial.trial_id if isinstance(trial, TrialRecord) else trial.record.trial_id for trial in trials.trials]


_KEYS = {GridOutcome: _list_trial_ids, TrialGroup: _list_trial_ids}
_compute_cached_price = cache_query(16, "Comparing the configurations …", shared=True, keys=_KEYS)(compute_price)


@cache_query(4, "Reading the questions …", shared=True, keys=_KEYS)
def _read_cached_outcome(folder: str, group: TrialGroup) -> GridOutcome:
    return read_outcome(Lake(Layout(Path(folder)).lake), group)


@cache_query(16, "Computing the effect of each setting …", shared=True, keys=_KEYS)
def _compute_cached_effects(outcome: GridOutcome, measure: str) -> list[Effect]:
    return compute_effects(outcome.trials, measure)


@cache_query(16, "Finding the first difference …", shared=True)
def _explain_cached_losses(folder: str, before: str, after: str) -> LossReport:
    return explain_losses(Layout(Path(folder)), before, after)


def draw_results(context: PageContext, groups: Sequence[TrialGroup]) -> None:
    """Draw the list of experiments and the one that the address names, else the latest."""
    titles = ExperimentTitles(context.settings.warehouse)
    if len(groups) > 1:
        _draw_list(groups, [titles.get_title(group) for group in groups])
    name = st.query_params.get("round", "")
    _draw_group(context, next((group for group in groups if group.name == name), groups[0]), titles)


def _draw_list(groups: Sequence[TrialGroup], titles: Sequence[str]) -> None:
    st.header("All experiments")
    table = build_experiments_table(groups, titles)
    columns = {
        "title": config.TextColumn("Experiment", width="medium"),
        "exam": config.TextColumn("Documents of"),
        **make_number_columns(configurations="Configurations", questions="Questions", documents="Documents"),
        "best": config.TextColumn("Best configuration", width="medium"),
        "mean": config.NumberColumn("Score", format="%.3f"),
        "measure": config.TextColumn("Measure"),
        "day": config.DateColumn("Date", help="The day from which words like 'last year' were read"),
    }
    row = select_table_row(
        table,
        columns,
        "Experiments with their best configuration; the chosen one is shown below",
        "kalends-experiments",
        _LIST_HEIGHT,
        key="experiments-rounds",
        column_order=tuple(columns),
    )
    if row is not None:
        st.query_params["round"] = groups[row].name


def _draw_group(context: PageContext, group: TrialGroup, titles: ExperimentTitles) -> None:
    first = group.trials[-1]
    with st.container(horizontal=True, vertical_alignment="center", key="experiments-head"):
        st.header(format_markdown_label(titles.get_title(group), MAX_TITLE_LENGTH), width="content")
        _draw_rename_form(group, titles)
    st.caption(
        f"{format_count(len(group.trials), 'configuration')}, {format_count(first.questions, 'question')}, "
        f"{format_count(first.documents, 'document')} of {format_markdown_label(group.exam)}; {first.day}"
    )
    outcome = _read_cached_outcome(str(context.settings.warehouse), group)
    result = st.container()
    measure = choose_option(st.container(width=320), "Measure", "measure", group.measures, group.name)
    with result:
        if verdict := compare_best(
            outcome, _compute_cached_price(outcome, measure), find_current(group, context.settings)
        ):
            st.html(render_verdict(verdict))
        else:
            score = f"Only one configuration was tried: {get_mean(group.trials[0], measure):.3f} {measure}."
            st.html(render_empty_state(score, "Try a second one with other settings to compare."))
            draw_link("experiments", "New experiment", icon=":material/add:", part="New experiment")
    st.header("All configurations")
    draw_configurations(group, measure)
    draw_price(outcome, measure)
    draw_effects(outcome, measure)
    draw_comparison(context, outcome, measure, group.name)
    notes = list_question_notes(outcome.trials[0])
    if notes:
        st.header("About the questions")
    for note in notes:
        st.html(render_remark(note))
    draw_export(outcome, group.name)


def _draw_rename_form(group: TrialGroup, titles: ExperimentTitles) -> None:
    with st.popover("Rename", icon=":material/edit:", type="tertiary", key=f"experiments-rename-{group.name}"):
        with st.form(f"experiments-title-form-{group.name}", border=False):
            title = st.text_input(
                "Title",
                titles.get_title(group),
                max_chars=MAX_TITLE_LENGTH,
                key=f"experiments-title-{group.name}",
                help="Leave it empty to have a title made from the settings that vary.",
            )
            is_submitted = st.form_submit_button("Save")
        if not is_submitted:
            return
        try:
            titles.rename(group, title or "")
        except KalendsError as error:
            st.html(render_error(error))
        else:
            st.rerun()


def draw_configurations(group: TrialGroup, measure: str) -> None:
    """Draw the best configurations as a chart and all as a table."""
    trials = group.rank_trials(measure)
    best = trials[0]
    score = f"{get_mean(best, measure):.3f}"
    description = f"{measure} of each configuration with its interval; the best is {best.name} with {score}"
    st.altair_chart(chart_ranking(trials[:MAX_CHARTED], measure), theme="streamlit", alt=description)
    if len(trials) > MAX_CHARTED:
        st.caption(f"The chart shows the best {MAX_CHARTED} of {len(trials):,}; the table has all.")
    table = build_trials_table(trials, measure)
    p50_help = "Half of the searches took no longer; embedding the question is not counted"
    ingest_help = "Seconds; what other configurations had already made is not counted"
    columns = {
        "configuration": config.TextColumn("Configuration", width=290),
        "mean": config.NumberColumn(measure, format="%.3f"),
        "low": config.NumberColumn("Interval from", format="%.3f", help=_LOW_HELP),
        "high": config.NumberColumn("Interval to", format="%.3f", help=_HIGH_HELP),
        "p50": config.NumberColumn("Median ms", format="%.1f", help=p50_help),
        "p95": config.NumberColumn("95 % ms", format="%.1f", help="95 % of the searches took no longer"),
        **make_number_columns(chunks="Passages", vectors="Vectors"),
        "megabytes": config.NumberColumn("Index, MB", format="%.1f"),
        "ingest_seconds": config.NumberColumn("Import, s", format="%.1f", help=ingest_help),
        "model": config.TextColumn("Embedding model"),
        "day": config.DateColumn("Date"),
        "trial_id": config.TextColumn("Id"),
    }
    draw_table(
        table,
        make_number_columns("%.3f", **{name: name for name in table.column_names}) | columns,
        "Configurations, the best first, with their measures, search times, sizes and import times",
        f"kalends-configurations-{group.name}",
        _CONFIGURATIONS_HEIGHT,
        key="experiments-configurations",
    )


def draw_price(outcome: GridOutcome, measure: str) -> None:
    """Draw the cost of the best configuration in time and size."""
    if len(outcome.trials) < 2:
        return
    st.header("Cost of the best configuration")
    st.html(render_price(_compute_cached_price(outcome, measure)))
    records = [trial.record for trial in outcome.rank_trials(measure)]
    description = (
        f"{measure} by the milliseconds of a search, one point a configuration; larger points have larger indexes"
    )
    st.altair_chart(chart_cost(records, measure), theme="streamlit", alt=description)


def draw_effects(outcome: GridOutcome, measure: str) -> None:
    """Draw the effect of each value of a setting; nothing if no setting varies."""
    rows = _compute_cached_effects(outcome, measure)
    if not any(row.change for row in rows):
        return
    st.header("Effect of each setting")
    st.caption(
        "Each value compared with the first value of its setting, over configurations that are alike in everything "
        "else. If an interval crosses the line, the difference may be chance."
    )
    description = "; ".join(f"{e.dimension} {e.value} {e.change.difference:+.3f}" for e in rows if e.change)
    st.altair_chart(chart_effects(rows, measure), theme="streamlit", alt=f"Change of {measure}: {description}")
    table = build_effects_table(rows)
    columns = {
        **make_text_columns(dimension="Setting", value="Value"),
        "mean": config.NumberColumn(f"Mean {measure}", format="%.3f"),
        "configurations": config.NumberColumn(
            "Pairs", format="localized", help="Pairs of configurations that were compared"
        ),
        **make_number_columns("%+.3f", difference="Change", low="Interval from", high="Interval to"),
        "p": config.NumberColumn("p", format="%.3f", help=_P_HELP),
    }
    alt = "Values of each setting with their mean and the change from the first value"
    draw_table(table, columns, alt, "kalends-values", _TABLE_HEIGHT, placeholder="–")


def draw_export(outcome: GridOutcome, name: str) -> None:
    """Draw the downloads; a file is written when the browser requests it."""
    st.header("Export")
    st.caption(
        "The JSON file is also a baseline: 'kalends evaluate --gate FILE' fails if a later run is significantly worse."
    )
    with st.container(horizontal=True):
        for title, (suffix, media) in EXPORT_FORMS.items():
            st.download_button(
                title,
                partial(_write_report, outcome, suffix),
                f"kalends-experiments-{name}{suffix}",
                media,
                on_click="ignore",
                key=f"experiments-report{suffix}",
                icon=":material/download:",
            )


def _write_report(outcome: GridOutcome, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"found{suffix}"
        decisive = outcome.measure
        findings = GridFindings(
            outcome, _compute_cached_price(outcome, decisive), _compute_cached_effects(outcome, decisive)
        )
        write_grid_report(findings, file)
        return file.read_bytes()


def draw_comparison(context: PageContext, outcome: GridOutcome, measure: str, name: str) -> None:
    """Draw the comparison of two configurations, by default the one closest to the current settings and the best."""
    if len(outcome.trials) < 2:
        return
    st.header("Compare two configurations")
    trials_by_name = {trial.name: trial for trial in outcome.rank_trials(measure)}
    left_column, right_column = st.columns(2)
    names = list(trials_by_name)
    default = max(names.index(outcome.trials[0].name), 1)
    before = trials_by_name[choose_option(left_column, "From", "from", names, name, default)]
    after = trials_by_name[choose_option(right_column, "To", "to", names, name)]
    if before is after:
        st.caption("Both are the same configuration; choose another.")
        return
    columns = {
        "measure": config.TextColumn("Measure"),
        **make_number_columns("%.3f", before="From", after="To"),
        "difference": config.NumberColumn("Difference", format="%+.3f"),
        "low": config.NumberColumn("Interval from", format="%+.3f", help=_LOW_HELP),
        "high": config.NumberColumn("Interval to", format="%+.3f", help=_HIGH_HELP),
        "p": config.NumberColumn("p", format="%.3f", help=_P_HELP),
    }
    table = pa.Table.from_pylist(build_change_rows(before, after))
    alt = "Every measure of both configurations with the difference, its interval and p"
    draw_table(table, columns, alt, "kalends-difference", compute_table_height(table.num_rows))
    _draw_flips(context, before, after, measure)


def _draw_flips(context: PageContext, before: TrialOutcome, after: TrialOutcome, measure: str) -> None:
    differences = find_flips(after, before, measure)
    flips = (*differences.losses, *differences.gains)
    st.subheader("Questions with another result")
    st.caption(
        f"Of {format_count(len(after.questions), 'question')}, {len(differences.gains):,} got better and "
        f"{len(differences.losses):,} worse by {measure}. Select one to see why."
    )
    if not flips:
        return
    texts = {question.question: question.text for question in after.questions}
    table = build_flips_table(differences, texts)
    columns = {
        "outcome": config.TextColumn("Outcome", width="small"),
        "text": config.TextColumn("Question", width="large"),
        **make_number_columns("%.3f", before="From", after="To"),
        "rank_before": config.NumberColumn(
            "Rank from", help="Rank of the first passage that answers, in the first configuration"
        ),
        "rank_after": config.NumberColumn("Rank to", help="The same in the second configuration"),
    }
    row = select_table_row(
        table,
        columns,
        "Questions that the two answer differently, the worse ones first; the chosen one is shown below",
        "kalends-flips",
        _TABLE_HEIGHT,
        key=f"experiments-flips-{before.record.trial_id}-{after.record.trial_id}-{measure}",
        placeholder="–",
        column_order=tuple(columns),
    )
    if row is not None:
        st.query_params["question"] = flips[row].question
    requested_question = st.query_params.get("question", "")
    flip = next((flip for flip in flips if flip.question == requested_question), None)
    if flip:
        loss = None if flip.is_gain else draw_losses(context, before, after).get(flip.question)
        with st.container(border=True, key="flip"):
            st.html(render_flip(flip, texts[flip.question], measure, loss))
            draw_link("search", "Search for it", icon=":material/search:", q=" ".join(texts[flip.question].split()))


def draw_losses(context: PageContext, before: TrialOutcome, after: TrialOutcome) -> dict[str, LostQuestion]:
    """Draw a switch and, if it is on, why each question got worse; return the reasons by question id."""
    help_text = "Shows for each question the first processing stage whose output differs at the answer."
    if not st.toggle("Explain what got worse", help=help_text, **state.bind_field("experiments", "why")):
        return {}
    try:
        folder = str(context.settings.warehouse)
        losses = _explain_cached_losses(folder, before.record.trial_id, after.record.trial_id)
    except KalendsError as error:
        st.html(render_error(error))
        return {}
    stages = Counter(lost_question.stage for lost_question in losses.lost_questions)
    stage_counts = ", ".join(f"{stage} {count:,}" for stage, count in stages.most_common())
    st.caption(f"First stage that differs, by {losses.measure}: {stage_counts or 'no question got worse'}.")
    if losses.lost_questions:
        rows = [
            {"stage": lost_question.stage, "question": lost_question.text, "reason": lost_question.reason}
            for lost_question in losses.lost_questions
        ]
        columns = {
            "stage": config.TextColumn("Stage", width="small"),
            "question": config.TextColumn("Question", width="medium"),
            "reason": config.TextColumn("What differs", width="large"),
        }
        alt = "Questions that got worse, with the first stage that differs"
        draw_table(pa.Table.from_pylist(rows), columns, alt, "kalends-losses", _TABLE_HEIGHT)
    return {lost_question.question: lost_question for lost_question in losses.lost_questions}


def choose_option(
    container: DeltaGenerator, label: str, parameter: str, options: Sequence[str], within: str, first: int = 0
) -> str:
    """Draw a selection of the experiment `within`, kept in the address; what is no option there becomes the `first`."""
    requested_option = st.query_params.get(parameter, "")
    index = options.index(requested_option) if requested_option in options else first
    selected_option = container.selectbox(label, options, index, key=f"experiments-{parameter}-{within}")
    if selected_option != requested_option and (requested_option or selected_option != options[first]):
        st.query_params[parameter] = selected_option
    return selected_option
