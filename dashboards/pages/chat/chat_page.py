"""Chat page: questions in a row, answered with numbered sources that open beside the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.assistant.service import available
from dashboards.assistant.sessions import Session, Sessions
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.safe_text import error_html, internal_error_html, note_html, nothing_html
from dashboards.pages.chat import conversations
from dashboards.pages.chat.chat_html import CitationButtons, model_answer_html
from dashboards.pages.chat.running_answers import (
    BOOK,
    RunningAnswer,
    draw_running_answer,
    draw_suggestions,
    running_answers,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import browser_scripts, imports, question_drafts, sources
from dashboards.widgets.browser_scripts import is_wide_window, pressed_value
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.search_filters import draw_filters
from dashboards.widgets.sources import LocatedSource, locate_kept_source, locate_source
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest

LATEST_TURNS = 20  # The latest turns are drawn; older ones when they are asked for.
WIDE_PIXELS = 1100  # CSS pixels of a window from which on answers and the opened source are side by side.
_NO_KEY = "There is no key for a language model (ANTHROPIC_API_KEY): the documents answer themselves, word for word."


def page() -> None:
    """Draw the conversation that the address names, and the box for the next question."""
    st.title("Chat")
    here = page_context()
    catalogue = here.catalogue()
    browser_scripts.enable_copy_buttons()
    if pressed := conversations.parse_source(pressed_value("cite")):
        conversations.set_source_in_address(*pressed)
    sessions = Sessions(here.settings.warehouse)
    session_id = st.query_params.get("session", "")
    conversations.draw_conversations(sessions, session_id)
    session = conversations.open_session(sessions, session_id)
    running = running_answers().last(session.id) if session else None
    # Read once: the answer may end while the page is drawn.
    busy = running is not None and not running.is_over
    if st.session_state.get("chat-added"):
        imports.draw_imports(here)
    limits = _draw_limits(catalogue)
    if limits and not busy:
        _start_answer(question_drafts.take_question(), here, session or sessions.new(), limits)
    turns = conversations.list_turns(session, running, busy=busy)
    numbers = conversations.parse_source(st.query_params.get(conversations.SOURCE_PARAMETER, ""))
    source = cited_source(turns, *numbers, here.warehouse) if numbers else None
    answers, side = (
        st.columns([1, 1], gap="large") if is_wide_window(WIDE_PIXELS) and source else (st.container(), None)
    )
    with answers:
        if turns and session:
            conversations.draw_conversation_head(session, here)
        _draw_turns(turns, here, may_repeat=limits is not None and not busy and not _is_unanswered(running))
        if running and _is_unanswered(running):
            _draw_unanswered(running, busy=busy)
        elif not turns:
            _draw_greeting(catalogue, here)
        elif session and limits:
            context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
            last = turns[-1]
            draw_suggestions(last.number, last.exchange, session, context, limits[0], question_drafts.ask_next)
    with st.bottom:
        question_drafts.draw_draft(here, question_drafts.ask_next)
    _draw_question_box(limits, busy=busy)
    if source:
        draw_opened_source(source, side)


def _draw_limits(catalogue: LibraryCatalogue) -> tuple[Filters, int] | None:
    """Draw the filters of the next question; returns them with the number of passages, None for filters in error."""
    with st.expander("Limit the documents", icon=":material/filter_alt:"):
        try:
            filters, count = draw_filters("chat", catalogue)
        except KalendsError as error:
            st.html(error_html(error))
            return None
    limits = sum(getattr(filters, each.name) not in ((), None) for each in fields(Filters))
    if limits:
        st.caption(f"The next question is asked within {limits} {'limit' if limits == 1 else 'limits'}.")
    return filters, count


def _draw_turns(turns: list[conversations.ChatTurn], here: PageContext, *, may_repeat: bool) -> None:
    last = turns[-1].number if turns else 0
    earlier = len(turns) - LATEST_TURNS
    if earlier > 0 and not st.toggle(f"Show {earlier} earlier", key="chat-earlier"):
        turns = turns[earlier:]
    for turn in turns:
        conversations.draw_turn(
            turn, here.settings.chat, question_drafts.ask_next if may_repeat and turn.number == last else None
        )


def _is_unanswered(running: RunningAnswer | None) -> bool:
    """Whether the last question is being answered, or has no answer because it failed or was stopped."""
    return running is not None and (not running.is_over or not running.answer)


def _draw_unanswered(running: RunningAnswer, *, busy: bool) -> None:
    conversations.draw_question(running.request.text)
    if busy:
        draw_running_answer(running)
        return
    with st.chat_message("assistant", avatar=BOOK):
        if running.text:
            st.html(model_answer_html(running.text, CitationButtons("", ())))
        if isinstance(running.error, KalendsError):
            st.html(error_html(running.error))
        elif running.error:
            st.html(internal_error_html(running.reference))
        else:
            st.html(note_html("Stopped. The unfinished answer is not saved."))
        conversations.draw_ask_again(running.request.text, question_drafts.ask_next)


def _draw_greeting(catalogue: LibraryCatalogue, here: PageContext) -> None:
    counts = catalogue.counts
    invitation = f"Ask about {counted(counts.passages, 'passage')} of {counted(counts.documents, 'document')}."
    model = f"{here.settings.chat.model} answers from them, with numbered sources."
    st.html(nothing_html(invitation, model if available(here.settings) else _NO_KEY))


def _draw_question_box(limits: tuple[Filters, int] | None, *, busy: bool) -> None:
    """Draw the box for the next question. It takes a text of any length: a longer one becomes a draft."""
    hint = "An answer is being made …" if busy else "Ask the documents"
    text = (st.chat_input(hint, key="chat-question", disabled=busy or limits is None) or "").strip()
    if text and not busy:
        question_drafts.ask_next(text)
        st.rerun()


def _start_answer(text: str, here: PageContext, session: Session, limits: tuple[Filters, int]) -> None:
    """Begin to answer `text`, unless it is empty, and draw the page again."""
    if not text:
        return
    context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
    running = RunningAnswer(context, SearchRequest(text, limits[0], k=limits[1]), session)
    running_answers().begin(running)
    conversations.go_to_conversation(running.session.id)
    st.rerun()


def draw_opened_source(source: LocatedSource, side: DeltaGenerator | None) -> None:
    """Draw the source in its column, or as a dialog without one."""
    if side is None:
        sources.open_source_dialog(source, conversations.clear_source_in_address)
        return
    with side, st.container(key="chat-beside"):
        st.button(
            "Close",
            key="chat-close",
            type="tertiary",
            icon=":material/close:",
            on_click=conversations.clear_source_in_address,
        )
        sources.draw_source(source, beside=True)


def cited_source(
    turns: Sequence[conversations.ChatTurn], turn_number: int, source_number: int, warehouse: Warehouse
) -> LocatedSource | None:
    """The source of a turn, both by number; None for an unknown one."""
    warehouse = warehouse.at()
    turn = next((each for each in turns if each.number == turn_number), None)
    if turn is None:
        return None
    if turn.answer:
        located = (locate_source(warehouse, each) for each in turn.answer.sources if each.number == source_number)
    else:
        stored = turn.exchange.sources
        located = (locate_kept_source(warehouse, each) for each in stored if each.number == source_number)
    return next(located, None)
