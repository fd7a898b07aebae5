"""What was done for an answer, in words."""

from __future__ import annotations

from collections.abc import Iterator

from dashboards.assistant.answer_types import Answer, AnswerKind, Call
from dashboards.assistant.service import spent
from dashboards.assistant.sessions import Session
from dashboards.cli.answers import plain, unproven
from warehouse.settings.models import ChatSettings


def explained(answer: Answer | None, session: Session, chat: ChatSettings) -> Iterator[str]:
    """The tools used, the passages read, the proof, the cost of it and of the session."""
    if answer is None:
        yield "Nothing was answered since this chat began."
    else:
        yield from _of_answer(answer, chat)
    cost = spent(session.usage, chat.prices)
    yield f"Session    {len(session.exchanges)} exchanges, {cost}; the cap is {chat.budget:,} tokens"


def _of_answer(answer: Answer, chat: ChatSettings) -> Iterator[str]:
    by = {
        AnswerKind.MODEL: chat.model,
        AnswerKind.EXTRACTS: "the documents: extracts, word for word",
        AnswerKind.RECORDS: "the records of the documents",
    }
    yield f"Answered   by {by[answer.kind]}"
    yield from (f"Tool       {plain(_called(call))}" for call in answer.calls)
    cited = {source.hit.chunk_id: source.number for source in answer.sources}
    for hit in answer.hits:
        mark = f"[{cited[hit.chunk_id]}] " if hit.chunk_id in cited else ""
        yield f"Read       {mark}{hit.citation.formatted}"
    if answer.proven is not None:
        yield f"Proof      {answer.proven:.0%} of {len(answer.claims)} numbers and quotations stand in its sources"
    yield from (f"Unproven   {each}" for each in unproven(answer))
    yield from (f"Note       {note}" for note in answer.notes)
    for number, cost in enumerate(answer.costs if len(answer.costs) > 1 else (), 1):
        yield f"Cost       of round {number}: {spent(cost, chat.prices).partition(', ')[2]}"
    yield f"Cost       {spent(answer.usage, chat.prices)}"


def _called(call: Call) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in call.given.items())[:200]
    return f"{call.name}({given}) {'failed: ' + call.text if call.failed else 'answered'} in {call.seconds:.2f} s"
