"""Cells that were found, as a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.facts.cells import FoundCell
from dashboards.views.tables.opening import forget, open_table

COLUMNS = ("value", "unit", "period", "row", "column", "company", "printed", "page", "source")


def show(cells: Sequence[FoundCell], alt: str) -> None:
    """Draw them; the chosen one is put into the address."""
    chosen = st.dataframe(
        {name: [getattr(cell, name) for cell in cells] for name in COLUMNS},
        hide_index=True,
        placeholder="–",
        height=min(35 * (len(cells) + 1) + 3, 388),
        column_config=_columns(),
        on_select="rerun",
        selection_mode="single-row",
        key=f"found-{hash(tuple(cells))}",
        alt=alt,
    )
    rows = chosen["selection"]["rows"]
    if rows and rows[0] < len(cells):
        cell = cells[rows[0]]
        open_table(cell.document_id, cell.table, cell.place)
    else:
        forget()


def as_table(cells: Sequence[FoundCell]) -> pa.Table:
    """The cells with the address of each on this page."""
    return pa.Table.from_pylist([{**asdict(cell), "place": list(cell.place), "link": _address(cell)} for cell in cells])


def _address(cell: FoundCell) -> str:
    row, column = cell.place
    return f"/tables?document={cell.document_id}&table={cell.table}&cell={row}.{column}"


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "value": config.NumberColumn("Value", format="localized", help="In units: what is printed in millions is not"),
        "unit": config.TextColumn("Unit"),
        "period": config.TextColumn("Period"),
        "row": config.TextColumn("Row", width="medium"),
        "column": config.TextColumn("Column", width="medium"),
        "company": config.TextColumn("Of"),
        "printed": config.TextColumn("Printed"),
        "page": config.NumberColumn("Page", format="%d"),
        "source": config.TextColumn("Source", width="medium"),
    }
