"""A list of which a row is chosen, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import streamlit as st

SIZE = 25
"""Rows of a page."""


def chosen(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str, alt: str
) -> Mapping[str, Any] | None:
    """Draw rows by these columns, as Streamlit configures them, and give the row that was chosen; None before."""
    drawn = st.dataframe(
        {name: [row[name] for row in rows] for name in columns},
        hide_index=True,
        placeholder="–",
        height=35 * (len(rows) + 1) + 3,
        column_config=dict(columns),
        on_select="rerun",
        selection_mode="single-row",
        key=key,
        alt=alt,
    )
    places = drawn["selection"]["rows"]
    return rows[places[0]] if places and places[0] < len(rows) else None


def paged(count: int, key: str) -> int:
    """Which page of `count` rows the address names by `key`, from 1; drawn where there is more than one."""
    pages = max(1, ceil(count / SIZE))
    if pages == 1:
        return 1
    return min(st.pagination(pages, key=key, bind="query-params", width="stretch"), pages)
