"""From a document's facts to its chunks, every field filled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date

from tasks.chunkers.blocks import page_of, page_starts, section_of
from tasks.chunkers.contract import Chunker
from tasks.chunkers.facts import ChunkFacts
from tasks.chunkers.markers import has_table, table_count, tables_are_whole
from tasks.chunkers.parents import make_parents, parent_of
from tasks.chunkers.reference_lists import is_reference_list, reference_spans
from warehouse.identity import digest
from warehouse.records import Chunk, Document, Entity, Mention

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")


def make_chunks(
    document: Document,
    *,
    document_id: str,
    title: str,
    source: str,
    document_date: date | None,
    mentions: Sequence[Mention],
    entities: Sequence[Entity],
    chunker: Chunker,
    prefixed: bool = True,
) -> tuple[Chunk, ...]:
    """The chunks of a document in order.

    `mentions` and `entities` are the document's, in the order of the text. A chunk's id depends on the document's id,
    its own text and how often that text came before, so it outlives edits elsewhere and changes of settings. Without
    `prefixed` none has a context before it.
    """
    facts = ChunkFacts(document, title, source, document_date, mentions, entities)
    parents = make_parents(document, document_id=document_id, chunker=chunker)
    references = reference_spans(document)
    seen: Counter[str] = Counter()
    on_page: Counter[int] = Counter()
    made = []
    for index, (start, end) in enumerate(chunker.spans(document)):
        text = document.text[start:end]
        page = page_of(document, start, end)
        within = facts.mentions_in(start, end)
        since, until = _period(within)
        made.append(
            Chunk(
                chunk_id=digest(document_id, text, seen[text]),
                document_id=document_id,
                chunk_index=index,
                start=start,
                end=end,
                text=text,
                prefix=facts.prefix(start, end, within) if prefixed else "",
                chunker=chunker.name,
                section=section_of(document, start, end),
                page=page,
                page_chunk_index=None if page is None else on_page[page],
                size=end - start,
                word_count=len(_WORD.findall(text)),
                sentence_count=facts.sentences(start, end),
                has_table=has_table(text),
                table_count=table_count(text),
                has_complete_table=has_table(text) and tables_are_whole(text),
                parent_id=parent_of(parents, start),
                lesson=facts.lesson(start),
                period_start=since,
                period_end=until,
                pages=page_starts(document, start, end),
                is_references=is_reference_list(references, start, end),
            )
        )
        seen[text] += 1
        if page is not None:
            on_page[page] += 1
    return tuple(made)


def _period(mentions: Sequence[Mention]) -> tuple[date | None, date | None]:
    """From the first to the last moment that the mentions name."""
    starts = [mention.start_date for mention in mentions if mention.start_date]
    ends = [mention.end_date for mention in mentions if mention.end_date]
    return min(starts, default=None), max(ends, default=None)
