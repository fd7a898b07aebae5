"""Pages of the dashboard: the list of them, links between them, and the frame that is drawn around each.

A page's code is imported when it is first opened. The frame shows errors as one line and draws the page again when a
generation is published.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboards.html.notices import error_html, internal_error_html
from dashboards.widgets import state
from dashboards.widgets.page_activity import page_activity
from dashboards.widgets.resources import page_context
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.settings.models import DashboardSettings


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page: the folder of `dashboards.widgets` whose `page` draws it, which is its address as well."""

    name: str
    title: str
    icon: str
    group: str
    tells: str

    def made(self, *, first: bool) -> StreamlitPage:
        """The page as Streamlit knows it; the `first` one is opened where the address names none."""
        icon = f":material/{self.icon}:"
        return st.Page(_drawn(self), title=self.title, icon=icon, url_path=self.name, default=first, help=self.tells)


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
"""Where the bare address leads; Streamlit gives the page that it opens there no other address."""


def page_groups(only: str = "") -> dict[str, list[StreamlitPage]]:
    """All pages by group, and one without a name that leads to the first; `only` is opened in place of that."""
    groups = groupby(PAGES, lambda leaf: leaf.group)
    found = {group: [leaf.made(first=leaf.name == only) for leaf in leaves] for group, leaves in groups}
    return found if only else {"": [st.Page(_start, url_path="start", default=True, visibility="hidden")], **found}


def draw_menu() -> None:
    """Links to all pages in the sidebar, each to where its reader was last."""
    with st.sidebar, st.container(key="menu"):
        for group, leaves in groupby(PAGES, lambda leaf: leaf.group):
            st.caption(group)
            for leaf in leaves:
                # Without help: its tooltip covers the link above.
                st.page_link(_page(leaf.name), width="stretch", query_params=state.last_address(leaf.name), help="")


def draw_link(name: str, label: str, icon: str | None = None, **fields: str | list[str]) -> None:
    """A link to a page with these fields of its address. `label` is Markdown: escape what a document says."""
    if name == state.current_page():
        # A link to the page that is drawn would leave the address as it is.
        key = state.own_key(f"link-{label}")
        st.button(label, icon=icon, type="tertiary", key=key, on_click=state.choose, args=(name, fields))
        return
    st.page_link(_page(name), label=label, icon=icon, query_params=state.address(name, fields))


def open_page(name: str, **fields: str | list[str]) -> NoReturn:
    """Leave for a page with these fields of its address."""
    st.switch_page(_page(name), query_params=state.address(name, fields))


def _page(name: str) -> StreamlitPage:
    return next(leaf for leaf in PAGES if leaf.name == name).made(first=False)


def _start() -> None:
    open_page(FIRST)


def _drawn(leaf: PageEntry) -> Callable[[], None]:
    def draw() -> None:
        name_tab(leaf.title)
        import_module(f"dashboards.pages.{leaf.name}.page").page()

    return frame_page(leaf.name, draw)


log = logging.getLogger(__name__)
_LONGEST = 60
"""Characters of each part of a tab's name: more is not seen."""


def frame_page(name: str, draw: Callable[[], None]) -> Callable[[], None]:
    """A page that never shows a traceback: an error of ours is a line with its cure, any other goes to the log."""

    def page() -> None:
        state.enter_page(name)
        try:
            with page_activity.page():
                draw()
        except KalendsError as error:
            st.html(error_html(error))
        except Exception as error:
            reference = record_internal_error(error)
            log.exception("the page %s failed, reference %s", name, reference)
            st.html(internal_error_html(reference))
        state.leave_page(name)

    return page


def name_tab(*parts: str) -> None:
    """Name the browser's tab, what is opened first: "Q4 report · Library · Kalends"."""
    st.set_page_config(page_title=" · ".join(" ".join(part.split())[:_LONGEST] for part in (*parts, "Kalends") if part))


def rerun_on_publish() -> None:
    """Draw the page again soon after another generation is published, or the first."""
    st.fragment(_look, run_every=_interval())(_state())


def _look(drawn: str) -> None:
    if _state() != drawn:
        st.rerun()


def _interval() -> float:
    """Seconds between two looks at which generation is published."""
    try:
        return page_context().settings.dashboard.refresh
    except KalendsError:
        return DashboardSettings().refresh


def _state() -> str:
    try:
        return page_context().state
    except KalendsError as error:
        return str(error)
