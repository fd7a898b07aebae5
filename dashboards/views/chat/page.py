"""Chat: questions in a row, answered with numbered sources that open."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime

import streamlit as st

from dashboards.chat.service import available
from dashboards.chat.sessions import Session, Sessions
from dashboards.drawing.answers import Cites, model_html
from dashboards.drawing.notices import error_html, internal_error_html, note_html, nothing_html
from dashboards.shapes.catalogue import Catalogue
from dashboards.tools.contract import Desk
from dashboards.views.chat import live
from dashboards.views.chat.conversations import choose, go_to, offer
from dashboards.views.chat.history import cited, opened, turns_of
from dashboards.views.chat.opening import pressed
from dashboards.views.chat.talking import Talk, talks
from dashboards.views.chat.turns import BOOK, Turn, ask, draw
from dashboards.views.filtering import filters_of
from dashboards.views.resources import Place, place
from dashboards.views.sources import show
from warehouse.errors import KalendsError
from warehouse.records import Filters, Wanted

SHOWN = 20
"""The latest exchanges of a session are drawn, the older on demand."""
LONGEST = 8000
"""Characters of a question."""
_NO_KEY = "There is no key for a language model (ANTHROPIC_API_KEY): the documents answer themselves, word for word."


def page() -> None:
    """Draw the conversation that the address names, and the box for the next question."""
    st.title("Chat")
    here = place()
    catalogue = here.catalogue()
    kept = Sessions(here.settings.warehouse)
    name = st.query_params.get("session", "")
    choose(kept, name)
    session = opened(kept, name)
    talk = talks().last(session.id) if session else None
    # Asked once: while the page is drawn, the answer goes on.
    busy = talk is not None and not talk.over
    limits = _limits(catalogue)
    turns = turns_of(session, talk, busy=busy)
    if turns and session:
        offer(session, here)
    asked = _told(turns, here)
    if talk and (busy or not talk.answer):
        _unanswered(talk, busy=busy)
    elif not turns:
        _greet(catalogue, here)
    _box(here, kept, session, limits, busy=busy)
    asked = pressed() or asked
    source = cited(turns, *asked, here.warehouse) if asked else None
    if source:
        show(source)


def _limits(catalogue: Catalogue) -> tuple[Filters, int] | None:
    """What the next question is limited to; None where what is chosen says nothing."""
    with st.expander("Limit the documents", icon=":material/filter_alt:"):
        try:
            filters, count = filters_of("chat", catalogue)
        except KalendsError as error:
            st.html(error_html(error))
            return None
    chosen = sum(getattr(filters, each.name) not in ((), None) for each in fields(Filters))
    if chosen:
        st.caption(f"The next question is asked within {chosen} {'limit' if chosen == 1 else 'limits'}.")
    return filters, count


def _told(turns: list[Turn], here: Place) -> tuple[int, int] | None:
    """Draw the exchanges. The turn and the number of the source that was asked for, if one was."""
    opened = None
    earlier = len(turns) - SHOWN
    if earlier > 0 and not st.toggle(f"Show {earlier} earlier", key="chat-earlier"):
        turns = turns[earlier:]
    for turn in turns:
        number = draw(turn, here.settings.chat)
        opened = (turn.number, number) if number else opened
    return opened


def _unanswered(talk: Talk, *, busy: bool) -> None:
    """The last question, where its answer is being made or came to nothing."""
    ask(talk.wanted.text)
    if busy:
        live.follow(talk)
        return
    with st.chat_message("assistant", avatar=BOOK):
        if talk.text:
            st.html(model_html(talk.text, Cites("", ())))
        if isinstance(talk.error, KalendsError):
            st.html(error_html(talk.error))
        elif talk.error:
            st.html(internal_error_html(talk.reference))
        else:
            st.html(note_html("Stopped. What was written until then is not kept."))


def _greet(catalogue: Catalogue, here: Place) -> None:
    waiting = f"{catalogue.chunks:,} passages of {catalogue.readable:,} documents wait for a question."
    model = f"{here.settings.chat.model} answers from them, with numbered sources."
    st.html(nothing_html(waiting, model if available(here.settings) else _NO_KEY))


def _box(
    here: Place, kept: Sessions, session: Session | None, limits: tuple[Filters, int] | None, *, busy: bool
) -> None:
    said = st.chat_input(
        "An answer is being made …" if busy else "Ask the documents",
        key="chat-question",
        max_chars=LONGEST,
        disabled=busy or limits is None,
    )
    text = (said or "").strip()
    if not text or limits is None or busy:
        return
    desk = Desk(here.settings, here.warehouse, datetime.now(UTC).date())
    talk = Talk(desk, Wanted(text, limits[0], k=limits[1]), session or kept.new())
    talks().begin(talk)
    go_to(talk.session.id)
    st.rerun()
