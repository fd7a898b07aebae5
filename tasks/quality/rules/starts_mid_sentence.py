"""CHK002 starts-mid-sentence: a chunk of prose that begins in the middle of a sentence.

What: the chunk starts inside a paragraph where no sentence begins, or a paragraph starts with a small letter.
Why it hurts retrieval: the subject of the sentence stands in the chunk before, so the words lose what they are about.
Example: `which rose by 4 % against the year before.`
Cure: raise the chunk size or the overlap, or set running headers and footers aside so that they part no sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.chunkers.blocks import blocks_in
from tasks.chunkers.sentences import starts
from tasks.quality.contract import finding
from warehouse.records import Block, BlockKind, Chunk, Document, Finding, Severity

_NEARBY = 200
"""Where the sentence before a chunk must have ended, in characters."""


class StartsMidSentence:
    """Fires on chunks without a table."""

    code: ClassVar[str] = "CHK002"
    name: ClassVar[str] = "starts-mid-sentence"
    severity: ClassVar[Severity] = Severity.WARNING
    penalty: ClassVar[float] = 0.15

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or blocks[0].kind is not BlockKind.PARAGRAPH:
            return
        if _is_broken(chunk, blocks[0], document.text):
            yield finding(self, chunk, f"the chunk starts within a sentence: '{chunk.text[:40]}'")


def _is_broken(chunk: Chunk, block: Block, text: str) -> bool:
    if chunk.start == block.start:
        return chunk.text[:1].islower()
    nearby = max(block.start, chunk.start - _NEARBY)
    return chunk.start not in starts(text, nearby, min(block.end, chunk.start + 1))


member = StartsMidSentence()
