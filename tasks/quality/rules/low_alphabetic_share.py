"""CHK005 low-alphabetic-share: a chunk of mostly digits and signs that is neither a table nor code.

What: fewer than half of the visible characters are letters.
Why it hurts retrieval: an embedding model reads words; loose numbers, as of a table read as text, blur the vector.
Example: `12 345 11 202 9.2 % 8 114 7 903 2.7 %`
Cure: have the table recognised as a table, or leave lists of numbers out of the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.chunkers.blocks import blocks_in
from tasks.quality.contract import finding
from warehouse.records import BlockKind, Chunk, Document, Finding, Severity

_LEAST_SHARE = 0.5


class LowAlphabeticShare:
    """Fires on chunks without a table or code; Chinese characters are letters."""

    code: ClassVar[str] = "CHK005"
    name: ClassVar[str] = "low-alphabetic-share"
    severity: ClassVar[Severity] = Severity.WARNING
    penalty: ClassVar[float] = 0.2

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        if chunk.has_table or _has_code(chunk, document):
            return
        visible = "".join(chunk.text.split())
        letters = sum(map(str.isalpha, visible))
        if letters < _LEAST_SHARE * len(visible):
            yield finding(self, chunk, f"only {letters / len(visible):.0%} of the visible characters are letters")


def _has_code(chunk: Chunk, document: Document) -> bool:
    return any(block.kind is BlockKind.CODE for block in blocks_in(document, chunk.start, chunk.end))


member = LowAlphabeticShare()
