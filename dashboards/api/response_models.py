"""Response models of the HTTP API: passages, citations and answers, as the command line's `--json` prints them."""

from __future__ import annotations

import datetime
from dataclasses import asdict
from typing import Any

from pydantic import Field

from dashboards.assistant.answer_types import Answer, AnswerKind, AnswerSource, ExtractsStatus, ToolCall
from dashboards.serializers.problems import DocumentedModel
from dashboards.serializers.search_results import serialize_citation
from warehouse.records import RetrievedPassage


class CitationShape(DocumentedModel):
    """The position of a passage in its document."""

    document_id: str
    title: str
    source: str
    """The file: the name of its source folder, and its path in that folder."""
    page: int | None
    chunk_index: int
    page_chunk_index: int | None
    section: list[str]
    """The headings above the passage."""
    quality: float
    """The quality score of the passage, from 0 to 1."""
    date: datetime.date | None
    """The day of its document, or the first day of its entry or rows."""
    last_date: datetime.date | None
    """The last day of an entry or of rows that are of several days."""
    rows: tuple[int, int] | None
    """The first and the last row of a part of a table, counted from 1 below its header."""
    label: str
    """The short citation, depending on the kind of document: "Title - Year - Journal", "[Course - Lesson n]" etc."""
    url: str
    relevance: float | None
    location: str
    """Page and chunk, as text."""
    formatted: str
    """The whole citation in one line."""
    formatted_with_link: str


class PartShape(DocumentedModel):
    """One component of a score."""

    name: str
    value: float


class Excerpt(DocumentedModel):
    """The part of a passage that answers; its span is in the document's text."""

    start: int
    end: int
    text: str


class SuccessorShape(DocumentedModel):
    """A passage of a later document that updates a statement."""

    chunk_id: str
    source: str
    date: datetime.date
    was: list[str]
    now: list[str]


class BoxShape(DocumentedModel):
    """A rectangle on a page, in PDF points from the page's top left corner."""

    x0: float
    top: float
    x1: float
    bottom: float


class RegionShape(DocumentedModel):
    """The position on a page of a part of a document's text."""

    start: int
    end: int
    page: int
    box: BoxShape


class HitShape(DocumentedModel):
    """A passage that was found."""

    chunk_id: str
    document_id: str
    start: int
    """The offset of the passage in the document's text."""
    end: int
    text: str
    score: float
    dense: float | None
    """The cosine similarity of question and passage; null for a passage without a vector."""
    keyword: float | None
    """The BM25 score."""
    citation: CitationShape
    parts: list[PartShape]
    """The components of the score."""
    excerpt: Excerpt | None
    duplicates: list[CitationShape]
    """Citations of other passages with the same text."""
    leaves: list[str]
    """The smaller chunks that this passage replaces."""
    superseded_by: SuccessorShape | None
    is_references: bool = False
    """Whether the passage is mostly a list of references; such passages are ranked lower."""
    regions: list[RegionShape] = Field(default=[])
    """The lines of the excerpt on their pages, if they were requested."""


Understood = dict[str, Any]  # What the question was understood to ask: times, names, filters and ranking.


class SourceShape(DocumentedModel):
    """A passage that the answer cites."""

    number: int
    """The number of the source: [n] in the answer."""
    text: str
    """The short citation, like "Title - Year - Journal"."""
    chunk_id: str
    """The id of the passage, as in `passages`."""
    url: str
    title: str
    passage: str
    """The text of the passage."""
    quotes: list[str]
    """The parts of the passage that the answer is based on."""
    citation: CitationShape

    @classmethod
    def from_source(cls, source: AnswerSource) -> SourceShape:
        """The model of a source."""
        citation = source.citation
        return cls(
            number=source.number,
            text=citation.label,
            chunk_id=source.hit.chunk_id,
            url=citation.url,
            title=citation.title,
            passage=source.hit.headed_text,
            quotes=source.quotes,
            citation=CitationShape.model_validate(serialize_citation(citation)),
        )


class PassageShape(DocumentedModel):
    """A passage that was found for the answer."""

    chunk_id: str
    document_id: str
    start: int
    """The offset of the passage in the document's text."""
    end: int
    score: float
    """The relevance of the passage, from 0 to 1."""
    text: str
    """The whole text of the passage."""
    source: str
    """The file: the name of its source folder, and its path in that folder."""
    title: str
    page: int | None
    date: datetime.date | None


class ClaimShape(DocumentedModel):
    """A number, time or quotation in the answer, with its span, and whether a cited passage or a tool contains it."""

    start: int
    end: int
    proven: bool
    tool: str
    """The tool whose result contains the claim, if no cited passage does."""


class CallShape(DocumentedModel):
    """A call of a tool."""

    name: str
    given: dict[str, Any]
    seconds: float
    failed: bool

    @classmethod
    def from_call(cls, call: ToolCall) -> CallShape:
        """The model of a call."""
        return cls(name=call.name, given=dict(call.arguments), seconds=call.seconds, failed=call.failed)


class UsageShape(DocumentedModel):
    """The cost of the answer in tokens, and the number of requests to the model (rounds)."""

    input: int
    output: int
    cache_read: int
    cache_written: int
    rounds: int
    total: int


class QueryAnswer(DocumentedModel):
    """A complete answer."""

    answer: str
    """The answer in Markdown, with [n] for the sources."""
    kind: AnswerKind
    """How the answer was made: by a language model, as verbatim extracts, or from the catalogue of documents."""
    standing: ExtractsStatus
    """Whether extracts are the answer, the nearest passages, or absent since no document is about the question."""
    sources: list[SourceShape]
    passages: list[PassageShape]
    """All passages that were found for the answer, cited or not."""
    session_id: str
    """The session; send it with the next question to continue the conversation."""
    notes: list[str]
    claims: list[ClaimShape]
    proven: float | None
    """The share of numbers and quotations that sources or tools contain; null if there are none."""
    calls: list[CallShape]
    usage: UsageShape

    @classmethod
    def from_answer(cls, answer: Answer, session: str) -> QueryAnswer:
        """The model of an answer in a session."""
        return cls(
            answer=answer.text,
            kind=answer.kind,
            standing=answer.extracts_status,
            sources=[SourceShape.from_source(source) for source in answer.sources],
            passages=[PassageShape.model_validate(asdict(RetrievedPassage.from_hit(hit))) for hit in answer.hits],
            session_id=session,
            notes=list(answer.notes),
            claims=[ClaimShape.model_validate(claim, from_attributes=True) for claim in answer.claims],
            proven=answer.proven,
            calls=[CallShape.from_call(call) for call in answer.calls],
            usage=UsageShape.model_validate(answer.usage, from_attributes=True),
        )
