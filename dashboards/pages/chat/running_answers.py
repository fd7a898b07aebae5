"""Answers that are being made, and questions to go on with, each found in a thread of its own.

A page that is drawn again, or closed, does not interrupt an answer.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any

import streamlit as st

from dashboards.assistant.answer_types import (
    Answer,
    AnswerEvent,
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    StreamRestart,
    TextPiece,
    ToolCall,
    ToolCallStart,
)
from dashboards.assistant.answers import answer, as_standalone
from dashboards.assistant.follow_ups import find_follow_ups
from dashboards.assistant.sessions import Exchange, Session
from dashboards.assistant.suggestions.suggested_questions import SuggestedQuestions
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.safe_text import format_markdown_label, render_note, render_running_step
from dashboards.pages.chat.chat_html import CitationButtons, render_active_call, render_calls, render_model_answer
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import Filters, SearchRequest

BOOK = ":material/menu_book:"
PERMISSION_SECONDS = 300.0
"""Seconds that a tool which writes waits for the person's decision; without one it is refused."""
MAX_SESSIONS = 64
"""Sessions whose answers stay in memory with the passages read for them; other sessions are read from their files."""
REFRESH_SECONDS = 0.3  # Seconds between two displays of an answer that is being made.
MAX_ANSWERS = 256  # Answers whose follow-up questions stay in memory.
MAX_EXAMPLES = 3  # Questions that an empty conversation offers.
CHECK_SECONDS = 0.5  # Seconds between two checks whether follow-up questions were found.

SuggestionKey = tuple[str, int, str]
"""The id of a session, the number of a turn, and the generation with the filters of the next question.

Of an empty conversation the id is empty and the number 0.
"""
FollowUps = tuple[str, ...]

log = logging.getLogger(__name__)


class AnswerStopped(Exception):
    """The person has stopped the answer."""


@dataclass(frozen=True, slots=True)
class WritePermission:
    """A call of a tool that writes, and the person's decision on it; the first of `decisions` counts."""

    tool: str
    arguments: Mapping[str, Any]
    is_decided: Event
    decisions: list[bool]

    def decide(self, *, allowed: bool) -> None:
        """Allow or refuse the call."""
        self.decisions.append(allowed)
        self.is_decided.set()


class RunningAnswer:
    """An answer that a thread makes. At the end it has `answer` or `error`, or neither where it was stopped."""

    def __init__(self, context: ToolContext, request: SearchRequest, session: Session) -> None:
        """`request` is the question with its filters. Nothing happens before `start`."""
        self.request, self.session = request, session
        self.text, self.restart_reason, self.progress = "", "", ""
        self.sources: tuple[AnswerSource, ...] = ()
        self.calls: tuple[ToolCall, ...] = ()
        self.active_calls: tuple[ToolCallStart, ...] = ()
        self.permission: WritePermission | None = None
        self.earlier_exchanges = len(session.exchanges)
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self.reference = ""
        self._context, self._stop_event, self._end_event = context, Event(), Event()

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was stopped."""
        return self._end_event.is_set() or self._stop_event.is_set()

    def start(self) -> None:
        """Begin the answer in a thread of its own."""
        Thread(target=self._run, name="answer", daemon=True).start()

    def stop(self) -> None:
        """Stop the answer: nothing more is shown, and its thread ends at the next event."""
        self._stop_event.set()
        if self.permission:
            self.permission.decide(allowed=False)

    def _run(self) -> None:
        try:
            self.answer = answer(
                self._context,
                self.request,
                self.session,
                on_event=self._on_event,
                ask_permission=self._request_permission,
            )
        except AnswerStopped:
            log.info("an answer was stopped")
        except KalendsError as error:
            self.error = error
        except Exception as error:
            self.reference = record_internal_error(error)
            log.exception("an answer failed, reference %s", self.reference)
            self.error = error
        finally:
            self._end_event.set()

    def _on_event(self, event: AnswerEvent) -> None:
        if self._stop_event.is_set():
            raise AnswerStopped
        match event:
            case TextPiece(text):
                self.text += text
            case StreamRestart(reason):
                self.text, self.restart_reason, self.sources = "", reason, ()
            case AnswerSource():
                self.sources += (event,)
            case AnswerProgress(text):
                self.progress = text
            case ToolCallStart():
                self.active_calls += (event,)
            case ToolCall():
                self.active_calls, self.calls = self.active_calls[1:], (*self.calls, event)

    def _request_permission(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Wait until the person has decided on a call; without a decision in time it is refused."""
        permission = WritePermission(tool, arguments, Event(), [])
        self.permission = permission
        if not self._stop_event.is_set():
            permission.is_decided.wait(PERMISSION_SECONDS)
        self.permission = None
        return not self._stop_event.is_set() and permission.decisions[:1] == [True]


class RunningAnswers:
    """Latest running answer of each session, and earlier ones by question and text. Safe to share between threads."""

    def __init__(self) -> None:
        """No answer is running."""
        self._last: OrderedDict[str, RunningAnswer] = OrderedDict()
        self._full_answers: OrderedDict[str, dict[tuple[str, str], Answer]] = OrderedDict()
        self._lock = Lock()

    def begin(self, running: RunningAnswer) -> None:
        """Start an answer; it takes the place of the latest of its session."""
        with self._lock:
            self._remember(running.session.id)
            self._last[running.session.id] = running
            self._last.move_to_end(running.session.id)
            while len(self._last) > MAX_SESSIONS:
                oldest, _ = self._last.popitem(last=False)
                self._full_answers.pop(oldest, None)
        running.start()

    def find_latest(self, session: str) -> RunningAnswer | None:
        """The latest answer of a session, running or over."""
        with self._lock:
            return self._last.get(session)

    def get_full_answers(self, session: str) -> Mapping[tuple[str, str], Answer]:
        """The answers of a session that are in memory, by question and text."""
        with self._lock:
            self._remember(session)
            return dict(self._full_answers.get(session, {}))

    def forget(self, session: str) -> None:
        """Drop a session, and stop its running answer."""
        with self._lock:
            running = self._last.pop(session, None)
            self._full_answers.pop(session, None)
        if running:
            running.stop()

    def _remember(self, session: str) -> None:
        running = self._last.get(session)
        if running and running.answer:
            self._full_answers.setdefault(session, {})[running.request.text, running.answer.text] = running.answer


@st.cache_resource(show_spinner=False)
def get_running_answers() -> RunningAnswers:
    """The running answers of this process."""
    return RunningAnswers()


@st.fragment(run_every=REFRESH_SECONDS)
def draw_running_answer(running: RunningAnswer) -> None:
    """Draw the answer as far as it is made, repeatedly; the whole page is drawn again when the answer is over."""
    if running.is_over:
        st.rerun()
    with st.chat_message("assistant", avatar=BOOK):
        if running.restart_reason and not running.text:
            st.html(render_note(f"{running.restart_reason}: the answer starts again"))
        if running.calls:
            st.html(render_calls(running.calls))
        for call in running.active_calls:
            st.html(render_active_call(call.name, call.arguments))
        if running.text:
            # Without buttons: sources open once the answer is complete.
            st.html(render_model_answer(running.text, CitationButtons("", ())))
        if running.permission:
            _draw_permission(running.permission)
        else:
            st.html(render_running_step("Writing" if running.text else running.progress or "Reading the question"))
        st.button("Stop", key="chat-stop", icon=":material/stop_circle:", on_click=running.stop)


def _draw_permission(permission: WritePermission) -> None:
    st.html(render_note(f"The model wants to use {permission.tool}, which changes what is on this machine. Allow it?"))
    arguments = json.dumps(dict(permission.arguments), ensure_ascii=False, indent=2, default=str)
    st.code(arguments, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.button("Allow", key="chat-allow", type="primary", on_click=permission.decide, kwargs={"allowed": True})
        st.button("Refuse", key="chat-refuse", on_click=permission.decide, kwargs={"allowed": False})


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
            while len(self._follow_ups) > MAX_ANSWERS:
                self._follow_ups.popitem(last=False)
        # Not a daemon: the interpreter aborts where it ends while such a thread is in native code.
        Thread(target=self._find, args=(key, find), name="follow-ups", daemon=False).start()
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
def get_suggestions() -> Suggestions:
    """The suggestions of this process."""
    return Suggestions()


def draw_suggestions(
    number: int,
    exchange: Exchange,
    session: Session,
    context: ToolContext,
    filters: Filters,
    ask: Callable[[str], None],
) -> None:
    """Draw follow-up questions to the last exchange, turn `number`, within `filters`, as buttons that `ask` them."""
    if exchange.kind is AnswerKind.RECORDS:
        return

    def find() -> FollowUps:
        return find_follow_ups(context, as_standalone(context, SearchRequest(exchange.question, filters), session))

    draw_questions((session.id, number, f"{context.warehouse.generation} {filters}"), find, ask)


def draw_examples(context: ToolContext, ask: Callable[[str], None]) -> None:
    """Draw questions that the documents answer as buttons that `ask` them, once they are found."""

    def find() -> FollowUps:
        return tuple(question.text for question in SuggestedQuestions(context).get_first(MAX_EXAMPLES))

    draw_questions(("", 0, str(context.warehouse.generation)), find, ask)


def draw_questions(key: SuggestionKey, find: Callable[[], FollowUps], ask: Callable[[str], None]) -> None:
    """Draw the questions that `find` finds, once for each `key`, as buttons that `ask` them."""
    questions = get_suggestions().get(key, find)
    if questions is None:
        with st.container(key="chat-follow-ups-wait"):
            _draw_waiting(key, find)
        return
    with st.container(key="chat-follow-ups"):
        for place, question in enumerate(questions, 1):
            st.button(
                format_markdown_label(question, 200),
                key=f"chat-follow-up-{key[1]}-{place}",
                type="tertiary",
                icon=":material/subdirectory_arrow_right:",
                on_click=ask,
                args=(question,),
            )


@st.fragment(run_every=CHECK_SECONDS)
def _draw_waiting(key: SuggestionKey, find: Callable[[], FollowUps]) -> None:
    """Draw a note that questions are being looked for, and the whole page again once the search has ended."""
    if get_suggestions().get(key, find) is not None:
        st.rerun()
    st.html(render_running_step("Looking for questions that the documents answer"))
