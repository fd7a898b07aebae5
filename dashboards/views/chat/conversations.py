"""The conversations there are, beside the page: to go on with one, or to begin another."""

from __future__ import annotations

from itertools import islice

import streamlit as st

from dashboards.chat.exporting import exported
from dashboards.chat.heads import heads
from dashboards.chat.service import available
from dashboards.chat.sessions import Session, Sessions
from dashboards.drawing.escaping import label
from dashboards.views.chat.talking import talks
from dashboards.views.resources import Place

MOST = 40
"""The latest ones are listed; an older one is opened by its address."""


def choose(kept: Sessions, current: str) -> None:
    """Draw the list and follow what is chosen: the address then names it."""
    with st.sidebar, st.container(key="conversations"):
        st.button(
            "New conversation",
            icon=":material/add_comment:",
            width="stretch",
            key="chat-new",
            on_click=leave,
        )
        st.caption("Conversations, the latest first")
        found = list(islice(heads(kept), MOST))
        for head in found:
            st.button(
                label(head.question, 60),
                key=f"chat-open-{head.session}",
                type="tertiary",
                width="stretch",
                disabled=head.session == current,
                help=f"{head.exchanges} answered, the last {head.last:%Y-%m-%d %H:%M} UTC",
                on_click=go_to,
                args=(head.session,),
            )
        if not found:
            st.caption("None yet.")


def leave() -> None:
    """Name none in the address: the next question begins one."""
    st.query_params.pop("session", None)


def go_to(session: str) -> None:
    """Name a conversation in the address."""
    st.query_params["session"] = session


def offer(session: Session, here: Place) -> None:
    """What can be done with the conversation as a whole, and what is left of its budget."""
    with st.container(key="conversation", horizontal=True, vertical_alignment="center"):
        used, budget = session.usage.total, here.settings.chat.budget
        if used or available(here.settings):
            st.caption(f"{used:,} of {budget:,} tokens used")
        st.download_button(
            "Download as Markdown",
            lambda: exported(session.exchanges),
            f"kalends-chat-{session.id[:8]}.md",
            "text/markdown",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
        with st.popover("Delete", type="tertiary", icon=":material/delete:"):
            st.write("The conversation is removed from this machine for good.")
            st.button("Delete it", key="chat-delete", type="primary", on_click=_delete, args=(session,))


def _delete(session: Session) -> None:
    talks().forget(session.id)
    session.path.unlink(missing_ok=True)
    leave()
