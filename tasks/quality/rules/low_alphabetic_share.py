"""CHK005 low-alphabetic-share: a chunk of mostly digits and signs that is neither a table nor code.

What: fewer than half of the visible characters are letters.
Why it hurts retrieval: an embedding model reads words; loose numbers, as of a table read as text, blur the vector.
Example: `12 345 11 202 9.2 % 8 114 7 903 2.7 %`
Cure: have the table recognised as a table, or leave lists of numbers out of the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.chunkers.blocks import blocks_in
from tasks.quality.contract import Blame, DocumentRule, Scope, of_chunk
from tasks.quality.subject import Subject
from tasks.quality.wording import shown
from warehouse.records import BlockKind, Chunk, Severity

_LEAST_SHARE = 0.5


def _found(subject: Subject) -> Iterator[Blame]:
    """Chunks without a table or code, but for the properties of notes; Chinese characters are letters."""
    for chunk in subject.chunks:
        if chunk.has_table or subject.is_properties(chunk) or _has_code(chunk, subject):
            continue
        visible = "".join(chunk.text.split())
        letters = sum(map(str.isalpha, visible))
        if letters < _LEAST_SHARE * len(visible):
            share = f"only {letters / len(visible):.0%} of the visible characters are letters"
            yield of_chunk(chunk, f"{share}: '{shown(chunk.text)}'")


def _has_code(chunk: Chunk, subject: Subject) -> bool:
    return any(block.kind is BlockKind.CODE for block in blocks_in(subject.document, chunk.start, chunk.end))


member = DocumentRule("CHK005", "low-alphabetic-share", Severity.WARNING, 0.2, Scope.CHUNK, __doc__, _found)
