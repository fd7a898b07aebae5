"""The cells of a grid as what they look like: buttons that choose one."""

from __future__ import annotations

import streamlit as st

from dashboards.facts.tables.shown import Place
from dashboards.widgets.pressing import pressed_value


def chosen() -> Place | None:
    """The cell that is chosen: the one just pressed, which goes into the address, or the one that stands there.

    To press the cell that is chosen already lets it go.
    """
    cell = pressed_value("cell")
    if cell and cell == st.query_params.get("cell"):
        del st.query_params["cell"]
    elif cell:
        st.query_params["cell"] = cell
    row, _, column = st.query_params.get("cell", "").partition(".")
    return (int(row), int(column)) if row.isdecimal() and column.isdecimal() else None
