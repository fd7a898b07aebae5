"""The library: every document with what is known of it, one of them opened, and the ways to add more."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import error_html
from dashboards.pages.library import adding, document, listing
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import imports
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext, page_context
from warehouse.errors import KalendsError, NoWarehouse
from warehouse.store.counts import Counts


def page() -> None:
    """Draw the published generation, or the document of it that the address names."""
    name = st.query_params.get("document", "")
    if name and _is_published():
        document.draw_document(page_context(), name)
        return
    st.title("Library")
    here = page_context()
    try:
        catalogue = here.catalogue()
    except NoWarehouse as error:
        _draw_empty(here, error)
        return
    imports.draw_imports(here)
    _draw_figures(catalogue)
    adding.draw_additions(here, catalogue)
    listing.draw_documents(here, catalogue)


def _is_published() -> bool:
    """Whether there is a generation that can be read, and so documents with titles of their own."""
    try:
        return bool(page_context().state)
    except KalendsError:
        return False


def _draw_empty(here: PageContext, error: NoWarehouse) -> None:
    """The first thing that anybody sees."""
    imports.draw_imports(here)
    st.html(error_html(error))
    adding.draw_additions(here, None)


def _count_notes(counts: Counts) -> list[str]:
    """What is to be said of the documents that are counted."""
    notes = []
    if counts.copies == 1:
        notes.append("1 document is a copy: another file holds the same paper, which search and lists give once.")
    elif counts.copies:
        notes.append(
            f"{counts.copies:,} documents are copies: other files hold the same papers, which search gives once."
        )
    if counts.outdated:
        documents = "1 document answers" if counts.outdated == 1 else f"{counts.outdated:,} documents answer"
        notes.append(f"{documents} by an older version: the file as it is now cannot be read.")
    return notes


def _draw_figures(catalogue: LibraryCatalogue) -> None:
    counts = catalogue.counts
    run = catalogue.runs[-1]
    figures = {
        "Documents": counts.documents,
        "Passages": counts.passages,
        "Tables": counts.tables,
        "Unreadable files": counts.unreadable,
    }
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, f"{value:,}", border=True)
    for told in _count_notes(counts):
        st.caption(told)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Last import {run.visible_from:%Y-%m-%d %H:%M} UTC (generation {catalogue.generation}): "
            f"{run.new:,} added, {run.changed:,} updated, {run.gone:,} removed in {run.seconds:,.1f} s."
        )
        draw_link("runs", "What it changed", generation=str(catalogue.generation))
        draw_link("quality", "Quality of the documents")
