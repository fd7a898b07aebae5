"""Response models of the HTTP API: passages, citations and answers, as the command line's `--json` prints them."""

from __future__ import annotations

import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from dashboards.assistant.answer_types import Answer, AnswerKind, AnswerSource, ExtractsStatus, ToolCall, Usage
from dashboards.serializers.search_results import citation_json


class CitationShape(BaseModel):
    """Where a passage stands."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    document_id: str
    title: str
    source: str
    """The file: its root's name and its path in it."""
    page: int | None
    chunk_index: int
    page_chunk_index: int | None
    section: list[str]
    """The headings above it."""
    quality: float
    """How well the passage reads by itself, 0 to 1."""
    date: datetime.date | None
    label: str
    """How its kind of document is cited: "Title - Year - Journal", "[Course - Lesson n]" and so on."""
    url: str
    relevance: float | None
    location: str
    """Page and chunk in words."""
    formatted: str
    """One line with all of it."""
    formatted_with_link: str


class PartShape(BaseModel):
    """What one way of fitting the question gives to a score."""

    name: str
    value: float


class Excerpt(BaseModel):
    """The part of a passage that answers; its span is in the document's text."""

    start: int
    end: int
    text: str


class SuccessorShape(BaseModel):
    """The passage of a later document that makes a statement anew."""

    chunk_id: str
    source: str
    date: datetime.date
    was: list[str]
    now: list[str]


class BoxShape(BaseModel):
    """A rectangle on a page, in PDF points from the page's top left corner."""

    x0: float
    top: float
    x1: float
    bottom: float


class RegionShape(BaseModel):
    """Where a piece of a document's text stands."""

    start: int
    end: int
    page: int
    box: BoxShape


class HitShape(BaseModel):
    """A passage found."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    chunk_id: str
    document_id: str
    start: int
    """Where its text begins in the document's."""
    end: int
    text: str
    score: float
    dense: float | None
    """The cosine of question and passage."""
    keyword: float | None
    """The BM25 score."""
    citation: CitationShape
    parts: list[PartShape]
    """What the score consists of."""
    excerpt: Excerpt | None
    duplicates: list[CitationShape]
    """Where else the same stands."""
    leaves: list[str]
    """The chunks in whose place this larger passage is shown."""
    superseded_by: SuccessorShape | None
    is_references: bool = False
    """Whether most of it lists what its document cites; such passages are ranked down."""
    regions: list[RegionShape] = []
    """The lines of the excerpt on their pages, where they were asked for."""


Understood = dict[str, Any]
"""What the question was understood to ask: times, names, filters and ranking."""


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
    def of(cls, source: AnswerSource) -> SourceShape:
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
    def of(cls, call: ToolCall) -> CallShape:
        """That of a call."""
        return cls(name=call.name, given=dict(call.arguments), seconds=call.seconds, failed=call.failed)


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
    standing: ExtractsStatus
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
            standing=answer.extracts_status,
            sources=[SourceShape.of(source) for source in answer.sources],
            session_id=session,
            notes=list(answer.notes),
            claims=[ClaimShape.model_validate(claim, from_attributes=True) for claim in answer.claims],
            proven=answer.proven,
            calls=[CallShape.of(call) for call in answer.calls],
            usage=UsageShape.of(answer.usage),
        )
