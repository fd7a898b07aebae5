"""Keeping a query under a name."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import error_html
from dashboards.facts.sql.queries import Queries
from warehouse.errors import KalendsError


def keep(kept: Queries, query: str) -> None:
    """A button that opens a field for the name."""
    with st.popover("Save", icon=":material/bookmark:", disabled=not query, key="sql-keeping"):
        with st.form("sql-keep", border=False, clear_on_submit=True):
            name = st.text_input("Name", key="sql-keep-name", max_chars=60, placeholder="Figures by quarter")
            saved = st.form_submit_button("Save the query", key="sql-keep-it")
        if not saved:
            return
        try:
            kept.keep(name or "", query)
        except KalendsError as error:
            st.html(error_html(error))
        else:
            st.toast("The query is saved.", icon=":material/bookmark_added:")
            st.rerun()
