"""Timeline page: dates mentioned over time, periods that reports cover, and one figure through all documents."""

from __future__ import annotations

import streamlit as st

from dashboards.pages.timeline.coverage import draw_coverage
from dashboards.pages.timeline.figure import draw_figure
from dashboards.pages.timeline.mentions import draw_mentions
from dashboards.widgets import state
from dashboards.widgets.resources import page_context

SIDES = {"Over time": draw_mentions, "Coverage": draw_coverage, "One figure": draw_figure}


def page() -> None:
    """Draw the side that the address names."""
    st.title("Timeline")
    warehouse = page_context().warehouse.at()
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
