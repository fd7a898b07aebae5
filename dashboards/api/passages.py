"""Passages and their citations in answers, as the command line's `--json` prints them."""

from __future__ import annotations

import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict


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
