"""Answers that are being made, each in a thread of its own, and their display while they grow.

A page that is drawn again, or closed, does not interrupt an answer.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event as Flag
from threading import Lock, Thread
from typing import Any

import streamlit as st

from dashboards.assistant.answer_types import (
    Answer,
    AnswerEvent,
    AnswerProgress,
    AnswerSource,
    StreamRestart,
    TextPiece,
    ToolCall,
    ToolCallStart,
)
from dashboards.assistant.answers import answer
from dashboards.assistant.sessions import Session
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.notices import busy_html, note_html
from dashboards.pages.chat.html import CitationButtons, active_call_html, calls_html, model_answer_html
from dashboards.pages.chat.turns import BOOK
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import SearchRequest

PERMISSION_SECONDS = 300.0
"""Seconds that a tool which writes waits for leave; silence is none."""
MOST_SESSIONS = 64
"""Sessions whose answers are held whole, with what was read for them; of others remains what their files keep."""

log = logging.getLogger(__name__)


class AnswerStopped(Exception):
    """The person has enough: the answer is not made to its end."""


@dataclass(frozen=True, slots=True)
class WritePermission:
    """What a model wants to write, and where the person's word goes."""

    name: str
    given: Mapping[str, Any]
    said: Flag
    words: list[bool]

    def say(self, *, allowed: bool) -> None:
        """Allow it or not."""
        self.words.append(allowed)
        self.said.set()


class RunningAnswer:
    """One question on its way to its answer. `answer` or `error` is there at the end, neither where it was stopped."""

    def __init__(self, context: ToolContext, wanted: SearchRequest, session: Session) -> None:
        """`wanted` is the question with its filters. It begins with `start`."""
        self.wanted, self.session = wanted, session
        self.text, self.why, self.progress = "", "", ""  # `progress` says what is being done now.
        self.sources: tuple[AnswerSource, ...] = ()
        self.calls: tuple[ToolCall, ...] = ()
        self.doing: tuple[ToolCallStart, ...] = ()
        self.leave: WritePermission | None = None
        self.before = len(session.exchanges)
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self.reference = ""
        self._desk, self._stopped, self._ended = context, Flag(), Flag()

    @property
    def over(self) -> bool:
        """Whether nothing more comes."""
        return self._ended.is_set() or self._stopped.is_set()

    def start(self) -> None:
        """Begin."""
        Thread(target=self._run, name="talk", daemon=True).start()

    def stop(self) -> None:
        """Break it off: nothing more is shown, and the thread ends with the next thing that happens."""
        self._stopped.set()
        if self.leave:
            self.leave.say(allowed=False)

    def _run(self) -> None:
        try:
            self.answer = answer(self._desk, self.wanted, self.session, tell=self._tell, permit=self._permit)
        except AnswerStopped:
            log.info("an answer was stopped")
        except KalendsError as error:
            self.error = error
        except Exception as error:
            self.reference = record_internal_error(error)
            log.exception("an answer failed, reference %s", self.reference)
            self.error = error
        finally:
            self._ended.set()

    def _tell(self, event: AnswerEvent) -> None:
        if self._stopped.is_set():
            raise AnswerStopped
        match event:
            case TextPiece(text):
                self.text += text
            case StreamRestart(why):
                self.text, self.why, self.sources = "", why, ()
            case AnswerSource():
                self.sources += (event,)
            case AnswerProgress(text):
                self.progress = text
            case ToolCallStart():
                self.doing += (event,)
            case ToolCall():
                self.doing, self.calls = self.doing[1:], (*self.calls, event)

    def _permit(self, name: str, given: Mapping[str, Any]) -> bool:
        leave = WritePermission(name, given, Flag(), [])
        self.leave = leave
        if not self._stopped.is_set():
            leave.said.wait(PERMISSION_SECONDS)
        self.leave = None
        return not self._stopped.is_set() and leave.words[:1] == [True]


class RunningAnswers:
    """The last talk of each session, and its whole answers by question and text. Safe to share between threads."""

    def __init__(self) -> None:
        """Nobody talks yet."""
        self._last: OrderedDict[str, RunningAnswer] = OrderedDict()
        self._whole: OrderedDict[str, dict[tuple[str, str], Answer]] = OrderedDict()
        self._lock = Lock()

    def begin(self, talk: RunningAnswer) -> None:
        """Start a talk, in the place of the last of its session."""
        with self._lock:
            self._remember(talk.session.id)
            self._last[talk.session.id] = talk
            self._last.move_to_end(talk.session.id)
            while len(self._last) > MOST_SESSIONS:
                forgotten, _ = self._last.popitem(last=False)
                self._whole.pop(forgotten, None)
        talk.start()

    def last(self, session: str) -> RunningAnswer | None:
        """The talk that goes on in a session, or the last that did."""
        with self._lock:
            return self._last.get(session)

    def whole(self, session: str) -> Mapping[tuple[str, str], Answer]:
        """The answers of a session that are held whole, by question and text."""
        with self._lock:
            self._remember(session)
            return dict(self._whole.get(session, {}))

    def forget(self, session: str) -> None:
        """Let a session go, and stop what goes on in it."""
        with self._lock:
            talk = self._last.pop(session, None)
            self._whole.pop(session, None)
        if talk:
            talk.stop()

    def _remember(self, session: str) -> None:
        talk = self._last.get(session)
        if talk and talk.answer:
            self._whole.setdefault(session, {})[talk.wanted.text, talk.answer.text] = talk.answer


@st.cache_resource(show_spinner=False)
def running_answers() -> RunningAnswers:
    """Those of the process."""
    return RunningAnswers()


REFRESH_SECONDS = 0.3
"""Seconds between two looks at what has come."""


@st.fragment(run_every=REFRESH_SECONDS)
def draw_running_answer(talk: RunningAnswer) -> None:
    """Draw what there is so far; the page is drawn anew when it is over."""
    if talk.over:
        st.rerun()
    with st.chat_message("assistant", avatar=BOOK):
        if talk.why and not talk.text:
            st.html(note_html(f"{talk.why}: it begins again"))
        if talk.calls:
            st.html(calls_html(talk.calls))
        for doing in talk.doing:
            st.html(active_call_html(doing.name, doing.arguments))
        if talk.text:
            # The marks open nothing before the answer is whole.
            st.html(model_answer_html(talk.text, CitationButtons("", ())))
        if talk.leave:
            _draw_permission(talk.leave)
        else:
            st.html(busy_html("Writing" if talk.text else talk.progress or "Reading the question"))
        st.button("Stop", key="chat-stop", icon=":material/stop_circle:", on_click=talk.stop)


def _draw_permission(leave: WritePermission) -> None:
    """A tool that writes waits for a word; none in time is a no."""
    st.html(note_html(f"The model wants to use {leave.name}, which changes what is on this machine. Allow it?"))
    st.code(json.dumps(dict(leave.given), ensure_ascii=False, indent=2, default=str), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.button("Allow", key="chat-allow", type="primary", on_click=leave.say, kwargs={"allowed": True})
        st.button("Refuse", key="chat-refuse", on_click=leave.say, kwargs={"allowed": False})
