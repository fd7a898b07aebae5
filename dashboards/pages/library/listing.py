"""The documents as a table: filtered, ordered, downloaded, opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.drawing.library.listing import documents_table, filter_entries
from dashboards.drawing.notices import nothing_html, unreadable_html
from dashboards.facts.library.documents import DocumentOrder, mean_qualities, sort_entries
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.choosing import draw_row_list
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.navigation import open_page
from dashboards.widgets.resources import PageContext
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Status

MOST_UNREADABLE = 100
"""Unreadable files told one by one; the table and its downloads hold all."""


def draw_documents(here: PageContext, catalogue: LibraryCatalogue) -> None:
    """Draw the documents that satisfy the filters, and why some cannot be read."""
    st.header("Documents")
    found = _draw_filters(catalogue)
    if not catalogue.entries:
        st.html(nothing_html("The library is empty.", "Add documents above."))
    elif not found:
        st.html(nothing_html("No document matches these filters.", "Remove a filter."))
    else:
        _draw_table(here, catalogue, found)
    _draw_unreadable([entry for entry in catalogue.entries if entry.status is not Status.PUBLISHED])


def quality_of(here: PageContext) -> dict[str, float]:
    """The mean quality of each document; read once a generation."""
    return _qualities(str(here.settings.warehouse), here.state, here.warehouse)


def _draw_table(here: PageContext, catalogue: LibraryCatalogue, found: Sequence[CatalogEntry]) -> None:
    quality = quality_of(here)
    order = DocumentOrder(state.value("library", "order"))
    rows = sort_entries(found, quality, order)
    table = documents_table(rows, quality)
    told = "Documents with kind, date, pages, tables, passages, quality and status"
    place = draw_row_list(table, _column_config(reasons=any(row.reason for row in rows)), "library-documents", told)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download(f"kalends-library-{catalogue.generation}", len(rows), lambda: table)
        st.caption(f"{len(found):,} of {len(catalogue.entries):,} files")
    if place is not None:
        open_page("library", document=rows[place].document_id)


def _draw_filters(catalogue: LibraryCatalogue) -> list[CatalogEntry]:
    with st.container(key="filters"):
        words, kind, root, status, order = st.columns([3, 2, 2, 2, 2])
    text = words.text_input(
        "Find",
        key=state.key("library", "text"),
        type="search",
        live=True,
        bind="query-params",
        placeholder="Title, file, author, tag …",
    )
    kinds = kind.multiselect(
        "Kind", catalogue.kinds, key=state.key("library", "kind"), bind="query-params", placeholder="Any kind"
    )
    roots = root.multiselect(
        "Folder", catalogue.roots, key=state.key("library", "root"), bind="query-params", placeholder="Any folder"
    )
    statuses = status.multiselect(
        "Status", list(Status), key=state.key("library", "status"), bind="query-params", placeholder="Any status"
    )
    order.selectbox("Sort by", list(DocumentOrder), key=state.key("library", "order"), bind="query-params")
    return filter_entries(catalogue.entries, kinds, roots, text or "", statuses)


def _column_config(*, reasons: bool) -> dict[str, Any]:
    config = st.column_config
    own = {
        "title": config.TextColumn("Title", width=300),
        "kind": config.TextColumn("Kind"),
        "date": config.DateColumn("Date", format="YYYY-MM-DD"),
        "date_from": config.TextColumn("Date from", help="Where the date was found"),
        "pages": config.NumberColumn("Pages", format="localized"),
        "tables": config.NumberColumn("Tables", format="localized"),
        "chunks": config.NumberColumn("Passages", format="localized"),
        "quality": config.NumberColumn("Quality", help="Mean score of its passages, from 0 to 1", format="%.2f"),
        "status": config.TextColumn(
            "Status", help="stale: the file cannot be read now, and its last good version is used"
        ),
        "source": config.TextColumn("File", width="medium"),
        "root": config.TextColumn("Folder"),
        "reason": config.TextColumn("Reason", width="large"),
    }
    return {name: column for name, column in own.items() if reasons or name != "reason"}


def _draw_unreadable(refused: Sequence[CatalogEntry]) -> None:
    if not refused:
        return
    st.header("Files that could not be read")
    st.html(unreadable_html(refused[:MOST_UNREADABLE]))
    if len(refused) > MOST_UNREADABLE:
        st.caption(f"and {len(refused) - MOST_UNREADABLE:,} more; the table above lists all")


@st.cache_data(show_spinner=False, max_entries=4)
def _qualities(folder: str, state: str, _warehouse: Warehouse) -> dict[str, float]:
    return mean_qualities(_warehouse.at())
