"""Answers by the model: condense the history, split the question, answer each part concurrently, merge.

A single independent question is answered directly. Every step except answering is optional: if the model fails at it,
the next step uses the input of the failed one. Merging renumbers the sources of the parts.

Of a session, the newest exchanges go to the model verbatim and the older ones condensed. Two exchanges (four messages)
always stay verbatim; as soon as two more precede them, those are condensed together with the earlier condensed text,
once, and the result is kept in the session.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from threading import Event as Flag
from threading import Lock
from typing import Annotated, Any

from anthropic import Anthropic
from anthropic.types import Message
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from dashboards.assistant.answer_types import (
    Answer,
    AnswerEvent,
    ConversationTurn,
    EventHandler,
    PermissionCallback,
    ToolCall,
    ToolCallStart,
    Usage,
    emit_answer,
)
from dashboards.assistant.citable_passages import CitableMaterial
from dashboards.assistant.loop import converse
from dashboards.assistant.prompts import enclose_in_tags, read_prompt
from dashboards.assistant.proof import check_claims
from dashboards.assistant.query_rewriting import may_be_several, may_refer_back
from dashboards.assistant.service import get_shared_client
from dashboards.assistant.sessions import CondensedExchanges, Exchange, Session
from dashboards.assistant.streaming import FAILURES, AnswerWriter, describe_failure, read_usage
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import NoAnswer
from warehouse.records import Filters

TOKENS = 1024  # The longest answer of an auxiliary call.
SECONDS = 30.0  # The longest wait for it: an auxiliary call must not take as long as an answer may.
VERBATIM = 2  # Exchanges, of two messages each, that always stay as they are.


@dataclass(frozen=True, slots=True)
class ConversationHistory:
    """The conversation before a question: the older exchanges `condensed_text`, the newer ones as `turns`."""

    condensed_text: str = ""
    turns: tuple[ConversationTurn, ...] = ()

    @classmethod
    def from_exchanges(cls, condensed_text: str, exchanges: Sequence[Exchange]) -> ConversationHistory:
        """The history of some exchanges after those that are condensed."""
        pairs = ((exchange.question, exchange.answer) for exchange in exchanges)
        turns = (ConversationTurn(*turn) for pair in pairs for turn in zip(("user", "assistant"), pair, strict=True))
        return cls(condensed_text, tuple(turns))

    def __str__(self) -> str:
        """The whole history as text."""
        lines = [f"{turn.role}: {turn.text}" for turn in self.turns]
        return "\n\n".join(filter(None, [self.condensed_text, *lines]))


_Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=2000)]


class _AskedQuestion(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    questions: list[_Question] = Field(min_length=1, max_length=4, description="Each understood alone.")


_SPLITTING = {
    "name": "ask",
    "description": "Ask the questions that are to be answered.",
    "input_schema": _AskedQuestion.model_json_schema(),
}


def answer_by_model(
    context: ToolContext,
    text: str,
    session: Session | None,
    *,
    on_event: EventHandler,
    ask_permission: PermissionCallback,
) -> Answer:
    """The model's answer. Raises `NoAnswer` where it gives none."""
    return _ModelAnswer(context, get_shared_client(context.settings), on_event, ask_permission).answer(text, session)


@dataclass(frozen=True, slots=True)
class _ModelAnswer:
    """An answer in the making, or that to a part of a question."""

    context: ToolContext
    client: Anthropic
    on_event: EventHandler
    ask_permission: PermissionCallback

    def answer(self, text: str, session: Session | None) -> Answer:
        before = self._read_history(session)
        questions, usage = self._split_question(text, before)
        if len(questions) == 1:
            question = text if questions[0] == text else f"{text}\n\n(That is: {questions[0]})"
            answer = self._answer_one(question, before)
        else:
            answer = self._answer_parts(text, questions)
        if not usage.rounds:
            return answer
        return replace(answer, usage=usage + answer.usage, costs=(usage, *answer.costs))

    def _ask_auxiliary(self, task: str, text: str, **tool_choice: Any) -> Message:
        """The model's message on a text, under the system prompt named `task`.

        Retried once. Raises one of `FAILURES`, after which the answer is made without it.
        """
        message: Message = self.client.with_options(max_retries=1, timeout=SECONDS).messages.create(
            model=self.context.settings.chat.model,
            max_tokens=TOKENS,
            system=read_prompt(task),
            messages=[{"role": "user", "content": text}],
            **tool_choice,
        )
        return message

    def _read_history(self, session: Session | None) -> ConversationHistory:
        """The session's history, condensed where it has become long; if condensing fails, all of it verbatim."""
        if session is None:
            return ConversationHistory()
        exchanges, before = session.exchanges, session.condensed_exchanges
        condensed_text = before.text if before else ""
        new_exchanges = exchanges[before.exchanges if before else 0 :]
        if len(new_exchanges) >= 2 * VERBATIM:
            older = str(ConversationHistory.from_exchanges(condensed_text, new_exchanges[:-VERBATIM]))
            try:
                message = self._ask_auxiliary("condense", enclose_in_tags("conversation", older))
            except FAILURES:
                return ConversationHistory.from_exchanges(condensed_text, new_exchanges)
            text = "".join(block.text for block in message.content if block.type == "text").strip()
            if text:
                # If it cannot be stored, neither can the answer, and a note of the answer reports that.
                with suppress(OSError):
                    session.append(CondensedExchanges(len(exchanges) - VERBATIM, text, read_usage(message)))
                condensed_text, new_exchanges = text, new_exchanges[-VERBATIM:]
        return ConversationHistory.from_exchanges(condensed_text, new_exchanges)

    def _split_question(self, text: str, before: ConversationHistory) -> tuple[tuple[str, ...], Usage]:
        """The questions that a text consists of, each standalone, by the model where its words suggest several.

        A plain question on its own costs nothing. Where the model fails or violates the schema: the text itself.
        """
        history = str(before)
        if not (may_be_several(text) or (history and may_refer_back(text))):
            return (text,), Usage()
        material = f"{enclose_in_tags('conversation', history)}\n\n" if history else ""
        choice = {"type": "tool", "name": _SPLITTING["name"]}
        try:
            message = self._ask_auxiliary(
                "split", material + enclose_in_tags("question", text), tools=[_SPLITTING], tool_choice=choice
            )
        except FAILURES:
            return (text,), Usage()
        tool_input = next((block.input for block in message.content if block.type == "tool_use"), None)
        try:
            questions = tuple(dict.fromkeys(_AskedQuestion.model_validate(tool_input).questions))
        except ValidationError:
            questions = (text,)
        return questions, read_usage(message)

    def _answer_one(self, text: str, before: ConversationHistory) -> Answer:
        return converse(
            self.context,
            [*before.turns, ConversationTurn("user", text)],
            on_event=self.on_event,
            ask_permission=self.ask_permission,
            system=read_prompt("manner"),
            circumstances=format_context(self.context, before.condensed_text),
            client=self.client,
        )

    def _answer_parts(self, text: str, questions: Sequence[str]) -> Answer:
        """The merged answer to the parts of a question, each standalone, with a note for each without an answer."""
        tool_events = _ToolEventsOnly(self.on_event)
        part = replace(self, on_event=tool_events, ask_permission=tool_events.with_lock(self.ask_permission))
        pool = ThreadPoolExecutor(len(questions), thread_name_prefix="part")
        futures = [pool.submit(part._answer_one, question, ConversationHistory()) for question in questions]
        parts, failures = [], []
        try:
            for question, future in zip(questions, futures, strict=True):
                try:
                    parts.append((question, future.result()))
                except NoAnswer as failure:
                    failures.append((question, failure))
        finally:
            tool_events.over.set()
            pool.shutdown(wait=False, cancel_futures=True)
        if not parts:
            raise failures[0][1]
        if len(parts) > 1:
            answer = self._merge_answers(text, parts)
        else:
            ((_, answer),) = parts
            emit_answer(self.on_event, answer.sources, answer.text)
        notes = (f"a part was not answered, “{question}”: {failure.problem}" for question, failure in failures)
        return replace(answer, notes=(*answer.notes, *notes))

    def _merge_answers(self, text: str, parts: Sequence[tuple[str, Answer]]) -> Answer:
        """The model's answer to the whole question, merged of the answers to its parts; these in order if it fails."""
        answers = [answer for _, answer in parts]
        spans: dict[str, dict[tuple[int, int], None]] = {}
        for source in (source for answer in answers for source in answer.sources):
            spans.setdefault(source.hit.chunk_id, {}).update(dict.fromkeys(source.spans))
        material = CitableMaterial()
        material.add(
            list(
                {
                    source.hit.chunk_id: source.hit for cited_answer in answers for source in cited_answer.sources
                }.values()
            )
        )
        numbered_answers = [(question, _renumber_marks(answer, material)) for question, answer in parts]
        writer = AnswerWriter(material, self.on_event, marks=True)
        try:
            usage = self._stream_merged(text, numbered_answers, writer)
        except FAILURES as failure:
            writer.restart(describe_failure(failure))
            usage = Usage()
        if not writer.text.strip():
            writer.write("\n\n".join(f"**{question}**\n\n{answer}" for question, answer in numbered_answers))
            writer.end_block()
        writer.keep()
        merged_text = writer.text.strip()
        sources = tuple(replace(source, spans=tuple(spans[source.hit.chunk_id])) for source in writer.sources)
        calls = tuple(call for answer in answers for call in answer.calls)
        return replace(
            answers[0],
            text=merged_text,
            sources=sources,
            claims=check_claims(merged_text, sources, calls),
            notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
            hits=tuple({hit.chunk_id: hit for answer in answers for hit in answer.hits}.values()),
            calls=calls,
            usage=sum((answer.usage for answer in answers), usage),
            costs=(*(cost for answer in answers for cost in answer.costs), usage),
        )

    def _stream_merged(self, text: str, parts: Sequence[tuple[str, str]], writer: AnswerWriter) -> Usage:
        blocks = [enclose_in_tags("part", f"{question}\n\n{answer}") for question, answer in parts]
        with self.client.messages.stream(
            model=self.context.settings.chat.model,
            max_tokens=self.context.settings.chat.tokens,
            system=read_prompt("merge"),
            messages=[{"role": "user", "content": "\n\n".join([enclose_in_tags("question", text), *blocks])}],
        ) as stream:
            for piece in stream.text_stream:
                writer.write(piece)
            writer.end_block()
            return read_usage(stream.get_final_message())


_MARK = re.compile(r"\[(\d+)\]")


class _ToolEventsOnly:
    """Passes on the events of tools, one thread at a time, and no text, for the parts' texts would interleave.

    Once it is `over`, it stops the parts that are still running.
    """

    def __init__(self, on_event: EventHandler) -> None:
        self._on_event, self._lock, self.over = on_event, Lock(), Flag()

    def __call__(self, event: AnswerEvent) -> None:
        if self.over.is_set():
            raise NoAnswer("the answer was stopped")
        if isinstance(event, ToolCall | ToolCallStart):
            with self._lock:
                self._on_event(event)

    def with_lock(self, ask_permission: PermissionCallback) -> PermissionCallback:
        """The permission, which asks a person one thing at a time."""

        def ask(name: str, arguments: Mapping[str, Any]) -> bool:
            with self._lock:
                return ask_permission(name, arguments)

        return ask


def _renumber_marks(answer: Answer, material: CitableMaterial) -> str:
    """The answer's text with its marks renumbered by the order of the material."""
    positions = {passage.hit.chunk_id: number for number, passage in enumerate(material.passages, 1)}
    new_numbers = {source.number: positions.get(source.hit.chunk_id) for source in answer.sources}

    def renumber_mark(match: re.Match[str]) -> str:
        number = new_numbers.get(int(match[1]))
        return f"[{number}]" if number else ""

    return _MARK.sub(renumber_mark, answer.text)


_DOCUMENTS_BY_KIND = (
    "SELECT kind, count(*) AS documents, sum(chunk_count)::BIGINT AS passages, min(document_date) AS first, "
    "max(document_date) AS last, count(*) - count(document_date) AS undated FROM documents "
    "WHERE status <> 'unreadable' GROUP BY kind ORDER BY documents DESC, kind"
)


def format_context(context: ToolContext, condensed_text: str = "") -> str:
    """Lines for the model: today, the documents by kind, the person's limits, and the condensed conversation."""
    rows = context.warehouse.snapshot.query_records(_DOCUMENTS_BY_KIND)
    kinds = "; ".join(f"{row['documents']} of kind {row['kind']}{_format_date_range(row)}" for row in rows)
    document_counts = f"{kinds}; {sum(row['passages'] or 0 for row in rows)} passages in all" if rows else "none"
    lines = [f"Today is {context.today:%A}, {context.today.isoformat()}.", f"The documents: {document_counts}."]
    if context.within:
        limits = []
        for field in fields(Filters):
            value = getattr(context.within, field.name)
            if value not in ((), None):
                words = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                limits.append(f"{field.name.replace('_', ' ')} {words}")
        within = "; ".join(limits)
        lines.append(f"The person limits every search to {within}. The tools keep to that, or say that they cannot.")
    if condensed_text:
        lines += ["", "What was said before the messages, condensed:", enclose_in_tags("conversation", condensed_text)]
    return "\n".join(lines)


def _format_date_range(row: Mapping[str, Any]) -> str:
    """The range of the documents' dates, and how many documents have none."""
    date_range = f", dated {row['first']} to {row['last']}" if row["first"] else ""
    if not row["undated"]:
        return date_range
    return f"{date_range}, {row['undated']} of them undated" if date_range else ", undated"
