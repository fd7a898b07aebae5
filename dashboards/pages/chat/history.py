"""What was said in a conversation: its exchanges, and their sources."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from dashboards.assistant.sessions import Session, Sessions, exchange_of
from dashboards.drawing.notices import error_html
from dashboards.pages.chat.talking import RunningAnswer, running_answers
from dashboards.pages.chat.turns import ChatTurn
from dashboards.widgets.placing import LocatedSource, locate_kept_source, locate_source
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse


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
