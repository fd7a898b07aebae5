"""Home page: a question box, what the library holds, the latest changes, and what needs attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.html.safe_text import markdown_label
from dashboards.pages.home.example_questions import example_questions
from dashboards.pages.home.queries import (
    ChangeKind,
    CollectionIssue,
    LatestChanges,
    latest_changes,
    list_issues,
    samples_folder,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import import_status
from dashboards.widgets.import_status import ImportMessage, show_message, start_import
from dashboards.widgets.navigation import draw_link, open_page
from dashboards.widgets.question_drafts import ask_next
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.uploads import draw_file_form, draw_folder_form
from tasks.coverage import list_companies
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError, NoWarehouse
from warehouse.records import Kind, Status

LEAD = (
    "Ask your reports, papers, courses and notes: every answer is quoted word for word, with its page, its date and "
    "the period it is about."
)
MOST_COMPANIES = 6
"""Companies that are named."""
_KINDS = {
    Kind.REPORT: ("report", ""),
    Kind.PAPER: ("paper", ""),
    Kind.COURSE: ("course", ""),
    Kind.NOTE: ("note", ""),
    Kind.TEXT: ("other text", ""),
}
_YEARS_HELP = "The years of the documents' dates and of the periods they report on"
_FIRST_STEPS = (
    "Add files or a folder: PDF, Word, HTML, Markdown, text, CSV and JATS papers. They stay on this machine. Or look "
    "around first with a few sample documents."
)


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """Counts of a generation: figures as text by name, and the number of documents by kind."""

    figures: Mapping[str, str]
    kinds: Mapping[Kind, int]


def page() -> None:
    """Draw the home page of the library, or ways to begin one where it is empty."""
    here = page_context()
    st.title("Kalends")
    st.html(f'<p class="k-lead">{LEAD}</p>')
    import_status.draw_imports(here)
    try:
        catalogue = here.catalogue()
    except NoWarehouse:
        draw_beginning(here)
        return
    if not catalogue.entries:
        draw_beginning(here)
        return
    _draw_question_form()
    folder, state, today = str(here.settings.warehouse), here.state, datetime.now(UTC).date()
    _draw_examples(_questions(folder, state, today, here))
    summary = _summarize(folder, state, catalogue)
    _draw_figures(summary.figures)
    left, middle, right = st.columns(3, gap="large")
    with left:
        _draw_contents(summary.kinds, _companies(folder, state, here))
    with middle:
        _draw_changes(_changes(folder, state, here))
    with right:
        _draw_issues(_issues(folder, state, here))


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


def _draw_examples(questions: tuple[str, ...]) -> None:
    if questions:
        with st.container(key="home-questions", gap="xsmall"):
            st.caption("For example")
            for question in questions:
                draw_link("search", markdown_label(question, 200), ":material/arrow_forward:", q=question)


def _draw_figures(figures: Mapping[str, str]) -> None:
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, value, border=True, help=_YEARS_HELP if name == "Years" else None)


def _years(catalogue: LibraryCatalogue) -> str:
    """The first and the last year of documents, by their dates and the periods they report on; a dash without any."""
    years = [
        day.year
        for each in catalogue.entries
        for day in (each.document_date, each.reported_start)
        if day is not None and each.status is not Status.UNREADABLE
    ]
    if not years:
        return "–"
    return f"{min(years)}" if min(years) == max(years) else f"{min(years)} – {max(years)}"


def _draw_contents(counts: Mapping[Kind, int], companies: list[str]) -> None:
    st.header("In the library", anchor=False)
    with st.container(key="home-kinds", gap="xsmall"):
        for kind in Kind:
            if counts.get(kind):
                draw_link("library", counted(counts[kind], *_KINDS[kind]), kind=[kind.value])
    if companies:
        more = f" and {len(companies) - MOST_COMPANIES:,} more" if len(companies) > MOST_COMPANIES else ""
        st.caption(
            f"{'Companies' if len(companies) > 1 else 'Company'}: "
            f"{markdown_label(', '.join(companies[:MOST_COMPANIES]), 300)}{more}"
        )
    draw_link("library", "All documents, and add more", ":material/library_books:")


def _draw_changes(changes: LatestChanges | None) -> None:
    st.header("New", anchor=False)
    if changes is None:
        st.caption("No import has changed anything yet.")
        return
    counts = ((changes.new, "new"), (changes.changed, "changed"), (changes.gone, "removed"))
    words = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    st.caption(f"{changes.published:%Y-%m-%d %H:%M} UTC: {words}")
    with st.container(key="home-news", gap="xsmall"):
        for document in changes.documents:
            if document.change is ChangeKind.GONE:
                st.caption(f"Removed: {markdown_label(document.title)}")
            else:
                draw_link("library", markdown_label(document.title), document=document.document_id)
    draw_link("runs", "Everything that changed", ":material/history:", generation=str(changes.generation))


def _draw_issues(issues: tuple[CollectionIssue, ...]) -> None:
    st.header("Needs attention", anchor=False)
    if not issues:
        st.html(nothing_html("Nothing.", "Every file was read, and no rule found a fault."))
    with st.container(key="home-attention", gap="xsmall"):
        for issue in issues:
            draw_link(issue.page, markdown_label(issue.text, 120), ":material/arrow_forward:", **issue.fields)


@st.cache_data(show_spinner=False, max_entries=4)
def _summarize(folder: str, state: str, _catalogue: LibraryCatalogue) -> LibrarySummary:
    entries = _catalogue.entries
    kinds = Counter(entry.kind for entry in entries if entry.status is not Status.UNREADABLE)
    figures = {
        "Documents": f"{_catalogue.readable:,}",
        "Passages": f"{_catalogue.chunks:,}",
        "Tables": f"{sum(entry.table_count for entry in entries):,}",
        "Years": _years(_catalogue),
    }
    return LibrarySummary(figures, dict(kinds))


@st.cache_data(show_spinner=False, max_entries=4)
def _questions(folder: str, state: str, today: date, _here: PageContext) -> tuple[str, ...]:
    return example_questions(_here.settings, _here.warehouse, today)


@st.cache_data(show_spinner=False, max_entries=4)
def _companies(folder: str, state: str, _here: PageContext) -> list[str]:
    return [each.name for each in list_companies(_here.warehouse.at())]


@st.cache_data(show_spinner=False, max_entries=4)
def _changes(folder: str, state: str, _here: PageContext) -> LatestChanges | None:
    return latest_changes(_here.warehouse)


@st.cache_data(show_spinner=False, max_entries=4)
def _issues(folder: str, state: str, _here: PageContext) -> tuple[CollectionIssue, ...]:
    return list_issues(_here.warehouse)


def draw_beginning(here: PageContext) -> None:
    """Draw the buttons that begin a library: files, a folder, or the samples."""
    st.html(nothing_html("The library is empty.", _FIRST_STEPS))
    with st.container(horizontal=True, key="home-beginning"):
        if st.button("Add files", type="primary", icon=":material/upload_file:", key="home-add-files"):
            _draw_file_dialog(here)
        if st.button("Add a folder", icon=":material/folder_open:", key="home-add-folder"):
            _draw_folder_dialog(here)
        if st.button("Try the samples", icon=":material/science:", key="home-try-samples"):
            _import_samples(here)


@st.dialog("Add files")
def _draw_file_dialog(here: PageContext) -> None:
    draw_file_form(here)


@st.dialog("Add a folder")
def _draw_folder_dialog(here: PageContext) -> None:
    draw_folder_form(here)


def _import_samples(here: PageContext) -> None:
    try:
        folder = samples_folder()
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    start_import(here, [folder])
