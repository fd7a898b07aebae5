"""Answers to questions: the one entry for every face.

Questions about the collection are answered from its records, with a model or without. All other questions are
answered by the model where there is one, else by quotations from the documents.

    context = ToolContext(settings, Warehouse(settings.warehouse), today)
    session = Sessions(settings.warehouse).start_session()  # or .open_session(id); None for a question on its own
    found = answer(context, SearchRequest("Revenue in Q2?"), session, on_event=draw, ask_permission=refuse)

`found.kind` says who answers, `found.notes` why it is extracts where a model should have answered. The exchange is
kept in the session. The request's filters (documents by id) bind the searches of the model too (`ToolContext.within`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    EventHandler,
    PermissionCallback,
    StreamRestart,
    Usage,
    emit_answer,
)
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.query_rewriting import LOOKBACK, rewrite_in_context
from dashboards.assistant.service import is_model_available
from dashboards.assistant.sessions import Session, make_exchange
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.document_spans import find_answer_hits
from tasks.ask.collection.answers import answer_collection_question
from tasks.embedders.embedder import embed_question
from tasks.query.retrieval import without_other_companies
from warehouse.errors import NoAnswer
from warehouse.records import Kind, SearchRequest


def answer(
    context: ToolContext,
    request: SearchRequest,
    session: Session | None,
    *,
    on_event: EventHandler,
    ask_permission: PermissionCallback,
    extracts_only: bool = False,
) -> Answer:
    """Answer a question, read in its session if there is one. Safe to call from many threads at once.

    `on_event` receives the events on the way; extracts come in one piece. `ask_permission` is called before anything is
    written. Raises what a search raises: `NoWarehouse`, `BadWarehouse`, `BadInput`.
    """
    # Bytes of a command line that are no text cannot be sent or stored.
    request = replace(request, text=request.text.encode(errors="replace").decode())
    standalone = as_standalone(context, request, session)
    result = answer_from_records(context, request, on_event)
    if result is None and standalone != request:
        result = answer_from_records(context, standalone, on_event)
    if result is None:
        budget = context.settings.chat.budget
        if extracts_only or not is_model_available(context.settings):
            result = _answer_by_extracts(context, request, standalone, session, on_event)
        elif session and session.usage.total >= budget:
            note = f"this session has cost its {budget:,} tokens (the setting chat.budget)"
            result = _with_notes(
                _answer_by_extracts(context, request, standalone, session, on_event),
                f"{note}: answers are extracts from here on",
            )
        else:
            result = _answer_by_model_or_extracts(context, request, standalone, session, on_event, ask_permission)
        result = _with_notes(result, *_describe_paper_sources(context, result.sources))
    if session:
        try:
            session.append(make_exchange(request.text, result, datetime.now(UTC)))
        except OSError as error:
            # An answer is worth more than an error.
            return _with_notes(result, f"this could not be kept in the session: {error.strerror}")
    return result


def _describe_paper_sources(context: ToolContext, sources: Sequence[AnswerSource]) -> tuple[str, ...]:
    """The warning below an answer from papers: the kinds of the papers, and that this is not medical advice."""
    entries = context.warehouse.snapshot.read_entries({source.hit.document_id for source in sources})
    papers = [
        f"[{source.number}] {entry.attributes.paper_type or 'paper'}"
        for source in sources
        if (entry := entries.get(source.hit.document_id)) and entry.kind is Kind.PAPER
    ]
    if not papers:
        return ()
    return (f"From research papers ({', '.join(papers)}). This is not medical advice; consult a doctor.",)


def _answer_by_model_or_extracts(
    context: ToolContext,
    request: SearchRequest,
    standalone: SearchRequest,
    session: Session | None,
    on_event: EventHandler,
    ask_permission: PermissionCallback,
) -> Answer:
    on_event(AnswerProgress(f"Connecting to {context.settings.chat.model}"))
    from dashboards.assistant.model_answers import answer_by_model

    warehouse = context.warehouse.pin_generation()
    warehouse.check_model(context.embedder.model)
    try:
        limited_context = replace(context, within=request.filters)
        result = answer_by_model(
            limited_context, request.text, session, on_event=on_event, ask_permission=ask_permission
        )
    except NoAnswer as failure:
        note = f"the language model did not answer: {failure}; these are extracts"
        on_event(StreamRestart(note))
        result = _with_notes(_answer_by_extracts(context, request, standalone, session, on_event), note)
        return replace(result, usage=Usage(failure.tokens))
    return _with_notes(result, *request.notes, *warehouse.describe_unknown_values(request.filters))


def _answer_by_extracts(
    context: ToolContext,
    request: SearchRequest,
    standalone: SearchRequest,
    session: Session | None,
    on_event: EventHandler,
) -> Answer:
    """The extracts for a question read in its session, without the quotations of the exchanges before.

    "And in 2022?" may be answered by the row that answered for 2023, so its best quotation may be repeated; "why?" asks
    for more than was quoted.
    """
    earlier = session.exchanges[-LOOKBACK:] if session and standalone != request else ()
    asks_more = standalone.text.endswith(request.text)
    own_request = without_other_companies(context.warehouse.pin_generation(), standalone)
    return extract_answer(
        context, own_request, on_event=on_event, before=[turn.answer for turn in earlier], repeats_best=not asks_more
    )


def as_standalone(context: ToolContext, request: SearchRequest, session: Session | None) -> SearchRequest:
    """A follow-up question as a standalone one, with a note of how it is read; any other question as it is."""
    text = rewrite_in_context(request.text, session, context.today, context.warehouse.catalogue if session else None)
    return request if text == request.text else replace(request, text=text, notes=(*request.notes, f"read as: {text}"))


def _with_notes(answer: Answer, *notes: str) -> Answer:
    return replace(answer, notes=tuple(dict.fromkeys((*answer.notes, *notes))))


def answer_from_records(context: ToolContext, request: SearchRequest, on_event: EventHandler) -> Answer | None:
    """The answer to a question about the collection; None for a question about what the documents say."""
    warehouse = context.warehouse.pin_generation()

    def find_near_titles(text: str) -> Mapping[str, float]:
        return warehouse.score_titles(embed_question(context.embedder, text))

    result = answer_collection_question(warehouse, request.text, request.filters, context.today, find_near_titles)
    if result is None:
        return None
    hits = find_answer_hits(warehouse, result.entries)
    hits_by_id = {hit.chunk_id: hit for hit in hits if hit}
    sources = tuple(AnswerSource(number, hit) for number, hit in enumerate(hits_by_id.values(), 1))
    numbers = {source.hit.chunk_id: source.number for source in sources}
    text = result.format_text([numbers[hit.chunk_id] if hit else None for hit in hits])
    emit_answer(on_event, sources, text)
    notes = (*request.notes, *result.notes)
    return Answer(text, AnswerKind.RECORDS, sources, notes=notes, hits=tuple(source.hit for source in sources))
