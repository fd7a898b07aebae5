"""Conversations of the chat page: their list in the sidebar, title and actions of the current one, and its turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from dashboards.assistant.answer_types import UNPROVEN, Answer, AnswerKind, claims_proven_by_tools, mark_unproven
from dashboards.assistant.service import available, usage_summary
from dashboards.assistant.sessions import (
    LONGEST_TITLE,
    WRITTEN_BY,
    Exchange,
    Session,
    Sessions,
    exchange_of,
    export_markdown,
    plain_text_of,
    session_summaries,
)
from dashboards.html.hits import question_html, source_name, source_quotes_html
from dashboards.html.passage_markup import query_words
from dashboards.html.safe_text import error_html, group_words, markdown_label, moment_words, note_html
from dashboards.pages.chat.chat_html import (
    CitationButtons,
    calls_html,
    copy_button_html,
    extracts_html,
    model_answer_html,
    read_passages_html,
)
from dashboards.pages.chat.running_answers import BOOK, RunningAnswer, running_answers
from dashboards.widgets.resources import PageContext
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError
from warehouse.settings.models import ChatSettings

MOST_CONVERSATIONS = 40  # The latest conversations are listed; an older one is opened by its address.
SOURCE_PARAMETER = "source"
"""The parameter of the address for the opened source: "2.1" is the first source of the second answer."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """An exchange of a session, its number from 1, and the answer in full where it is still in memory."""

    number: int
    exchange: Exchange
    answer: Answer | None = None


def draw_conversations(sessions: Sessions, current: str) -> None:
    """Draw the list in the sidebar; a conversation that is pressed is put in the address. `current` is an id."""
    now, zone = datetime.now(UTC), _time_zone()
    with st.sidebar, st.container(key="conversations"):
        icon = ":material/add_comment:"
        st.button("New conversation", icon=icon, width="stretch", key="chat-new", on_click=leave_conversation)
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
            # Without a title of its own the conversation has that of its first question.
            with st.popover("Rename", type="tertiary", icon=":material/edit:"):
                key = f"chat-title-{session.id}"
                st.text_input("Title", session.title[:LONGEST_TITLE], key=key, max_chars=LONGEST_TITLE)
                st.button("Save", key="chat-rename", type="primary", on_click=_rename, args=(session, key))
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
    """Open the session of this id, else None; one with its first answer still running has no file. Draws an error."""
    if running := running_answers().last(session_id):
        return running.session
    try:
        return sessions.open(session_id) if session_id else None
    except KalendsError as error:
        st.html(error_html(error))
        return None


def list_turns(session: Session | None, running: RunningAnswer | None, *, busy: bool) -> list[ChatTurn]:
    """The turns of a session, also an answer that could not be stored; while one is `busy`, only those before it."""
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


def draw_question(question: str) -> None:
    """Draw the question as it was typed."""
    with st.chat_message("user", avatar=":material/person:"):
        st.html(question_html(question))


def draw_turn(turn: ChatTurn, chat: ChatSettings, again: Callable[[str], None] | None = None) -> None:
    """Draw an exchange; with `again`, which asks a question, also a button that asks this one again."""
    exchange, answer = turn.exchange, turn.answer
    draw_question(exchange.question)
    with st.chat_message("assistant", avatar=BOOK):
        cites = CitationButtons(str(turn.number), {source.number for source in exchange.sources})
        if exchange.kind is AnswerKind.EXTRACTS:
            st.html(extracts_html(exchange.answer, cites, query_words(exchange.question)))
        else:
            st.html(model_answer_html(mark_unproven(answer) if answer else exchange.answer, cites))
        for note in exchange.notes:
            st.html(note_html(note))
        st.caption(" · ".join(_caption_parts(turn, chat)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(copy_button_html(plain_text_of(exchange)), width="content")
            if again:
                draw_ask_again(exchange.question, again)
        _draw_sources(turn)
        if answer:
            _draw_activity(answer, chat)


def draw_ask_again(question: str, again: Callable[[str], None]) -> None:
    """Draw a button that asks a question again."""
    icon = ":material/refresh:"
    st.button("Ask again", key="chat-again", type="tertiary", icon=icon, on_click=again, args=(question,))


def _caption_parts(turn: ChatTurn, chat: ChatSettings) -> Sequence[str]:
    exchange, answer = turn.exchange, turn.answer
    parts = [WRITTEN_BY[exchange.kind]]
    if exchange.usage.total:
        parts.append(markdown_label(usage_summary(exchange.usage, chat.prices), 200))
    missing = sum(not claim.proven for claim in answer.claims) if answer else 0
    if answer and missing:
        sign = markdown_label(UNPROVEN)
        parts.append(f"{sign} {missing} of {len(answer.claims)} numbers and quotations are in none of its sources")
    elif exchange.proven is not None:
        parts.append(f"{exchange.proven:.0%} of its numbers and quotations are in its sources")
    if answer:
        parts += [
            f"{markdown_label(', '.join(claims), 200)}: from {markdown_label(name)}"
            for name, claims in claims_proven_by_tools(answer).items()
        ]
    return parts


def _draw_sources(turn: ChatTurn) -> None:
    if not turn.exchange.sources:
        return
    with st.expander(counted(len(turn.exchange.sources), "source"), icon=":material/format_quote:"):
        for source in turn.exchange.sources:
            st.button(
                markdown_label(f"[{source.number}] {source_name(source.line)}", 120),
                key=f"chat-source-{turn.number}-{source.number}",
                type="tertiary",
                icon=":material/find_in_page:",
                on_click=set_source_in_address,
                args=(turn.number, source.number),
            )
            st.html(source_quotes_html(source.quotes))


def _draw_activity(answer: Answer, chat: ChatSettings) -> None:
    counts = [counted(len(answer.calls), "tool call")] if answer.calls else []
    counts.append(f"{counted(len(answer.hits), 'passage')} read")
    with st.expander(", ".join(counts), icon=":material/manage_search:"):
        if answer.calls:
            st.html(calls_html(answer.calls))
        for number, cost in enumerate(answer.costs if len(answer.costs) > 1 else (), 1):
            st.caption(f"Round {number}: {markdown_label(usage_summary(cost, chat.prices).partition(', ')[2], 200)}")
        if answer.hits:
            source_numbers = {source.hit.chunk_id: source.number for source in answer.sources}
            st.html(read_passages_html(answer.hits, source_numbers))


def set_source_in_address(turn: int, number: int) -> None:
    """Open a source: put the numbers of its turn and of itself in the address."""
    st.query_params[SOURCE_PARAMETER] = f"{turn}.{number}"


def clear_source_in_address() -> None:
    """Close the opened source."""
    st.query_params.pop(SOURCE_PARAMETER, None)


def parse_source(text: str) -> tuple[int, int] | None:
    """The numbers of the turn and of the source in a text like "2.1"; None for any other text."""
    turn, _, number = text.partition(".")
    return (int(turn), int(number)) if turn.isdecimal() and number.isdecimal() else None
