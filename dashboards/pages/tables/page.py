"""Tables: each beside its page, and the figures in them by name or by filter."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import streamlit as st

from dashboards.pages.tables import asking, cells, listing, one
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context

PARTS: MappingProxyType[str, Callable[[PageContext], None]] = MappingProxyType(
    {"Tables": listing.draw, "Find a figure": asking.draw, "All cells": cells.draw}
)


def page() -> None:
    """Draw the part of the page that the address names, and the table that it names."""
    st.title("Tables")
    here = page_context()
    names = list(PARTS)
    part = st.segmented_control(
        "Part",
        names,
        default=names[0],
        required=True,
        key=state.key("tables", "part"),
        bind="query-params",
        label_visibility="collapsed",
    )
    PARTS[part or names[0]](here)
    one.draw(here)
