"""Conversations of the chat page: the list in the sidebar, the head of the current one, and its turns."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from dashboards.assistant.service import available
from dashboards.assistant.sessions import (
    LONGEST_TITLE,
    Session,
    Sessions,
    exchange_of,
    export_markdown,
    session_summaries,
)
from dashboards.html.notices import error_html
from dashboards.html.safe_text import group_words, markdown_label, moment_words
from dashboards.pages.chat.running_answers import RunningAnswer, running_answers
from dashboards.pages.chat.turns import ChatTurn, clear_source_in_address
from dashboards.widgets.resources import PageContext
from warehouse.errors import KalendsError

MOST_CONVERSATIONS = 40
"""The latest ones are listed; an older one is opened by its address."""


def draw_conversations(kept: Sessions, current: str) -> None:
    """Draw the list and follow what is chosen: the address then names it."""
    now, zone = datetime.now(UTC), _time_zone()
    with st.sidebar, st.container(key="conversations"):
        st.button(
            "New conversation",
            icon=":material/add_comment:",
            width="stretch",
            key="chat-new",
            on_click=leave_conversation,
        )
        found = list(islice(session_summaries(kept), MOST_CONVERSATIONS))
        for group, listed in groupby(found, lambda head: group_words(head.last, now, zone)):
            st.caption(group)
            for head in listed:
                answers = "1 answer" if head.exchanges == 1 else f"{head.exchanges} answers"
                st.button(
                    markdown_label(head.title, 60),
                    key=f"chat-open-{head.session}",
                    type="tertiary",
                    width="stretch",
                    disabled=head.session == current,
                    help=f"{answers}, the last {moment_words(head.last, now, zone)}",
                    on_click=go_to_conversation,
                    args=(head.session,),
                )
        if not found:
            st.caption("No conversations yet.")


def leave_conversation() -> None:
    """Name none in the address: the next question begins one."""
    st.query_params.pop("session", None)
    clear_source_in_address()


def go_to_conversation(session: str) -> None:
    """Name a conversation in the address."""
    st.query_params["session"] = session
    clear_source_in_address()


def draw_conversation_head(session: Session, here: PageContext) -> None:
    """What the conversation is called, what can be done with it as a whole, and what is left of its budget."""
    last = session.exchanges[-1:]
    with st.container(key="conversation", horizontal=True, vertical_alignment="center"):
        when = f", {moment_words(last[0].at, datetime.now(UTC), _time_zone())}" if last else ""
        st.caption(f"**{markdown_label(session.title, 80)}**{when}" if session.title else "")
        used, budget = session.usage.total, here.settings.chat.budget
        if used or available(here.settings):
            st.caption(f"{used:,} of {budget:,} tokens used")
        if last:
            _draw_rename(session)
        st.download_button(
            "Download as Markdown",
            lambda: export_markdown(session.exchanges),
            f"kalends-chat-{session.id[:8]}.md",
            "text/markdown",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
        with st.popover("Delete", type="tertiary", icon=":material/delete:"):
            st.write("The conversation is removed from this machine for good.")
            st.button("Delete it", key="chat-delete", type="primary", on_click=_delete, args=(session,))


def _draw_rename(session: Session) -> None:
    """A field for another title; an empty one gives the conversation back its first question."""
    with st.popover("Rename", type="tertiary", icon=":material/edit:"):
        key = f"chat-title-{session.id}"
        st.text_input("Title", session.title[:LONGEST_TITLE], key=key, max_chars=LONGEST_TITLE)
        st.button("Save", key="chat-rename", type="primary", on_click=_rename, args=(session, key))


def _rename(session: Session, key: str) -> None:
    session.rename(str(st.session_state.get(key) or ""))


def _delete(session: Session) -> None:
    running_answers().forget(session.id)
    session.path.unlink(missing_ok=True)
    leave_conversation()


def _time_zone() -> tzinfo:
    """The reader's time zone, as the browser tells it; UTC where it tells none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def open_session(kept: Sessions, name: str) -> Session | None:
    """The session of that id: the file comes with the first answer, so one whose first answer is made has none yet."""
    talk = running_answers().last(name)
    if talk:
        return talk.session
    if not name:
        return None
    try:
        return kept.open(name)
    except KalendsError as error:
        st.html(error_html(error))
        return None


def list_turns(session: Session | None, talk: RunningAnswer | None, *, busy: bool) -> list[ChatTurn]:
    """The exchanges that are kept, and the last answer where it could not be; those before a talk that is `busy`."""
    if session is None:
        return []
    whole, exchanges = running_answers().whole(session.id), list(session.exchanges)
    if talk and busy:
        exchanges = exchanges[: talk.before]
    elif talk and talk.answer:
        unkept = exchange_of(talk.wanted.text, talk.answer, datetime.now(UTC))
        if not any((each.question, each.answer) == (unkept.question, unkept.answer) for each in exchanges):
            exchanges.append(unkept)
    return [ChatTurn(number, each, whole.get((each.question, each.answer))) for number, each in enumerate(exchanges, 1)]
