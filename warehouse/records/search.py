"""What is asked and what is found."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from warehouse.records.document import Kind
from warehouse.records.mention import Mention


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


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question made ready for the warehouse. `vector` is unit length, float32, shape (dimension,)."""

    text: str
    vector: np.ndarray
    mentions: tuple[Mention, ...] = ()
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
    """A passage found. `score` orders the hits; `dense` is a cosine, `keyword` a BM25 score, None where unseen."""

    chunk_id: str
    document_id: str
    text: str
    score: float
    dense: float | None
    keyword: float | None
    citation: Citation
