"""Experiments: which settings are best on these documents; grids are built, run, and what they found is compared."""

from __future__ import annotations

import streamlit as st

from dashboards.views import state
from dashboards.views.experiments import building, results, running
from dashboards.views.resources import place

RESULTS, NEW = "Results", "New grid"


def page() -> None:
    """Draw the part of the page that the address names."""
    st.title("Experiments")
    here = place()
    here.catalogue()
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
        building.draw(here)
        running.draw(here)
    else:
        running.draw(here)
        results.draw(here)
