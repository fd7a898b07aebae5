"""Follow-up questions to the last answer, found in a thread and offered below it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock, Thread

import streamlit as st

from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.answers import as_standalone
from dashboards.assistant.follow_ups import follow_ups
from dashboards.assistant.sessions import Session
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.safe_text import markdown_label
from dashboards.pages.chat.turns import ChatTurn
from warehouse.errors import KalendsError
from warehouse.records import Filters, SearchRequest

MOST_ANSWERS = 256
"""Answers whose follow-up questions stay in memory."""
REFRESH_SECONDS = 0.5
"""Seconds between two checks whether follow-up questions were found."""

SuggestionKey = tuple[str, int, str]
"""The id of a session, the number of a turn, and the generation with the filters of the next question."""
FollowUps = tuple[str, ...]
log = logging.getLogger(__name__)


class Suggestions:
    """Follow-up questions by answer, found once for each in a thread of its own. Safe to share between threads."""

    def __init__(self) -> None:
        """No answer has follow-up questions yet."""
        self._follow_ups: OrderedDict[SuggestionKey, FollowUps | None] = OrderedDict()
        self._lock = Lock()

    def get(self, key: SuggestionKey, find: Callable[[], FollowUps]) -> FollowUps | None:
        """The follow-up questions of an answer; None until they are found. The first call begins to find them."""
        with self._lock:
            if key in self._follow_ups:
                return self._follow_ups[key]
            self._follow_ups[key] = None
            while len(self._follow_ups) > MOST_ANSWERS:
                self._follow_ups.popitem(last=False)
        Thread(target=self._find, args=(key, find), name="follow-ups", daemon=True).start()
        return None

    def _find(self, key: SuggestionKey, find: Callable[[], FollowUps]) -> None:
        questions: FollowUps = ()
        try:
            questions = find()
        except KalendsError as error:
            log.debug("no follow-ups: %s", error)
        except Exception:
            # The answer is complete without them.
            log.exception("follow-ups of an answer failed")
        with self._lock:
            self._follow_ups[key] = questions


@st.cache_resource(show_spinner=False)
def suggestions() -> Suggestions:
    """The suggestions of this process."""
    return Suggestions()


def draw_suggestions(
    turn: ChatTurn, session: Session, context: ToolContext, filters: Filters, ask: Callable[[str], None]
) -> None:
    """Draw the follow-up questions of the last answer as buttons; `ask` asks the one that is pressed.

    `filters` are those of the next question. An answer about the collection itself has no follow-up questions.
    """
    if turn.exchange.kind is AnswerKind.RECORDS:
        return

    def find() -> FollowUps:
        return follow_ups(context, as_standalone(context, SearchRequest(turn.exchange.question, filters), session))

    key = (session.id, turn.number, f"{context.warehouse.generation} {filters}")
    questions = suggestions().get(key, find)
    if questions is None:
        _draw_waiting(key, find)
        return
    with st.container(key="chat-follow-ups"):
        for number, question in enumerate(questions, 1):
            st.button(
                markdown_label(question, 200),
                key=f"chat-follow-up-{turn.number}-{number}",
                type="tertiary",
                icon=":material/subdirectory_arrow_right:",
                on_click=ask,
                args=(question,),
            )


@st.fragment(run_every=REFRESH_SECONDS)
def _draw_waiting(key: SuggestionKey, find: Callable[[], FollowUps]) -> None:
    if suggestions().get(key, find):
        st.rerun()
