"""A list of which a row is chosen, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.widgets import state
from dashboards.widgets.choosing import ROW, draw_row_list

PAGE_SIZE = 25
"""Rows of a page."""


def select_row(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str, alt: str
) -> Mapping[str, Any] | None:
    """Draw rows by these columns, as Streamlit configures them, and give the row that was chosen; None before."""
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    place = draw_row_list(table, columns, key, alt, tallest=ROW * (len(rows) + 1) + 3)
    return None if place is None else rows[place]


def select_page(count: int, key: str) -> int:
    """Which page of `count` rows the address names by `key`, from 1; drawn where there is more than one."""
    pages = max(1, ceil(count / PAGE_SIZE))
    if pages == 1:
        return 1
    return min(st.pagination(pages, key=state.key("quality", key), bind="query-params", width="stretch"), pages)
