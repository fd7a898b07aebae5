"""What was tried so far: every round, and one of them in all its parts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.escaping import label
from dashboards.drawing.experiments.notes import told_html
from dashboards.drawing.notices import nothing_html
from dashboards.facts.experiments.listed import made_notes, round_table
from dashboards.facts.experiments.rounds import Round
from dashboards.views.downloading import offer
from dashboards.views.experiments import comparing, configurations, reporting, worth
from dashboards.views.experiments.choosing import choose
from dashboards.views.experiments.held import outcome, rounds_of
from dashboards.views.navigation import link
from dashboards.views.resources import Place

_ROW, _TALLEST = 35, 260


def draw(here: Place) -> None:
    """Draw the rounds there are and the one that the address names, else the latest."""
    held = rounds_of(here)
    if not held:
        st.html(nothing_html("No configuration was tried yet.", "A grid asks which settings suit your documents."))
        link("experiments", "Build a grid", icon=":material/add:", part="New grid")
        return
    if len(held) > 1:
        _list(held)
    asked = st.query_params.get("round", "")
    _one(here, next((each for each in held if each.name == asked), held[0]))


def _list(held: Sequence[Round]) -> None:
    st.header("What was tried")
    table = round_table(held)
    config = st.column_config
    event = st.dataframe(
        table,
        key="experiments-rounds",
        hide_index=True,
        height=min(_ROW * (len(held) + 1) + 3, _TALLEST),
        column_order=("exam", "configurations", "questions", "documents", "best", "mean", "measure", "day"),
        column_config={
            "exam": config.TextColumn("Asked of"),
            "configurations": config.NumberColumn("Configurations", format="localized"),
            "questions": config.NumberColumn("Questions", format="localized"),
            "documents": config.NumberColumn("Documents", format="localized"),
            "best": config.TextColumn("Best configuration", width="medium"),
            "mean": config.NumberColumn("Its mean", format="%.3f"),
            "measure": config.TextColumn("By"),
            "day": config.DateColumn("Day", help="From which relative times were read"),
        },
        on_select="rerun",
        selection_mode="single-row",
        alt="Rounds of trials, each of the same questions, with the best configuration; a chosen row is told of below",
    )
    offer("kalends-rounds", len(held), lambda: table)
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(held):
        st.query_params["round"] = held[picked[0]].name


def _one(here: Place, chosen: Round) -> None:
    first = chosen.trials[-1]
    st.header(label(chosen.exam))
    st.caption(
        f"{len(chosen.trials):,} configurations, {first.questions:,} questions, {first.documents:,} documents; "
        f"relative times read from {first.day}. Intervals: 95 %, bootstrap over the questions."
    )
    measure = choose(st.container(width=320), "Measure", "measure", chosen.measures, chosen.name)
    configurations.draw(chosen, measure)
    found = outcome(here, chosen)
    for note in made_notes(found.trials[0]):
        st.html(told_html(note))
    configurations.price(found, measure)
    worth.draw(found, measure)
    comparing.draw(here, found, measure, chosen.name)
    reporting.draw(found, chosen.name)
