"""CHK006 heading-without-body: a chunk that holds headings and nothing under them.

What: every block of the chunk is a heading.
Why it hurts retrieval: a heading matches the question's words best of all and answers nothing, so it displaces the
text that does.
Example: `## Results of operations`
Cure: raise the chunk size so that the section fits beside its heading; remove empty sections from the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.chunkers.blocks import blocks_in
from tasks.quality.contract import Blame, DocumentRule, Scope, of_chunk
from tasks.quality.subject import Subject
from tasks.quality.wording import shown
from warehouse.records import BlockKind, Severity


def _found(subject: Subject) -> Iterator[Blame]:
    for chunk in subject.chunks:
        blocks = blocks_in(subject.document, chunk.start, chunk.end)
        if blocks and all(block.kind is BlockKind.HEADING for block in blocks):
            yield of_chunk(chunk, f"the chunk is a heading without the text it heads: '{shown(chunk.text)}'")


member = DocumentRule("CHK006", "heading-without-body", Severity.WARNING, 0.4, Scope.CHUNK, __doc__, _found)
