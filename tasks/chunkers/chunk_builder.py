"""Chunks and parents of a document from a chunker's spans, with every field filled from the document's facts.

Each chunk has a context prefix: text put before it when it is embedded and indexed, never when it is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import TypeVar

from tasks.chunkers.chunker import Chunker
from tasks.chunkers.parts.document_spans import (
    count_sentences,
    find_lesson,
    find_page,
    find_reference_spans,
    find_section,
    is_reference_list,
    list_page_starts,
    select_blocks,
)
from tasks.chunkers.parts.long_tables import find_head, shorten_head
from tasks.temporal.entries import Entry, find_entries, find_entry
from tasks.temporal.readings import format_period, is_dated
from tasks.temporal.row_dates import find_row_dates
from warehouse.identity import digest
from warehouse.message_notation import find_message
from warehouse.records import (
    BlockKind,
    Calendar,
    Chunk,
    DateClaim,
    DateOrigin,
    Document,
    Entity,
    Grain,
    Kind,
    Mention,
    Parent,
    TimexType,
)
from warehouse.records.calendars import DAY, Interval
from warehouse.table_notation import count_tables, has_complete_tables, has_table

_SpanRecord = TypeVar("_SpanRecord", Mention, Entity)
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
    its own text and the number of earlier chunks with that text, so it survives edits elsewhere and changes of
    settings. Without `prefixed` none has a context before it. `name_days` are the days in the name of a note,
    `parents` those of `make_parents`, made here if they are not given.
    """
    entries = find_entries(document, date_claim, name_days)
    rows = find_row_dates(document) if document.tables else None
    document_date = date_claim.date if date_claim else None
    facts = ChunkFacts(document, title, source, document_date, entities)
    if parents is None:
        parents = make_parents(document, document_id=document_id, chunker=chunker)
    references = find_reference_spans(document)
    text_counts: Counter[str] = Counter()
    page_counts: Counter[int] = Counter()
    chunks = []
    for index, (start, end) in enumerate(chunker.spans(document)):
        text = document.text[start:end]
        page = find_page(document, start, end)
        head = find_head(document, start) if document.tables else None
        # The head above a part of a table names, and dates, its columns.
        span_mentions = (*(_select_within(mentions, *head) if head else ()), *_select_within(mentions, start, end))
        # A short text before the first entry may be in one passage with it.
        entry = find_entry(entries, end - 1) or Entry(0, None)
        if rows and (days := rows.find_days(start, end)):
            entry = Entry(start, days, DateOrigin.ROWS)
        day, day_after = entry.days or (None, None)
        chunks.append(
            Chunk(
                chunk_id=digest(document_id, text, text_counts[text]),
                document_id=document_id,
                chunk_index=index,
                start=start,
                end=end,
                text=text,
                prefix=facts.format_prefix(start, end, span_mentions, day if entries or day else document_date)
                if prefixed
                else "",
                chunker=chunker.name,
                section=find_section(document, start, end),
                page=page,
                page_chunk_index=None if page is None else page_counts[page],
                size=end - start,
                word_count=len(_WORD.findall(text)),
                sentence_count=_count_sentences(document, start, end),
                has_table=head is not None or has_table(text),
                table_count=(head is not None) + count_tables(text),
                has_complete_table=head is None and has_table(text) and has_complete_tables(text),
                parent_id=find_parent(parents, start),
                lesson=find_lesson(document, start),
                period_start=min((mention.start_date for mention in span_mentions if mention.start_date), default=None),
                period_end=max((mention.end_date for mention in span_mentions if mention.end_date), default=None),
                pages=list_page_starts(document, start, end),
                is_references=is_reference_list(references, start, end),
                passage_date=day,
                passage_end=day_after,
                passage_date_origin=entry.origin,
                table_head=shorten_head(document.text[slice(*head)]) if head else "",
            )
        )
        text_counts[text] += 1
        if page is not None:
            page_counts[page] += 1
    return tuple(chunks)


def _select_within(items: Sequence[_SpanRecord], start: int, end: int) -> tuple[_SpanRecord, ...]:
    """The mentions or names that are wholly in a span; `items` are in the order of the text."""
    first, last = (bisect_left(items, position, key=lambda item: item.start) for position in (start, end))
    return tuple(item for item in items[first:last] if item.end <= end)


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """The facts about a document, for each of its spans."""

    document: Document
    title: str
    source: str
    document_date: date | None
    entities: Sequence[Entity]

    def format_prefix(self, start: int, end: int, mentions: Sequence[Mention], day: date | None) -> str:
        """The context put before the chunk when it is embedded, by the document's kind.

        `mentions` are the chunk's, `day` is that of its entry, or the document's if it has no entries.
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
            entities = _select_within(self.entities, start, end)
            return format_note_prefix(self.title, entities, self.source, day)
        is_part = bool(self.document.tables) and find_head(self.document, start) is not None
        is_tabular = is_part or has_table(self.document.text[start:end])
        return format_context_prefix(self.document_date, mentions, has_table=is_tabular)


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
    text_counts: Counter[str] = Counter()
    parents = []
    for start, end in chunker.parents(document):
        text = document.text[start:end]
        parent_id = digest(document_id, "parent", text, text_counts[text])
        section, page = find_section(document, start, end), find_page(document, start, end)
        pages = list_page_starts(document, start, end)
        parents.append(Parent(parent_id, document_id, start, end, text, section, page, pages))
        text_counts[text] += 1
    return tuple(parents)


def find_parent(parents: Sequence[Parent], start: int) -> str | None:
    """The id of the parent that has a position of the text; `parents` are in order and do not overlap."""
    next_index = bisect_right(parents, start, key=lambda parent: parent.start)
    return parents[next_index - 1].parent_id if next_index and start < parents[next_index - 1].end else None


MAX_PREFIX_LENGTH = 200  # The longest prefix in characters, so that context never dominates content.

_MAX_VALUES = 6  # The most values of one item, so that a table full of dates still names its quarters.

# Characters that the fields of a note's prefix may take: with their names and a date they fill the limit.
_MAX_TITLE, _MAX_NAMES, _MAX_SOURCE = 40, 64, 44

_LABELS = ("Fiscal Quarters (Tabular)", "Fiscal Quarters", "Fiscal Halves", "Fiscal Years", "Dates", "Periods", "Years")


def format_context_prefix(document_date: date | None, mentions: Iterable[Mention], *, has_table: bool) -> str:
    """`[TEMPORAL_CONTEXT: Document Date: … | Contains Table Data | Fiscal Quarters (Tabular): … | … | Years: …]`.

    `mentions` are the chunk's own. A year that a finer mention names is not listed again. At most 200 characters: a
    longer context ends at its last whole item with `...`. Empty if there is no item.
    """
    items = [f"Document Date: {document_date.isoformat()}"] if document_date else []
    if has_table:
        items.append("Contains Table Data")
    values = _collect_values(mentions)
    items += [f"{label}: {', '.join(list(values[label])[:_MAX_VALUES])}" for label in _LABELS if values[label]]
    full_prefix = f"[TEMPORAL_CONTEXT: {' | '.join(items)}]" if items else ""
    if len(full_prefix) <= MAX_PREFIX_LENGTH:
        return full_prefix
    fitting_items = _select_fitting(items, MAX_PREFIX_LENGTH - len("[TEMPORAL_CONTEXT: ...]"), " | ")
    return f"[TEMPORAL_CONTEXT: {' | '.join(fitting_items)}...]"


def format_paper_prefix(title: str, section: tuple[str, ...]) -> str:
    """`Paper: title | Section: Results > Cohort`; a section path that begins with the title leaves it out."""
    path = section[1:] if section and section[0] == title else section
    heading = f"Paper: {_clip(title, MAX_PREFIX_LENGTH // 2)}"
    return f"{heading} | Section: {_clip(' > '.join(path), MAX_PREFIX_LENGTH // 2 - 20)}" if path else heading


def format_course_prefix(title: str, lesson: int | None) -> str:
    """`Course: title | Lesson 3 content:`."""
    heading = f"Course: {_clip(title, MAX_PREFIX_LENGTH // 2)}"
    return heading if lesson is None else f"{heading} | Lesson {_clip(str(lesson), MAX_PREFIX_LENGTH // 4)} content:"


def format_book_prefix(title: str, section: tuple[str, ...]) -> str:
    """`Book: title | Chapter: Part One > The storm`."""
    heading = f"Book: {_clip(title, MAX_PREFIX_LENGTH // 2)}"
    return f"{heading} | Chapter: {_clip(' > '.join(section), MAX_PREFIX_LENGTH // 2 - 20)}" if section else heading


def format_message_prefix(section: tuple[str, ...]) -> str:
    """`Message: subject | From: Anna Weber | Date: 2025-03-12`, so that each passage of a long one names its sender."""
    message = find_message(section)
    if message is None:
        return ""
    subject, heading = message
    day = f" | Date: {heading.day}" if heading.day else ""
    sender = _clip(heading.sender, MAX_PREFIX_LENGTH // 4)
    return f"Message: {_clip(subject, MAX_PREFIX_LENGTH // 2)} | From: {sender}{day}"


def format_note_prefix(title: str, entities: Iterable[Entity], source: str, day: date | None) -> str:
    """`[title: …] [entities: PERSON:Ada Lovelace, …] [source: …] [date: …]`, fields without a value left out."""
    names = dict.fromkeys(f"{entity.label}:{entity.name}" for entity in entities)
    fields = {
        "title": _clip(title, _MAX_TITLE),
        "entities": ", ".join(_select_fitting(names, _MAX_NAMES, ", ")),
        "source": source if len(source) <= _MAX_SOURCE else f"...{source[3 - _MAX_SOURCE :]}",
        "date": day.isoformat() if day else "",
    }
    return " ".join(f"[{name}: {value}]" for name, value in fields.items() if value)


def _collect_values(mentions: Iterable[Mention]) -> dict[str, dict[str, None]]:
    """The names of periods by their label, without repetition; years that a finer mention names are left out."""
    values: dict[str, dict[str, None]] = {label: {} for label in _LABELS}
    covered_years: set[int] = set()
    for mention in mentions:
        label = _choose_label(mention)
        if label:
            values[label][format_period(mention)] = None
            # The years of its first and last day; of an open one only those of the known side.
            last = mention.end_date - DAY if mention.end_date else None
            covered_years |= set() if label == "Years" else {day.year for day in (mention.start_date, last) if day}
    values["Years"] = {year: None for year in values["Years"] if not (year.isdigit() and int(year) in covered_years)}
    return values


def _choose_label(mention: Mention) -> str:
    """The label under which a mention is listed; empty for lengths, times that recur and times without a date."""
    if not is_dated(mention):
        return ""
    if "/" in mention.value:
        return "Years" if all(len(side) == 4 and side.isdigit() for side in mention.value.split("/")) else "Periods"
    if mention.type is TimexType.TIME or mention.grain is Grain.DAY:
        return "Dates"
    if mention.grain is Grain.YEAR:
        return "Fiscal Years" if mention.calendar is Calendar.FISCAL else "Years"
    quarters = f"Fiscal Quarters{'' if mention.table is None else ' (Tabular)'}"
    return {Grain.QUARTER: quarters, Grain.HALF: "Fiscal Halves"}.get(mention.grain or Grain.DAY, "Periods")


def _select_fitting(items: Iterable[str], limit: int, joint: str) -> list[str]:
    """The first items that together take no more than `limit` characters when joined."""
    all_items = list(items)
    lengths = accumulate(len(item) + len(joint) for item in all_items)
    return [item for item, length in zip(all_items, lengths, strict=True) if length <= limit + len(joint)]


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3].rstrip()}..."
