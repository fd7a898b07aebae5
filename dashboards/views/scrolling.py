"""What is opened on a page begins at its top: a document, a rule, a passage."""

from __future__ import annotations

import streamlit as st

_TO_TOP = """
export default function ({ data }) {
  if (window.kalendsOpened !== undefined && window.kalendsOpened !== data.opened)
    document.querySelector(".stMain")?.scrollTo(0, 0);
  window.kalendsOpened = data.opened;
}
"""
_OPENED = ("document", "rule", "chunk", "twin")
"""The parameters of an address that name what is opened; a table opens below its list, where it is seen at once."""


def start_at_top(page: str) -> None:
    """Scroll to the top where the page, or what its address opens, is not what was seen before."""
    named = [st.query_params.get(name, "") for name in _OPENED] if page != "tables" else []
    data = {"opened": " ".join((page, *named))}
    st.components.v2.component("kalends_to_top", js=_TO_TOP)(key="kalends-to-top", data=data)
