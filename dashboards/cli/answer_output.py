"""Answers as text with footnotes, and the screens they are printed on: a terminal, a file or pipe, JSON lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from pydantic_core import to_json

from dashboards.assistant.answer_types import (
    UNPROVEN,
    Answer,
    AnswerEvent,
    AnswerKind,
    AnswerSource,
    ExtractsStatus,
    StreamRestart,
    TextPiece,
    ToolCallStart,
    group_claims_by_tool,
    mark_unproven,
)
from dashboards.assistant.service import describe_usage
from dashboards.cli.text_output import format_citation_heading, format_citation_source, format_passage, wrap_text
from dashboards.serializers.answer_json import serialize_answer, serialize_event
from warehouse.errors import KalendsError
from warehouse.settings.models import ChatSettings

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NEAR = 40


def without_control(text: str) -> str:
    """The text without control characters and bidirectional overrides, which could change what a terminal shows."""
    return _CONTROL.sub("", text)


def iter_answer_lines(answer: Answer) -> Iterator[str]:
    """The lines of an answer: notes, text with unproven claims marked, footnotes."""
    yield from (f"Note: {note}\n" for note in answer.notes)
    if answer.kind is AnswerKind.EXTRACTS and answer.sources:
        if answer.extracts_status is ExtractsStatus.ANSWER:
            yield "Verbatim extracts from the documents:\n"
        yield format_passage(without_control(answer.text)) + "\n"
    else:
        yield wrap_text(without_control(mark_unproven(answer))) + "\n" * bool(answer.sources)
    yield from iter_footer_lines(answer)


def iter_footer_lines(answer: Answer, *, inline: bool = True) -> Iterator[str]:
    """The lines below an answer: how many claims are unproven, which ones if not marked `inline`, and the footnotes.

    A tool whose result proves what no passage does has a footnote of its own.
    """
    missing = list_unproven_claims(answer)
    if missing:
        summary = f"{UNPROVEN} {len(missing)} of {len(answer.claims)} numbers and quotations are in none of its sources"
        yield f"{summary}.\n" if inline else "\n".join([f"{summary}:", *(f"   {line}" for line in missing)])
    records = answer.kind is AnswerKind.RECORDS
    notes = [
        f"[{source.number}] {source.citation.url}" if records else _format_footnote(source) for source in answer.sources
    ]
    notes += [
        f"[{name}] {without_control(', '.join(arguments))}" for name, arguments in group_claims_by_tool(answer).items()
    ]
    if notes:
        yield "\n".join(notes)


def _format_footnote(source: AnswerSource) -> str:
    return (
        f"{format_citation_heading(f'[{source.number}]', source.citation)}\n{format_citation_source(source.citation)}"
    )


def list_unproven_claims(answer: Answer) -> Sequence[str]:
    """Each number and quotation that is in none of the sources, with the words before it."""
    claims = []
    for claim in answer.claims:
        if not claim.proven:
            before = answer.text[: claim.start]
            if len(before) > _NEAR:
                before = "… " + before[-_NEAR:].partition(" ")[2]
            words = (before + answer.text[claim.start : claim.end]).split()
            claims.append(without_control(" ".join(words)) + UNPROVEN)
    return claims


@dataclass(slots=True)
class TextScreen:
    """Text for people; with `live`, on a terminal, an answer appears while the model writes it."""

    chat: ChatSettings
    live: bool
    has_open_text: bool = False

    def show_event(self, event: AnswerEvent) -> None:
        """Write text as it comes, calls of tools, and why an answer starts again."""
        if not self.live:
            return
        match event:
            case TextPiece(text):
                sys.stdout.write(without_control(text))
                sys.stdout.flush()
                self.has_open_text = True
            case ToolCallStart(name, values):
                arguments = ", ".join(f"{key}={without_control(str(value))[:60]}" for key, value in values.items())
                self._print_aside(f"{name}({arguments})")
            case StreamRestart(why):
                self._print_aside(why)
                self.has_open_text = False

    def show_answer(self, question: str, answer: Answer, session: str) -> None:
        """Print the answer, or only its footer and notes if its text was streamed."""
        if not self.has_open_text:
            typer.echo("\n".join(iter_answer_lines(answer)))
        else:
            typer.echo("")
            for line in (*iter_footer_lines(answer, inline=False), *(f"Note: {note}" for note in answer.notes)):
                typer.echo(f"\n{line}")
        self.has_open_text = False
        if answer.usage.total:
            typer.echo(f"({describe_usage(answer.usage, self.chat.prices)})")
        if session:
            typer.echo("")

    def show_text(self, text: str) -> None:
        """Print the text on a line of its own."""
        self._end_line()
        typer.echo(without_control(text))

    def show_error(self, error: KalendsError) -> None:
        """Print the error in one line on standard error."""
        self._end_line()
        typer.echo(f"kalends: {error}", err=True)

    def _print_aside(self, text: str) -> None:
        self._end_line()
        typer.secho(f"   · {without_control(text)}", dim=True, err=True)

    def _end_line(self) -> None:
        if self.has_open_text:
            typer.echo("")
            self.has_open_text = False


class JsonScreen:
    """JSON lines for programs, one for each event and answer."""

    def show_event(self, event: AnswerEvent) -> None:
        """Print the JSON of the event (`serialize_event`)."""
        self._print_line(serialize_event(event))

    def show_answer(self, question: str, answer: Answer, session: str) -> None:
        """Print the JSON of the answer (`serialize_answer`) with the id of the session."""
        self._print_line({"event": "answer", "session": session, **serialize_answer(question, answer)})

    def show_text(self, text: str) -> None:
        """Print the output of a command."""
        self._print_line({"event": "said", "text": text})

    def show_error(self, error: KalendsError) -> None:
        """Print the problem and what to do about it."""
        self._print_line({"event": "error", "problem": error.problem, "cure": error.cure})

    def _print_line(self, value: dict[str, Any]) -> None:
        typer.echo(to_json(value, inf_nan_mode="null").decode())
        sys.stdout.flush()


Screen = TextScreen | JsonScreen  # Output of a conversation.
