"""Which findings are looked at; the page's address keeps it."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.facts.quality.findings import FindingTable
from dashboards.widgets import state

_CHOICES = (("severity", "Severity"), ("kind", "Kind"), ("folder", "Folder"))


def filter_findings(found: FindingTable) -> FindingTable:
    """The findings of a severity, a kind of document and a folder; each is offered where there are several."""
    offered = {
        name: values
        for name, _ in _CHOICES
        if len(values := found.values(name)) > 1 or state.key("quality", name) in st.query_params
    }
    if not offered:
        return found
    wanted: dict[str, str] = {}
    with st.container(key="filters"):
        columns = iter(st.columns(len(_CHOICES)))
    for name, title in _CHOICES:
        if name in offered:
            picked = next(columns).selectbox(
                title,
                offered[name],
                None,
                key=state.key("quality", name),
                bind="query-params",
                placeholder=f"Any {title.lower()}",
                format_func=lambda value: markdown_label(value) if value else "No folder",
            )
            wanted[name] = picked or ""
    return found.narrowed(wanted)
