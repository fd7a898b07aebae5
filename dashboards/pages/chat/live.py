"""An answer while it is made: its text as it comes, what the model does meanwhile, and a button that stops it."""

from __future__ import annotations

import json

import streamlit as st

from dashboards.drawing.answers import CitationButtons, model_answer_html
from dashboards.drawing.doings import active_call_html, calls_html
from dashboards.drawing.notices import busy_html, note_html
from dashboards.pages.chat.talking import RunningAnswer, WritePermission
from dashboards.pages.chat.turns import BOOK

REFRESH_SECONDS = 0.3
"""Seconds between two looks at what has come."""


@st.fragment(run_every=REFRESH_SECONDS)
def draw_running_answer(talk: RunningAnswer) -> None:
    """Draw what there is so far; the page is drawn anew when it is over."""
    if talk.over:
        st.rerun()
    with st.chat_message("assistant", avatar=BOOK):
        if talk.why and not talk.text:
            st.html(note_html(f"{talk.why}: it begins again"))
        if talk.calls:
            st.html(calls_html(talk.calls))
        for doing in talk.doing:
            st.html(active_call_html(doing.name, doing.given))
        if talk.text:
            # The marks open nothing before the answer is whole.
            st.html(model_answer_html(talk.text, CitationButtons("", ())))
        if talk.leave:
            _draw_permission(talk.leave)
        else:
            st.html(busy_html("Writing" if talk.text else talk.progress or "Reading the question"))
        st.button("Stop", key="chat-stop", icon=":material/stop_circle:", on_click=talk.stop)


def _draw_permission(leave: WritePermission) -> None:
    """A tool that writes waits for a word; none in time is a no."""
    st.html(note_html(f"The model wants to use {leave.name}, which changes what is on this machine. Allow it?"))
    st.code(json.dumps(dict(leave.given), ensure_ascii=False, indent=2, default=str), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.button("Allow", key="chat-allow", type="primary", on_click=leave.say, kwargs={"allowed": True})
        st.button("Refuse", key="chat-refuse", on_click=leave.say, kwargs={"allowed": False})
