"""Selection on the quality page: what its address opens, buttons that open it, lists whose rows open, and filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NoReturn

import pyarrow as pa
import streamlit as st

from dashboards.html.safe_text import markdown_label
from dashboards.pages.quality.quality_queries import FindingTable
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download, draw_row_list, row_height, select_page
from dashboards.widgets.navigation import open_page
from tasks.quality.rule import every_rule
from warehouse.reader import Warehouse

PAGE_SIZE = 25  # Rows of a list that are drawn at once.
_FILTERS = (("severity", "Severity"), ("kind", "Kind"), ("folder", "Folder"))
_SOURCE = "SELECT source FROM documents WHERE document_id = $id"


@dataclass(frozen=True, slots=True)
class QualityAddress:
    """Query parameters of the address: a rule code, a document id, a chunk id, and the name of a duplicate pair."""

    rule: str = ""
    document: str = ""
    chunk: str = ""
    twin: str = ""


_KEPT_PARAMETER = "together"  # The parameter that links within the page keep.


def read_address() -> QualityAddress:
    """The selection that the address of the browser names."""
    return QualityAddress(**{field.name: st.query_params.get(field.name, "") for field in fields(QualityAddress)})


def open_address(address: QualityAddress) -> NoReturn:
    """Open the selection at once, as one step of the browser's history."""
    parameters: dict[str, str | list[str]] = {name: value for name, value in asdict(address).items() if value}
    if not parameters:
        overview = state.value("quality", "overview") or {}
        parameters = {name: value for name, value in overview.items() if name != _KEPT_PARAMETER}
    if _KEPT_PARAMETER in st.query_params:
        parameters[_KEPT_PARAMETER] = st.query_params[_KEPT_PARAMETER]
    open_page("quality", **parameters)


def draw_open_button(address: QualityAddress, name: str, icon: str | None = None) -> None:
    """Draw a button that opens the selection. `name` is Markdown: escape text from documents.

    It is no link, because a link to the current page would not change the address.
    """
    key = "-".join(("quality-go", *asdict(address).values()))
    if st.button(name, key=key, icon=icon, type="tertiary"):
        open_address(address)


def draw_breadcrumbs(warehouse: Warehouse, address: QualityAddress) -> None:
    """Draw a button for each step above the selection, from all findings downwards; nothing on the overview."""
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
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="quality-trail"):
        draw_open_button(QualityAddress(), "All findings", ":material/arrow_back:")
        for name, step in steps[:-1]:
            draw_open_button(step, name, ":material/chevron_right:")
        st.caption(steps[-1][0])


def select_row(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str, alt: str
) -> Mapping[str, Any] | None:
    """Draw rows as a list with these Streamlit columns and return the row that the reader opens, else None."""
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    index = draw_row_list(table, columns, key, alt, tallest=row_height(len(rows)))
    return None if index is None else rows[index]


def select_paged_row(
    read: Callable[[int, int], pa.Table],
    count: int,
    columns: Mapping[str, Any],
    key: str,
    alt: str,
    *,
    file: str,
    page_field: str,
) -> Mapping[str, Any] | None:
    """Draw a page of a list of `count` rows as `select_row` does, with page numbers and the download `file` below it.

    `read` returns so many rows after so many others. Without `page_field` there is only the first page.
    """
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(count, PAGE_SIZE, page_field, width="stretch") if page_field else 1
        draw_download(file, count, lambda: read(0, count))
    with list_container:
        return select_row(read((number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist(), columns, key, alt)


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
                placeholder=f"Any {title.lower()}",
                format_func=lambda value: markdown_label(value) if value else "No folder",
                **state.binding("quality", name),
            )
            conditions[name] = choice or ""
    return findings.where(conditions)
