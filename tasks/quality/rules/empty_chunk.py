"""CHK001 empty-chunk: a chunk without a single letter or digit.

What: the text is blank, or only rules, bullets and punctuation.
Why it hurts retrieval: its vector means nothing, so it is near to everything and takes a place among the hits.
Example: `* * *`
Cure: remove decorative lines from the source, or choose a chunker that joins small pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.quality.contract import finding
from warehouse.records import Chunk, Document, Finding, Severity


class EmptyChunk:
    """Fires where no character is a letter or digit of any script."""

    code: ClassVar[str] = "CHK001"
    name: ClassVar[str] = "empty-chunk"
    severity: ClassVar[Severity] = Severity.ERROR
    penalty: ClassVar[float] = 1.0

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        if not any(map(str.isalnum, chunk.text)):
            yield finding(self, chunk, "the chunk holds no letter and no digit")


member = EmptyChunk()
