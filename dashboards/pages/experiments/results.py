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
from dashboards.widgets.row_lists import draw_download
from tasks.evaluate.experiments.outcome import GridOutcome
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError

_ROW, _TALLEST = 35, 260


def draw_results(here: PageContext) -> None:
    """Draw the experiments there are and the one that the address names, else the latest."""
    held = load_groups(here)
    if not held:
        st.html(nothing_html("There is no experiment yet.", "Run a small one, or choose the settings to try yourself."))
        new_experiment.draw_small_experiment(here)
        draw_link("experiments", "Choose settings", icon=":material/tune:", part="New experiment")
        return
    titles = ExperimentTitles(here.settings.warehouse)
    if len(held) > 1:
        _list(held, [titles.title(each) for each in held])
    asked = st.query_params.get("round", "")
    _one(here, next((each for each in held if each.name == asked), held[0]), titles)


def _list(held: Sequence[TrialGroup], titles: Sequence[str]) -> None:
    st.header("All experiments")
    table = round_table(held, titles)
    config = st.column_config
    event = st.dataframe(
        table,
        key="experiments-rounds",
        hide_index=True,
        height=min(_ROW * (len(held) + 1) + 3, _TALLEST),
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
    draw_download("kalends-experiments", len(held), lambda: table)
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(held):
        st.query_params["round"] = held[picked[0]].name


def _one(here: PageContext, chosen: TrialGroup, titles: ExperimentTitles) -> None:
    first = chosen.trials[-1]
    with st.container(horizontal=True, vertical_alignment="center", key="experiments-head"):
        st.header(markdown_label(titles.title(chosen), LONGEST_TITLE), width="content")
        _rename(chosen, titles)
    st.caption(
        f"{counted(len(chosen.trials), 'configuration')}, {counted(first.questions, 'question')}, "
        f"{counted(first.documents, 'document')} of {markdown_label(chosen.exam)}; {first.day}"
    )
    found = load_outcome(here, chosen)
    result = st.container()
    measure = choose_option(st.container(width=320), "Measure", "measure", chosen.measures, chosen.name)
    with result:
        _result(here, chosen, found, measure)
    st.header("All configurations")
    draw_configurations(chosen, measure)
    draw_price(found, measure)
    draw_effects(found, measure)
    comparison.draw_comparison(here, found, measure, chosen.name)
    notes = question_notes(found.trials[0])
    if notes:
        st.header("About the questions")
    for note in notes:
        st.html(remark_html(note))
    draw_export(found, chosen.name)


def _result(here: PageContext, chosen: TrialGroup, found: GridOutcome, measure: str) -> None:
    """The plain result, before all details."""
    said = compare_best(found, load_price(found, measure), find_current(chosen, here.settings))
    if said:
        st.html(verdict_html(said))
        return
    alone = chosen.trials[0]
    score = f"Only one configuration was tried: {mean_of(alone, measure):.3f} {measure}."
    st.html(nothing_html(score, "Try a second one with other settings to compare."))
    draw_link("experiments", "New experiment", icon=":material/add:", part="New experiment")


def _rename(chosen: TrialGroup, titles: ExperimentTitles) -> None:
    with st.popover("Rename", icon=":material/edit:", type="tertiary", key=f"experiments-rename-{chosen.name}"):
        with st.form(f"experiments-title-form-{chosen.name}", border=False):
            title = st.text_input(
                "Title",
                titles.title(chosen),
                max_chars=LONGEST_TITLE,
                key=f"experiments-title-{chosen.name}",
                help="Leave it empty to have a title made from the settings that vary.",
            )
            sent = st.form_submit_button("Save")
        if not sent:
            return
        try:
            titles.rename(chosen, title or "")
        except KalendsError as error:
            st.html(error_html(error))
        else:
            st.rerun()


CHARTED = 40
"""So many of the best are in the chart; the table has all."""
_ROW_CONFIGURATIONS, _TALLEST_CONFIGURATIONS = 35, 460


def draw_configurations(chosen: TrialGroup, measure: str) -> None:
    """Draw the best as a chart and all as a table."""
    ranked = chosen.ranked(measure)
    best = ranked[0]
    told = (
        f"{measure} of each configuration with its interval; the best is {best.name} with {mean_of(best, measure):.3f}"
    )
    st.altair_chart(chart_ranking(ranked[:CHARTED], measure), theme="streamlit", alt=told)
    if len(ranked) > CHARTED:
        st.caption(f"The chart shows the best {CHARTED} of {len(ranked):,}; the table has all.")
    table = trial_table(ranked, measure)
    st.dataframe(
        table,
        key="experiments-configurations",
        hide_index=True,
        height=min(_ROW_CONFIGURATIONS * (len(ranked) + 1) + 3, _TALLEST_CONFIGURATIONS),
        column_config=_columns(table.column_names, measure),
        alt="Configurations, the best first, with their measures, search times, sizes and import times",
    )
    draw_download(f"kalends-configurations-{chosen.name}", len(ranked), lambda: table)


def draw_price(found: GridOutcome, measure: str) -> None:
    """Draw what being best costs."""
    if len(found.trials) < 2:
        return
    st.header("Cost of the best configuration")
    st.html(price_html(load_price(found, measure)))
    ranked = [each.record for each in found.ranked(measure)]
    told = f"{measure} by the milliseconds of a search, one point a configuration; larger points have larger indexes"
    st.altair_chart(chart_cost(ranked, measure), theme="streamlit", alt=told)


def _columns(names: list[str], measure: str) -> dict[str, Any]:
    config = st.column_config
    known = {
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
    return {name: known.get(name) or config.NumberColumn(name, format="%.3f") for name in names}


_ROW_WORTH, _TALLEST_WORTH = 35, 420


def draw_effects(found: GridOutcome, measure: str) -> None:
    """Draw the ablation; nothing where nothing varies."""
    rows = load_effects(found, measure)
    if not any(each.change for each in rows):
        return
    st.header("Effect of each setting")
    st.caption(
        "Each value compared with the first value of its setting, over configurations that are alike in everything "
        "else. If an interval crosses the line, the difference may be chance."
    )
    told = "; ".join(f"{e.dimension} {e.value} {e.change.difference:+.3f}" for e in rows if e.change)
    st.altair_chart(chart_effects(rows, measure), theme="streamlit", alt=f"Change of {measure}: {told}")
    table = effect_table(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=min(_ROW_WORTH * (len(rows) + 1) + 3, _TALLEST_WORTH),
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
