"""The experiments so far as a list, and one of them: its plain result first, then the details."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.experiments.notes import remark_html
from dashboards.drawing.experiments.verdicts import verdict_html
from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.experiments.listed import question_notes, round_table
from dashboards.facts.experiments.rounds import TrialGroup, find_current, mean_of
from dashboards.facts.experiments.titles import LONGEST_TITLE, ExperimentTitles
from dashboards.facts.experiments.verdicts import compare_best
from dashboards.pages.experiments import building, comparing, configurations, reporting, worth
from dashboards.pages.experiments.choosing import choose_option
from dashboards.pages.experiments.held import load_groups, load_outcome, load_price
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from tasks.evaluate.experiments.outcome import GridOutcome
from tasks.quality.wording import counted
from warehouse.errors import KalendsError

_ROW, _TALLEST = 35, 260


def draw_results(here: PageContext) -> None:
    """Draw the experiments there are and the one that the address names, else the latest."""
    held = load_groups(here)
    if not held:
        st.html(nothing_html("There is no experiment yet.", "Run a small one, or choose the settings to try yourself."))
        building.draw_small_experiment(here)
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
    configurations.draw_configurations(chosen, measure)
    configurations.draw_price(found, measure)
    worth.draw_effects(found, measure)
    comparing.draw_comparison(here, found, measure, chosen.name)
    notes = question_notes(found.trials[0])
    if notes:
        st.header("About the questions")
    for note in notes:
        st.html(remark_html(note))
    reporting.draw_export(found, chosen.name)


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
