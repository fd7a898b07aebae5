"""Conversations of the chat page: the list in the sidebar, and title, actions and turns of the current one."""

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
"""The latest conversations are listed; an older one is opened by its address."""


def draw_conversations(sessions: Sessions, current: str) -> None:
    """Draw the list in the sidebar; a conversation that is pressed is put in the address. `current` is an id."""
    now, zone = datetime.now(UTC), _time_zone()
    with st.sidebar, st.container(key="conversations"):
        st.button(
            "New conversation",
            icon=":material/add_comment:",
            width="stretch",
            key="chat-new",
            on_click=leave_conversation,
        )
        summaries = list(islice(session_summaries(sessions), MOST_CONVERSATIONS))
        for group, members in groupby(summaries, lambda summary: group_words(summary.last, now, zone)):
            st.caption(group)
            for summary in members:
                answers = "1 answer" if summary.exchanges == 1 else f"{summary.exchanges} answers"
                st.button(
                    markdown_label(summary.title, 60),
                    key=f"chat-open-{summary.session}",
                    type="tertiary",
                    width="stretch",
                    disabled=summary.session == current,
                    help=f"{answers}, the last {moment_words(summary.last, now, zone)}",
                    on_click=go_to_conversation,
                    args=(summary.session,),
                )
        if not summaries:
            st.caption("No conversations yet.")


def leave_conversation() -> None:
    """Take the conversation out of the address: the next question begins another."""
    st.query_params.pop("session", None)
    clear_source_in_address()


def go_to_conversation(session: str) -> None:
    """Put a conversation in the address."""
    st.query_params["session"] = session
    clear_source_in_address()


def draw_conversation_head(session: Session, here: PageContext) -> None:
    """Draw title and time of the conversation, its use of tokens, and buttons to rename, download and delete it."""
    last = session.exchanges[-1:]
    with st.container(key="conversation", horizontal=True, vertical_alignment="center"):
        time = f", {moment_words(last[0].at, datetime.now(UTC), _time_zone())}" if last else ""
        st.caption(f"**{markdown_label(session.title, 80)}**{time}" if session.title else "")
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
    """Draw the field for another title; without a title the conversation has that of its first question."""
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
    """The time zone of the browser; UTC where it gives none or one that is unknown here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def open_session(sessions: Sessions, session_id: str) -> Session | None:
    """Open the session of this id. One whose first answer is being made has no file yet and is taken from memory.

    Draws the error where it cannot be read. None without an id.
    """
    running = running_answers().last(session_id)
    if running:
        return running.session
    if not session_id:
        return None
    try:
        return sessions.open(session_id)
    except KalendsError as error:
        st.html(error_html(error))
        return None


def list_turns(session: Session | None, running: RunningAnswer | None, *, busy: bool) -> list[ChatTurn]:
    """The turns of a session: its stored exchanges, and the latest answer where it could not be stored.

    While an answer is running (`busy`), only those before it.
    """
    if session is None:
        return []
    answers, exchanges = running_answers().full_answers(session.id), list(session.exchanges)
    if running and busy:
        exchanges = exchanges[: running.earlier_exchanges]
    elif running and running.answer:
        latest = exchange_of(running.request.text, running.answer, datetime.now(UTC))
        if not any((each.question, each.answer) == (latest.question, latest.answer) for each in exchanges):
            exchanges.append(latest)
    return [
        ChatTurn(number, each, answers.get((each.question, each.answer))) for number, each in enumerate(exchanges, 1)
    ]
