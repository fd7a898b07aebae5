"""Tables page: the list of all tables, a figure by name, all cells by filters, and the chosen table beside its page."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import streamlit as st

from dashboards.pages.tables import cell_search, table_list, table_view
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context

PARTS: MappingProxyType[str, Callable[[PageContext], None]] = MappingProxyType(
    {"Tables": table_list.draw_list, "Find a figure": cell_search.draw_figures, "All cells": cell_search.draw_cells}
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
    table_view.draw_table(here)
