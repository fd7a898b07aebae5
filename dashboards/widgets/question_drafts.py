"""A text that is too long to be a question: kept where it can be shortened, or added to the library as a document."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from dashboards.background.inbox import TypedNote
from dashboards.html.notices import note_html
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext
from dashboards.widgets.uploads import add_files

LONGEST_QUESTION = 8000
"""Characters of a question. The work of an answer grows with the square: 1.5 processor seconds here, 47 at 44,000."""
_TITLE_CHARACTERS = 80
"""Characters of the first line that become the title of a text that is added."""


def keep_draft(text: str) -> None:
    """Keep a text until it is asked, added or discarded, whatever page is opened meanwhile."""
    state.put("chat", "draft", text)
    # A field that holds another text is another field.
    state.put("chat", "draft-round", state.value("chat", "draft-round") + 1)


def ask_next(text: str) -> None:
    """Ask a question, or keep what is too long for one, when the chat page is drawn next."""
    if len(text) > LONGEST_QUESTION:
        keep_draft(text)
    else:
        state.put("chat", "asked", text)


def take_question() -> str:
    """The question that is to be asked now; "" where none is."""
    text: str = state.value("chat", "asked")
    state.put("chat", "asked", "")
    return text


def draw_draft(here: PageContext, ask: Callable[[str], None]) -> None:
    """Draw the text that waits, if one does, with what can be done with it; `ask` asks a question."""
    text = state.value("chat", "draft")
    if not text:
        return
    with st.container(key="chat-draft-box", border=True):
        long, most = len(text), LONGEST_QUESTION
        if long > most:
            cure = "Shorten it here, or add it to the library as a document."
            st.html(note_html(f"This text has {long:,} characters; a question has up to {most:,}. {cure}"))
        key = f"chat-draft-text-{state.value('chat', 'draft-round')}"
        st.text_area("Your text", text, key=key, height=160, on_change=_update_draft, args=(key,))
        with st.container(horizontal=True):
            st.button(
                "Ask", key="chat-draft-ask", type="primary", disabled=long > most, on_click=_ask_draft, args=(ask,)
            )
            adds = st.button("Add to library", key="chat-draft-add", icon=":material/add:")
            st.button("Discard", key="chat-draft-discard", type="tertiary", on_click=keep_draft, args=("",))
    if adds:
        _add_to_library(here, text)


def _update_draft(key: str) -> None:
    state.put("chat", "draft", str(st.session_state.get(key) or ""))


def _ask_draft(ask: Callable[[str], None]) -> None:
    text = state.value("chat", "draft")
    keep_draft("")
    ask(text)


def _add_to_library(here: PageContext, text: str) -> None:
    """Keep the text in the inbox as a note that its first line names, and import it."""
    first = next((" ".join(line.split()).lstrip("# ") for line in text.splitlines() if line.strip("# \t")), "")
    title = first[:_TITLE_CHARACTERS].rstrip() or f"Text of {datetime.now(UTC):%Y-%m-%d}"
    note = TypedNote(title, text)
    st.session_state["chat-added"] = True
    add_files(here, [(note.name, note.note.encode(errors="replace"))], replace=False, on_stored=lambda: keep_draft(""))
