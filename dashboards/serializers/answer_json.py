"""Answers, and what happens on the way to them, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from dashboards.assistant.answer_types import (
    Answer,
    AnswerEvent,
    AnswerProgress,
    AnswerSource,
    StreamRestart,
    TextPiece,
    ToolCall,
    ToolCallStart,
)
from dashboards.serializers.search_results import serialize_citation
from tasks.ask.extracts import cite_quotations
from warehouse.records import RetrievedPassage


def serialize_answer(question: str, answer: Answer) -> dict[str, Any]:
    """An answer. Its `extracts` are the verbatim passages that it quotes or relies on, as `kalends verify` reads them.

    `passages` are all that was found for it, cited or not; sources name theirs by `chunk_id`.

    `standing` says whether extracts are the answer, the nearest passages, or missing for no document is about it.
    """
    return {
        "question": question,
        "kind": answer.kind,
        "standing": answer.extracts_status,
        "notes": answer.notes,
        "extracts": list(_iter_extracts(answer)),
        "answer": answer.text,
        "sources": [serialize_source(source) for source in answer.sources],
        "passages": [asdict(RetrievedPassage.from_hit(hit)) for hit in answer.hits],
        "claims": [{**asdict(claim), "text": answer.text[claim.start : claim.end]} for claim in answer.claims],
        "proven": answer.proven,
        "calls": [_serialize_call(call) for call in answer.calls],
        "usage": {**asdict(answer.usage), "total": answer.usage.total},
    }


def serialize_source(source: AnswerSource) -> dict[str, Any]:
    """A source with what was quoted of it."""
    quotes = [
        {"start": start, "end": end, "text": text}
        for (start, end), text in zip(source.spans, source.quotes, strict=True)
    ]
    citation = serialize_citation(source.citation)
    return {"number": source.number, "chunk_id": source.hit.chunk_id, "quotes": quotes, "citation": citation}


def serialize_event(event: AnswerEvent) -> dict[str, Any]:
    """An event under its name."""
    match event:
        case TextPiece(text):
            return {"event": "piece", "text": text}
        case AnswerProgress(text):
            return {"event": "progress", "text": text}
        case StreamRestart(why):
            return {"event": "again", "why": why}
        case ToolCallStart(name, given):
            return {"event": "calling", "name": name, "given": dict(given)}
        case ToolCall():
            return {"event": "call", **_serialize_call(event)}
        case AnswerSource():
            return {"event": "source", **serialize_source(event)}


def _serialize_call(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "given": dict(call.arguments), "seconds": round(call.seconds, 4), "failed": call.failed}


def _iter_extracts(answer: Answer) -> Iterator[dict[str, Any]]:
    for extract in answer.extracts:
        citation = serialize_citation(cite_quotations(answer.hits[extract.hit], extract.text))
        yield {"text": extract.text, "score": extract.score, "scale": extract.scale, "citation": citation}
    for source in answer.sources if not answer.extracts else ():
        for span, text in zip(source.spans, source.quotes, strict=True):
            yield {
                "text": text,
                "score": source.hit.score,
                "citation": serialize_citation(source.hit.cite_span(*span)),
            }
