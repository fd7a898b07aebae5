"""Experiments page: several settings tried on the same questions, their results, and the form for a new one."""

from __future__ import annotations

import streamlit as st

from dashboards.html.safe_text import nothing_html
from dashboards.pages.experiments.new_experiment import draw_form, draw_run, draw_small_experiment
from dashboards.pages.experiments.results import draw_results, load_groups
from dashboards.widgets import state
from dashboards.widgets.navigation import draw_link
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
    options = {"label_visibility": "collapsed", **state.binding("experiments", "part")}
    if st.segmented_control("Part", (RESULTS, NEW), default=RESULTS, required=True, **options) == NEW:
        draw_form(context)
        draw_run(context)
        return
    draw_run(context)
    if groups := load_groups(context):
        draw_results(context, groups)
    else:
        st.html(nothing_html("There is no experiment yet.", "Run a small one, or choose the settings to try yourself."))
        draw_small_experiment(context)
        draw_link("experiments", "Choose settings", icon=":material/tune:", part=NEW)
