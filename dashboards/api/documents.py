"""`GET /api/documents`, `/api/papers` and `/api/courses`: the contents of the warehouse."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from dashboards.api.problems import error_responses
from dashboards.api.runtime import Shared
from dashboards.serializers.catalogue import distinct_values
from dashboards.serializers.document_table import filter_entries
from tasks.ask.document_names import find_document
from warehouse.records import CatalogEntry, Kind, Status
from warehouse.store.counts import counts_of

router = APIRouter(tags=["documents"])
Name = Annotated[str, Field(min_length=1, max_length=300)]


class DocumentShape(BaseModel):
    """A document, in short."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    document_id: str
    source: str
    """The file: its root's name and its path in it."""
    kind: Kind
    title: str
    authors: list[str]
    language: str
    date: datetime.date | None
    date_from: str
    """Where the date came from."""
    topic: str
    pages: int | None
    tables: int
    chunks: int
    status: Status
    reason: str
    """Why the file cannot be read, where it cannot."""

    @classmethod
    def of(cls, entry: CatalogEntry) -> DocumentShape:
        """That of a document."""
        return cls.model_validate(_short(entry))


class LessonShape(BaseModel):
    """A lesson of a course; its span is in the document's text."""

    number: int
    title: str
    link: str
    start: int
    end: int


class WholeDocument(DocumentShape):
    """All that is known of a document."""

    media_type: str
    reported: str
    """The period it reports on."""
    journal: str
    paper_type: str
    pmcid: str
    pmid: str
    doi: str
    keywords: list[str]
    subjects: list[str]
    instructor: str
    link: str
    lessons: list[LessonShape]
    tags: list[str]
    aliases: list[str]
    links: list[str]
    company: str
    symbols: list[str]
    size: int
    """Of the file, in bytes."""
    sha256: str


class Documents(BaseModel):
    """A page of the files, in order of source, and what there is in all."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    generation: int
    total: int
    """How many files satisfy the filters, on this page or not: documents, and files that cannot be read."""
    unreadable: int
    """How many of them cannot be read; the others are documents."""
    copies: int
    """How many of the documents hold a paper that another of them holds too."""
    kinds: dict[Kind, int]
    """How many of them are of each kind."""
    roots: dict[str, int]
    """How many of them are of each root."""
    documents: list[DocumentShape]
    next_offset: int | None
    """Where the next page begins; none after the last."""


class Papers(BaseModel):
    """The papers."""

    total_papers: int
    topics: list[str]
    journals: list[str]
    paper_types: list[str]
    titles: list[str]


class Courses(BaseModel):
    """The courses."""

    total_courses: int
    total_lessons: int
    instructors: list[str]
    course_titles: list[str]


class DocumentQuery(BaseModel):
    """Which documents, and which page of them."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    kind: list[Kind] = Field(default=[], max_length=10)
    """Only of these kinds."""
    root: list[Name] = Field(default=[], max_length=100)
    """Only of these roots."""
    topic: list[Name] = Field(default=[], max_length=100)
    """Only of these topics."""
    text: str = Field(default="", max_length=300)
    """Only with every one of these words in title, source, people, tags or the reason why it cannot be read."""
    limit: int = Field(default=100, ge=1, le=1000)
    offset: int = Field(default=0, ge=0, le=2**31 - 1)


@router.get("/api/documents", responses=error_responses(422, 503))
def documents(wish: Annotated[DocumentQuery, Query()], service: Shared) -> Documents:
    """List the documents, page by page, with their counts by kind and root."""
    catalogue = service.catalogue
    topics = {topic.lower() for topic in wish.topic}
    found = [
        entry
        for entry in filter_entries(catalogue.entries, wish.kind, wish.root, wish.text)
        if not topics or entry.attributes.topic.lower() in topics
    ]
    end = wish.offset + wish.limit
    counts = counts_of(found)
    return Documents(
        generation=catalogue.generation,
        total=counts.files,
        unreadable=counts.unreadable,
        copies=counts.copies,
        kinds=Counter(entry.kind for entry in found),
        roots=Counter(entry.file.root for entry in found),
        documents=[DocumentShape.of(entry) for entry in found[wish.offset : end]],
        next_offset=end if end < len(found) else None,
    )


@router.get("/api/documents/{document:path}", responses=error_responses(400, 404, 422, 503))
def document(
    document: Annotated[str, Path(description="Its id, source, title or a part of it.", min_length=1, max_length=1000)],
    service: Shared,
) -> WholeDocument:
    """Tell all that is known of one document."""
    entry = find_document(service.context.warehouse.at(), document)
    known = asdict(entry.attributes)
    rest = {field: known[field] for field in WholeDocument.model_fields if field in known and field != "topic"}
    own = {
        "media_type": entry.media_type,
        "reported": entry.reported_name,
        "size": entry.file.size,
        "sha256": entry.file.sha256,
    }
    return WholeDocument.model_validate({**_short(entry), **rest, **own})


@router.get("/api/papers", responses=error_responses(503))
def papers(service: Shared) -> Papers:
    """Count the papers, with their topics and titles."""
    found = _of_kind(service, Kind.PAPER)
    return Papers(
        total_papers=len(found),
        topics=distinct_values(paper.attributes.topic for paper in found),
        journals=distinct_values(paper.attributes.journal for paper in found),
        paper_types=distinct_values(paper.attributes.paper_type for paper in found),
        titles=[paper.title or paper.file.path for paper in found],
    )


@router.get("/api/courses", responses=error_responses(503))
def courses(service: Shared) -> Courses:
    """Count the courses and their lessons, with their titles."""
    found = _of_kind(service, Kind.COURSE)
    return Courses(
        total_courses=len(found),
        total_lessons=sum(len(course.attributes.lessons) for course in found),
        instructors=distinct_values(course.attributes.instructor for course in found),
        course_titles=[course.title or course.file.path for course in found],
    )


def _of_kind(service: Shared, kind: Kind) -> Sequence[CatalogEntry]:
    held = service.catalogue.entries
    return [entry for entry in held if entry.kind is kind and entry.status is not Status.UNREADABLE]


def _short(entry: CatalogEntry) -> dict[str, object]:
    return {
        "document_id": entry.document_id,
        "source": entry.file.source,
        "kind": entry.kind,
        "title": entry.title or entry.file.path,
        "authors": list(entry.authors),
        "language": entry.language,
        "date": entry.document_date,
        "date_from": entry.date_origin or "",
        "topic": entry.attributes.topic,
        "pages": entry.total_pages,
        "tables": entry.table_count,
        "chunks": entry.chunk_count,
        "status": entry.status,
        "reason": entry.reason,
    }
