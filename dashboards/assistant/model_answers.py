"""Answers by the model: condense the history, split the question, answer each part concurrently, merge.

A single independent question goes straight to its answer. Each step but the answering falls through: where the model
fails at it, the next goes on with what there was. Merging numbers the sources of the parts anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING

from dashboards.assistant.answer_types import (
    Answer,
    AnswerEvent,
    AnswerSource,
    ConversationTurn,
    Permit,
    Tell,
    TextPiece,
    ToolCall,
    ToolCallStart,
    Usage,
)
from dashboards.assistant.auxiliary_calls import ConversationHistory, conversation_history, message_usage
from dashboards.assistant.citable_passages import CitableMaterial
from dashboards.assistant.context_prompt import context_lines
from dashboards.assistant.prompts import prompt, tagged
from dashboards.assistant.proof import check_claims
from dashboards.assistant.query_routing import split_question
from dashboards.assistant.service import shared_client
from dashboards.assistant.sessions import Session
from dashboards.assistant.streaming import AnswerWriter
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import NoAnswer
from warehouse.records import Hit
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic


def answer_by_model(context: ToolContext, text: str, session: Session | None, *, tell: Tell, permit: Permit) -> Answer:
    """The model's answer. Raises `NoAnswer` where it gives none."""
    client = shared_client(context.settings)
    before = conversation_history(session, client, context.settings)
    split = split_question(text, before, client, context.settings)
    if len(split.texts) == 1:
        question = text if split.texts[0] == text else f"{text}\n\n(That is: {split.texts[0]})"
        answer = _answer_one(context, question, before, client, tell, permit)
    else:
        parts, notes = _answer_each(context, split.texts, client, tell, permit)
        answer = (
            merge_answers(text, parts, client, context.settings, tell)
            if len(parts) > 1
            else _tell_whole(parts[0][1], tell)
        )
        answer = replace(answer, notes=(*answer.notes, *notes))
    if not split.usage.rounds:
        return answer
    return replace(answer, usage=split.usage + answer.usage, costs=(split.usage, *answer.costs))


def _answer_one(
    context: ToolContext, text: str, before: ConversationHistory, client: Anthropic, tell: Tell, permit: Permit
) -> Answer:
    from dashboards.assistant.loop import converse

    return converse(
        context,
        [*before.turns, ConversationTurn("user", text)],
        tell=tell,
        permit=permit,
        system=prompt("manner"),
        circumstances=context_lines(context, before.condensed),
        client=client,
    )


def _answer_each(
    context: ToolContext, texts: Sequence[str], client: Anthropic, tell: Tell, permit: Permit
) -> tuple[list[PartAnswer], list[str]]:
    """The answers to the parts, each a standalone question, and a note for each part without an answer."""
    tool_events = _ToolEventsOnly(tell)
    pool = ThreadPoolExecutor(len(texts), thread_name_prefix="part")
    ask = partial(
        _answer_one,
        context,
        before=ConversationHistory(),
        client=client,
        tell=tool_events,
        permit=tool_events.alone(permit),
    )
    futures = [pool.submit(ask, text) for text in texts]
    parts, failures = [], []
    try:
        for text, future in zip(texts, futures, strict=True):
            try:
                parts.append((text, future.result()))
            except NoAnswer as failure:
                failures.append((text, failure))
    finally:
        tool_events.over.set()
        pool.shutdown(wait=False, cancel_futures=True)
    if not parts:
        raise failures[0][1]
    return parts, [f"a part was not answered, “{text}”: {failure.problem}" for text, failure in failures]


def _tell_whole(answer: Answer, tell: Tell) -> Answer:
    for source in answer.sources:
        tell(source)
    tell(TextPiece(answer.text))
    return answer


class _ToolEventsOnly:
    """Passes on the events of tools, one thread at a time, and no text, for the parts' texts would interleave.

    Once it is `over`, it ends the parts that nobody awaits.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell, self._lock, self.over = tell, Lock(), Flag()

    def __call__(self, event: AnswerEvent) -> None:
        if self.over.is_set():
            raise NoAnswer("the answer was stopped")
        if isinstance(event, ToolCall | ToolCallStart):
            with self._lock:
                self._tell(event)

    def alone(self, permit: Permit) -> Permit:
        """The same, asking a person one thing at a time."""

        def ask(name: str, given: object) -> bool:
            with self._lock:
                return permit(name, given)  # type: ignore[arg-type]

        return ask


_MARK = re.compile(r"\[(\d+)\]")
PartAnswer = tuple[str, Answer]  # A question and its answer.


def merge_answers(text: str, parts: Sequence[PartAnswer], client: Anthropic, settings: Settings, tell: Tell) -> Answer:
    """The model's answer to the whole question, merged of the parts; the parts in order where the model fails."""
    from dashboards.assistant.service_failures import FAILURES, failure_reason

    spans: dict[str, dict[tuple[int, int], None]] = {}
    for _, answer in parts:
        for source in answer.sources:
            spans.setdefault(source.hit.chunk_id, {}).update(dict.fromkeys(source.spans))
    material = CitableMaterial()
    material.add(list({s.hit.chunk_id: s.hit for _, answer in parts for s in answer.sources}.values()))
    numbered = [(question, _renumber(answer, material)) for question, answer in parts]
    writer = AnswerWriter(material, tell, marks=True)
    try:
        usage = _stream_merged(text, numbered, client, settings, writer)
    except FAILURES as failure:
        writer.restart(failure_reason(failure))
        usage = Usage()
    if not writer.text.strip():
        writer.write("\n\n".join(f"**{question}**\n\n{answer}" for question, answer in numbered))
        writer.end_block()
    writer.keep()
    sources = tuple(replace(each, spans=tuple(spans[each.hit.chunk_id])) for each in writer.sources)
    return _merged_answer(writer.text.strip(), sources, parts, usage)


def _stream_merged(
    text: str, parts: Sequence[tuple[str, str]], client: Anthropic, settings: Settings, writer: AnswerWriter
) -> Usage:
    blocks = [tagged("part", f"{question}\n\n{answer}") for question, answer in parts]
    with client.messages.stream(
        model=settings.chat.model,
        max_tokens=settings.chat.tokens,
        system=prompt("merge"),
        messages=[{"role": "user", "content": "\n\n".join([tagged("question", text), *blocks])}],
    ) as stream:
        for piece in stream.text_stream:
            writer.write(piece)
        writer.end_block()
        return message_usage(stream.get_final_message())


def _renumber(answer: Answer, material: CitableMaterial) -> str:
    """The answer's text with its marks renumbered by the order of the material."""
    positions = {passage.hit.chunk_id: number for number, passage in enumerate(material.passages, 1)}
    new_numbers = {source.number: positions.get(source.hit.chunk_id) for source in answer.sources}

    def mark(match: re.Match[str]) -> str:
        number = new_numbers.get(int(match[1]))
        return f"[{number}]" if number else ""

    return _MARK.sub(mark, answer.text)


def _merged_answer(text: str, sources: tuple[AnswerSource, ...], parts: Sequence[PartAnswer], usage: Usage) -> Answer:
    answers = [answer for _, answer in parts]
    hits: dict[str, Hit] = {hit.chunk_id: hit for answer in answers for hit in answer.hits}
    return replace(
        answers[0],
        text=text,
        sources=sources,
        claims=check_claims(text, sources, [call for answer in answers for call in answer.calls]),
        notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
        hits=tuple(hits.values()),
        calls=tuple(call for answer in answers for call in answer.calls),
        usage=sum((answer.usage for answer in answers), usage),
        costs=(*(cost for answer in answers for cost in answer.costs), usage),
    )
