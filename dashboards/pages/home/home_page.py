"""Home page: a question box, what the library holds, the latest changes, and what needs attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from dashboards.html.safe_text import format_markdown_label, render_empty_state
from dashboards.pages.home.home_queries import (
    ChangeKind,
    LatestChanges,
    find_example_questions,
    find_latest_changes,
    find_samples_folder,
    list_issues,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import imports
from dashboards.widgets.data_elements import draw_figures
from dashboards.widgets.imports import ImportMessage, draw_file_form, draw_folder_form, show_message, start_import
from dashboards.widgets.navigation import draw_link, open_page
from dashboards.widgets.question_drafts import ask_next
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from tasks.coverage import list_companies
from tasks.quality.phrases import format_count
from warehouse.errors import KalendsError, NoWarehouse
from warehouse.records import Kind, Status

INTRODUCTION = (
    "Ask your reports, papers, courses and notes: every answer is quoted word for word, with its page, its date and "
    "the period it is about."
)
MAX_COMPANIES = 6  # Companies that are named.
_KINDS = {**{kind: str(kind) for kind in Kind}, Kind.TEXT: "other text"}
_YEARS_HELP = "The years of the documents' dates and of the periods they report on"
_FIRST_STEPS = (
    "Add files or a folder: PDF, Word, Excel, PowerPoint, EPUB, mail, HTML, Markdown, text, CSV and JATS papers. They "
    "stay on this machine. Or look around first with a few sample documents."
)


_find_cached_questions = cache_query(4)(find_example_questions)
_find_cached_changes = cache_query(4)(find_latest_changes)
_list_cached_issues = cache_query(4)(list_issues)
_list_cached_companies = cache_query(4)(list_companies)


def draw_page() -> None:
    """Draw the home page of the library, or ways to begin one where it is empty."""
    here = load_page_context()
    st.title("Kalends")
    st.html(f'<p class="k-lead">{INTRODUCTION}</p>')
    imports.draw_imports(here)
    try:
        catalogue = here.read_catalogue()
    except NoWarehouse:
        catalogue = None
    if not catalogue or not catalogue.entries:
        draw_beginning(here)
        return
    _draw_question_form()
    warehouse = here.warehouse.pin_generation()
    examples = st.container(key="home-questions", gap="xsmall")
    entries = catalogue.entries
    figures: dict[str, int | str] = {
        "Documents": catalogue.counts.documents,
        "Passages": catalogue.counts.passages,
        "Tables": sum(entry.table_count for entry in entries),
        "Years": _format_years(catalogue),
    }
    draw_figures(figures, {"Years": _YEARS_HELP})
    left, middle, right = st.columns(3, gap="large")
    with left:
        counts = Counter(entry.kind for entry in entries if entry.status is not Status.UNREADABLE)
        _draw_contents(counts, [cached_company.name for cached_company in _list_cached_companies(warehouse)])
    with middle:
        _draw_changes(_find_cached_changes(warehouse))
    with right:
        st.header("Needs attention", anchor=False)
        issues = _list_cached_issues(warehouse)
        if not issues:
            st.html(render_empty_state("Nothing.", "Every file was read, and no rule found a fault."))
        with st.container(key="home-attention", gap="xsmall"):
            for issue in issues:
                draw_link(
                    issue.page, format_markdown_label(issue.text, 120), ":material/arrow_forward:", **issue.fields
                )
    # Last, because each question is tried, and the rest of the page need not wait. A search reports its own errors.
    with examples, suppress(KalendsError):
        if questions := _find_cached_questions(here.settings, warehouse):
            st.caption("For example")
        for question in questions:
            draw_link("search", format_markdown_label(question, 200), ":material/arrow_forward:", q=question)


def _draw_question_form() -> None:
    with st.form("home-asking", border=False):
        field, search_button, chat_button = st.columns([6, 1.2, 1.2], vertical_alignment="bottom")
        text = field.text_input(
            "Question",
            key="home-question",
            icon=":material/search:",
            placeholder="Ask in your own words, or give names, figures, periods",
            label_visibility="collapsed",
        )
        is_search = search_button.form_submit_button("Search", type="primary", width="stretch")
        is_chat = chat_button.form_submit_button("Ask in Chat", width="stretch")
    question = (text or "").strip()
    if is_search and question:
        open_page("search", q=question)
    if is_chat and question:
        ask_next(question)
        open_page("chat")


def _format_years(catalogue: LibraryCatalogue) -> str:
    """The first and the last year of documents, by their dates and the periods they report on; a dash without any."""
    years = [
        day.year
        for entry in catalogue.entries
        for day in (entry.document_date, entry.reported_start)
        if day is not None and entry.status is not Status.UNREADABLE
    ]
    if not years:
        return "–"
    return f"{min(years)}" if min(years) == max(years) else f"{min(years)} – {max(years)}"


def _draw_contents(counts: Mapping[Kind, int], companies: list[str]) -> None:
    st.header("In the library", anchor=False)
    with st.container(key="home-kinds", gap="xsmall"):
        for kind in Kind:
            if counts.get(kind):
                draw_link("library", format_count(counts[kind], _KINDS[kind]), kind=[kind.value])
    if companies:
        more = f" and {len(companies) - MAX_COMPANIES:,} more" if len(companies) > MAX_COMPANIES else ""
        names = format_markdown_label(", ".join(companies[:MAX_COMPANIES]), 300)
        st.caption(f"{'Companies' if len(companies) > 1 else 'Company'}: {names}{more}")
    draw_link("library", "All documents, and add more", ":material/library_books:")


def _draw_changes(changes: LatestChanges | None) -> None:
    st.header("New", anchor=False)
    if changes is None:
        st.caption("No import has changed anything yet.")
        return
    counts = {"new": changes.new_count, "changed": changes.changed_count, "removed": changes.removed_count}
    words = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    st.caption(f"{changes.published_at:%Y-%m-%d %H:%M} UTC: {words}")
    with st.container(key="home-news", gap="xsmall"):
        for document in changes.documents:
            if document.change is ChangeKind.GONE:
                st.caption(f"Removed: {format_markdown_label(document.title)}")
            else:
                draw_link("library", format_markdown_label(document.title), document=document.document_id)
    draw_link("runs", "Everything that changed", ":material/history:", generation=str(changes.generation))


def draw_beginning(here: PageContext) -> None:
    """Draw the buttons that begin a library: files, a folder, or the samples."""
    st.html(render_empty_state("The library is empty.", _FIRST_STEPS))
    with st.container(horizontal=True, key="home-beginning"):
        if st.button("Add files", type="primary", icon=":material/upload_file:", key="home-add-files"):
            st.dialog("Add files")(draw_file_form)(here)
        if st.button("Add a folder", icon=":material/folder_open:", key="home-add-folder"):
            st.dialog("Add a folder")(draw_folder_form)(here)
        if st.button("Try the samples", icon=":material/science:", key="home-try-samples"):
            try:
                start_import(here, [find_samples_folder()])
            except KalendsError as error:
                show_message(ImportMessage(error=error))
