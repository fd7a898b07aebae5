"""A conversation on the command line: questions and slash commands in, answers and explanations out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from dashboards.assistant.answer_types import Answer, AnswerKind
from dashboards.assistant.answers import answer
from dashboards.assistant.service import describe_usage, is_model_available
from dashboards.assistant.sessions import Session, Sessions, format_conversation, iter_session_summaries
from dashboards.assistant.suggestions.suggested_questions import SuggestedQuestions
from dashboards.assistant.tools.contract import ToolContext
from dashboards.cli.answer_output import Screen, list_unproven_claims, without_control
from warehouse.errors import BadInput, KalendsError
from warehouse.records import SearchRequest
from warehouse.settings.models import ChatSettings

_HELP = """\
/examples      list questions that the documents answer
/sources       list the sources of the last answer, with links and the quoted words
/explain       show how the last answer was made: tools, passages, proof, cost
/reset         start a new session
/export FILE   write the session as Markdown, with its sources
/sessions      list the saved sessions
/help          show this list
/quit          end the chat, like Ctrl-D; Ctrl-C stops an answer"""
_PROMPT = "> "
_MAX_EXAMPLES = 6


class Chat:
    """One conversation; with `person`, somebody at a terminal can be asked for permission."""

    def __init__(
        self,
        context: ToolContext,
        request: SearchRequest,
        sessions: Sessions,
        session: Session,
        screen: Screen,
        *,
        person: bool,
        extracts_only: bool,
    ) -> None:
        """`request` has the filters and ranking options of all questions."""
        self._context, self._request, self._sessions, self._session = context, request, sessions, session
        self._screen, self._person, self._extracts_only = screen, person, extracts_only
        self._last: Answer | None = None

    def run(self) -> None:
        """Answer the lines of input until they end."""
        if not self._extracts_only and not is_model_available(self._context.settings):
            notice = "no key for a language model (ANTHROPIC_API_KEY): answers are verbatim extracts from the documents"
            typer.echo(f"kalends: {notice}", err=True)
        if self._person:
            self._screen.show_text("Ask a question; /help lists the commands, Ctrl-D ends the chat.")
            for exchange in self._session.exchanges[-1:]:
                self._screen.show_text(f"The last question of this session: {exchange.question}")
        while (line := self._read_line()) is not None and line != "/quit":
            if line.startswith("/"):
                self._run_command(*line.split(maxsplit=1))
            elif line:
                self._answer_question(line)
        if self._session.exchanges:
            typer.echo(f"kalends: 'kalends chat --session {self._session.id}' continues this session", err=True)

    def _read_line(self) -> str | None:
        """The next line of input, stripped; None at the end."""
        try:
            if self._person:
                import readline  # noqa: F401 - gives the prompt its arrow keys

                return input(_PROMPT).strip()
            line = sys.stdin.readline()
            return line.strip() if line else None
        except EOFError:
            typer.echo("")
            return None
        except KeyboardInterrupt:
            if not self._person:
                raise
            typer.echo("\n(Ctrl-D ends the chat)")
            return ""

    def _answer_question(self, text: str) -> None:
        context = replace(self._context, today=datetime.now(UTC).date())
        request = replace(self._request, text=text)
        try:
            self._last = answer(
                context,
                request,
                self._session,
                on_event=self._screen.show_event,
                ask_permission=self._ask_permission,
                extracts_only=self._extracts_only,
            )
        except KeyboardInterrupt:
            self._screen.show_text("Stopped.")
        except KalendsError as error:
            self._screen.show_error(error)
        else:
            self._screen.show_answer(text, self._last, self._session.id)

    def _ask_permission(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Ask the person whether a tool may write; without a person it may not."""
        if not self._person:
            return False
        self._screen.show_text(f"The model wants to use {name}:")
        for key, value in arguments.items():
            self._screen.show_text(f"   {key}: {value}")
        try:
            return input("Allow it? [y/N] ").strip().lower() in {"y", "yes"}
        except EOFError:
            return False

    def _run_command(self, command: str, argument: str = "") -> None:
        try:
            match command:
                case "/examples":
                    questions = SuggestedQuestions(self._context).get_first(_MAX_EXAMPLES)
                    examples = "\n".join(question.text for question in questions)
                    self._screen.show_text(examples or "No question could be made from these documents.")
                case "/sources":
                    self._screen.show_text("\n".join(self._iter_source_lines()) or "The last answer has no sources.")
                case "/explain":
                    lines = iter_explanation_lines(self._last, self._session, self._context.settings.chat)
                    self._screen.show_text("\n".join(lines))
                case "/reset":
                    self._session, self._last = self._sessions.start_session(), None
                    self._screen.show_text("A new session has started; /sessions lists the earlier ones.")
                case "/export":
                    self._screen.show_text(f"Written to {self._export_session(argument)}.")
                case "/sessions":
                    summaries = "\n".join(map(str, iter_session_summaries(self._sessions)))
                    self._screen.show_text(summaries or "There are no saved sessions.")
                case "/help":
                    self._screen.show_text(_HELP)
                case _:
                    raise BadInput(f"there is no command {command}", "/help lists the commands")
        except KalendsError as error:
            self._screen.show_error(error)

    def _iter_source_lines(self) -> Iterator[str]:
        for exchange in self._session.exchanges[-1:]:
            for source in exchange.sources:
                yield f"[{source.number}] {source.line}"
                yield from (f"   {source.url}",) if source.url else ()
                yield from (f"   “{' '.join(quote.split())}”" for quote in source.quotes)

    def _export_session(self, name: str) -> Path:
        if not name:
            raise BadInput("/export needs a file name", "for example /export answers.md")
        path = Path(name).expanduser()
        try:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(format_conversation(self._session.exchanges))
        except FileExistsError:
            raise BadInput(f"{path} already exists", "choose another file name") from None
        except OSError as error:
            raise BadInput(f"{path} cannot be written ({error.strerror})", "choose another file name") from None
        return path


def iter_explanation_lines(answer: Answer | None, session: Session, chat: ChatSettings) -> Iterator[str]:
    """The tools, passages, proof and cost of an answer, and the cost of the session."""
    cost = describe_usage(session.usage, chat.prices)
    total = f"Session    {len(session.exchanges)} exchanges, {cost}; the limit is {chat.budget:,} tokens"
    if answer is None:
        yield from ("No question has been answered since this chat started.", total)
        return
    by = {
        AnswerKind.MODEL: chat.model,
        AnswerKind.EXTRACTS: "verbatim extracts from the documents",
        AnswerKind.RECORDS: "the records of the documents",
    }
    yield f"Answered   by {by[answer.kind]}"
    for call in answer.calls:
        arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())[:200]
        how = f"failed: {call.text}" if call.failed else "answered"
        yield f"Tool       {without_control(f'{call.name}({arguments}) {how} in {call.seconds:.2f} s')}"
    source_numbers = {source.hit.chunk_id: source.number for source in answer.sources}
    for hit in answer.hits:
        mark = f"[{source_numbers[hit.chunk_id]}] " if hit.chunk_id in source_numbers else ""
        yield f"Read       {mark}{hit.citation.formatted}"
    if answer.proven is not None:
        yield f"Proof      {answer.proven:.0%} of {len(answer.claims)} numbers and quotations are in its sources"
    yield from (f"Unproven   {unproven_claim}" for unproven_claim in list_unproven_claims(answer))
    yield from (f"Note       {note}" for note in answer.notes)
    for number, round_cost in enumerate(answer.costs if len(answer.costs) > 1 else (), 1):
        yield f"Cost       of round {number}: {describe_usage(round_cost, chat.prices).partition(', ')[2]}"
    yield f"Cost       {describe_usage(answer.usage, chat.prices)}"
    yield total
