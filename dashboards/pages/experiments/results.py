"""List of the experiments, and one of them: plain result, configurations, effect of each setting, and export."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from dashboards.html.notices import error_html, nothing_html
from dashboards.html.safe_text import markdown_label
from dashboards.pages.experiments import comparison, new_experiment
from dashboards.pages.experiments.cached_queries import (
    load_effects,
    load_findings,
    load_groups,
    load_outcome,
    load_price,
)
from dashboards.pages.experiments.comparison import choose_option
from dashboards.pages.experiments.html import price_html, remark_html, verdict_html
from dashboards.pages.experiments.queries import (
    LONGEST_TITLE,
    ExperimentTitles,
    TrialGroup,
    compare_best,
    effect_table,
    find_current,
    mean_of,
    question_notes,
    round_table,
    trial_table,
)
from dashboards.serializers.experiment_charts import chart_cost, chart_effects, chart_ranking
from dashboards.serializers.grid_reports import write_grid_report
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import ROW, draw_download
from tasks.evaluate.experiments.grid_outcome import GridOutcome
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError

_LIST_HEIGHT, _CONFIGURATIONS_HEIGHT, _EFFECTS_HEIGHT = 260, 460, 420
"""Largest heights of the tables, in pixels."""


MOST_CHARTED = 40
"""Configurations in the chart, the best ones; the table has all."""
EXPORT_FORMS = {
    "Report (Markdown)": (".md", "text/markdown"),
    "All figures (JSON)": (".json", "application/json"),
    "All figures (CSV)": (".csv", "text/csv"),
    "Charts (HTML)": (".html", "text/html"),
}


def draw_results(context: PageContext) -> None:
    """Draw the list of experiments and the one that the address names, else the latest."""
    groups = load_groups(context)
    if not groups:
        st.html(nothing_html("There is no experiment yet.", "Run a small one, or choose the settings to try yourself."))
        new_experiment.draw_small_experiment(context)
        draw_link("experiments", "Choose settings", icon=":material/tune:", part="New experiment")
        return
    titles = ExperimentTitles(context.settings.warehouse)
    if len(groups) > 1:
        _draw_list(groups, [titles.title(each) for each in groups])
    name = st.query_params.get("round", "")
    _draw_group(context, next((each for each in groups if each.name == name), groups[0]), titles)


def _draw_list(groups: Sequence[TrialGroup], titles: Sequence[str]) -> None:
    st.header("All experiments")
    table = round_table(groups, titles)
    config = st.column_config
    event = st.dataframe(
        table,
        key="experiments-rounds",
        hide_index=True,
        height=min(ROW * (len(groups) + 1) + 3, _LIST_HEIGHT),
        column_order=("title", "exam", "configurations", "questions", "documents", "best", "mean", "measure", "day"),
        column_config={
            "title": config.TextColumn("Experiment", width="medium"),
            "exam": config.TextColumn("Documents of"),
            "configurations": config.NumberColumn("Configurations", format="localized"),
            "questions": config.NumberColumn("Questions", format="localized"),
            "documents": config.NumberColumn("Documents", format="localized"),
            "best": config.TextColumn("Best configuration", width="medium"),
            "mean": config.NumberColumn("Score", format="%.3f"),
            "measure": config.TextColumn("Measure"),
            "day": config.DateColumn("Date", help="The day from which words like 'last year' were read"),
        },
        on_select="rerun",
        selection_mode="single-row",
        alt="Experiments with their best configuration; the chosen one is shown below",
    )
    draw_download("kalends-experiments", len(groups), lambda: table)
    selected = event["selection"]["rows"]
    if selected and selected[0] < len(groups):
        st.query_params["round"] = groups[selected[0]].name


def _draw_group(context: PageContext, group: TrialGroup, titles: ExperimentTitles) -> None:
    first = group.trials[-1]
    with st.container(horizontal=True, vertical_alignment="center", key="experiments-head"):
        st.header(markdown_label(titles.title(group), LONGEST_TITLE), width="content")
        _draw_rename_form(group, titles)
    st.caption(
        f"{counted(len(group.trials), 'configuration')}, {counted(first.questions, 'question')}, "
        f"{counted(first.documents, 'document')} of {markdown_label(group.exam)}; {first.day}"
    )
    outcome = load_outcome(context, group)
    result = st.container()
    measure = choose_option(st.container(width=320), "Measure", "measure", group.measures, group.name)
    with result:
        _draw_plain_result(context, group, outcome, measure)
    st.header("All configurations")
    draw_configurations(group, measure)
    draw_price(outcome, measure)
    draw_effects(outcome, measure)
    comparison.draw_comparison(context, outcome, measure, group.name)
    notes = question_notes(outcome.trials[0])
    if notes:
        st.header("About the questions")
    for note in notes:
        st.html(remark_html(note))
    draw_export(outcome, group.name)


def _draw_plain_result(context: PageContext, group: TrialGroup, outcome: GridOutcome, measure: str) -> None:
    """Draw the result in plain words, before all details."""
    verdict = compare_best(outcome, load_price(outcome, measure), find_current(group, context.settings))
    if verdict:
        st.html(verdict_html(verdict))
        return
    trial = group.trials[0]
    score = f"Only one configuration was tried: {mean_of(trial, measure):.3f} {measure}."
    st.html(nothing_html(score, "Try a second one with other settings to compare."))
    draw_link("experiments", "New experiment", icon=":material/add:", part="New experiment")


def _draw_rename_form(group: TrialGroup, titles: ExperimentTitles) -> None:
    with st.popover("Rename", icon=":material/edit:", type="tertiary", key=f"experiments-rename-{group.name}"):
        with st.form(f"experiments-title-form-{group.name}", border=False):
            title = st.text_input(
                "Title",
                titles.title(group),
                max_chars=LONGEST_TITLE,
                key=f"experiments-title-{group.name}",
                help="Leave it empty to have a title made from the settings that vary.",
            )
            is_submitted = st.form_submit_button("Save")
        if not is_submitted:
            return
        try:
            titles.rename(group, title or "")
        except KalendsError as error:
            st.html(error_html(error))
        else:
            st.rerun()


def draw_configurations(group: TrialGroup, measure: str) -> None:
    """Draw the best configurations as a chart and all as a table."""
    ranked = group.ranked(measure)
    best = ranked[0]
    description = (
        f"{measure} of each configuration with its interval; the best is {best.name} with {mean_of(best, measure):.3f}"
    )
    st.altair_chart(chart_ranking(ranked[:MOST_CHARTED], measure), theme="streamlit", alt=description)
    if len(ranked) > MOST_CHARTED:
        st.caption(f"The chart shows the best {MOST_CHARTED} of {len(ranked):,}; the table has all.")
    table = trial_table(ranked, measure)
    st.dataframe(
        table,
        key="experiments-configurations",
        hide_index=True,
        height=min(ROW * (len(ranked) + 1) + 3, _CONFIGURATIONS_HEIGHT),
        column_config=_configuration_columns(table.column_names, measure),
        alt="Configurations, the best first, with their measures, search times, sizes and import times",
    )
    draw_download(f"kalends-configurations-{group.name}", len(ranked), lambda: table)


def draw_price(outcome: GridOutcome, measure: str) -> None:
    """Draw the cost of the best configuration in time and size."""
    if len(outcome.trials) < 2:
        return
    st.header("Cost of the best configuration")
    st.html(price_html(load_price(outcome, measure)))
    ranked = [each.record for each in outcome.ranked(measure)]
    description = (
        f"{measure} by the milliseconds of a search, one point a configuration; larger points have larger indexes"
    )
    st.altair_chart(chart_cost(ranked, measure), theme="streamlit", alt=description)


def _configuration_columns(names: list[str], measure: str) -> dict[str, Any]:
    config = st.column_config
    columns = {
        "configuration": config.TextColumn("Configuration", width=290),
        "mean": config.NumberColumn(measure, format="%.3f"),
        "low": config.NumberColumn("Interval from", format="%.3f", help="Lower end of the 95 % interval"),
        "high": config.NumberColumn("Interval to", format="%.3f", help="Upper end of the 95 % interval"),
        "p50": config.NumberColumn(
            "Median ms",
            format="%.1f",
            help="Half of the searches took no longer; embedding the question is not counted",
        ),
        "p95": config.NumberColumn("95 % ms", format="%.1f", help="95 % of the searches took no longer"),
        "chunks": config.NumberColumn("Passages", format="localized"),
        "vectors": config.NumberColumn("Vectors", format="localized"),
        "megabytes": config.NumberColumn("Index, MB", format="%.1f"),
        "ingest_seconds": config.NumberColumn(
            "Import, s", format="%.1f", help="Seconds; what other configurations had already made is not counted"
        ),
        "model": config.TextColumn("Embedding model"),
        "day": config.DateColumn("Date"),
        "trial_id": config.TextColumn("Id"),
    }
    return {name: columns.get(name) or config.NumberColumn(name, format="%.3f") for name in names}


def draw_effects(outcome: GridOutcome, measure: str) -> None:
    """Draw the effect of each value of a setting; nothing if no setting varies."""
    rows = load_effects(outcome, measure)
    if not any(each.change for each in rows):
        return
    st.header("Effect of each setting")
    st.caption(
        "Each value compared with the first value of its setting, over configurations that are alike in everything "
        "else. If an interval crosses the line, the difference may be chance."
    )
    description = "; ".join(f"{e.dimension} {e.value} {e.change.difference:+.3f}" for e in rows if e.change)
    st.altair_chart(chart_effects(rows, measure), theme="streamlit", alt=f"Change of {measure}: {description}")
    table = effect_table(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=min(ROW * (len(rows) + 1) + 3, _EFFECTS_HEIGHT),
        placeholder="–",
        column_config={
            "dimension": config.TextColumn("Setting"),
            "value": config.TextColumn("Value"),
            "mean": config.NumberColumn(f"Mean {measure}", format="%.3f"),
            "configurations": config.NumberColumn(
                "Pairs", format="localized", help="Pairs of configurations that were compared"
            ),
            "difference": config.NumberColumn("Change", format="%+.3f"),
            "low": config.NumberColumn("Interval from", format="%+.3f"),
            "high": config.NumberColumn("Interval to", format="%+.3f"),
            "p": config.NumberColumn(
                "p",
                format="%.3f",
                help="Chance of such a difference if both were equally good (paired randomization test)",
            ),
        },
        alt="Values of each setting with their mean and the change from the first value",
    )
    draw_download("kalends-values", len(rows), lambda: table)


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
        write_grid_report(load_findings(outcome), file)
        return file.read_bytes()
