"""Selection on the quality page: what its address opens, links to it, row selection, page numbers, and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import ceil
from typing import Any, NoReturn

import pyarrow as pa
import streamlit as st

from dashboards.html.safe_text import markdown_label
from dashboards.pages.quality.queries import FindingTable
from dashboards.widgets import state
from dashboards.widgets.navigation import open_page
from dashboards.widgets.row_lists import ROW, draw_row_list
from tasks.quality.rule import every_rule
from warehouse.reader import Warehouse

PAGE_SIZE = 25
"""Rows of a list that are drawn at once."""
_FILTERS = (("severity", "Severity"), ("kind", "Kind"), ("folder", "Folder"))
_SOURCE = "SELECT source FROM documents WHERE document_id = $id"


@dataclass(frozen=True, slots=True)
class QualityAddress:
    """Query parameters of the address: a rule code, a document id, a chunk id, and the name of a duplicate pair."""

    rule: str = ""
    document: str = ""
    chunk: str = ""
    twin: str = ""


_FIELDS = tuple(field.name for field in fields(QualityAddress))
_KEPT_PARAMETERS = ("together",)
"""Parameters that links within the page keep."""


def read_address() -> QualityAddress:
    """The selection that the address of the browser names."""
    return QualityAddress(**{name: st.query_params.get(name, "") for name in _FIELDS})


def remember_overview() -> None:
    """Store the view, filters and page number of the overview, so that the link back restores them."""
    state.put("quality", "overview", {name: st.query_params.get_all(name) for name in st.query_params})


def open_address(address: QualityAddress) -> NoReturn:
    """Open the selection at once, as one step of the browser's history."""
    open_page("quality", **_query_parameters(address))


def draw_open_button(address: QualityAddress, name: str, icon: str | None = None) -> None:
    """Draw a button that opens the selection. `name` is Markdown: escape text from documents.

    It is no link, because a link to the current page would not change the address.
    """
    key = "-".join(("quality-go", address.rule, address.document, address.chunk, address.twin))
    if st.button(name, key=key, icon=icon, type="tertiary"):
        open_address(address)


def draw_breadcrumbs(warehouse: Warehouse, address: QualityAddress) -> None:
    """Draw a button for each step above the selection, from all findings downwards; nothing on the overview."""
    steps = _list_steps(warehouse, address)
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="quality-trail"):
        draw_open_button(QualityAddress(), "All findings", ":material/arrow_back:")
        for name, step in steps[:-1]:
            draw_open_button(step, name, ":material/chevron_right:")
        st.caption(steps[-1][0])


def _query_parameters(address: QualityAddress) -> dict[str, str | list[str]]:
    parameters = {name: getattr(address, name) for name in _FIELDS if getattr(address, name)}
    if not parameters:
        overview = state.value("quality", "overview") or {}
        parameters = {name: value for name, value in overview.items() if name not in _KEPT_PARAMETERS}
    return {**parameters, **{name: st.query_params[name] for name in _KEPT_PARAMETERS if name in st.query_params}}


def _list_steps(warehouse: Warehouse, address: QualityAddress) -> list[tuple[str, QualityAddress]]:
    steps = []
    if address.rule:
        rule = every_rule().get(address.rule)
        name = f"{rule.code} {rule.name}" if rule else address.rule
        steps.append((markdown_label(name, 40), QualityAddress(rule=address.rule)))
    if address.document:
        rows = warehouse.snapshot.rows(_SOURCE, {"id": address.document})
        source = str(rows[0][0]) if rows else address.document
        steps.append((markdown_label(source, 60), QualityAddress(rule=address.rule, document=address.document)))
    if address.chunk:
        steps.append(("Passage", address))
    if address.twin:
        steps.append(("Side by side", address))
    return steps


def select_row(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str, alt: str
) -> Mapping[str, Any] | None:
    """Draw rows as a list with these Streamlit columns and return the row that the reader selects, else None."""
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    index = draw_row_list(table, columns, key, alt, tallest=ROW * (len(rows) + 1) + 3)
    return None if index is None else rows[index]


def select_page(count: int, key: str) -> int:
    """Draw page numbers for `count` rows, if they need more than one page, and return the current page, from 1."""
    pages = max(1, ceil(count / PAGE_SIZE))
    if pages == 1:
        return 1
    return min(st.pagination(pages, key=state.key("quality", key), bind="query-params", width="stretch"), pages)


def filter_findings(findings: FindingTable) -> FindingTable:
    """Draw filters by severity, kind of document and folder, each if it has several values, and apply them."""
    options = {
        name: values
        for name, _ in _FILTERS
        if len(values := findings.values(name)) > 1 or state.key("quality", name) in st.query_params
    }
    if not options:
        return findings
    conditions: dict[str, str] = {}
    with st.container(key="filters"):
        columns = iter(st.columns(len(_FILTERS)))
    for name, title in _FILTERS:
        if name in options:
            choice = next(columns).selectbox(
                title,
                options[name],
                None,
                key=state.key("quality", name),
                bind="query-params",
                placeholder=f"Any {title.lower()}",
                format_func=lambda value: markdown_label(value) if value else "No folder",
            )
            conditions[name] = choice or ""
    return findings.where(conditions)
