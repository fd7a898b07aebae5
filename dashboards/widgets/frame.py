"""What surrounds every page: errors as one line, and the page drawn anew when a generation is published."""

from __future__ import annotations

import logging
from collections.abc import Callable

import streamlit as st

from dashboards.drawing.notices import error_html, internal_error_html
from dashboards.warming import page_activity
from dashboards.widgets import state
from dashboards.widgets.resources import page_context
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.settings.models import DashboardSettings

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
