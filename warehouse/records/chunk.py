"""Passages, their quality and their vectors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from warehouse.records.document import DateOrigin, StatementKind


@dataclass(frozen=True, slots=True)
class PageStart:
    """The position in a document's text where the part of a passage on `page` (1-based) begins."""

    start: int
    page: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: `text == document.text[start:end]`. What is embedded is `prefix`, `table_head` and `text` together.

    `chunk_index` counts in the document, `page_chunk_index` on the page (both from 0). `size` is in characters.
    `period_start` and `period_end` (half-open) cover the times that the passage mentions. `lesson` is a course's
    lesson. `parent_id` names the larger passage that a hierarchical chunker cut it from. `pages` are the one where it
    begins, which is `page`, and those on which it continues. `is_references` says that most of it lists what the
    document cites. `passage_date` and `passage_end` (half-open) are the day, week or month of the diary or log entry
    that contains the passage, or from the first to the last day of its rows in a table of them, and
    `passage_date_origin` is what dates it; None where only the document is dated. `table_head` is that of the table
    that continues where the passage begins, from its opening line to the rule below its header: `table_notation` has
    the form. It is shown above the text and is no part of it; empty in all but the later parts of a long table. A part
    counts as one table, which is not complete.
    """

    chunk_id: str
    document_id: str
    chunk_index: int
    start: int
    end: int
    text: str
    prefix: str
    chunker: str
    section: tuple[str, ...]
    page: int | None
    page_chunk_index: int | None
    size: int
    word_count: int
    sentence_count: int
    has_table: bool
    table_count: int
    has_complete_table: bool
    parent_id: str | None = None
    lesson: int | None = None
    period_start: date | None = None
    period_end: date | None = None
    pages: tuple[PageStart, ...] = ()
    is_references: bool = False
    passage_date: date | None = None
    passage_end: date | None = None
    passage_date_origin: DateOrigin | None = None
    table_head: str = ""

    @property
    def headed_text(self) -> str:
        """The text below the head of the table that continues in it, if one does."""
        return f"{self.table_head}\n{self.text}" if self.table_head else self.text

    @property
    def embedded_text(self) -> str:
        """The text that embedders and keyword indexes see."""
        return f"{self.prefix}\n{self.headed_text}" if self.prefix else self.headed_text


@dataclass(frozen=True, slots=True)
class Parent:
    """A passage that contains several chunks, `text == document.text[start:end]`: shown for them, never searched."""

    parent_id: str
    document_id: str
    start: int
    end: int
    text: str
    section: tuple[str, ...]
    page: int | None
    pages: tuple[PageStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """The quality of a chunk in [0, 1], explained by its findings."""

    chunk_id: str
    quality_score: float


@dataclass(frozen=True, slots=True)
class Embedding:
    """Window number `window` of a chunk's embedded text has the vector named `vector_id`.

    `vector_id` is a digest of the model and the exact text of the window, so equal texts share one vector. With a
    `label` it is the vector of that label, of row number `window` of the chunk's tables that has a figure, and
    `statement` is the kind of primary statement that its table is, if it is one.
    """

    chunk_id: str
    window: int
    vector_id: str
    label: str = ""
    statement: StatementKind | None = None
