"""Pages of the dashboard, imported when first opened: the list of them, links between them, and the frame of each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboards.html.safe_text import render_error, render_internal_error
from dashboards.widgets import state
from dashboards.widgets.page_activity import page_activity
from dashboards.widgets.resources import load_page_context
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.settings.models import DashboardSettings

log = logging.getLogger(__name__)
_TITLE_CHARACTERS = 60  # Characters of each part of a tab's name: tabs show no more.


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page: `name` is its address and its folder in `dashboards.pages`, whose module `NAME_page` draws it."""

    name: str
    title: str
    icon: str
    group: str
    help: str

    def to_streamlit(self, *, first: bool) -> StreamlitPage:
        """The page for `st.navigation`; the `first` one is opened where the address names none."""

        def draw() -> None:
            name_tab(self.title)
            import_module(f"dashboards.pages.{self.name}.{self.name}_page").draw_page()

        icon, page = f":material/{self.icon}:", frame_page(self.name, draw)
        return st.Page(page, title=self.title, icon=icon, url_path=self.name, default=first, help=self.help)


PAGES = (
    PageEntry("home", "Home", "home", "Read", "What the library holds, what is new, and what needs attention."),
    PageEntry("library", "Library", "library_books", "Read", "All documents; add files and folders."),
    PageEntry("search", "Search", "search", "Read", "Passages that answer a question, marked on their pages."),
    PageEntry("chat", "Chat", "forum", "Read", "Answers with numbered sources."),
    PageEntry("quality", "Quality", "fact_check", "Examine", "How good the passages are, and what to mend first."),
    PageEntry(
        "timeline", "Timeline", "timeline", "Examine", "Which periods the documents mention, and which are missing."
    ),
    PageEntry("tables", "Tables", "table", "Examine", "All tables beside their pages; find figures."),
    PageEntry("sql", "SQL", "database", "Examine", "Read-only queries over the library's tables."),
    PageEntry("experiments", "Experiments", "science", "Operate", "Which settings find the right passages most often."),
    PageEntry("runs", "Runs", "history", "Operate", "Past imports: times and changes; disk use."),
)
FIRST = "home"
"""The page at the address without a path, by a hidden page: Streamlit gives its default page no other address."""


def list_page_groups(only: str = "") -> dict[str, list[StreamlitPage]]:
    """All pages by group, and a hidden one that opens the first; with `only` that page is the default instead."""
    by_group = groupby(PAGES, lambda page: page.group)
    groups = {group: [page.to_streamlit(first=page.name == only) for page in pages] for group, pages in by_group}
    return groups if only else {"": [st.Page(_start, url_path="start", default=True, visibility="hidden")], **groups}


def _start() -> None:
    open_page(FIRST)


def draw_menu() -> None:
    """Draw links to all pages in the sidebar, each to the address that it was last left with."""
    with st.sidebar, st.container(key="menu"):
        for group, pages in groupby(PAGES, lambda page: page.group):
            st.caption(group)
            for page in pages:
                # Without help: its tooltip covers the link above.
                st.page_link(
                    _find_page(page.name), width="stretch", query_params=state.get_last_address(page.name), help=""
                )


def draw_link(name: str, label: str, icon: str | None = None, **fields: str | list[str]) -> None:
    """Draw a link to a page with these fields of its address. `label` is Markdown: escape text of documents."""
    if name == state.get_current_page():
        # A link to the page that is drawn would leave the address as it is.
        key = state.make_page_key(f"link-{label}")
        st.button(label, icon=icon, type="tertiary", key=key, on_click=state.set_fields, args=(name, fields))
        return
    st.page_link(_find_page(name), label=label, icon=icon, query_params=state.make_address(name, fields))


def open_page(name: str, **fields: str | list[str]) -> NoReturn:
    """Open a page with these fields of its address."""
    st.switch_page(_find_page(name), query_params=state.make_address(name, fields))


def _find_page(name: str) -> StreamlitPage:
    return next(page for page in PAGES if page.name == name).to_streamlit(first=False)


def frame_page(name: str, draw: Callable[[], None]) -> Callable[[], None]:
    """A page without tracebacks: a `KalendsError` is drawn as a line with its cure, any other error is logged."""

    def page() -> None:
        state.enter_page(name)
        try:
            with page_activity.count_page():
                draw()
        except KalendsError as error:
            st.html(render_error(error))
        except Exception as error:
            reference = record_internal_error(error)
            log.exception("the page %s failed, reference %s", name, reference)
            st.html(render_internal_error(reference))
        state.leave_page(name)

    return page


def name_tab(*parts: str) -> None:
    """Name the browser's tab, what is open first: "Q4 report · Library · Kalends"."""
    st.set_page_config(
        page_title=" · ".join(" ".join(part.split())[:_TITLE_CHARACTERS] for part in (*parts, "Kalends") if part)
    )


def rerun_on_publish() -> None:
    """Draw the page again soon after a generation is published."""
    try:
        seconds = load_page_context().settings.dashboard.refresh
    except KalendsError:
        seconds = DashboardSettings().refresh
    st.fragment(_rerun_if_changed, run_every=seconds)(_read_published_state())


def _rerun_if_changed(drawn_state: str) -> None:
    if _read_published_state() != drawn_state:
        st.rerun()


def _read_published_state() -> str:
    try:
        return load_page_context().state
    except KalendsError as error:
        return str(error)
