"""The filters of the list of tables, kept in the address."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.facts.tables.listed import ORDERS, Days, TablesWanted, companies
from dashboards.widgets import state
from tasks.ask.days import span_of
from warehouse.reader import Warehouse
from warehouse.records import Kind


def wanted_tables(held: Warehouse, key: tuple[str, str]) -> tuple[TablesWanted, str]:
    """Draw the filters: what they ask for, and one of `ORDERS`. Raises `BadInput` for words that name no time."""
    with st.container(key="filters"):
        words, named, during = st.columns(3)
        kind, company, order = st.columns(3)
    said = words.text_input(
        "Words",
        key=state.key("tables", "words"),
        bind="query-params",
        type="search",
        placeholder="Caption, header or row names",
    )
    called = named.text_input(
        "Document",
        key=state.key("tables", "named"),
        bind="query-params",
        type="search",
        placeholder="Title, file or company",
    )
    time = during.text_input(
        "Period mentioned",
        key=state.key("tables", "during"),
        bind="query-params",
        placeholder="Q2 2023, last year, 2021",
    )
    kinds = kind.multiselect(
        "Kind", list(Kind), key=state.key("tables", "kind"), bind="query-params", placeholder="Any kind"
    )
    whose = company.multiselect(
        "Company",
        _companies(key, held),
        key=state.key("tables", "company"),
        bind="query-params",
        placeholder="Any company",
    )
    sort = order.selectbox("Sort by", list(ORDERS), key=state.key("tables", "sort"), bind="query-params")
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


def tell_document(held: Warehouse, document_id: str) -> None:
    """That the list is of one document, and the way back to all."""
    found = held.snapshot.entries([document_id]).get(document_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = markdown_label(found.title or found.file.path) if found else "a document that is not in the library"
        st.caption(f"Only tables of {name}")
        if st.button("Show all documents", key="tables-everywhere", icon=":material/close:", type="tertiary"):
            del st.query_params["document"]
            st.rerun()


@st.cache_data(show_spinner=False, max_entries=4)
def _companies(key: tuple[str, str], _held: Warehouse) -> list[str]:
    return companies(_held)
