"""The list of tables, and the filters that narrow it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.drawing.escaping import label
from dashboards.drawing.notices import nothing_html
from dashboards.facts.tables import ORDERS, Days, Listed, TablesWanted, companies, tables_of
from dashboards.views.downloading import offer
from dashboards.views.resources import Place
from dashboards.views.tables.opening import forget, open_table
from tasks.ask.days import span_of
from warehouse.reader import Warehouse
from warehouse.records import Kind

A_PAGE = 50
"""Tables on one page of the list."""
MOST = 100_000
"""Tables that a download holds at most."""
COLUMNS = ("title", "number", "caption", "page", "rows", "columns", "wrong", "company", "document_date", "kind")


def draw(here: Place) -> None:
    """Draw the list, folded where the address names a table."""
    opened = st.query_params.get("table", "")
    with st.expander("Choose a table", expanded=not opened, icon=":material/list:"):
        _draw(here)


def _draw(here: Place) -> None:
    held, key = here.warehouse.at(), (str(here.settings.warehouse), here.state)
    wanted, order = _wanted(held, key)
    if wanted.document_id:
        _only(held, wanted.document_id)
    with st.spinner("Looking for tables …"):
        past = _past()
        listed = _listed(key, wanted, order, past, held)
        if past and not listed.rows:
            past, listed = 0, _listed(key, wanted, order, 0, held)
    if not listed.rows:
        st.html(nothing_html("No table satisfies these filters.", "Take one away, or ingest files that have tables."))
        return
    _show(listed, wanted, order, past)
    with st.container(horizontal=True, vertical_alignment="center"):
        if listed.found > A_PAGE:
            st.pagination(-(-listed.found // A_PAGE), key="p", bind="query-params")
        offer("kalends-tables", listed.found, lambda: _whole(tables_of(held, wanted, order, MOST)))
        st.caption(f"{listed.found:,} {'table' if listed.found == 1 else 'tables'}")


def _wanted(held: Warehouse, key: tuple[str, str]) -> tuple[TablesWanted, str]:
    with st.container(key="filters"):
        words, named, during = st.columns(3)
        kind, company, order = st.columns(3)
    said = words.text_input(
        "Words", key="words", bind="query-params", type="search", placeholder="In caption, header or row names"
    )
    called = named.text_input(
        "Document", key="named", bind="query-params", type="search", placeholder="In title, source or company"
    )
    time = during.text_input("Speaks of", key="during", bind="query-params", placeholder="Q2 2023, last year, 2021")
    kinds = kind.multiselect("Kind", list(Kind), key="kind", bind="query-params", placeholder="Any kind")
    whose = company.multiselect(
        "Company", _companies(key, held), key="company", bind="query-params", placeholder="Any company"
    )
    sort = order.selectbox("Sort by", list(ORDERS), key="sort", bind="query-params")
    wanted = TablesWanted(
        (said or "").strip(),
        (called or "").strip(),
        "" if st.query_params.get("table") else st.query_params.get("document", ""),
        tuple(each.value for each in kinds),
        tuple(whose),
        days_of(time or ""),
    )
    return wanted, sort or next(iter(ORDERS))


def days_of(words: str) -> Days | None:
    """The days that words name, None without words. Raises `BadInput` for words that name no time."""
    return span_of(words.strip(), datetime.now(UTC).date()) if words.strip() else None


def _only(held: Warehouse, document_id: str) -> None:
    """That the list is of one document, and the way back to all."""
    found = held.snapshot.holdings([document_id]).get(document_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Only of {label(found.title or found.file.path) if found else 'a document that is not here'}")
        if st.button("All documents", key="everywhere", icon=":material/close:", type="tertiary"):
            del st.query_params["document"]
            st.rerun()


def _past() -> int:
    page = st.query_params.get("p", "1")
    return (int(page) - 1) * A_PAGE if page.isdecimal() and 0 < int(page) < MOST else 0


def _show(listed: Listed, wanted: TablesWanted, order: str, past: int) -> None:
    chosen = st.dataframe(
        {name: [_told(row, name) for row in listed.rows] for name in COLUMNS},
        hide_index=True,
        placeholder="–",
        height=min(35 * (len(listed.rows) + 1) + 3, 388),
        column_config=_columns(),
        on_select="rerun",
        selection_mode="single-row",
        key=f"list-{hash((wanted, order, past))}",
        alt="Tables that satisfy the filters; choose a row to see one",
    )
    rows = chosen["selection"]["rows"]
    if rows and rows[0] < len(listed.rows):
        row = listed.rows[rows[0]]
        open_table(row["document_id"], row["number"])
    else:
        forget()


def _told(row: dict[str, Any], name: str) -> Any:
    value = row[name]
    if name == "title":
        return value or row["source"]
    return " ".join(value.split()) if isinstance(value, str) else value


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "title": config.TextColumn("Document", width="medium"),
        "number": config.NumberColumn("Table", format="%d"),
        "caption": config.TextColumn("Caption", width="large"),
        "page": config.NumberColumn("Page", format="%d"),
        "rows": config.NumberColumn("Rows", format="%d"),
        "columns": config.NumberColumn("Columns", format="%d"),
        "wrong": config.NumberColumn("Wrong totals", format="%d", help="Totals that do not add up"),
        "company": config.TextColumn("Company"),
        "document_date": config.DateColumn("Date", format="YYYY-MM-DD"),
        "kind": config.TextColumn("Kind"),
    }


def _whole(listed: Listed) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: value for name, value in row.items() if name != "found"} for row in listed.rows]
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _listed(key: tuple[str, str], wanted: TablesWanted, order: str, past: int, _held: Warehouse) -> Listed:
    return tables_of(_held, wanted, order, A_PAGE, past)


@st.cache_data(show_spinner=False, max_entries=4)
def _companies(key: tuple[str, str], _held: Warehouse) -> list[str]:
    return companies(_held)
