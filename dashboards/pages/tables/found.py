"""Cells that were found, as a list to open one from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.facts.tables.cells import FoundCell
from dashboards.pages.tables.opening import open_table
from dashboards.widgets.choosing import draw_row_list

TALLEST = 388
"""Pixels of a list that has something to read below it."""


def show(cells: Sequence[FoundCell], alt: str) -> None:
    """Draw them; the chosen one is put into the address."""
    columns = _columns()
    table = pa.table({name: [getattr(cell, name) for cell in cells] for name in columns})
    place = draw_row_list(table, columns, f"tables-found-{hash(tuple(cells))}", alt, tallest=TALLEST)
    if place is not None:
        cell = cells[place]
        open_table(cell.document_id, cell.table, cell.place)


def as_table(cells: Sequence[FoundCell]) -> pa.Table:
    """The cells with the address of each on this page."""
    return pa.Table.from_pylist([{**asdict(cell), "place": list(cell.place), "link": _address(cell)} for cell in cells])


def _address(cell: FoundCell) -> str:
    row, column = cell.place
    return f"/tables?document={cell.document_id}&table={cell.table}&cell={row}.{column}"


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "value": config.NumberColumn(
            "Value", format="localized", help="In single units, also where the table prints millions"
        ),
        "unit": config.TextColumn("Unit"),
        "period": config.TextColumn("Period"),
        "doubt": config.TextColumn("Uncertain", help="Why the scale or period is not certain"),
        "row": config.TextColumn("Row", width="medium"),
        "column": config.TextColumn("Column", width="medium"),
        "company": config.TextColumn("Company"),
        "printed": config.TextColumn("As printed"),
        "page": config.NumberColumn("Page", format="%d"),
        "source": config.TextColumn("File", width="medium"),
    }
