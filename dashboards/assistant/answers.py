"""Answers to questions: the one entry for every face.

Questions about the collection are answered from its records, with a model or without. All other questions are
answered by the model where there is one, else by quotations from the documents.

    context = ToolContext(settings, Warehouse(settings.warehouse), today)
    session = Sessions(settings.warehouse).new()          # or .open(id); None for a question on its own
    found = answer(context, SearchRequest("Revenue in Q2?"), session, tell=draw, permit=refuse)

`found.kind` says who answers, `found.notes` why it is extracts where a model should have answered. The exchange is
kept in the session. The request's filters (documents by id) bind the searches of the model too (`ToolContext.within`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    Permit,
    StreamRestart,
    Tell,
    TextPiece,
    Usage,
)
from dashboards.assistant.context_prompt import paper_warnings
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.query_rewriting import LOOKBACK, rewrite_in_context
from dashboards.assistant.service import available
from dashboards.assistant.sessions import Session, exchange_of
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.document_spans import DocumentSpan, first_hits_at
from tasks.ask.collection.answers import collection_answer
from tasks.ask.company_scope import without_other_companies
from tasks.embedders.contract import question_vector
from warehouse.errors import NoAnswer
from warehouse.records import SearchRequest


def answer(
    context: ToolContext,
    wanted: SearchRequest,
    session: Session | None,
    *,
    tell: Tell,
    permit: Permit,
    extracts_only: bool = False,
) -> Answer:
    """Answer a question, in the light of the session's exchanges. Safe to call from many threads at once.

    `tell` hears what happens on the way; extracts are told whole. `permit` is asked before anything is written.
    Raises what a search raises: `NoWarehouse`, `BadWarehouse`, `BadInput`.
    """
    # Bytes of a command line that are no text cannot be sent or kept.
    wanted = replace(wanted, text=wanted.text.encode(errors="replace").decode())
    alone = understood_alone(context, wanted, session)
    of_collection = answer_from_records(context, wanted, tell) or (
        answer_from_records(context, alone, tell) if alone != wanted else None
    )
    if of_collection:
        return _kept(of_collection, wanted.text, session) if session else of_collection
    if extracts_only or not available(context.settings):
        found = _extracted(context, wanted, session, tell)
    elif session and session.usage.total >= context.settings.chat.budget:
        found = _noted(_extracted(context, wanted, session, tell), _spent(context.settings.chat.budget))
    else:
        found = _answered_or_extracted(context, wanted, session, tell, permit)
    found = _noted(found, *paper_warnings(context, found.sources))
    return _kept(found, wanted.text, session) if session else found


def _kept(answer: Answer, question: str, session: Session) -> Answer:
    """Said where it cannot be kept, for an answer that is there is worth more than an error."""
    try:
        session.append(exchange_of(question, answer, datetime.now(UTC)))
    except OSError as error:
        return _noted(answer, f"this could not be kept in the session: {error.strerror}")
    return answer


def _answered_or_extracted(
    context: ToolContext, wanted: SearchRequest, session: Session | None, tell: Tell, permit: Permit
) -> Answer:
    tell(AnswerProgress(f"Connecting to {context.settings.chat.model}"))
    from dashboards.assistant.model_answers import answer_by_model

    warehouse = context.warehouse.at()
    warehouse.check_model(context.embedder.model)
    try:
        limited = replace(context, within=wanted.filters)
        found = answer_by_model(limited, wanted.text, session, tell=tell, permit=permit)
    except NoAnswer as failure:
        note = f"the language model did not answer: {failure}; these are extracts"
        tell(StreamRestart(note))
        found = _noted(_extracted(context, wanted, session, tell), note)
        return replace(found, usage=Usage(failure.tokens))
    return _noted(found, *wanted.notes, *warehouse.unheard(wanted.filters))


def _extracted(context: ToolContext, wanted: SearchRequest, session: Session | None, tell: Tell) -> Answer:
    """The extracts, for what a question means that goes on from others, without what those were answered with.

    "And in 2022?" may be answered by the row that answered for 2023, so its best quotation is said again; "why?" asks
    for more than was said.
    """
    alone = understood_alone(context, wanted, session)
    before = [exchange.answer for exchange in session.exchanges[-LOOKBACK:]] if session and alone != wanted else []
    asks_more = alone.text.endswith(wanted.text)
    meant = without_other_companies(context.warehouse.at(), alone)
    return extract_answer(context, meant, tell=tell, before=before, repeats_best=not asks_more)


def understood_alone(context: ToolContext, wanted: SearchRequest, session: Session | None) -> SearchRequest:
    """A question that goes on from others as one that does not, with a note that says how it is read."""
    text = rewrite_in_context(wanted.text, session, context.today, context.warehouse.catalogue if session else None)
    return wanted if text == wanted.text else replace(wanted, text=text, notes=(*wanted.notes, f"read as: {text}"))


def _noted(answer: Answer, *notes: str) -> Answer:
    return replace(answer, notes=tuple(dict.fromkeys((*answer.notes, *notes))))


def _spent(budget: int) -> str:
    return f"this session has cost its {budget:,} tokens (the setting chat.budget): answers are extracts from here on"


def answer_from_records(context: ToolContext, wanted: SearchRequest, tell: Tell) -> Answer | None:
    """The answer to a question about the collection; None for a question about what the documents say."""
    warehouse = context.warehouse.at()

    def near(text: str) -> Mapping[str, float]:
        return warehouse.near_titles(question_vector(context.embedder, text))

    found = collection_answer(warehouse, wanted.text, wanted.filters, context.today, near)
    if found is None:
        return None
    hits = first_hits_at(
        warehouse, [DocumentSpan(each.document_id, each.start, each.start + 1) for each in found.entries]
    )
    cited = {hit.chunk_id: hit for hit in hits if hit}
    sources = tuple(AnswerSource(number, hit) for number, hit in enumerate(cited.values(), 1))
    numbers = {source.hit.chunk_id: source.number for source in sources}
    text = found.text([numbers[hit.chunk_id] if hit else None for hit in hits])
    for source in sources:
        tell(source)
    tell(TextPiece(text))
    notes = (*wanted.notes, *found.notes)
    return Answer(text, AnswerKind.RECORDS, sources, notes=notes, hits=tuple(source.hit for source in sources))
