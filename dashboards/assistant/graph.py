"""The way of a question through the model: condense → take apart → answer each part at once → merge.

A plain question on its own goes straight to its answer. Each step but the answering falls through: where the model
fails at it, the next goes on with what there was.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING

from dashboards.assistant.history import History, history_of
from dashboards.assistant.manner import circumstances
from dashboards.assistant.merging import Part, merged
from dashboards.assistant.prompting import prompt
from dashboards.assistant.questions import questions
from dashboards.assistant.records import Answer, Call, Calling, Event, Permit, Piece, Tell, Turn
from dashboards.assistant.sessions import Session
from dashboards.assistant.sharing import shared_client
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import NoAnswer

if TYPE_CHECKING:
    from anthropic import Anthropic


def answered(context: ToolContext, text: str, session: Session | None, *, tell: Tell, permit: Permit) -> Answer:
    """The model's answer. Raises `NoAnswer` where it gives none."""
    client = shared_client(context.settings)
    before = history_of(session, client, context.settings)
    found = questions(text, before, client, context.settings)
    if len(found.texts) == 1:
        asked = text if found.texts[0] == text else f"{text}\n\n(That is: {found.texts[0]})"
        answer = _one(context, asked, before, client, tell, permit)
    else:
        parts, notes = _each(context, found.texts, client, tell, permit)
        answer = merged(text, parts, client, context.settings, tell) if len(parts) > 1 else _told(parts[0][1], tell)
        answer = replace(answer, notes=(*answer.notes, *notes))
    if not found.usage.rounds:
        return answer
    return replace(answer, usage=found.usage + answer.usage, costs=(found.usage, *answer.costs))


def _one(context: ToolContext, text: str, before: History, client: Anthropic, tell: Tell, permit: Permit) -> Answer:
    from dashboards.assistant.loop import converse

    return converse(
        context,
        [*before.turns, Turn("user", text)],
        tell=tell,
        permit=permit,
        system=prompt("manner"),
        circumstances=circumstances(context, before.condensed),
        client=client,
    )


def _each(
    context: ToolContext, texts: Sequence[str], client: Anthropic, tell: Tell, permit: Permit
) -> tuple[list[Part], list[str]]:
    """The answers there are, each to a question understood alone, and a note for each that there is not."""
    quiet = _Quiet(tell)
    pool = ThreadPoolExecutor(len(texts), thread_name_prefix="part")
    ask = partial(_one, context, before=History(), client=client, tell=quiet, permit=quiet.alone(permit))
    futures = [pool.submit(ask, text) for text in texts]
    parts, failures = [], []
    try:
        for text, future in zip(texts, futures, strict=True):
            try:
                parts.append((text, future.result()))
            except NoAnswer as failure:
                failures.append((text, failure))
    finally:
        quiet.over.set()
        pool.shutdown(wait=False, cancel_futures=True)
    if not parts:
        raise failures[0][1]
    return parts, [f"a part was not answered, “{text}”: {failure.problem}" for text, failure in failures]


def _told(answer: Answer, tell: Tell) -> Answer:
    for source in answer.sources:
        tell(source)
    tell(Piece(answer.text))
    return answer


class _Quiet:
    """Tells what tools do, one thread at a time, and no text: parts would interleave. Ends parts that nobody awaits."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._lock, self.over = tell, Lock(), Flag()

    def __call__(self, event: Event) -> None:
        if self.over.is_set():
            raise NoAnswer("the answer was stopped")
        if isinstance(event, Call | Calling):
            with self._lock:
                self._tell(event)

    def alone(self, permit: Permit) -> Permit:
        """The same, asking a person one thing at a time."""

        def asked(name: str, given: object) -> bool:
            with self._lock:
                return permit(name, given)  # type: ignore[arg-type]

        return asked
