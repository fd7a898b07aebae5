"""CHK006 heading-without-body: a passage of headings and nothing under them, or an empty section in a passage.

What: every block of the passage is a heading; or one of them is followed by a heading of its own level or above, or by
nothing. An empty section costs its share of the passage.
Why it hurts retrieval: a heading matches the question's words best of all and answers nothing, so it displaces the
text that does.
Example: `## Results of operations`
Cure: raise `chunk.size` so that the section fits beside its heading; remove empty sections from the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation, of_chunk
from warehouse.records import Block, BlockKind, Severity

_PENALTY = 0.1  # It is that of a near duplicate: headings cut from their text cost as many answers, though not surely.


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """The levels of headings are a guess in PDF, so that only whole chunks count there."""
    bodies = [block for block in subject.document.blocks if block.kind is not BlockKind.FURNITURE]
    empty = {block.start for block, after in zip_longest(bodies[1:], bodies[2:]) if _is_empty(block, after)}
    for chunk in subject.chunks:
        blocks = blocks_in(subject.document, chunk.start, chunk.end)
        if blocks and all(block.kind is BlockKind.HEADING for block in blocks):
            yield of_chunk(chunk, f"the passage is a heading without the text it heads: '{quoted_snippet(chunk.text)}'")
            continue
        for block in blocks:
            if block.start in empty and block.page is None:
                penalty = round(_PENALTY * (block.end - block.start) / chunk.size, 2)
                message = f"there is no text under the heading '{quoted_snippet(subject.text_of(block))}'"
                yield Violation(message, block.start, block.end, chunk, penalty=penalty)


def _is_empty(block: Block, after: Block | None) -> bool:
    """Whether a heading heads nothing; the title of a document, its first block, may stand alone."""
    if block.kind is not BlockKind.HEADING:
        return False
    return after is None or (after.kind is BlockKind.HEADING and after.level <= block.level)


member = DocumentRule("CHK006", "heading-without-body", Severity.WARNING, _PENALTY, Scope.CHUNK, __doc__, _found)
