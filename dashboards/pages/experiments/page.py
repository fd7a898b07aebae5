"""Experiments page: several settings tried on the same questions, their results, and the form for a new one."""

from __future__ import annotations

import streamlit as st

from dashboards.pages.experiments import new_experiment, results
from dashboards.widgets import state
from dashboards.widgets.resources import page_context

RESULTS, NEW = "Results", "New experiment"

MEANING = (
    "An experiment answers the same questions with several settings and shows which settings find the right passages "
    "most often. It changes nothing in the library."
)


def page() -> None:
    """Draw the part of the page that the address names."""
    st.title("Experiments")
    st.markdown(MEANING)
    context = page_context()
    context.catalogue()
    part = st.segmented_control(
        "Part",
        (RESULTS, NEW),
        default=RESULTS,
        required=True,
        key=state.key("experiments", "part"),
        bind="query-params",
        label_visibility="collapsed",
    )
    if part == NEW:
        new_experiment.draw_form(context)
        new_experiment.draw_run(context)
    else:
        new_experiment.draw_run(context)
        results.draw_results(context)
