"""CHK006 heading-without-body: a chunk that holds headings and nothing under them.

What: every block of the chunk is a heading.
Why it hurts retrieval: a heading matches the question's words best of all and answers nothing, so it displaces the text
that does.
Example: `## Results of operations`
Cure: raise the chunk size so that the section fits beside its heading; remove empty sections from the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.chunkers.blocks import blocks_in
from tasks.quality.contract import finding
from warehouse.records import BlockKind, Chunk, Document, Finding, Severity


class HeadingWithoutBody:
    """Fires where there is no block but headings."""

    code: ClassVar[str] = "CHK006"
    name: ClassVar[str] = "heading-without-body"
    severity: ClassVar[Severity] = Severity.WARNING
    penalty: ClassVar[float] = 0.4

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        blocks = blocks_in(document, chunk.start, chunk.end)
        if blocks and all(block.kind is BlockKind.HEADING for block in blocks):
            yield finding(self, chunk, "the chunk is a heading without the text it heads")


member = HeadingWithoutBody()
