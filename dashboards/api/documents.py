"""`GET /api/documents`, `/api/papers` and `/api/courses`: the contents of the warehouse."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field

from dashboards.api.problems import describe_error_responses
from dashboards.api.runtime import Shared
from dashboards.serializers.catalogue import filter_entries, list_distinct_values, summarize_entry
from dashboards.serializers.problems import DocumentedModel
from tasks.query.filter_values import find_document
from warehouse.records import CatalogEntry, Kind, Status
from warehouse.store.works import compute_counts

router = APIRouter(tags=["documents"])
Name = Annotated[str, Field(min_length=1, max_length=300)]
DocumentName = Annotated[str, Field(min_length=1, max_length=1000)]


class DocumentShape(DocumentedModel):
    """A summary of a document."""

    document_id: str
    source: str
    """The file: the name of its source folder, and its path in that folder."""
    kind: Kind
    title: str
    authors: list[str]
    language: str
    date: datetime.date | None
    date_from: str
    """The origin of the date."""
    topic: str
    pages: int | None
    tables: int
    chunks: int
    status: Status
    reason: str
    """The reason why the file cannot be read; empty for a file that can."""


class LessonShape(DocumentedModel):
    """A lesson of a course; its span is in the document's text."""

    number: int
    title: str
    link: str
    start: int
    end: int


class WholeDocument(DocumentShape):
    """All details of a document."""

    media_type: str
    reported: str
    """The period that the document reports on."""
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
    """Size of the file in bytes."""
    sha256: str


class Documents(DocumentedModel):
    """A page of the list of files, ordered by source, and the counts of all files."""

    generation: int
    total: int
    """Number of files that satisfy the filters, on all pages: documents, and files that cannot be read."""
    unreadable: int
    """Number of these files that cannot be read; the others are documents."""
    copies: int
    """Number of documents whose paper is also in another document of the list."""
    kinds: dict[Kind, int]
    """Number of files of each kind."""
    roots: dict[str, int]
    """Number of files in each source folder."""
    documents: list[DocumentShape]
    next_offset: int | None
    """The offset of the next page; null on the last page."""


class Papers(DocumentedModel):
    """Counts and titles of the papers."""

    total_papers: int
    topics: list[str]
    journals: list[str]
    paper_types: list[str]
    titles: list[str]


class Courses(DocumentedModel):
    """Counts and titles of the courses."""

    total_courses: int
    total_lessons: int
    instructors: list[str]
    course_titles: list[str]


class DocumentQuery(DocumentedModel):
    """Filters of the list of documents, and a page of it."""

    model_config = ConfigDict(extra="forbid")

    kind: list[Kind] = Field(default=[], max_length=10)
    """Only documents of these kinds."""
    root: list[Name] = Field(default=[], max_length=100)
    """Only documents of these source folders."""
    topic: list[Name] = Field(default=[], max_length=100)
    """Only documents of these topics."""
    text: str = Field(default="", max_length=300)
    """Only documents with all of these words in title, source, people, tags or the reason why they cannot be read."""
    limit: int = Field(default=100, ge=1, le=1000)
    offset: int = Field(default=0, ge=0, le=2**31 - 1)


@router.get("/api/documents", responses=describe_error_responses(422, 503))
def documents(parameters: Annotated[DocumentQuery, Query()], service: Shared) -> Documents:
    """List the documents, page by page, with counts by kind and source folder."""
    catalogue = service.catalogue
    topics = {topic.lower() for topic in parameters.topic}
    entries = [
        entry
        for entry in filter_entries(catalogue.entries, parameters.kind, parameters.root, parameters.text)
        if not topics or entry.attributes.topic.lower() in topics
    ]
    end = parameters.offset + parameters.limit
    counts = compute_counts(entries)
    return Documents(
        generation=catalogue.generation,
        total=counts.files,
        unreadable=counts.unreadable,
        copies=counts.copies,
        kinds=Counter(entry.kind for entry in entries),
        roots=Counter(entry.file.root for entry in entries),
        documents=[DocumentShape.model_validate(summarize_entry(entry)) for entry in entries[parameters.offset : end]],
        next_offset=end if end < len(entries) else None,
    )


@router.get("/api/documents/{document:path}", responses=describe_error_responses(400, 404, 422, 503))
def document(
    document: Annotated[
        DocumentName, Path(description="The id, source or title of the document, or a part of the title.")
    ],
    service: Shared,
) -> WholeDocument:
    """Return all details of one document."""
    entry = find_document(service.context.warehouse.pin_generation(), document)
    details = {
        "media_type": entry.media_type,
        "reported": entry.reported_name,
        "size": entry.file.size,
        "sha256": entry.file.sha256,
    }
    # What the kind adds has the names of its fields; further attributes are ignored.
    return WholeDocument.model_validate({**asdict(entry.attributes), **summarize_entry(entry), **details})


@router.get("/api/papers", responses=describe_error_responses(503))
def papers(service: Shared) -> Papers:
    """Count the papers, and list their topics and titles."""
    entries = _select_readable(service, Kind.PAPER)
    return Papers(
        total_papers=len(entries),
        topics=list_distinct_values(paper.attributes.topic for paper in entries),
        journals=list_distinct_values(paper.attributes.journal for paper in entries),
        paper_types=list_distinct_values(paper.attributes.paper_type for paper in entries),
        titles=[paper.title or paper.file.path for paper in entries],
    )


@router.get("/api/courses", responses=describe_error_responses(503))
def courses(service: Shared) -> Courses:
    """Count the courses and their lessons, and list the titles of the courses."""
    entries = _select_readable(service, Kind.COURSE)
    return Courses(
        total_courses=len(entries),
        total_lessons=sum(len(course.attributes.lessons) for course in entries),
        instructors=list_distinct_values(course.attributes.instructor for course in entries),
        course_titles=[course.title or course.file.path for course in entries],
    )


def _select_readable(service: Shared, kind: Kind) -> Sequence[CatalogEntry]:
    entries = service.catalogue.entries
    return [entry for entry in entries if entry.kind is kind and entry.status is not Status.UNREADABLE]
