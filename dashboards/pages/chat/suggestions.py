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
"""Answers whose follow-ups a process keeps."""
REFRESH_SECONDS = 0.5
"""Seconds between two looks whether they are found."""

SuggestionKey = tuple[str, int, str]
Found = tuple[str, ...]
log = logging.getLogger(__name__)


class Suggestions:
    """Follow-ups by answer, each found once, in a thread of its own. Safe to share between threads."""

    def __init__(self) -> None:
        """None are known."""
        self._found: OrderedDict[SuggestionKey, Found | None] = OrderedDict()
        self._lock = Lock()

    def of(self, key: SuggestionKey, find: Callable[[], Found]) -> Found | None:
        """Those of an answer; None while they are looked for, which the first call begins."""
        with self._lock:
            if key in self._found:
                return self._found[key]
            self._found[key] = None
            while len(self._found) > MOST_ANSWERS:
                self._found.popitem(last=False)
        Thread(target=self._find, args=(key, find), name="follow-ups", daemon=True).start()
        return None

    def _find(self, key: SuggestionKey, find: Callable[[], Found]) -> None:
        found: Found = ()
        try:
            found = find()
        except KalendsError as error:
            log.debug("no follow-ups: %s", error)
        except Exception:
            # An answer is there without them.
            log.exception("follow-ups of an answer failed")
        with self._lock:
            self._found[key] = found


@st.cache_resource(show_spinner=False)
def suggestions() -> Suggestions:
    """Those of the process."""
    return Suggestions()


def draw_suggestions(
    turn: ChatTurn, session: Session, context: ToolContext, filters: Filters, go_on: Callable[[str], None]
) -> None:
    """Draw the follow-ups of the last answer within the limits of the next; `go_on` asks the one that is pressed.

    Of an answer about the collection itself there are none.
    """
    if turn.exchange.kind is AnswerKind.RECORDS:
        return

    def find() -> Found:
        return follow_ups(context, as_standalone(context, SearchRequest(turn.exchange.question, filters), session))

    key = (session.id, turn.number, f"{context.warehouse.generation} {filters}")
    found = suggestions().of(key, find)
    if found is None:
        _draw_waiting(key, find)
        return
    with st.container(key="chat-follow-ups"):
        for number, question in enumerate(found, 1):
            st.button(
                markdown_label(question, 200),
                key=f"chat-follow-up-{turn.number}-{number}",
                type="tertiary",
                icon=":material/subdirectory_arrow_right:",
                on_click=go_on,
                args=(question,),
            )


@st.fragment(run_every=REFRESH_SECONDS)
def _draw_waiting(key: SuggestionKey, find: Callable[[], Found]) -> None:
    if suggestions().of(key, find):
        st.rerun()
