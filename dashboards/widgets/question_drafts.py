"""Drafts of questions for the chat page: the next question, and a text that is too long for one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from dashboards.background.inbox import TypedNote
from dashboards.html.safe_text import render_note
from dashboards.widgets import state
from dashboards.widgets.imports import add_files
from dashboards.widgets.resources import PageContext

MAX_QUESTION_LENGTH = 8000
"""Characters of a question. The work of an answer grows with the square: 1.5 processor seconds here, 47 at 44,000."""
_TITLE_CHARACTERS = 80  # Characters of the first line that become the title of a text that is added.


def keep_draft(text: str) -> None:
    """Keep a text as the draft; an empty one removes the draft."""
    state.set_value("chat", "draft", text)
    # Another text needs another widget: one of the same key would keep its own text.
    state.set_value("chat", "draft-round", state.get_value("chat", "draft-round") + 1)


def ask_next(text: str) -> None:
    """Make a text the question that the chat page asks next, or the draft if it is too long for a question."""
    if len(text) > MAX_QUESTION_LENGTH:
        keep_draft(text)
    else:
        state.set_value("chat", "asked", text)


def take_question() -> str:
    """Return the next question, once; "" without one."""
    text: str = state.get_value("chat", "asked")
    state.set_value("chat", "asked", "")
    return text


def draw_draft(context: PageContext, ask: Callable[[str], None]) -> None:
    """Draw the draft, if there is one, with buttons to ask it by `ask`, add it to the library, or discard it."""
    text = state.get_value("chat", "draft")
    if not text:
        return
    with st.container(key="chat-draft-box", border=True):
        length, limit = len(text), MAX_QUESTION_LENGTH
        if length > limit:
            cure = "Shorten it here, or add it to the library as a document."
            st.html(render_note(f"This text has {length:,} characters; a question has up to {limit:,}. {cure}"))
        key = f"chat-draft-text-{state.get_value('chat', 'draft-round')}"
        st.text_area("Your text", text, key=key, height=160, on_change=_update_draft, args=(key,))
        with st.container(horizontal=True):
            st.button(
                "Ask", key="chat-draft-ask", type="primary", disabled=length > limit, on_click=_ask_draft, args=(ask,)
            )
            is_added = st.button("Add to library", key="chat-draft-add", icon=":material/add:")
            st.button("Discard", key="chat-draft-discard", type="tertiary", on_click=keep_draft, args=("",))
    if is_added:
        # A note with the first line as its title.
        first = next((" ".join(line.split()).lstrip("# ") for line in text.splitlines() if line.strip("# \t")), "")
        note = TypedNote(first[:_TITLE_CHARACTERS].rstrip() or f"Text of {datetime.now(UTC):%Y-%m-%d}", text)
        st.session_state["chat-added"] = True
        files = [(note.name, note.note.encode(errors="replace"))]
        add_files(context, files, replace=False, on_stored=lambda: keep_draft(""))


def _update_draft(key: str) -> None:
    state.set_value("chat", "draft", str(st.session_state.get(key) or ""))


def _ask_draft(ask: Callable[[str], None]) -> None:
    text = state.get_value("chat", "draft")
    keep_draft("")
    ask(text)
