"""A citation to copy, and its link."""

from __future__ import annotations

import streamlit as st


def draw_folded_citation(citation: str, url: str) -> None:
    """The citation with its link, folded."""
    with st.expander("Citation and link", icon=":material/format_quote:", type="compact"):
        draw_citation(citation, url)


def draw_citation(citation: str, url: str) -> None:
    """The citation with its link: browsers refuse to open a file from a page, so the link must be readable."""
    st.code(citation, language=None, wrap_lines=True)
    if url.startswith("obsidian://open?vault="):
        st.link_button("Open in Obsidian", url, icon=":material/open_in_new:")
