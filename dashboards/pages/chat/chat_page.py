"""Chat page: the list of conversations, the turns of one with their sources, and the box for the next question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.assistant.answer_types import UNPROVEN, Answer, AnswerKind, group_claims_by_tool, mark_unproven
from dashboards.assistant.service import describe_usage, is_model_available
from dashboards.assistant.sessions import (
    MAX_TITLE_LENGTH,
    WRITTEN_BY,
    Exchange,
    Session,
    Sessions,
    format_conversation,
    format_plain_text,
    iter_session_summaries,
    make_exchange,
)
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.hits import format_source_name, render_question, render_source_quotes
from dashboards.html.passage_markup import extract_query_stems
from dashboards.html.safe_text import (
    format_day_group,
    format_markdown_label,
    format_moment,
    render_empty_state,
    render_error,
    render_internal_error,
    render_note,
)
from dashboards.pages.chat.chat_html import (
    CitationButtons,
    render_calls,
    render_copy_button,
    render_extracts,
    render_model_answer,
    render_read_passages,
)
from dashboards.pages.chat.running_answers import (
    BOOK,
    RunningAnswer,
    draw_examples,
    draw_running_answer,
    draw_suggestions,
    get_running_answers,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import imports, question_drafts, sources
from dashboards.widgets.browser_scripts import get_pressed_value, is_wide_window, mount_script
from dashboards.widgets.resources import PageContext, load_page_context
from dashboards.widgets.search_filters import draw_filters
from dashboards.widgets.sources import LocatedSource, locate_kept_source, locate_source
from tasks.quality.phrases import format_count
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.settings.models import ChatSettings

LATEST_TURNS = 20  # The latest turns are drawn; older ones when they are asked for.
WIDE_PIXELS = 1100  # CSS pixels of a window from which on answers and the opened source are side by side.
_NO_KEY = "There is no key for a language model (ANTHROPIC_API_KEY): the documents answer themselves, word for word."


def draw_page() -> None:
    """Draw the conversation that the address names, and the box for the next question."""
    st.title("Chat")
    here = load_page_context()
    catalogue = here.read_catalogue()
    mount_script("copy", key="kalends-copy")
    if pressed_source := parse_source(get_pressed_value("cite")):
        set_source_in_address(*pressed_source)
    sessions = Sessions(here.settings.warehouse)
    session_id = st.query_params.get("session", "")
    draw_conversations(sessions, session_id)
    session = open_session(sessions, session_id)
    running = get_running_answers().find_latest(session.id) if session else None
    # Read once: the answer may end while the page is drawn.
    busy = running is not None and not running.is_over
    # Being answered, or without an answer because it failed or was stopped.
    unanswered_turn = running if running and (busy or not running.answer) else None
    if st.session_state.get("chat-added"):
        imports.draw_imports(here)
    limits = _draw_limits(catalogue)
    if limits and not busy:
        _start_answer(question_drafts.take_question(), here, session or sessions.start_session(), limits)
    turns = list_turns(session, running, busy=busy)
    numbers = parse_source(st.query_params.get(SOURCE_PARAMETER, ""))
    source = locate_cited_source(turns, *numbers, here.warehouse) if numbers else None
    answers, side = (
        st.columns([1, 1], gap="large") if is_wide_window(WIDE_PIXELS) and source else (st.container(), None)
    )
    with answers:
        if turns and session:
            draw_conversation_head(session, here)
        _draw_turns(turns, here, may_repeat=limits is not None and not unanswered_turn)
        if unanswered_turn:
            _draw_unanswered(unanswered_turn, busy=busy)
        elif not turns:
            _draw_greeting(catalogue, here)
        elif session and limits:
            context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
            last = turns[-1]
            draw_suggestions(last.number, last.exchange, session, context, limits[0], question_drafts.ask_next)
    with st.bottom:
        question_drafts.draw_draft(here, question_drafts.ask_next)
    # Draw the box for the next question. It takes a text of any length: a longer one becomes a draft.
    hint = "An answer is being made …" if busy else "Ask the documents"
    text = (st.chat_input(hint, key="chat-question", disabled=busy or limits is None) or "").strip()
    if text and not busy:
        question_drafts.ask_next(text)
        st.rerun()
    if source:
        draw_opened_source(source, side)


def _draw_limits(catalogue: LibraryCatalogue) -> tuple[Filters, int] | None:
    """Draw the filters of the next question; returns them with the number of passages, None for filters in error."""
    with st.expander("Limit the documents", icon=":material/filter_alt:"):
        try:
            filters, count = draw_filters("chat", catalogue)
        except KalendsError as error:
            st.html(render_error(error))
            return None
    limits = sum(getattr(filters, field.name) not in ((), None) for field in fields(Filters))
    if limits:
        st.caption(f"The next question is asked within {limits} {'limit' if limits == 1 else 'limits'}.")
    return filters, count


def _draw_turns(turns: list[ChatTurn], here: PageContext, *, may_repeat: bool) -> None:
    last = turns[-1].number if turns else 0
    earlier = len(turns) - LATEST_TURNS
    if earlier > 0 and not st.toggle(f"Show {earlier} earlier", key="chat-earlier"):
        turns = turns[earlier:]
    for turn in turns:
        draw_turn(turn, here.settings.chat, question_drafts.ask_next if may_repeat and turn.number == last else None)


def _draw_unanswered(running: RunningAnswer, *, busy: bool) -> None:
    draw_question(running.request.text)
    if busy:
        draw_running_answer(running)
        return
    with st.chat_message("assistant", avatar=BOOK):
        if running.text:
            st.html(render_model_answer(running.text, CitationButtons("", ())))
        if isinstance(running.error, KalendsError):
            st.html(render_error(running.error))
        elif running.error:
            st.html(render_internal_error(running.reference))
        else:
            st.html(render_note("Stopped. The unfinished answer is not saved."))
        draw_ask_again(running.request.text, question_drafts.ask_next)


def _draw_greeting(catalogue: LibraryCatalogue, here: PageContext) -> None:
    counts = catalogue.counts
    invitation = (
        f"Ask about {format_count(counts.passages, 'passage')} of {format_count(counts.documents, 'document')}."
    )
    model = f"{here.settings.chat.model} answers from them, with numbered sources."
    st.html(render_empty_state(invitation, model if is_model_available(here.settings) else _NO_KEY))
    context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
    draw_examples(context, question_drafts.ask_next)


def _start_answer(text: str, here: PageContext, session: Session, limits: tuple[Filters, int]) -> None:
    """Begin to answer `text`, unless it is empty, and draw the page again."""
    if not text:
        return
    context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
    running = RunningAnswer(context, SearchRequest(text, limits[0], k=limits[1]), session)
    get_running_answers().begin(running)
    go_to_conversation(running.session.id)
    st.rerun()


def draw_opened_source(source: LocatedSource, side: DeltaGenerator | None) -> None:
    """Draw the source in its column, or as a dialog without one."""
    if side is None:
        sources.open_source_dialog(source, clear_source_in_address)
        return
    with side, st.container(key="chat-beside"):
        st.button(
            "Close",
            key="chat-close",
            type="tertiary",
            icon=":material/close:",
            on_click=clear_source_in_address,
        )
        sources.draw_source(source, is_stacked=True)


def locate_cited_source(
    turns: Sequence[ChatTurn], turn_number: int, source_number: int, warehouse: Warehouse
) -> LocatedSource | None:
    """The source of a turn, both by number; None for an unknown one."""
    warehouse = warehouse.pin_generation()
    turn = next((turn for turn in turns if turn.number == turn_number), None)
    if turn is None:
        return None
    if turn.answer:
        cited_sources = (
            locate_source(warehouse, source) for source in turn.answer.sources if source.number == source_number
        )
    else:
        stored_sources = turn.exchange.sources
        cited_sources = (
            locate_kept_source(warehouse, stored_source)
            for stored_source in stored_sources
            if stored_source.number == source_number
        )
    return next(cited_sources, None)


MAX_CONVERSATIONS = 40  # The latest conversations are listed; an older one is opened by its address.
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
    now, zone = datetime.now(UTC), _get_time_zone()
    with st.sidebar, st.container(key="conversations"):
        icon = ":material/add_comment:"
        st.button("New conversation", icon=icon, width="stretch", key="chat-new", on_click=leave_conversation)
        summaries = list(islice(iter_session_summaries(sessions), MAX_CONVERSATIONS))
        for group, members in groupby(summaries, lambda summary: format_day_group(summary.last, now, zone)):
            st.caption(group)
            for summary in members:
                answers = "1 answer" if summary.exchanges == 1 else f"{summary.exchanges} answers"
                st.button(
                    format_markdown_label(summary.title, 60),
                    key=f"chat-open-{summary.session}",
                    type="tertiary",
                    width="stretch",
                    disabled=summary.session == current,
                    help=f"{answers}, the last {format_moment(summary.last, now, zone)}",
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
        time = f", {format_moment(last[0].at, datetime.now(UTC), _get_time_zone())}" if last else ""
        st.caption(f"**{format_markdown_label(session.title, 80)}**{time}" if session.title else "")
        used, budget = session.usage.total, here.settings.chat.budget
        if used or is_model_available(here.settings):
            st.caption(f"{used:,} of {budget:,} tokens used")
        if last:
            # Without a title of its own the conversation has that of its first question.
            with st.popover("Rename", type="tertiary", icon=":material/edit:"):
                key = f"chat-title-{session.id}"
                st.text_input("Title", session.title[:MAX_TITLE_LENGTH], key=key, max_chars=MAX_TITLE_LENGTH)
                st.button("Save", key="chat-rename", type="primary", on_click=_rename, args=(session, key))
        st.download_button(
            "Download as Markdown",
            lambda: format_conversation(session.exchanges),
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
    get_running_answers().forget(session.id)
    session.path.unlink(missing_ok=True)
    leave_conversation()


def _get_time_zone() -> tzinfo:
    """The time zone of the browser; UTC where it gives none or one that is unknown here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def open_session(sessions: Sessions, session_id: str) -> Session | None:
    """Open the session of this id, else None; one with its first answer still running has no file. Draws an error."""
    if running := get_running_answers().find_latest(session_id):
        return running.session
    try:
        return sessions.open_session(session_id) if session_id else None
    except KalendsError as error:
        st.html(render_error(error))
        return None


def list_turns(session: Session | None, running: RunningAnswer | None, *, busy: bool) -> list[ChatTurn]:
    """The turns of a session, also an answer that could not be stored; while one is `busy`, only those before it."""
    if session is None:
        return []
    answers, exchanges = get_running_answers().get_full_answers(session.id), list(session.exchanges)
    if running and busy:
        exchanges = exchanges[: running.earlier_exchanges]
    elif running and running.answer:
        latest = make_exchange(running.request.text, running.answer, datetime.now(UTC))
        if not any((exchange.question, exchange.answer) == (latest.question, latest.answer) for exchange in exchanges):
            exchanges.append(latest)
    return [
        ChatTurn(number, exchange, answers.get((exchange.question, exchange.answer)))
        for number, exchange in enumerate(exchanges, 1)
    ]


def draw_question(question: str) -> None:
    """Draw the question as it was typed."""
    with st.chat_message("user", avatar=":material/person:"):
        st.html(render_question(question))


def draw_turn(turn: ChatTurn, chat: ChatSettings, again: Callable[[str], None] | None = None) -> None:
    """Draw an exchange; with `again`, which asks a question, also a button that asks this one again."""
    exchange, answer = turn.exchange, turn.answer
    draw_question(exchange.question)
    with st.chat_message("assistant", avatar=BOOK):
        cites = CitationButtons(str(turn.number), {source.number for source in exchange.sources})
        if exchange.kind is AnswerKind.EXTRACTS:
            st.html(render_extracts(exchange.answer, cites, extract_query_stems(exchange.question)))
        else:
            st.html(render_model_answer(mark_unproven(answer) if answer else exchange.answer, cites))
        for note in exchange.notes:
            st.html(render_note(note))
        st.caption(" · ".join(_list_caption_parts(turn, chat)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(render_copy_button(format_plain_text(exchange)), width="content")
            if again:
                draw_ask_again(exchange.question, again)
        _draw_sources(turn)
        if answer:
            _draw_activity(answer, chat)


def draw_ask_again(question: str, again: Callable[[str], None]) -> None:
    """Draw a button that asks a question again."""
    icon = ":material/refresh:"
    st.button("Ask again", key="chat-again", type="tertiary", icon=icon, on_click=again, args=(question,))


def _list_caption_parts(turn: ChatTurn, chat: ChatSettings) -> Sequence[str]:
    exchange, answer = turn.exchange, turn.answer
    parts = [WRITTEN_BY[exchange.kind]]
    if exchange.usage.total:
        parts.append(format_markdown_label(describe_usage(exchange.usage, chat.prices), 200))
    missing = sum(not claim.proven for claim in answer.claims) if answer else 0
    if answer and missing:
        sign = format_markdown_label(UNPROVEN)
        parts.append(f"{sign} {missing} of {len(answer.claims)} numbers and quotations are in none of its sources")
    elif exchange.proven is not None:
        parts.append(f"{exchange.proven:.0%} of its numbers and quotations are in its sources")
    if answer:
        parts += [
            f"{format_markdown_label(', '.join(claims), 200)}: from {format_markdown_label(name)}"
            for name, claims in group_claims_by_tool(answer).items()
        ]
    return parts


def _draw_sources(turn: ChatTurn) -> None:
    if not turn.exchange.sources:
        return
    with st.expander(format_count(len(turn.exchange.sources), "source"), icon=":material/format_quote:"):
        for source in turn.exchange.sources:
            st.button(
                format_markdown_label(f"[{source.number}] {format_source_name(source.line)}", 120),
                key=f"chat-source-{turn.number}-{source.number}",
                type="tertiary",
                icon=":material/find_in_page:",
                on_click=set_source_in_address,
                args=(turn.number, source.number),
            )
            st.html(render_source_quotes(source.quotes))


def _draw_activity(answer: Answer, chat: ChatSettings) -> None:
    counts = [format_count(len(answer.calls), "tool call")] if answer.calls else []
    counts.append(f"{format_count(len(answer.hits), 'passage')} read")
    with st.expander(", ".join(counts), icon=":material/manage_search:"):
        if answer.calls:
            st.html(render_calls(answer.calls))
        for number, cost in enumerate(answer.costs if len(answer.costs) > 1 else (), 1):
            st.caption(
                f"Round {number}: {format_markdown_label(describe_usage(cost, chat.prices).partition(', ')[2], 200)}"
            )
        if answer.hits:
            source_numbers = {source.hit.chunk_id: source.number for source in answer.sources}
            st.html(render_read_passages(answer.hits, source_numbers))


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
