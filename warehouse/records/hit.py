"""Hits of a search, their citations and the result that contains them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from warehouse.records.calendars import DAY, Interval
from warehouse.records.chunk import PageStart
from warehouse.records.search_request import Question, Window
from warehouse.table_notation import extract_header, find_first_rows_end


class PageUnit(StrEnum):
    """The name of the parts of a document: pages have numbers, sheets names."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"


_UNITS = {
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": PageUnit.SLIDE,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": PageUnit.SHEET,
    "application/vnd.ms-excel": PageUnit.SHEET,
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": PageUnit.SHEET,
    "application/vnd.oasis.opendocument.spreadsheet": PageUnit.SHEET,
}


def get_page_unit(media_type: str) -> PageUnit:
    """The name of the pages of a document of this media type."""
    return _UNITS.get(media_type, PageUnit.PAGE)


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A row of a table in a passage: its span in the document's text, and its number, from 1 below the header.

    It has no number if the passage contains the complete table. `days` are its own, half-open, if it has some that date
    the passage.
    """

    start: int
    end: int
    number: int | None
    days: Interval | None = None


def get_row_range(rows: Sequence[PassageRow]) -> tuple[int, int] | None:
    """The first and the last number of some rows; None where they have none."""
    numbers = [row.number for row in rows if row.number is not None]
    return (numbers[0], numbers[-1]) if numbers else None


@dataclass(frozen=True, slots=True)
class Citation:
    """The location of a passage, for people and programs; `date` is the day of its entry or rows, else of its document.

    `last_date` is the last day of an entry or of rows that are of several days. A sheet is the first part of the
    section. `rows` are the first and the last row of a part of a table, counted from 1 below its header.
    """

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
    unit: PageUnit = PageUnit.PAGE
    rows: tuple[int, int] | None = None
    last_date: datetime.date | None = None

    @property
    def place(self) -> str:
        """The page, slide or sheet and the rows: "page 3", "slide 4", "sheet Revenue", "rows 1,201–1,260".

        Nothing for a passage of a format without pages that is no part of a table.
        """
        return ", ".join(filter(None, (self._page_place, self._row_place)))

    @property
    def _page_place(self) -> str:
        if self.unit is PageUnit.SHEET:
            return f"{self.unit} {self.section[0]}" if self.section else ""
        return f"{self.unit} {self.page}" if self.page is not None else ""

    @property
    def _row_place(self) -> str:
        if self.rows is None:
            return ""
        first, last = self.rows
        return f"row {first:,}" if first == last else f"rows {first:,}–{last:,}"

    @property
    def location(self) -> str:
        """Page and page-level chunk, else page, else chunk in the document (numbered from 1), after its sheet."""
        number = self.chunk_index if self.page is None else self.page_chunk_index
        chunk = "" if number is None else f"Chunk {number + 1}"
        return ", ".join(filter(None, (self.place[:1].upper() + self.place[1:], chunk)))

    def with_page(self, page: int) -> Citation:
        """The citation of a part on another page of the passage, with a link to that page."""
        if page == self.page:
            return self
        url = self.url.removesuffix(f"#page={self.page}")
        link = self.url if url == self.url else f"{url}#page={page}"
        return replace(self, page=page, page_chunk_index=None, url=link)

    def with_rows(self, rows: Sequence[PassageRow]) -> Citation:
        """The citation of some rows of the passage, one at least, with their own days where all have some."""
        citation = replace(self, rows=get_row_range(rows))
        days = [row.days for row in rows if row.days]
        if len(days) < len(rows):
            return citation
        first, last = min(day for day, _ in days), max(after for _, after in days) - DAY
        return replace(citation, date=first, last_date=last if last > first else None)

    @property
    def shown_date(self) -> str:
        """The day, or the first and the last, of its entry or rows, else the day of its document, or "undated"."""
        days = [day.isoformat() for day in (self.date, self.last_date) if day]
        return " to ".join(days) or "undated"

    @property
    def formatted(self) -> str:
        """One line without a link."""
        parts = [f"{self.label} ({self.location})"]
        if self.section:
            parts.append(f"Section: {' > '.join(self.section)}")
        parts.append(f"Date: {self.shown_date}")
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
class Part:
    """The contribution of one signal to a score."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Successor:
    """The passage of a later document that replaces a statement: `was` has the old figures or name, `now` the new."""

    chunk_id: str
    source: str
    date: datetime.date
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `score`, in [0, 1], orders the hits and is the sum of its `parts`.

    `dense` is the cosine of question and passage, `keyword` its BM25 score; None if that search was not
    requested, and `dense` also for a passage without a vector.

    `start` is where its text begins in the document's. `excerpt` is the span, in the document's text, of the part that
    answers; None before it is searched for, and where no part of the passage comes near the best of the others.

    `duplicates` cite passages with the same content that are no hits of their own. `leaves` are the chunks that a
    larger passage replaces, `chunk_id` then being that of the larger one, or the part of a page from the first to the
    last of them, which has the `chunk_id` of the best; none for a chunk itself. `superseded_by` is the hit that
    replaces a statement of it, where one does. `pages` has the page on which its text begins and each on which it
    continues. `is_references` says that most of it lists what its document cites, `is_entry` that it is in a dated
    entry of a diary. `table_head` is the head of the table that continues where the text begins, which is shown above
    it and is no part of it; empty where none does. `rows` are those of the table of which it has a part, or whose rows
    date it.
    """

    chunk_id: str
    document_id: str
    start: int
    text: str
    score: float
    dense: float | None
    keyword: float | None
    citation: Citation
    parts: tuple[Part, ...] = ()
    excerpt: tuple[int, int] | None = None
    duplicates: tuple[Citation, ...] = ()
    leaves: tuple[str, ...] = ()
    superseded_by: Successor | None = None
    pages: tuple[PageStart, ...] = ()
    is_references: bool = False
    is_entry: bool = False
    table_head: str = ""
    rows: tuple[PassageRow, ...] = ()

    def cite_span(self, start: int, end: int | None = None) -> Citation:
        """The citation of a span of the document's text, of a place without `end`: the page it begins on, its rows."""
        return self.cite_spans([(start, start + 1 if end is None else end)])

    def cite_spans(self, spans: Sequence[tuple[int, int]]) -> Citation:
        """The citation of some spans of the document's text: the page that the first begins on, the rows of all."""
        pages = [page.page for page in self.pages if page.start <= spans[0][0]]
        citation = self.citation.with_page(pages[-1]) if pages else self.citation
        rows = [row for row in self.rows if any(row.start < stop and row.end > start for start, stop in spans)]
        return citation.with_rows(rows) if rows else citation

    def with_excerpt(self, start: int, end: int) -> Hit:
        """The hit with this span of the document's text as its excerpt, cited at its page and rows."""
        return replace(self, excerpt=(start, end), citation=self.cite_span(start, end))

    def select_rows(self, windows: Iterable[Window]) -> tuple[PassageRow, ...]:
        """The rows that are of days in one of some times."""
        dated = ((row, row.days) for row in self.rows)
        return tuple(row for row, days in dated if days and any(window.overlaps(*days) for window in windows))

    @property
    def is_dated_by_rows(self) -> bool:
        """Whether it contains rows with days of their own."""
        return any(row.days for row in self.rows)

    @property
    def row_header(self) -> str:
        """The lines of the header of its `rows`, none without any."""
        return extract_header(self.table_head or self._own_head)

    @property
    def _own_head(self) -> str:
        """The part of its text above the first of its `rows` that belongs to their table."""
        above = self.text[: self.rows[0].start - self.start] if self.rows else ""
        return above[max(above.rfind("[TABLE "), 0) :].rstrip()

    def find_head_above(self, position: int) -> str:
        """The head of the table that has a row at a position of the text; empty if there is none."""
        if position < find_first_rows_end(self.text):
            return self.table_head
        is_row = any(row.start <= self.start + position < row.end for row in self.rows)
        return self._own_head if is_row else ""

    @property
    def end(self) -> int:
        """The end of its text in the document's."""
        return self.start + len(self.text)

    @property
    def excerpt_text(self) -> str:
        """The text of the excerpt; empty without one."""
        return self.text[self.excerpt[0] - self.start : self.excerpt[1] - self.start] if self.excerpt else ""

    @property
    def headed_text(self) -> str:
        """The text with the header of the table that continues in it above it, if there is one."""
        return f"{self.table_head}\n{self.text}" if self.table_head else self.text

    @property
    def headed_excerpt(self) -> str:
        """The text of the excerpt, below the head of its table if it consists of rows of one."""
        head = self.find_head_above(self.excerpt[0] - self.start) if self.excerpt else ""
        return f"{head}\n{self.excerpt_text}" if head else self.excerpt_text


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The result of a search: the parsed question, the hits, and notes.

    A note says in a sentence how the search departed from the request, as when a period had no passages.
    """

    question: Question
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A passage that a search found, as answers and reports show it: `score` in [0, 1], the complete `text`.

    `start` and `end` are its half-open span in the text of its document, which `source` names by folder and path.
    `page` and `date` are None where it has none.
    """

    chunk_id: str
    document_id: str
    start: int
    end: int
    score: float = 0.0
    text: str = ""
    source: str = ""
    title: str = ""
    page: int | None = None
    date: datetime.date | None = None

    @classmethod
    def from_hit(cls, hit: Hit) -> RetrievedPassage:
        """The passage of a hit."""
        citation = hit.citation
        ids_and_span = hit.chunk_id, hit.document_id, hit.start, hit.end
        return cls(*ids_and_span, hit.score, hit.text, citation.source, citation.title, citation.page, citation.date)
