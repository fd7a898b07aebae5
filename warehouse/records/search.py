"""What is asked and what is found."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from warehouse.records.document import Kind


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; an empty field asks for nothing. `since` and `until` bound the document's date."""

    kinds: tuple[Kind, ...] = ()
    roots: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Window:
    """A time a question asks about, half-open; None is a side left open.

    `demanded` is whether it names the time ("in Q1 2023", "before 2020") or only leans towards it ("latest"). Where a
    second reading was possible (the calendar's quarter and the company's), `other_start` and `other_end` are its days.
    `text` are the question's words, `name` those that context prefixes have for it ("Q3 2023"), if they have some.
    """

    start: date | None
    end: date | None
    other_start: date | None = None
    other_end: date | None = None
    demanded: bool = True
    text: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question made ready for the warehouse.

    `query` is what is looked for: the text with the names of its times. `vector` is that of the query: unit length,
    float32, shape (dimension,). `windows` are the times, `as_of` is the day whose knowledge is asked for, `rest` the
    text without either.
    """

    text: str
    query: str
    vector: np.ndarray
    windows: tuple[Window, ...] = ()
    as_of: datetime.date | None = None
    rest: str = ""
    filters: Filters = field(default_factory=Filters)
    k: int = 5


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a passage stands, for people and programs."""

    document_id: str
    title: str
    source: str
    page: int | None
    chunk_index: int
    page_chunk_index: int | None
    section: tuple[str, ...]
    quality: float
    date: datetime.date | None
    label: str
    url: str
    relevance: float | None = None

    @property
    def location(self) -> str:
        """Page and page-level chunk, else page, else chunk in the document (numbered from 1)."""
        if self.page is not None and self.page_chunk_index is not None:
            return f"Page {self.page}, Chunk {self.page_chunk_index + 1}"
        if self.page is not None:
            return f"Page {self.page}"
        return f"Chunk {self.chunk_index + 1}"

    @property
    def formatted(self) -> str:
        """One line without a link."""
        parts = [f"{self.label} ({self.location})"]
        if self.section:
            parts.append(f"Section: {' > '.join(self.section)}")
        if self.date:
            parts.append(f"Date: {self.date.isoformat()}")
        if self.relevance is not None:
            parts.append(f"Relevance: {self.relevance:.4f}")
        parts.append(f"Quality: {self.quality:.2f}")
        parts.append(f"Source: {self.source}")
        return " | ".join(parts)

    @property
    def formatted_with_link(self) -> str:
        """The line and, below it, the link."""
        return f"{self.formatted}\nView Document: {self.url}" if self.url else self.formatted


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `score` orders the hits; `dense` is a cosine, `keyword` a BM25 score, None where unseen.

    `start` is where its text begins in the document's. `excerpt` is the span, in the document's text, of the part that
    answers; None before it is looked for, and where no part of the passage comes near the best of the others.
    """

    chunk_id: str
    document_id: str
    start: int
    text: str
    score: float
    dense: float | None
    keyword: float | None
    citation: Citation
    excerpt: tuple[int, int] | None = None

    @property
    def end(self) -> int:
        """Where its text ends in the document's."""
        return self.start + len(self.text)

    @property
    def excerpt_text(self) -> str:
        """The excerpt's words, none without one."""
        return self.text[self.excerpt[0] - self.start : self.excerpt[1] - self.start] if self.excerpt else ""
