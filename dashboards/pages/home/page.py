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
from tasks.coverage.companies import list_companies
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError, NoWarehouse
from warehouse.records import Kind, Status

WHAT = (
    "Ask your reports, papers, courses and notes: every answer is quoted word for word, with its page, its date and "
    "the period it is about."
)
COMPANIES = 6
"""Companies that are named."""
_KINDS = {
    Kind.REPORT: ("report", ""),
    Kind.PAPER: ("paper", ""),
    Kind.COURSE: ("course", ""),
    Kind.NOTE: ("note", ""),
    Kind.TEXT: ("other text", ""),
}


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """What is counted once a generation: the figures as they are shown, by name, and the documents of each kind."""

    figures: Mapping[str, str]
    kinds: Mapping[Kind, int]


def page() -> None:
    """Draw the library at a glance, or the ways to begin one."""
    here = page_context()
    st.title("Kalends")
    st.html(f'<p class="k-lead">{WHAT}</p>')
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
    glance = _summarize(folder, state, catalogue)
    _draw_figures(glance.figures)
    left, middle, right = st.columns(3, gap="large")
    with left:
        _draw_contents(glance.kinds, _companies(folder, state, here))
    with middle:
        _draw_changes(_changes(folder, state, here))
    with right:
        _draw_issues(_issues(folder, state, here))


def _draw_question_form() -> None:
    with st.form("home-asking", border=False):
        field, button, other = st.columns([6, 1.2, 1.2], vertical_alignment="bottom")
        text = field.text_input(
            "Question",
            key="home-question",
            icon=":material/search:",
            placeholder="Ask in your own words, or give names, figures, periods",
            label_visibility="collapsed",
        )
        searched = button.form_submit_button("Search", type="primary", width="stretch")
        chatted = other.form_submit_button("Ask in Chat", width="stretch")
    question = (text or "").strip()
    if searched and question:
        open_page("search", q=question)
    if chatted and question:
        ask_next(question)
        open_page("chat")


def _draw_examples(found: tuple[str, ...]) -> None:
    if found:
        with st.container(key="home-questions", gap="xsmall"):
            st.caption("For example")
            for question in found:
                draw_link("search", markdown_label(question, 200), ":material/arrow_forward:", q=question)


def _draw_figures(figures: Mapping[str, str]) -> None:
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, value, border=True, help=_YEARS if name == "Years" else None)


_YEARS = "The years of the documents' dates and of the periods they report on"


def _years(catalogue: LibraryCatalogue) -> str:
    """From the first to the last year that documents are of."""
    days = [
        day.year
        for each in catalogue.entries
        for day in (each.document_date, each.reported_start)
        if day is not None and each.status is not Status.UNREADABLE
    ]
    if not days:
        return "–"
    return f"{min(days)}" if min(days) == max(days) else f"{min(days)} – {max(days)}"


def _draw_contents(counts: Mapping[Kind, int], owners: list[str]) -> None:
    st.header("In the library", anchor=False)
    with st.container(key="home-kinds", gap="xsmall"):
        for kind in Kind:
            if counts.get(kind):
                draw_link("library", counted(counts[kind], *_KINDS[kind]), kind=[kind.value])
    if owners:
        more = f" and {len(owners) - COMPANIES:,} more" if len(owners) > COMPANIES else ""
        st.caption(
            f"{'Companies' if len(owners) > 1 else 'Company'}: "
            f"{markdown_label(', '.join(owners[:COMPANIES]), 300)}{more}"
        )
    draw_link("library", "All documents, and add more", ":material/library_books:")


def _draw_changes(found: LatestChanges | None) -> None:
    st.header("New", anchor=False)
    if found is None:
        st.caption("No import has changed anything yet.")
        return
    counts = ((found.new, "new"), (found.changed, "changed"), (found.gone, "removed"))
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    st.caption(f"{found.published:%Y-%m-%d %H:%M} UTC: {told}")
    with st.container(key="home-news", gap="xsmall"):
        for each in found.documents:
            if each.change is ChangeKind.GONE:
                st.caption(f"Removed: {markdown_label(each.title)}")
            else:
                draw_link("library", markdown_label(each.title), document=each.document_id)
    draw_link("runs", "Everything that changed", ":material/history:", generation=str(found.generation))


def _draw_issues(found: tuple[CollectionIssue, ...]) -> None:
    st.header("Needs attention", anchor=False)
    if not found:
        st.html(nothing_html("Nothing.", "Every file was read, and no rule found a fault."))
    with st.container(key="home-attention", gap="xsmall"):
        for each in found:
            draw_link(each.page, markdown_label(each.text, 120), ":material/arrow_forward:", **each.fields)


@st.cache_data(show_spinner=False, max_entries=4)
def _summarize(folder: str, state: str, _catalogue: LibraryCatalogue) -> LibrarySummary:
    held = _catalogue.entries
    figures = {
        "Documents": f"{_catalogue.readable:,}",
        "Passages": f"{_catalogue.chunks:,}",
        "Tables": f"{sum(entry.table_count for entry in held):,}",
        "Years": _years(_catalogue),
    }
    return LibrarySummary(figures, dict(Counter(each.kind for each in held if each.status is not Status.UNREADABLE)))


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


_WAYS = (
    "Add files or a folder: PDF, Word, HTML, Markdown, text, CSV and JATS papers. They stay on this machine. Or look "
    "around first with a few sample documents."
)


def draw_beginning(here: PageContext) -> None:
    """Draw the buttons."""
    st.html(nothing_html("The library is empty.", _WAYS))
    with st.container(horizontal=True, key="home-beginning"):
        if st.button("Add files", type="primary", icon=":material/upload_file:", key="home-add-files"):
            _files(here)
        if st.button("Add a folder", icon=":material/folder_open:", key="home-add-folder"):
            _folder(here)
        if st.button("Try the samples", icon=":material/science:", key="home-try-samples"):
            _samples(here)


@st.dialog("Add files")
def _files(here: PageContext) -> None:
    draw_file_form(here)


@st.dialog("Add a folder")
def _folder(here: PageContext) -> None:
    draw_folder_form(here)


def _samples(here: PageContext) -> None:
    try:
        folder = samples_folder()
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    start_import(here, [folder])
