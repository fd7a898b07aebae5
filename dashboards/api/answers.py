"""Answers in words, with their sources and their proof, as they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from dashboards.api.passages import CitationShape
from dashboards.assistant.answer_types import Answer, AnswerKind, Call, Source, Standing, Usage
from dashboards.serializers.records import citation_json


class SourceShape(BaseModel):
    """A passage that the answer cites."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    number: int
    """The n of its [n] in the answer."""
    text: str
    """How it is cited, like "Title - Year - Journal"."""
    url: str
    title: str
    passage: str
    """The passage's own words."""
    quotes: list[str]
    """The parts of it that the answer stands on."""
    citation: CitationShape

    @classmethod
    def of(cls, source: Source) -> SourceShape:
        """That of a source."""
        hit = source.hit
        cited = source.citation
        return cls(
            number=source.number,
            text=cited.label,
            url=cited.url,
            title=cited.title,
            passage=hit.text,
            quotes=[hit.text[start - hit.start : end - hit.start] for start, end in source.spans],
            citation=CitationShape.model_validate(citation_json(cited)),
        )


class ClaimShape(BaseModel):
    """A number, time or quotation of the answer, by its span in it, and whether a cited passage or a tool has it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    start: int
    end: int
    proven: bool
    tool: str
    """The tool whose result has it, where no cited passage does."""


class CallShape(BaseModel):
    """A tool that was used."""

    name: str
    given: dict[str, Any]
    seconds: float
    failed: bool

    @classmethod
    def of(cls, call: Call) -> CallShape:
        """That of a call."""
        return cls(name=call.name, given=dict(call.given), seconds=call.seconds, failed=call.failed)


class UsageShape(BaseModel):
    """What the answer cost, in tokens, and how often the model was asked."""

    input: int
    output: int
    cache_read: int
    cache_written: int
    rounds: int
    total: int

    @classmethod
    def of(cls, usage: Usage) -> UsageShape:
        """That of what was used."""
        return cls.model_validate(usage, from_attributes=True)


class QueryAnswer(BaseModel):
    """A whole answer."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    answer: str
    """Markdown, with [n] for the sources."""
    kind: AnswerKind
    """Who speaks: a language model with sources, the documents themselves, word for word, or their records."""
    standing: Standing
    """Of extracts, whether they are the answer, the nearest passages, or missing for no document is about it."""
    sources: list[SourceShape]
    session_id: str
    """Sent with the next question, that one is understood as going on from here."""
    notes: list[str]
    claims: list[ClaimShape]
    proven: float | None
    """The share of its numbers and quotations that its sources or tools have; none where it has none."""
    calls: list[CallShape]
    usage: UsageShape

    @classmethod
    def of(cls, answer: Answer, session: str) -> QueryAnswer:
        """That of an answer."""
        return cls(
            answer=answer.text,
            kind=answer.kind,
            standing=answer.standing,
            sources=[SourceShape.of(source) for source in answer.sources],
            session_id=session,
            notes=list(answer.notes),
            claims=[ClaimShape.model_validate(claim, from_attributes=True) for claim in answer.claims],
            proven=answer.proven,
            calls=[CallShape.of(call) for call in answer.calls],
            usage=UsageShape.of(answer.usage),
        )


def refuse(name: str, given: Mapping[str, Any]) -> bool:
    """Nobody is there to ask, so no tool writes."""
    return False
