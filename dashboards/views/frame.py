"""What surrounds every page: errors as one line, and the page drawn anew when a generation is published."""

from __future__ import annotations

import logging
from collections.abc import Callable

import streamlit as st

from dashboards.drawing.notices import error_html, mistake_html
from dashboards.views.resources import place
from warehouse.errors import KalendsError

LOOK_EVERY = 10
"""Seconds between two looks at which generation is published."""

log = logging.getLogger(__name__)


def framed(name: str, draw: Callable[[], None]) -> Callable[[], None]:
    """A page that never shows a traceback: an error of ours is a line with its cure, any other goes to the log."""

    def page() -> None:
        try:
            draw()
        except KalendsError as error:
            st.html(error_html(error))
        except Exception as error:
            log.exception("the page %s failed", name)
            st.html(mistake_html(error))

    return page


def follow() -> None:
    """Draw the page again soon after another generation is published, or the first."""
    _look(_state())


@st.fragment(run_every=LOOK_EVERY)
def _look(drawn: str) -> None:
    if _state() != drawn:
        st.rerun()


def _state() -> str:
    try:
        return place().state
    except KalendsError as error:
        return str(error)
