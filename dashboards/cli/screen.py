"""Where an answer appears: streamed on a terminal, whole elsewhere, or a JSON line an event."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Protocol

import typer
from pydantic_core import to_json

from dashboards.assistant.answer_types import Again, Answer, Calling, Event, Piece
from dashboards.assistant.service import spent
from dashboards.cli.answers import after, plain, told
from dashboards.serializers.answers import answer_json, event_json
from warehouse.errors import KalendsError
from warehouse.settings.models import ChatSettings


class Screen(Protocol):
    """What a conversation is drawn on."""

    def tell(self, event: Event) -> None:
        """Something happens."""

    def answer(self, question: str, answer: Answer, session: str) -> None:
        """The answer is whole. `session` is the id of its session, empty for a question on its own."""

    def say(self, text: str) -> None:
        """A line of the program's own."""

    def fail(self, error: KalendsError) -> None:
        """No answer can be given."""


@dataclass(slots=True)
class Words:
    """For people. On a terminal (`live`) text appears as it is written, and where it breaks off the reason is said."""

    chat: ChatSettings
    live: bool
    streamed: bool = False

    def tell(self, event: Event) -> None:
        """Text, and what the model does meanwhile."""
        if not self.live:
            return
        match event:
            case Piece(text):
                self._write(plain(text))
            case Calling(name, given):
                shown = ", ".join(f"{key}={plain(str(value))[:60]}" for key, value in given.items())
                self._aside(f"{name}({shown})")
            case Again(why):
                self._aside(why)
                self.streamed = False

    def answer(self, question: str, answer: Answer, session: str) -> None:
        """All of it, or what is still to be said below what was streamed."""
        if not self.streamed:
            typer.echo("\n".join(told(answer)))
        else:
            typer.echo("")
            for line in (*after(answer, inline=False), *(f"Note: {note}" for note in answer.notes)):
                typer.echo(f"\n{line}")
        self.streamed = False
        if answer.usage.total:
            typer.echo(f"({spent(answer.usage, self.chat.prices)})")
        if session:
            typer.echo("")

    def say(self, text: str) -> None:
        """A line."""
        self._break()
        typer.echo(plain(text))

    def fail(self, error: KalendsError) -> None:
        """The one line of the error."""
        self._break()
        typer.echo(f"kalends: {error}", err=True)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
        self.streamed = True

    def _aside(self, text: str) -> None:
        self._break()
        typer.secho(f"   · {plain(text)}", dim=True, err=True)

    def _break(self) -> None:
        if self.streamed:
            typer.echo("")
            self.streamed = False


class Lines:
    """For programs: each event, and each answer, is one line of JSON."""

    def tell(self, event: Event) -> None:
        """As `event_json` has it."""
        self._line(event_json(event))

    def answer(self, question: str, answer: Answer, session: str) -> None:
        """As `answer_json` has it, with the id of the session."""
        self._line({"event": "answer", "session": session, **answer_json(question, answer)})

    def say(self, text: str) -> None:
        """What a command says."""
        self._line({"event": "said", "text": text})

    def fail(self, error: KalendsError) -> None:
        """What is wrong, and its cure."""
        self._line({"event": "error", "problem": error.problem, "cure": error.cure})

    def _line(self, value: dict[str, Any]) -> None:
        typer.echo(to_json(value, inf_nan_mode="null").decode())
        sys.stdout.flush()
