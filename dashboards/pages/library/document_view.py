"""View of one document, which `document` in the address names, at its `page`: facts, outline, findings, actions."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import streamlit as st

from dashboards.background.inbox import delete_upload
from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_error, render_facts
from dashboards.pages.library.document_parts import (
    DocumentView,
    compute_mean_qualities,
    list_document_facts,
    read_document,
    render_findings,
    render_headline,
    render_outline,
    render_periods,
    render_removal_help,
    render_tables,
    render_text_page,
)
from dashboards.widgets import imports
from dashboards.widgets.browser_scripts import get_pressed_value
from dashboards.widgets.correction_form import CorrectionTarget, draw_correction_form, draw_corrections
from dashboards.widgets.imports import ImportMessage, get_inbox_folder, show_message, start_import
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_page_pictures
from dashboards.widgets.resources import PageContext, cache_query
from dashboards.widgets.sources import draw_file_download
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, CorrectedField
from warehouse.records.calendars import get_year_end_rule
from warehouse.records.corrections import FIRST_YEAR, LAST_YEAR, MAX_NAME_LENGTH


def draw_document(here: PageContext, name: str) -> None:
    """Draw the document of this id or source."""
    # A link to the page that is already shown would not change the address, so this is a button.
    st.button("All documents", icon=":material/arrow_back:", type="tertiary", on_click=st.query_params.clear)
    warehouse = here.warehouse.pin_generation()
    document_id = warehouse.find_document_id(name)
    entry_and_file = warehouse.find_file(document_id) if document_id else None
    if document_id is None or entry_and_file is None:
        st.title("Library")
        imports.draw_imports(here)
        cure = "It may have been removed. Go back to all documents."
        st.html(render_empty_state("This document is not in the library.", cure))
        return
    entry, file = entry_and_file
    st.title(format_markdown_label(entry.title or entry.file.path, 160))
    name_tab(entry.title or entry.file.path, "Library")
    imports.draw_imports(here)
    st.html(render_headline(entry))
    draw_document_actions(here, entry, file)
    view = _read_cached_document(warehouse, document_id)
    left, right = st.columns([2, 3], gap="large")
    with right:
        count = len(view.pages) or entry.total_pages or 1
        number = _draw_pagination(document_id, count)
        _draw_page(warehouse, entry, view, number)
    with left:
        facts = list_document_facts(entry, file, compute_cached_qualities(warehouse).get(document_id))
        st.html(render_facts(facts))
        draw_corrections(here, CorrectionTarget(entry, file))
        if view.sections:
            st.header("Outline")
            current = number if count > 1 else None
            st.html(render_outline(document_id, view.with_pages(view.sections), current))
    _draw_details(document_id, view)


def _draw_pagination(document_id: str, count: int) -> int:
    """Draw the control for the pages of a document; returns the number of the page that the address names, from 1."""
    # The link of the outline or the list of tables that was just pressed.
    if (pressed_page := get_pressed_value("leaf")).isdecimal():
        st.query_params["page"] = str(int(pressed_page))
    if count == 1:
        return 1
    text = st.query_params.get("page", "")
    number = min(max(int(text), 1), count) if text.isdecimal() and len(text) < 10 else 1
    # A widget of its own for each page: a lasting one would keep its number when Back leads to another page.
    key = f"library-leaf-{document_id}-{count}-{number}"
    st.pagination(count, default=number, key=key, on_change=_turn_page, args=(key, number))
    return number


def _turn_page(key: str, before: int) -> None:
    # Streamlit calls this also for a widget of an earlier page that the browser sends again unchanged.
    if st.session_state[key] != before:
        st.query_params["page"] = str(st.session_state[key])


def _draw_page(warehouse: Warehouse, entry: CatalogEntry, view: DocumentView, number: int) -> None:
    try:
        if view.pages:
            text = warehouse.read_text(entry.document_id)
            with st.container(key="leaf"):
                st.html(render_text_page(text, view.pages[number - 1]))
        elif entry.total_pages:
            draw_page_pictures(warehouse, entry.document_id, {number: ()})
        else:
            st.html(render_empty_state("There is nothing to show.", entry.reason or "The file has no text."))
    except KalendsError as error:
        st.html(render_error(error))


def _draw_details(document_id: str, view: DocumentView) -> None:
    with st.container(key="library-details"):
        columns = iter(st.columns(max(sum(map(bool, (view.findings, view.tables, view.periods))), 1), gap="large"))
    if view.findings:
        with next(columns):
            st.header("Findings")
            st.html(render_findings(view.findings))
            draw_link("quality", "Show the findings in their passages", document=document_id)
    if view.tables:
        with next(columns):
            st.header("Tables")
            st.html(render_tables(document_id, view.with_pages(view.tables)))
            draw_link("tables", "Show the tables beside their pages", document=document_id)
    if view.periods:
        with next(columns):
            st.header("Periods mentioned")
            st.html(render_periods(view.periods))


compute_cached_qualities = cache_query(4)(compute_mean_qualities)


_read_cached_document = cache_query(32)(read_document)
YEAR_END_HELP = (
    "For all documents of the company. Write it as MM-DD, like 09-30; or 'last Saturday of September' or 'Saturday"
    " nearest the end of January' for years of 52 or 53 weeks."
)


def draw_document_actions(here: PageContext, entry: CatalogEntry, file: Path) -> None:
    """Draw the buttons for a document whose file is `file`."""
    with st.container(horizontal=True, vertical_alignment="center", key="library-acting"):
        draw_file_download("Download file", file, "library-file")
        if entry.chunk_count:
            draw_link("search", "Search in it", ":material/search:", document=[entry.file.source])
            draw_link("chat", "Ask about it", ":material/forum:", document=[entry.file.source])
        if st.button("Import again", icon=":material/refresh:", key="library-again"):
            start_import(here, [file])
        if entry.find_output("parse"):
            _draw_correction(here, CorrectionTarget(entry, file))
        with st.popover("Remove", icon=":material/delete:", key="library-remove"):
            _draw_removal(here, entry, file)


def _draw_correction(here: PageContext, target: CorrectionTarget) -> None:
    entry = target.entry
    calendar, day = entry.fiscal_calendar, entry.document_date
    correction = entry.find_correction(CorrectedField.FISCAL_YEAR_END)
    current = {
        CorrectedField.COMPANY: entry.attributes.company,
        CorrectedField.FISCAL_YEAR_END: correction.value
        if correction
        else str(get_year_end_rule(calendar))
        if calendar
        else "",
        CorrectedField.DOCUMENT_DATE: day.isoformat() if day else "",
    }

    def draw_fields() -> dict[CorrectedField, str]:
        (company, name), (year_end, rule), (date_field, _) = current.items()
        keys = {field: target.make_value_key(field, value) for field, value in current.items()}
        texts = {
            company: st.text_input("Company", name, max_chars=MAX_NAME_LENGTH, key=keys[company]),
            year_end: st.text_input("Fiscal year end", rule, help=YEAR_END_HELP, key=keys[year_end]),
        }
        first, last = date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31)
        corrected_day = st.date_input("Document date", day, first, last, format="YYYY-MM-DD", key=keys[date_field])
        return {**texts, date_field: corrected_day.isoformat() if isinstance(corrected_day, date) else ""}

    draw_correction_form(here, target, current, draw_fields)


def _draw_removal(here: PageContext, entry: CatalogEntry, file: Path) -> None:
    inbox = get_inbox_folder(here)
    if not file.is_relative_to(inbox):
        st.html(render_removal_help(entry.file.root, file))
        return
    st.write("This file was added in the dashboard. It is deleted, and the document leaves the library.")
    if not st.button("Delete the file", key="library-remove-yes", type="primary"):
        return
    try:
        is_deleted = delete_upload(inbox, entry.file.path)
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    start_import(here, [is_deleted], message=ImportMessage(("The file is deleted.",)))
