"""Timeline: which dates are mentioned, which periods reports cover, and how a figure changed."""

from __future__ import annotations

import streamlit as st

from dashboards.views import state
from dashboards.views.resources import place
from dashboards.views.timeline.calendar import draw_calendar
from dashboards.views.timeline.figure import draw_figure
from dashboards.views.timeline.spoken import draw_spoken

SIDES = {"Over time": draw_spoken, "Coverage": draw_calendar, "One figure": draw_figure}


def page() -> None:
    """Draw the side that the address names."""
    st.title("Timeline")
    warehouse = place().warehouse.at()
    first = next(iter(SIDES))
    side = st.segmented_control(
        "Show",
        list(SIDES),
        key=state.key("timeline", "show"),
        default=state.default("timeline", "show"),
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    SIDES[side or first](warehouse)
