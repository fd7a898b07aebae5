"""One document: what it is, what can be done with it, its outline, and its pages one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboards.drawing.escaping import label
from dashboards.drawing.library.about import facts_html, facts_of, found_html, headline_html, periods_html
from dashboards.drawing.library.leaves import leaf_html
from dashboards.drawing.library.outline import outline_html, tables_html
from dashboards.drawing.notices import error_html, nothing_html
from dashboards.facts.library.document import Found, Period, Piece, Section, Tabled, findings, leaf_at, leaves, periods
from dashboards.facts.library.document import sections as sections_of
from dashboards.facts.library.document import tables as tables_of
from dashboards.pages.library.acting import act
from dashboards.pages.library.jumping import jumped
from dashboards.pages.library.listing import quality_of
from dashboards.widgets import imports
from dashboards.widgets.correcting import Subject, corrected
from dashboards.widgets.frame import name_tab
from dashboards.widgets.navigation import link
from dashboards.widgets.pictures import draw_pages
from dashboards.widgets.resources import Place
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry


@dataclass(frozen=True, slots=True)
class Read:
    """A document as it is shown. `leaves` are those of its text; empty where its pages are shown as pictures."""

    sections: Sequence[Section]
    tables: Sequence[Tabled]
    found: Sequence[Found]
    periods: Sequence[Period]
    leaves: Sequence[Sequence[Piece]]

    def leaf_of(self, page: int | None, start: int) -> int:
        """The leaf that something stands on."""
        return leaf_at(self.leaves, start) if self.leaves else page or 1


def draw(here: Place, name: str) -> None:
    """Draw the document of this id or source."""
    # A link to the page that is drawn would leave the address as it is.
    st.button("All documents", icon=":material/arrow_back:", type="tertiary", on_click=st.query_params.clear)
    warehouse = here.warehouse.at()
    document_id = warehouse.document_id(name)
    found = warehouse.file_of(document_id) if document_id else None
    if document_id is None or found is None:
        st.title("Library")
        imports.draw(here)
        st.html(
            nothing_html("This document is not in the library.", "It may have been removed. Go back to all documents.")
        )
        return
    entry, file = found
    st.title(label(entry.title or entry.file.path, 160))
    name_tab(entry.title or entry.file.path, "Library")
    imports.draw(here)
    st.html(headline_html(entry))
    act(here, entry, file)
    read = _read(str(here.settings.warehouse), here.state, document_id, warehouse, entry)
    about, pages = st.columns([2, 3], gap="large")
    with pages:
        count = len(read.leaves) or entry.total_pages or 1
        leaf = _leaf(document_id, count)
        _page(warehouse, entry, read, leaf)
    with about:
        _about(here, entry, file, read, leaf if count > 1 else None)
    _more(document_id, read)


def _leaf(document_id: str, count: int) -> int:
    """The leaf that is shown: the one that the address names."""
    if gone_to := jumped():
        st.query_params["page"] = str(gone_to)
    if count == 1:
        return 1
    asked = st.query_params.get("page", "")
    leaf = min(max(int(asked), 1), count) if asked.isdecimal() and len(asked) < 10 else 1
    # Another widget for each leaf: one that stays would keep its own where Back leads to another.
    key = f"library-leaf-{document_id}-{count}-{leaf}"
    st.pagination(count, default=leaf, key=key, on_change=_turn, args=(key, leaf))
    return leaf


def _turn(key: str, before: int) -> None:
    # Streamlit calls this too for a widget that is gone and comes back from the browser as it was.
    if st.session_state[key] != before:
        st.query_params["page"] = str(st.session_state[key])


def _page(warehouse: Warehouse, entry: CatalogEntry, read: Read, leaf: int) -> None:
    try:
        if read.leaves:
            text = warehouse.text(entry.document_id)
            with st.container(key="leaf"):
                st.html(leaf_html(text, read.leaves[leaf - 1]))
        elif entry.total_pages:
            draw_pages(warehouse, entry.document_id, {leaf: ()})
        else:
            st.html(nothing_html("There is nothing to show.", entry.reason or "The file has no text."))
    except KalendsError as error:
        st.html(error_html(error))


def _about(here: Place, entry: CatalogEntry, file: Path, read: Read, leaf: int | None) -> None:
    name = entry.document_id
    st.html(facts_html(facts_of(entry, file, quality_of(here).get(name))))
    corrected(here, Subject(entry, file))
    if read.sections:
        st.header("Outline")
        st.html(outline_html(name, [(each, read.leaf_of(each.page, each.start)) for each in read.sections], leaf))


def _more(name: str, read: Read) -> None:
    """Its findings, tables and dates, side by side as far as there are any."""
    drawn = [each for each, there in ((_found, read.found), (_tables, read.tables), (_periods, read.periods)) if there]
    for column, draw_one in zip(st.columns(max(len(drawn), 1), gap="large"), drawn, strict=False):
        with column:
            draw_one(name, read)


def _found(name: str, read: Read) -> None:
    st.header("Findings")
    st.html(found_html(read.found))
    link("quality", "Show the findings in their passages", document=name)


def _tables(name: str, read: Read) -> None:
    st.header("Tables")
    st.html(tables_html(name, [(each, read.leaf_of(each.page, each.start)) for each in read.tables]))
    link("tables", "Show the tables beside their pages", document=name)


def _periods(name: str, read: Read) -> None:
    st.header("Periods mentioned")
    st.html(periods_html(read.periods))


@st.cache_data(show_spinner=False, max_entries=32)
def _read(folder: str, state: str, document_id: str, _warehouse: Warehouse, _holding: CatalogEntry) -> Read:
    pictured = _holding.total_pages and _holding.file.path.lower().endswith(".pdf")
    return Read(
        sections=sections_of(_warehouse, document_id),
        tables=tables_of(_warehouse, document_id),
        found=findings(_warehouse, document_id),
        periods=periods(_warehouse, document_id),
        leaves=() if pictured else leaves(_warehouse, document_id),
    )
