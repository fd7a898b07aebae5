"""View of one document: its facts, outline, pages, findings, tables and periods, and what can be done with it.

The address names the document (`document`) and the page of it that is shown (`page`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import streamlit as st

from dashboards.background.inbox import delete_upload
from dashboards.html.notices import error_html, nothing_html
from dashboards.html.text import markdown_label
from dashboards.pages.library.html import (
    document_facts,
    document_facts_html,
    findings_html,
    headline_html,
    outline_html,
    periods_html,
    removal_help_html,
    tables_html,
    text_page_html,
)
from dashboards.pages.library.queries import (
    MentionedPeriod,
    OutlineSection,
    PageBlock,
    RuleCount,
    TableSummary,
    count_findings,
    list_periods,
    mean_qualities,
    page_at,
    split_into_pages,
)
from dashboards.pages.library.queries import list_sections as sections_of
from dashboards.pages.library.queries import list_tables as tables_of
from dashboards.widgets import import_status
from dashboards.widgets.browser_scripts import pressed_value
from dashboards.widgets.correction_form import CorrectionTarget, draw_correction_form, draw_corrections
from dashboards.widgets.import_status import ImportMessage, show_message, start_import
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_page_pictures
from dashboards.widgets.resources import PageContext
from dashboards.widgets.sources import MOST_BYTES
from dashboards.widgets.uploads import inbox_folder
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, CorrectedField
from warehouse.records.corrections import FIRST_YEAR, LAST_YEAR, LONGEST_NAME
from warehouse.records.year_end_rules import rule_of


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as it is shown. `leaves` are empty where pages are pictures."""

    sections: Sequence[OutlineSection]
    tables: Sequence[TableSummary]
    found: Sequence[RuleCount]
    periods: Sequence[MentionedPeriod]
    leaves: Sequence[Sequence[PageBlock]]

    def leaf_of(self, page: int | None, start: int) -> int:
        """The leaf that something stands on."""
        return page_at(self.leaves, start) if self.leaves else page or 1


def draw_document(here: PageContext, name: str) -> None:
    """Draw the document of this id or source."""
    # A link to the page that is drawn would leave the address as it is.
    st.button("All documents", icon=":material/arrow_back:", type="tertiary", on_click=st.query_params.clear)
    warehouse = here.warehouse.at()
    document_id = warehouse.document_id(name)
    found = warehouse.file_of(document_id) if document_id else None
    if document_id is None or found is None:
        st.title("Library")
        import_status.draw_imports(here)
        st.html(
            nothing_html("This document is not in the library.", "It may have been removed. Go back to all documents.")
        )
        return
    entry, file = found
    st.title(markdown_label(entry.title or entry.file.path, 160))
    name_tab(entry.title or entry.file.path, "Library")
    import_status.draw_imports(here)
    st.html(headline_html(entry))
    draw_document_actions(here, entry, file)
    read = _read_document(str(here.settings.warehouse), here.state, document_id, warehouse, entry)
    about, pages = st.columns([2, 3], gap="large")
    with pages:
        count = len(read.leaves) or entry.total_pages or 1
        leaf = _draw_pagination(document_id, count)
        _draw_page(warehouse, entry, read, leaf)
    with about:
        _draw_about(here, entry, file, read, leaf if count > 1 else None)
    _draw_details(document_id, read)


def _draw_pagination(document_id: str, count: int) -> int:
    """The leaf that is shown: the one that the address names."""
    if gone_to := page_from_link():
        st.query_params["page"] = str(gone_to)
    if count == 1:
        return 1
    asked = st.query_params.get("page", "")
    leaf = min(max(int(asked), 1), count) if asked.isdecimal() and len(asked) < 10 else 1
    # Another widget for each leaf: one that stays would keep its own where Back leads to another.
    key = f"library-leaf-{document_id}-{count}-{leaf}"
    st.pagination(count, default=leaf, key=key, on_change=_turn_page, args=(key, leaf))
    return leaf


def _turn_page(key: str, before: int) -> None:
    # Streamlit calls this too for a widget that is gone and comes back from the browser as it was.
    if st.session_state[key] != before:
        st.query_params["page"] = str(st.session_state[key])


def _draw_page(warehouse: Warehouse, entry: CatalogEntry, read: DocumentView, leaf: int) -> None:
    try:
        if read.leaves:
            text = warehouse.text(entry.document_id)
            with st.container(key="leaf"):
                st.html(text_page_html(text, read.leaves[leaf - 1]))
        elif entry.total_pages:
            draw_page_pictures(warehouse, entry.document_id, {leaf: ()})
        else:
            st.html(nothing_html("There is nothing to show.", entry.reason or "The file has no text."))
    except KalendsError as error:
        st.html(error_html(error))


def _draw_about(here: PageContext, entry: CatalogEntry, file: Path, read: DocumentView, leaf: int | None) -> None:
    name = entry.document_id
    st.html(document_facts_html(document_facts(entry, file, quality_of(here).get(name))))
    draw_corrections(here, CorrectionTarget(entry, file))
    if read.sections:
        st.header("Outline")
        st.html(outline_html(name, [(each, read.leaf_of(each.page, each.start)) for each in read.sections], leaf))


def _draw_details(name: str, read: DocumentView) -> None:
    """Its findings, tables and dates, side by side as far as there are any."""
    drawn = [
        each
        for each, there in ((_draw_findings, read.found), (_draw_tables, read.tables), (_draw_periods, read.periods))
        if there
    ]
    for column, draw_one in zip(st.columns(max(len(drawn), 1), gap="large"), drawn, strict=False):
        with column:
            draw_one(name, read)


def _draw_findings(name: str, read: DocumentView) -> None:
    st.header("Findings")
    st.html(findings_html(read.found))
    draw_link("quality", "Show the findings in their passages", document=name)


def _draw_tables(name: str, read: DocumentView) -> None:
    st.header("Tables")
    st.html(tables_html(name, [(each, read.leaf_of(each.page, each.start)) for each in read.tables]))
    draw_link("tables", "Show the tables beside their pages", document=name)


def _draw_periods(name: str, read: DocumentView) -> None:
    st.header("Periods mentioned")
    st.html(periods_html(read.periods))


@st.cache_data(show_spinner=False, max_entries=32)
def _read_document(
    folder: str, state: str, document_id: str, _warehouse: Warehouse, _holding: CatalogEntry
) -> DocumentView:
    pictured = _holding.total_pages and _holding.file.path.lower().endswith(".pdf")
    return DocumentView(
        sections=sections_of(_warehouse, document_id),
        tables=tables_of(_warehouse, document_id),
        found=count_findings(_warehouse, document_id),
        periods=list_periods(_warehouse, document_id),
        leaves=() if pictured else split_into_pages(_warehouse, document_id),
    )


def quality_of(here: PageContext) -> dict[str, float]:
    """The mean quality of each document; read once a generation."""
    return _qualities(str(here.settings.warehouse), here.state, here.warehouse)


@st.cache_data(show_spinner=False, max_entries=4)
def _qualities(folder: str, state: str, _warehouse: Warehouse) -> dict[str, float]:
    return mean_qualities(_warehouse.at())


YEAR_END_HELP = (
    "For all documents of the company. Write it as MM-DD, like 09-30; or 'last Saturday of September' or 'Saturday"
    " nearest the end of January' for years of 52 or 53 weeks."
)


def draw_document_actions(here: PageContext, entry: CatalogEntry, file: Path) -> None:
    """Draw the buttons. `file` is where the document's file lies."""
    with st.container(horizontal=True, vertical_alignment="center", key="library-acting"):
        if file.is_file() and file.stat().st_size <= MOST_BYTES:
            st.download_button(
                "Download file",
                file.read_bytes,
                file.name,
                on_click="ignore",
                icon=":material/download:",
                key="library-file",
            )
        if entry.chunk_count:
            draw_link("search", "Search in it", ":material/search:", document=[entry.file.source])
            draw_link("chat", "Ask about it", ":material/forum:", document=[entry.file.source])
        if st.button("Import again", icon=":material/refresh:", key="library-again"):
            start_import(here, [file])
        if entry.output("parse"):
            _draw_correction(here, CorrectionTarget(entry, file))
        with st.popover("Remove", icon=":material/delete:", key="library-remove"):
            _draw_removal(here, entry, file)


def _draw_correction(here: PageContext, subject: CorrectionTarget) -> None:
    """The form that says what is right of a document."""
    entry = subject.entry
    calendar, day = entry.fiscal_calendar, entry.document_date
    corrected = entry.corrected(CorrectedField.FISCAL_YEAR_END)
    known = {
        CorrectedField.COMPANY: entry.attributes.company,
        CorrectedField.FISCAL_YEAR_END: corrected.value if corrected else str(rule_of(calendar)) if calendar else "",
        CorrectedField.DOCUMENT_DATE: day.isoformat() if day else "",
    }

    def ask() -> dict[CorrectedField, str]:
        keys = {field: f"{subject.key(field)}-{subject.of(value)}" for field, value in known.items()}
        company, year_end = CorrectedField.COMPANY, CorrectedField.FISCAL_YEAR_END
        given = {
            company: st.text_input("Company", known[company], max_chars=LONGEST_NAME, key=keys[company]),
            year_end: st.text_input("Fiscal year end", known[year_end], help=YEAR_END_HELP, key=keys[year_end]),
        }
        chosen = st.date_input(
            "Document date",
            day,
            min_value=date(FIRST_YEAR, 1, 1),
            max_value=date(LAST_YEAR, 12, 31),
            format="YYYY-MM-DD",
            key=keys[CorrectedField.DOCUMENT_DATE],
        )
        return {**given, CorrectedField.DOCUMENT_DATE: chosen.isoformat() if isinstance(chosen, date) else ""}

    draw_correction_form(here, subject, known, ask)


def _draw_removal(here: PageContext, entry: CatalogEntry, file: Path) -> None:
    inbox = inbox_folder(here)
    if not file.is_relative_to(inbox):
        st.html(removal_help_html(entry.file.root, file))
        return
    st.write("This file was added in the dashboard. It is deleted, and the document leaves the library.")
    if not st.button("Delete the file", key="library-remove-yes", type="primary"):
        return
    try:
        gone = delete_upload(inbox, entry.file.path)
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    start_import(here, [gone], message=ImportMessage(("The file is deleted.",)))


def page_from_link() -> int | None:
    """The leaf that the reader has just gone to; None where they stayed."""
    given = pressed_value("leaf")
    return int(given) if given.isdecimal() else None
