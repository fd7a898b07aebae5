"""Chunks and parents of a document from a chunker's spans, with every field filled from the document's facts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from tasks.chunkers.chunker import Chunker
from tasks.chunkers.parts.document_spans import (
    find_lesson,
    find_page,
    find_reference_spans,
    find_section,
    is_reference_list,
    list_page_starts,
    select_blocks,
)
from tasks.chunkers.parts.long_tables import find_head, shorten_head
from tasks.chunkers.parts.sentences import count_sentences
from tasks.temporal.entries import Entry, find_entries, find_entry
from tasks.temporal.prefix import (
    format_book_prefix,
    format_context_prefix,
    format_course_prefix,
    format_message_prefix,
    format_note_prefix,
    format_paper_prefix,
)
from tasks.temporal.row_dates import find_row_dates
from warehouse.identity import digest
from warehouse.records import BlockKind, Chunk, DateClaim, DateOrigin, Document, Entity, Kind, Mention, Parent
from warehouse.records.fiscal import Interval
from warehouse.table_notation import count_tables, has_table, has_whole_tables

_Found = TypeVar("_Found", Mention, Entity)
_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")


def make_chunks(
    document: Document,
    *,
    document_id: str,
    title: str,
    source: str,
    date_claim: DateClaim | None,
    mentions: Sequence[Mention],
    entities: Sequence[Entity],
    chunker: Chunker,
    name_days: Interval | None = None,
    prefixed: bool = True,
    parents: Sequence[Parent] | None = None,
) -> tuple[Chunk, ...]:
    """The chunks of a document in order.

    `mentions` and `entities` are the document's, in the order of the text. A chunk's id depends on the document's id,
    its own text and how often that text came before, so it outlives edits elsewhere and changes of settings. Without
    `prefixed` none has a context before it. `named` are the days that the name of a note says it is of, `parents` those
    of `make_parents`, made here where they are not given.
    """
    entries, rows = find_entries(document, date_claim, name_days), find_row_dates(document)
    document_date = date_claim.date if date_claim else None
    facts = ChunkFacts(document, title, source, document_date, entities)
    if parents is None:
        parents = make_parents(document, document_id=document_id, chunker=chunker)
    references = find_reference_spans(document)
    seen: Counter[str] = Counter()
    on_page: Counter[int] = Counter()
    chunks = []
    for index, (start, end) in enumerate(chunker.spans(document)):
        text = document.text[start:end]
        page = find_page(document, start, end)
        head = find_head(document, start)
        # The columns of a part of a table are named, and dated, by the head that it is read below.
        within = (*(_select_within(mentions, *head) if head else ()), *_select_within(mentions, start, end))
        # A short text before the first entry may stand in one passage with it.
        entry = find_entry(entries, end - 1) or Entry(0, None)
        if days := rows.find_days(start, end):
            entry = Entry(start, days, DateOrigin.ROWS)
        day, day_after = entry.days or (None, None)
        chunks.append(
            Chunk(
                chunk_id=digest(document_id, text, seen[text]),
                document_id=document_id,
                chunk_index=index,
                start=start,
                end=end,
                text=text,
                prefix=facts.format_prefix(start, end, within, day if entries or day else document_date)
                if prefixed
                else "",
                chunker=chunker.name,
                section=find_section(document, start, end),
                page=page,
                page_chunk_index=None if page is None else on_page[page],
                size=end - start,
                word_count=len(_WORD.findall(text)),
                sentence_count=_count_sentences(document, start, end),
                has_table=head is not None or has_table(text),
                table_count=(head is not None) + count_tables(text),
                has_complete_table=head is None and has_table(text) and has_whole_tables(text),
                parent_id=find_parent(parents, start),
                lesson=find_lesson(document, start),
                period_start=min((each.start_date for each in within if each.start_date), default=None),
                period_end=max((each.end_date for each in within if each.end_date), default=None),
                pages=list_page_starts(document, start, end),
                is_references=is_reference_list(references, start, end),
                passage_date=day,
                passage_end=day_after,
                passage_date_origin=entry.origin,
                table_head=shorten_head(document.text[slice(*head)]) if head else "",
            )
        )
        seen[text] += 1
        if page is not None:
            on_page[page] += 1
    return tuple(chunks)


def _select_within(found: Sequence[_Found], start: int, end: int) -> tuple[_Found, ...]:
    """Those of some mentions or names, in the order of the text, that lie wholly in a span."""
    first, last = (bisect_left(found, place, key=lambda each: each.start) for place in (start, end))
    return tuple(each for each in found[first:last] if each.end <= end)


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """What is known of the document, asked span by span."""

    document: Document
    title: str
    source: str
    document_date: date | None
    entities: Sequence[Entity]

    def format_prefix(self, start: int, end: int, mentions: Sequence[Mention], day: date | None) -> str:
        """The context put before the chunk where it is embedded, by the document's kind.

        `mentions` are the chunk's, `day` is that of its entry, of a document without entries its own.
        """
        section = find_section(self.document, start, end)
        if self.document.kind is Kind.PAPER:
            return format_paper_prefix(self.title, section)
        if self.document.kind is Kind.COURSE:
            return format_course_prefix(self.title, find_lesson(self.document, start))
        if self.document.kind is Kind.BOOK:
            return format_book_prefix(self.title, section)
        if self.document.kind is Kind.MESSAGE:
            return format_message_prefix(section)
        if self.document.kind is Kind.NOTE:
            named = _select_within(self.entities, start, end)
            return format_note_prefix(self.title, named, self.source, day)
        table = find_head(self.document, start) is not None or has_table(self.document.text[start:end])
        return format_context_prefix(self.document_date, mentions, has_table=table)


def _count_sentences(document: Document, start: int, end: int) -> int:
    """Complete sentences outside tables."""
    count = 0
    for block in select_blocks(document, start, end):
        if block.kind is BlockKind.TABLE:
            count += count_sentences(document.text[start : block.start])
            start = block.end
    return count + count_sentences(document.text[start:end])


def make_parents(document: Document, *, document_id: str, chunker: Chunker) -> tuple[Parent, ...]:
    """The parents of a document's chunks in order; none for chunkers that make none."""
    seen: Counter[str] = Counter()
    parents = []
    for start, end in chunker.parents(document):
        text = document.text[start:end]
        name = digest(document_id, "parent", text, seen[text])
        section, page = find_section(document, start, end), find_page(document, start, end)
        pages = list_page_starts(document, start, end)
        parents.append(Parent(name, document_id, start, end, text, section, page, pages))
        seen[text] += 1
    return tuple(parents)


def find_parent(parents: Sequence[Parent], start: int) -> str | None:
    """The id of the parent that holds a place of the text; `parents` are in order and apart."""
    after = bisect_right(parents, start, key=lambda parent: parent.start)
    return parents[after - 1].parent_id if after and start < parents[after - 1].end else None
