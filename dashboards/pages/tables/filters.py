"""Filters of the tables page: each declared once, drawn by its input and kept in the address.

The page has three lists, each with its own filters: `TABLE_FILTERS`, `FIGURE_FILTERS` and `CELL_FILTERS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal

import streamlit as st

from dashboards.pages.tables.queries import (
    ORDERS,
    CellFilters,
    Days,
    TableFilters,
    companies_with_tables,
    list_units,
)
from dashboards.widgets import state
from tasks.query.filter_values import parse_period
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Kind

CacheKey = tuple[str, str]
"""The folder of a warehouse and the manifest of its published generation."""


class FilterInput(StrEnum):
    """The widget of a filter."""

    SEARCH = "a line of text with a button that empties it"
    TEXT = "a line of text"
    CHOICES = "any of some values"
    NUMBER = "a number"


@dataclass(frozen=True, slots=True)
class PageFilter:
    """A filter by its name in the address (declared in `state.FIELDS`), its label and what an empty one shows."""

    name: str
    label: str
    placeholder: str
    input: FilterInput = FilterInput.SEARCH


_PERIODS = "Q2 2023, last year, 2021"
_DOCUMENTS = "Title, file or company"
TABLE_FILTERS = (
    PageFilter("words", "Words", "Caption, header or row names"),
    PageFilter("named", "Document", _DOCUMENTS),
    PageFilter("during", "Period mentioned", _PERIODS, FilterInput.TEXT),
    PageFilter("kind", "Kind", "Any kind", FilterInput.CHOICES),
    PageFilter("company", "Company", "Any company", FilterInput.CHOICES),
)
FIGURE_FILTERS = (
    PageFilter("item", "Figure", "total assets, revenue Q2 2023 AMCOR"),
    PageFilter("time", "Period", "Q2 2023, FY2022", FilterInput.TEXT),
    PageFilter("of", "Document or company", "All", FilterInput.TEXT),
)
CELL_FILTERS = (
    PageFilter("row", "Row", "Words in the row name"),
    PageFilter("column", "Column", "Words in the column name"),
    PageFilter("whose", "Document", _DOCUMENTS),
    PageFilter("at", "Period", _PERIODS, FilterInput.TEXT),
    PageFilter("unit", "Unit", "Any unit", FilterInput.CHOICES),
    PageFilter("least", "Value from", "Any", FilterInput.NUMBER),
    PageFilter("most", "Value to", "Any", FilterInput.NUMBER),
)


def table_filters(warehouse: Warehouse, key: CacheKey) -> tuple[TableFilters, str]:
    """Draw the filters of the list of tables; returns them and one of `ORDERS`.

    Raises `BadInput` for a period that names no time.
    """
    with st.container(key="filters"):
        columns = [*st.columns(3), *st.columns(3)]
    choices: dict[str, Sequence[Any]] = {"kind": list(Kind), "company": _companies(key, warehouse)}
    values = _draw_filters(TABLE_FILTERS, columns, choices)
    order = columns[-1].selectbox("Sort by", list(ORDERS), key=state.key("tables", "sort"), bind="query-params")
    filters = TableFilters(
        values["words"].strip(),
        values["named"].strip(),
        "" if st.query_params.get("table") else st.query_params.get("document", ""),
        tuple(kind.value for kind in values["kind"]),
        tuple(values["company"]),
        parse_days(values["during"]),
    )
    return filters, order or next(iter(ORDERS))


def figure_filters() -> tuple[str, str, str]:
    """Draw the filters of "Find a figure"; returns the name of the figure, the period and the document or company."""
    with st.container(key="filters"):
        columns = st.columns([2, 1, 1])
    values = _draw_filters(FIGURE_FILTERS, columns)
    return values["item"], values["time"], values["of"]


def cell_filters(warehouse: Warehouse, key: CacheKey) -> CellFilters:
    """Draw the filters of the list of cells.

    Raises `BadInput` for a period that names no time and for bounds that no value is between.
    """
    with st.container(key="filters"):
        columns = [*st.columns(3), *st.columns([2, 2, 1, 1])]
    values = _draw_filters(CELL_FILTERS, columns, {"unit": _units(key, warehouse)})
    least, most = values["least"], values["most"]
    if least is not None and most is not None and least > most:
        raise BadInput(f"the lowest value, {least:g}, is above the highest, {most:g}", "choose a higher end")
    with_words = st.toggle("Include cells without a number", key=state.key("tables", "any"), bind="query-params")
    return CellFilters(
        values["row"].strip(),
        values["column"].strip(),
        values["whose"].strip(),
        tuple(values["unit"]),
        parse_days(values["at"]),
        least,
        most,
        figures=not with_words,
    )


def parse_days(words: str) -> Days | None:
    """The days that words name, None without words. Raises `BadInput` for words that name no time."""
    return parse_period(words.strip(), datetime.now(UTC).date()) if words.strip() else None


def _draw_filters(
    filters: Sequence[PageFilter],
    columns: Sequence[st.delta_generator.DeltaGenerator],
    choices: Mapping[str, Sequence[Any]] | None = None,
) -> dict[str, Any]:
    """Draw each filter into its column; returns the values by name: text, a list of choices, a number or None."""
    return {
        each.name: _draw_filter(each, column, (choices or {}).get(each.name, ()))
        for each, column in zip(filters, columns, strict=False)
    }


def _draw_filter(own: PageFilter, column: st.delta_generator.DeltaGenerator, choices: Sequence[Any]) -> Any:
    if own.input is FilterInput.CHOICES:
        return column.multiselect(
            own.label, choices, key=state.key("tables", own.name), bind="query-params", placeholder=own.placeholder
        )
    if own.input is FilterInput.NUMBER:
        return column.number_input(
            own.label,
            value=None,
            key=state.key("tables", own.name),
            bind="query-params",
            placeholder=own.placeholder,
            format="%g",
        )
    sort: Literal["search", "default"] = "search" if own.input is FilterInput.SEARCH else "default"
    text = column.text_input(
        own.label, key=state.key("tables", own.name), bind="query-params", type=sort, placeholder=own.placeholder
    )
    return text or ""


@st.cache_data(show_spinner=False, max_entries=4)
def _companies(key: CacheKey, _warehouse: Warehouse) -> list[str]:
    return companies_with_tables(_warehouse)


@st.cache_data(show_spinner=False, max_entries=4)
def _units(key: CacheKey, _warehouse: Warehouse) -> list[str]:
    return list_units(_warehouse)
