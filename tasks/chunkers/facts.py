"""What is known of a document, asked chunk by chunk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tasks.chunkers.blocks import blocks_in, section_of
from tasks.chunkers.contract import Span
from tasks.chunkers.markers import has_table
from tasks.chunkers.runs import lesson_at
from tasks.chunkers.sentences import count
from tasks.parsers.date_headings import entry_date
from tasks.temporal.document import first_date
from tasks.temporal.prefix import context_prefix, course_prefix, note_prefix, paper_prefix
from warehouse.records import BlockKind, Document, Entity, Kind, Mention


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """What is known of the document, asked span by span."""

    document: Document
    title: str
    source: str
    document_date: date | None
    mentions: Sequence[Mention]
    entities: Sequence[Entity]

    def sentences(self, start: int, end: int) -> int:
        """Complete sentences outside tables."""
        parts = _outside_tables(self.document, start, end)
        return sum(count(self.document.text[left:right]) for left, right in parts)

    def lesson(self, start: int) -> int | None:
        """The number of the lesson."""
        return lesson_at(self.document, start)

    def mentions_in(self, start: int, end: int) -> tuple[Mention, ...]:
        """The mentions that lie wholly in the span."""
        first = bisect_left(self.mentions, start, key=lambda mention: mention.start)
        last = bisect_left(self.mentions, end, key=lambda mention: mention.start)
        return tuple(mention for mention in self.mentions[first:last] if mention.end <= end)

    def entities_in(self, start: int, end: int) -> tuple[Entity, ...]:
        """The names that lie wholly in the span."""
        first = bisect_left(self.entities, start, key=lambda entity: entity.start)
        last = bisect_left(self.entities, end, key=lambda entity: entity.start)
        return tuple(entity for entity in self.entities[first:last] if entity.end <= end)

    def prefix(self, start: int, end: int, mentions: Sequence[Mention]) -> str:
        """The context put before the chunk where it is embedded, by the document's kind; `mentions` are the chunk's."""
        section = section_of(self.document, start, end)
        if self.document.kind is Kind.PAPER:
            return paper_prefix(self.title, section)
        if self.document.kind is Kind.COURSE:
            return course_prefix(self.title, self.lesson(start))
        if self.document.kind is Kind.NOTE:
            day = _heading_date(section, self.document.attributes.day_order) or self.document_date
            return note_prefix(self.title, self.entities_in(start, end), self.source, day)
        table = has_table(self.document.text[start:end])
        return context_prefix(self.document_date, mentions, has_table=table)


def _heading_date(section: tuple[str, ...], day_order: str) -> date | None:
    """The day a note's section is headed with, the innermost first; 3/4/2025 is read in the order of its file."""
    days = (entry_date(heading, day_order) or first_date(heading) for heading in reversed(section))
    return next((day for day in days if day), None)


def _outside_tables(document: Document, start: int, end: int) -> Iterator[Span]:
    for block in blocks_in(document, start, end):
        if block.kind is BlockKind.TABLE:
            if start < block.start:
                yield start, block.start
            start = block.end
    if start < end:
        yield start, end
