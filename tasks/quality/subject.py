"""What is known of one document when it is judged."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tasks.chunkers.parts.document_spans import blocks_in, is_abstract, page_at
from tasks.quality.places import Anchors, anchors
from warehouse.records import Block, BlockKind, Chunk, DateClaim, Document, Mention, Table, Total

MARKDOWN = "text/markdown"
PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST)
_PROPERTY = re.compile(r"[^\s:][^:\n]{0,60}: \S")


@dataclass(frozen=True)
class CheckedDocument:
    """A document with what the pipeline made of it.

    `date` is the document's own with its origin, None if it is undated. `target` is the size in characters that the
    chunks were made for, `window` what the embedder reads at once, in tokens. `raw` is the source of a note or other
    text, where known; `checked` the totals of all tables, where they have been checked.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    mentions: tuple[Mention, ...]
    date: DateClaim | None
    target: int
    window: int
    raw: str = ""
    checked: tuple[Total, ...] | None = None

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """The totals of all tables, checked."""
        if self.checked is not None:
            return self.checked
        from tasks.tables.totals import totals

        return totals(self.document)

    @cached_property
    def anchors(self) -> Anchors:
        """Where the words of the text stand in the source."""
        return anchors(self.document.text, self.raw)

    def chunk_at(self, position: int) -> Chunk | None:
        """The first chunk that holds a position of the text; chunks are in the order of their ends."""
        first = bisect_left(self.chunks, position + 1, key=lambda chunk: chunk.end)
        later = self.chunks[first : first + 1]
        return later[0] if later and later[0].start <= position else None

    def block_at(self, position: int) -> Block | None:
        """The block that holds a position of the text."""
        first = bisect_left(self.document.blocks, position + 1, key=lambda block: block.end)
        found = self.document.blocks[first : first + 1]
        return found[0] if found and found[0].start <= position else None

    def page_of(self, position: int) -> int | None:
        """The page of a position of the text."""
        block = self.block_at(position)
        return page_at(block, position) if block else None

    def body_rows(self, table: Table) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The rows of a table below its header with their numbers."""
        yield from enumerate(table.rows[table.header_rows :], table.header_rows)

    def prose_in(self, chunk: Chunk) -> Iterator[tuple[int, int]]:
        """Start and end of the paragraphs and lists of a chunk, as far as they are in it."""
        for block in blocks_in(self.document, chunk.start, chunk.end):
            if block.kind in PROSE:
                yield max(block.start, chunk.start), min(block.end, chunk.end)

    def is_properties(self, chunk: Chunk) -> bool:
        """Whether a chunk is the front matter of a note and no more."""
        return self.are_properties(chunk.start, chunk.end)

    def are_properties(self, start: int, end: int) -> bool:
        """Whether a stretch of the text is front matter and no more."""
        is_head = start == 0 and self.document.media_type == MARKDOWN
        return is_head and all(map(_PROPERTY.match, self.document.text[start:end].split("\n")))

    def is_abstract(self, chunk: Chunk) -> bool:
        """Whether a chunk is the abstract of a paper, which is kept whole on purpose."""
        return any(is_abstract(self.document, block) for block in blocks_in(self.document, chunk.start, chunk.end))

    @cached_property
    def prose(self) -> tuple[Block, ...]:
        """The paragraphs and lists, in order."""
        return tuple(block for block in self.document.blocks if block.kind in PROSE)

    def text_of(self, block: Block) -> str:
        """A block's text."""
        return self.document.text[block.start : block.end]
