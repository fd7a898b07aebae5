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
from tasks.quality.listing import every_rule
from warehouse.reader import Warehouse


@dataclass(frozen=True, slots=True)
class QualityAddress:
    """A rule by its code, a document and a passage by their ids, and what is said twice by the name of its pair."""

    rule: str = ""
    document: str = ""
    chunk: str = ""
    twin: str = ""


_NAMES = tuple(field.name for field in fields(QualityAddress))
_KEPT = ("together",)
"""What the address keeps on the way."""


def read_address() -> QualityAddress:
    """What the address opens."""
    return QualityAddress(**{name: st.query_params.get(name, "") for name in _NAMES})


def remember_overview() -> None:
    """The way back leads to what the address says of all findings now: the side, the filters, the page."""
    state.put("quality", "overview", {name: st.query_params.get_all(name) for name in st.query_params})


def open_address(what: QualityAddress) -> NoReturn:
    """Open it at once, as one step of the browser's history."""
    open_page("quality", **_address(what))


def draw_open_button(what: QualityAddress, name: str, icon: str | None = None) -> None:
    """A button that opens it. `name` is Markdown: escape what a document says.

    A link to the page that is drawn would leave the address as it is.
    """
    key = "-".join(("quality-go", what.rule, what.document, what.chunk, what.twin))
    if st.button(name, key=key, icon=icon, type="tertiary"):
        open_address(what)


def draw_breadcrumbs(warehouse: Warehouse, what: QualityAddress) -> None:
    """The way back from what is opened, a button for each step above it; nothing at the top."""
    steps = _steps(warehouse, what)
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="quality-trail"):
        draw_open_button(QualityAddress(), "All findings", ":material/arrow_back:")
        for name, step in steps[:-1]:
            draw_open_button(step, name, ":material/chevron_right:")
        st.caption(steps[-1][0])


def _address(what: QualityAddress) -> dict[str, str | list[str]]:
    own = {name: getattr(what, name) for name in _NAMES if getattr(what, name)}
    if not own:
        own = {name: value for name, value in (state.value("quality", "overview") or {}).items() if name not in _KEPT}
    return {**own, **{name: st.query_params[name] for name in _KEPT if name in st.query_params}}


def _steps(warehouse: Warehouse, what: QualityAddress) -> list[tuple[str, QualityAddress]]:
    steps = []
    if what.rule:
        rule = every_rule().get(what.rule)
        name = f"{rule.code} {rule.name}" if rule else what.rule
        steps.append((markdown_label(name, 40), QualityAddress(rule=what.rule)))
    if what.document:
        found = warehouse.snapshot.rows(_SOURCE, {"id": what.document})
        source = str(found[0][0]) if found else what.document
        steps.append((markdown_label(source, 60), QualityAddress(rule=what.rule, document=what.document)))
    if what.chunk:
        steps.append(("Passage", what))
    if what.twin:
        steps.append(("Side by side", what))
    return steps


_SOURCE = "SELECT source FROM documents WHERE document_id = $id"


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
