"""Tables page: the list of all tables, searches for a figure by its name and for cells, and one table below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import partial
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.query_cells import member
from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_note
from dashboards.pages.tables.table_queries import (
    ORDERS,
    CellFilters,
    CellMatch,
    Days,
    TableFilters,
    convert_figure,
    count_cells,
    list_cells,
    list_companies_with_tables,
    list_tables,
    list_units,
)
from dashboards.pages.tables.table_view import draw_table, open_table
from dashboards.widgets import state
from dashboards.widgets.data_elements import (
    draw_download,
    draw_row_list,
    make_number_columns,
    make_text_columns,
    select_page,
    select_view,
)
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from tasks.quality.phrases import format_count
from tasks.query.filter_values import parse_period
from tasks.token_budget import MAX_BUDGET
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Kind
from warehouse.settings.loader import Settings

TABLES_A_PAGE, CELLS_A_PAGE = 50, 100  # Tables and cells on one page of their lists.
MAX_TABLES, MAX_CELLS = 100_000, 200_000  # The most tables and cells of a download.
FIGURES = 50  # Best matches that are listed.
MAX_LIST_HEIGHT = 388  # Pixels of a list, so that what is below it stays in view.
_PERIODS, _DOCUMENTS = "Q2 2023, last year, 2021", "Title, file or company"

_list_cached_tables = cache_query(64)(list_tables)
_count_cached_cells = cache_query(64)(count_cells)
_list_cached_cells = cache_query(64)(list_cells)
_list_cached_companies = cache_query(4)(list_companies_with_tables)
_list_cached_units = cache_query(4)(list_units)


def draw_page() -> None:
    """Draw the part of the page that the address names, and the table that it names."""
    st.title("Tables")
    here = load_page_context()
    PARTS[select_view("Part", "part", list(PARTS))](here)
    draw_table(here)


def draw_list(here: PageContext) -> None:
    """Draw the list of tables, collapsed where the address names one."""
    is_open = not st.query_params.get("table", "")
    with st.expander("All tables", expanded=is_open, icon=":material/list:"):
        warehouse = here.warehouse.pin_generation()
        filters, order = _draw_table_filters(warehouse)
        if filters.document_id:
            _draw_document_filter(warehouse, filters.document_id)
        with st.spinner("Searching tables …"):
            past = (int(state.get_value("tables", "list-page")) - 1) * TABLES_A_PAGE
            rows = _list_cached_tables(warehouse, filters, order, TABLES_A_PAGE, past)
            if past and not rows:
                past, rows = 0, _list_cached_tables(warehouse, filters, order, TABLES_A_PAGE, 0)
        if not rows:
            cure = "Remove a filter, or add documents with tables."
            st.html(render_empty_state("No table matches these filters.", cure))
            return
        columns = {
            "title": config.TextColumn("Document", width="medium"),
            "number": config.NumberColumn("Table", format="%d"),
            "caption": config.TextColumn("Caption", width="large"),
            **make_number_columns("%d", page="Page", rows="Rows", columns="Columns"),
            "wrong": config.NumberColumn("Wrong totals", format="%d", help="Totals that do not add up"),
            "company": config.TextColumn("Company"),
            "document_date": config.DateColumn("Date", format="YYYY-MM-DD"),
            "kind": config.TextColumn("Kind"),
        }
        above = st.container()
        with st.container(horizontal=True, vertical_alignment="center"):
            matches = rows[0]["matches"]
            if matches > TABLES_A_PAGE:
                number = select_page(matches, TABLES_A_PAGE, "list-page")
                # After Back or Forward the number is read from the address only as the pagination is drawn.
                if (past_rows := (number - 1) * TABLES_A_PAGE) != past:
                    past, rows = past_rows, _list_cached_tables(warehouse, filters, order, TABLES_A_PAGE, past_rows)
            every = partial(list_tables, warehouse, filters, order, MAX_TABLES)
            draw_download("kalends-tables", matches, lambda: pa.Table.from_pylist(every()).drop_columns("matches"))
            st.caption(format_count(matches, "table"))
        table = pa.table({name: [_format_cell(row, name) for row in rows] for name in columns})
        key = f"tables-list-{hash((filters, order, past))}"
        with above:
            place = draw_row_list(table, columns, key, "Tables that match the filters", tallest=MAX_LIST_HEIGHT)
        if place is not None:
            open_table(rows[place]["document_id"], rows[place]["number"])


def _draw_table_filters(warehouse: Warehouse) -> tuple[TableFilters, str]:
    """Draw the filters; returns them and one of `ORDERS`. Raises `BadInput` for a period that names no time."""
    with st.container(key="filters"):
        columns = [*st.columns(3), *st.columns(3)]
    words = _draw_text(columns[0], "Words", "words", "Caption, header or row names")
    document = _draw_text(columns[1], "Document", "named", _DOCUMENTS)
    during = _draw_text(columns[2], "Period mentioned", "during", _PERIODS, search=False)
    kinds = _draw_choices(columns[3], "Kind", "kind", list(Kind))
    companies = _draw_choices(columns[4], "Company", "company", _list_cached_companies(warehouse))
    order = columns[5].selectbox("Sort by", list(ORDERS), **state.bind_field("tables", "sort"))
    filters = TableFilters(
        words,
        document,
        "" if st.query_params.get("table") else st.query_params.get("document", ""),
        tuple(kind.value for kind in kinds),
        companies,
        parse_days(during),
    )
    return filters, order or next(iter(ORDERS))


def _draw_document_filter(warehouse: Warehouse, document_id: str) -> None:
    entry = warehouse.snapshot.read_entries([document_id]).get(document_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = (
            format_markdown_label(entry.title or entry.file.path) if entry else "a document that is not in the library"
        )
        st.caption(f"Only tables of {name}")
        if st.button("Show all documents", key="tables-everywhere", icon=":material/close:", type="tertiary"):
            del st.query_params["document"]
            st.rerun()


def _format_cell(row: dict[str, Any], name: str) -> Any:
    value = row[name]
    if name == "title":
        return value or row["source"]
    return " ".join(value.split()) if isinstance(value, str) else value


def draw_figures(here: PageContext) -> None:
    """Draw the filters of a figure, by its name, period, and document or company, and the figures that match best."""
    with st.container(key="filters"):
        columns = st.columns([2, 1, 1])
    item = _draw_text(columns[0], "Figure", "item", "total assets, revenue Q2 2023 AMCOR")
    period = _draw_text(columns[1], "Period", "time", "Q2 2023, FY2022", search=False)
    document = _draw_text(columns[2], "Document or company", "of", "All", search=False)
    if not item:
        cure = "Write it as in the row of a table; add a period and a company if you like."
        st.html(render_empty_state("Enter the name of a figure.", cure))
        return
    arguments = {"item": item, "period": period, "documents": (document,) if document else (), "count": FIGURES}
    warehouse = here.warehouse.pin_generation()
    with st.spinner("Searching all cells …"):
        today = datetime.now(UTC).date()
        cells, count, notes, explanation = _find_figures(here.settings, warehouse, arguments, today)
    for note in notes:
        st.html(render_note(note.removeprefix("Note: ")))
    if not cells:
        st.html(render_empty_state("No table has a figure with this name.", explanation))
        return
    _draw_matches(cells, "Matching figures, the best match first")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download("kalends-figures", len(cells), lambda: _build_matches_table(cells))
        more = f"The best {len(cells)} of " if count > len(cells) else ""
        st.caption(f"{more}{format_count(count, 'figure')}")


@cache_query(64)
def _find_figures(
    settings: Settings, warehouse: Warehouse, arguments: dict[str, Any], today: date
) -> tuple[list[CellMatch], int, list[str], str]:
    answer = member.call(ToolContext(settings, warehouse, today), {**arguments, "tokens": MAX_BUDGET})
    figures = answer.data["figures"]
    entries = warehouse.snapshot.read_entries({figure["document_id"] for figure in figures})
    companies = {name: entry.attributes.company or entry.title for name, entry in entries.items()}
    cells = [convert_figure(figure, companies.get(figure["document_id"], "")) for figure in figures]
    return cells, answer.data["count"], answer.data["notes"], answer.text.rpartition("\n")[2]


def draw_cells(here: PageContext) -> None:
    """Draw the filters and the cells that match them."""
    warehouse = here.warehouse.pin_generation()
    filters = _draw_cell_filters(warehouse)
    with st.spinner("Searching all cells …"):
        count = _count_cached_cells(warehouse, filters)
    if not count:
        st.html(render_empty_state("No cell matches these filters.", "Remove a filter."))
        return
    above = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(count, CELLS_A_PAGE, "cells-page")
        rows = min(count, MAX_CELLS)
        draw_download("kalends-cells", rows, lambda: _build_matches_table(list_cells(warehouse, filters, MAX_CELLS)))
        cut = f"; a download holds the first {MAX_CELLS:,}" if count > MAX_CELLS else ""
        st.caption(f"{format_count(count, 'cell')}{cut}")
    with above:
        past = (number - 1) * CELLS_A_PAGE
        _draw_matches(_list_cached_cells(warehouse, filters, CELLS_A_PAGE, past), "Cells that match the filters")


def _draw_cell_filters(warehouse: Warehouse) -> CellFilters:
    """Draw the filters. Raises `BadInput` for a period that names no time, or bounds without a value between them."""
    with st.container(key="filters"):
        columns = [*st.columns(3), *st.columns([2, 2, 1, 1])]
    row = _draw_text(columns[0], "Row", "row", "Words in the row name")
    column = _draw_text(columns[1], "Column", "column", "Words in the column name")
    document = _draw_text(columns[2], "Document", "whose", _DOCUMENTS)
    period = _draw_text(columns[3], "Period", "at", _PERIODS, search=False)
    units = _draw_choices(columns[4], "Unit", "unit", _list_cached_units(warehouse))
    lowest, highest = (
        column.number_input(label, value=None, placeholder="Any", format="%g", **state.bind_field("tables", name))
        for column, label, name in ((columns[5], "Value from", "least"), (columns[6], "Value to", "most"))
    )
    if lowest is not None and highest is not None and lowest > highest:
        raise BadInput(f"the lowest value, {lowest:g}, is above the highest, {highest:g}", "choose a higher end")
    with_words = st.toggle("Include cells without a number", **state.bind_field("tables", "any"))
    return CellFilters(row, column, document, units, parse_days(period), lowest, highest, figures=not with_words)


def _draw_text(
    column: st.delta_generator.DeltaGenerator, label: str, name: str, placeholder: str, *, search: bool = True
) -> str:
    """Draw a line of text, with a button that empties it in a `search`."""
    options = {
        "type": "search" if search else "default",
        "placeholder": placeholder,
        **state.bind_field("tables", name),
    }
    return str(column.text_input(label, **options) or "").strip()


def _draw_choices(
    column: st.delta_generator.DeltaGenerator, label: str, name: str, values: Sequence[Any]
) -> tuple[Any, ...]:
    hint = f"Any {label.lower()}"
    return tuple(column.multiselect(label, values, placeholder=hint, **state.bind_field("tables", name)))


def parse_days(words: str) -> Days | None:
    """The days that words name, None without words. Raises `BadInput` for words that name no time."""
    return parse_period(words, datetime.now(UTC).date()) if words else None


def _draw_matches(cells: Sequence[CellMatch], alt: str) -> None:
    value_help = "In single units, also where the table prints millions"
    columns = {
        "value": config.NumberColumn("Value", format="localized", help=value_help),
        **make_text_columns(unit="Unit", period="Period"),
        "doubt": config.TextColumn("Uncertain", help="Why the scale or period is not certain"),
        "concept": config.TextColumn("Tagged as", help="The concept of the filer's own tag, whose exact value this is"),
        "row": config.TextColumn("Row", width="medium"),
        "column": config.TextColumn("Column", width="medium"),
        **make_text_columns(company="Company", printed="As printed"),
        "page": config.NumberColumn("Page", format="%d"),
        "source": config.TextColumn("File", width="medium"),
    }
    table = pa.table({name: [getattr(cell, name) for cell in cells] for name in columns})
    place = draw_row_list(table, columns, f"tables-found-{hash(tuple(cells))}", alt, tallest=MAX_LIST_HEIGHT)
    if place is not None:
        open_table(cells[place].document_id, cells[place].table, cells[place].place)


def _build_matches_table(cells: Sequence[CellMatch]) -> pa.Table:
    """The cells for a download, with the address of each on this page."""
    return pa.Table.from_pylist([{**asdict(cell), "place": list(cell.place), "link": cell.address} for cell in cells])


PARTS: MappingProxyType[str, Callable[[PageContext], None]] = MappingProxyType(
    {"Tables": draw_list, "Find a figure": draw_figures, "All cells": draw_cells}
)
"""The parts of the page above the table, by the names on it."""
