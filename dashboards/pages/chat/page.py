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
from dashboards.html.notices import error_html, internal_error_html, note_html, nothing_html
from dashboards.pages.chat import suggestions
from dashboards.pages.chat.conversations import (
    draw_conversation_head,
    draw_conversations,
    go_to_conversation,
    list_turns,
    open_session,
)
from dashboards.pages.chat.html import CitationButtons, model_answer_html
from dashboards.pages.chat.running_answers import RunningAnswer, draw_running_answer, running_answers
from dashboards.pages.chat.turns import (
    BOOK,
    ChatTurn,
    clear_source_in_address,
    draw_ask_again,
    draw_question,
    draw_turn,
    parse_source,
    set_source_in_address,
    source_in_address,
)
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import browser_scripts, import_status, question_drafts, sources
from dashboards.widgets.browser_scripts import pressed_value
from dashboards.widgets.resources import PageContext, page_context
from dashboards.widgets.search_filters import draw_filters
from dashboards.widgets.sources import LocatedSource, locate_kept_source, locate_source
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest

LATEST_TURNS = 20
"""The latest exchanges of a session are drawn, the older on demand."""
_NO_KEY = "There is no key for a language model (ANTHROPIC_API_KEY): the documents answer themselves, word for word."


def page() -> None:
    """Draw the conversation that the address names, and the box for the next question."""
    st.title("Chat")
    here = page_context()
    catalogue = here.catalogue()
    browser_scripts.enable_copy_buttons()
    follow_citation()
    kept = Sessions(here.settings.warehouse)
    name = st.query_params.get("session", "")
    draw_conversations(kept, name)
    session = open_session(kept, name)
    talk = running_answers().last(session.id) if session else None
    # Asked once: while the page is drawn, the answer goes on.
    busy = talk is not None and not talk.over
    if st.session_state.get("chat-added"):
        import_status.draw_imports(here)
    limits = _draw_limits(catalogue)
    if limits and not busy:
        _start_answer(question_drafts.take_question(), here, session or kept.new(), limits)
    turns = list_turns(session, talk, busy=busy)
    source = opened_source(turns, here.warehouse)
    answers, side = answer_columns(source)
    with answers:
        if turns and session:
            draw_conversation_head(session, here)
        _draw_turns(turns, here, may_repeat=limits is not None and not busy and not _is_unanswered(talk))
        if talk and _is_unanswered(talk):
            _draw_unanswered(talk, busy=busy)
        elif not turns:
            _draw_greeting(catalogue, here)
        elif session and limits:
            context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
            suggestions.draw_suggestions(turns[-1], session, context, limits[0], question_drafts.ask_next)
    with st.bottom:
        question_drafts.draw_draft(here, question_drafts.ask_next)
    _draw_question_box(limits, busy=busy)
    if source:
        draw_opened_source(source, side)


def _draw_limits(catalogue: LibraryCatalogue) -> tuple[Filters, int] | None:
    """What the next question is limited to; None where what is chosen says nothing."""
    with st.expander("Limit the documents", icon=":material/filter_alt:"):
        try:
            filters, count = draw_filters("chat", catalogue)
        except KalendsError as error:
            st.html(error_html(error))
            return None
    chosen = sum(getattr(filters, each.name) not in ((), None) for each in fields(Filters))
    if chosen:
        st.caption(f"The next question is asked within {chosen} {'limit' if chosen == 1 else 'limits'}.")
    return filters, count


def _draw_turns(turns: list[ChatTurn], here: PageContext, *, may_repeat: bool) -> None:
    """Draw the exchanges; the last can be asked again where it `may_repeat`."""
    last = turns[-1].number if turns else 0
    earlier = len(turns) - LATEST_TURNS
    if earlier > 0 and not st.toggle(f"Show {earlier} earlier", key="chat-earlier"):
        turns = turns[earlier:]
    for turn in turns:
        draw_turn(turn, here.settings.chat, question_drafts.ask_next if may_repeat and turn.number == last else None)


def _is_unanswered(talk: RunningAnswer | None) -> bool:
    """Whether the last question is being answered, or came to nothing."""
    return talk is not None and (not talk.over or not talk.answer)


def _draw_unanswered(talk: RunningAnswer, *, busy: bool) -> None:
    """The last question, where its answer is being made or came to nothing."""
    draw_question(talk.wanted.text)
    if busy:
        draw_running_answer(talk)
        return
    with st.chat_message("assistant", avatar=BOOK):
        if talk.text:
            st.html(model_answer_html(talk.text, CitationButtons("", ())))
        if isinstance(talk.error, KalendsError):
            st.html(error_html(talk.error))
        elif talk.error:
            st.html(internal_error_html(talk.reference))
        else:
            st.html(note_html("Stopped. What was written until then is not kept."))
        draw_ask_again(talk.wanted.text, question_drafts.ask_next)


def _draw_greeting(catalogue: LibraryCatalogue, here: PageContext) -> None:
    passages = "1 passage" if catalogue.chunks == 1 else f"{catalogue.chunks:,} passages"
    documents = "1 document" if catalogue.readable == 1 else f"{catalogue.readable:,} documents"
    waiting = f"Ask about {passages} of {documents}."
    model = f"{here.settings.chat.model} answers from them, with numbered sources."
    st.html(nothing_html(waiting, model if available(here.settings) else _NO_KEY))


def _draw_question_box(limits: tuple[Filters, int] | None, *, busy: bool) -> None:
    """The box for the next question. It takes a text of any length: one that is cut or refused would be lost."""
    said = st.chat_input(
        "An answer is being made …" if busy else "Ask the documents",
        key="chat-question",
        disabled=busy or limits is None,
    )
    text = (said or "").strip()
    if not text or busy:
        return
    question_drafts.ask_next(text)
    st.rerun()


def _start_answer(text: str, here: PageContext, session: Session, limits: tuple[Filters, int]) -> None:
    """Begin an answer, if there is a question, and draw the page that follows it."""
    if not text:
        return
    context = ToolContext(here.settings, here.warehouse, datetime.now(UTC).date())
    talk = RunningAnswer(context, SearchRequest(text, limits[0], k=limits[1]), session)
    running_answers().begin(talk)
    go_to_conversation(talk.session.id)
    st.rerun()


WIDE_PIXELS = 1100
"""CSS pixels from which on an answer and a page stand side by side, each in half of them."""
_WIDTH_SCRIPT = """
export default function ({ data, setStateValue }) {
  const wide = window.matchMedia(`(min-width: ${data.least}px)`);
  const tell = () => setStateValue("wide", wide.matches);
  if (wide.matches !== data.known) tell();
  wide.addEventListener("change", tell);
  return () => wide.removeEventListener("change", tell);
}
"""


def follow_citation() -> None:
    """Open what the reader has just pressed in an answer."""
    asked = parse_source(pressed_value("cite"))
    if asked:
        set_source_in_address(*asked)


def opened_source(turns: Sequence[ChatTurn], warehouse: Warehouse) -> LocatedSource | None:
    """The source that the address names; None where it names none, or one that there is not."""
    asked = source_in_address()
    return cited_source(turns, *asked, warehouse) if asked else None


def answer_columns(source: LocatedSource | None) -> tuple[DeltaGenerator, DeltaGenerator | None]:
    """Where the answers go, and where the source does; None where it goes over the page, or there is none."""
    if not _is_wide() or source is None:
        return st.container(), None
    answers, side = st.columns([1, 1], gap="large")
    return answers, side


def draw_opened_source(source: LocatedSource, side: DeltaGenerator | None) -> None:
    """Draw the source."""
    if side is None:
        sources.open_source_dialog(source, clear_source_in_address)
        return
    with side, st.container(key="chat-beside"):
        st.button("Close", key="chat-close", type="tertiary", icon=":material/close:", on_click=clear_source_in_address)
        sources.draw_source(source, beside=True)


def _is_wide() -> bool:
    """Whether the window is, as it last told; no window has told anything before it was drawn once."""
    mount = st.components.v2.component("kalends_width", js=_WIDTH_SCRIPT)
    known = bool(st.session_state.get("kalends-wide", False))
    given = mount(data={"least": WIDE_PIXELS, "known": known}, key="kalends-width", on_wide_change=_nothing)
    told = given.get("wide")
    if told is not None:
        st.session_state["kalends-wide"] = bool(told)
    return bool(st.session_state.get("kalends-wide", False))


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""


def cited_source(turns: Sequence[ChatTurn], number: int, source: int, warehouse: Warehouse) -> LocatedSource | None:
    """The source of that number of the answer of a turn; None where there is none."""
    warehouse = warehouse.at()
    for turn in turns:
        if turn.number == number and turn.answer:
            return next((locate_source(warehouse, each) for each in turn.answer.sources if each.number == source), None)
        if turn.number == number:
            kept = turn.exchange.sources
            return next((locate_kept_source(warehouse, each) for each in kept if each.number == source), None)
    return None
