"""What can be done with one document: searched, downloaded, imported again, corrected, removed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import streamlit as st

from dashboards.drawing.library.folders import removal_help_html
from dashboards.inbox.keeping import delete_upload
from dashboards.pages.library.folders import inbox_folder
from dashboards.widgets.correcting import CorrectionTarget, draw_correction_form
from dashboards.widgets.imports import ImportMessage, show_message, start_import
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from dashboards.widgets.sources import MOST_BYTES
from warehouse.errors import KalendsError
from warehouse.records import CatalogEntry, CorrectedField
from warehouse.records.corrections import FIRST_YEAR, LAST_YEAR, LONGEST_NAME
from warehouse.records.year_end_rules import rule_of

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
