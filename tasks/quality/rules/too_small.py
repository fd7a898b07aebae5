"""CHK004 too-small: a chunk far below the size aimed at, though the document holds more text.

What: fewer than a tenth of the target's characters.
Why it hurts retrieval: a few words match a question strongly by chance and tell the reader little.
Example: `See next page.`
Cure: join short sections, or raise the chunk size.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.quality.contract import finding
from warehouse.records import Chunk, Document, Finding, Severity

_LEAST_SHARE = 0.1


class TooSmall:
    """Fires on chunks without a table in documents that are longer than such a chunk."""

    code: ClassVar[str] = "CHK004"
    name: ClassVar[str] = "too-small"
    severity: ClassVar[Severity] = Severity.NOTE
    penalty: ClassVar[float] = 0.2

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        least = target_size * _LEAST_SHARE
        if not chunk.has_table and chunk.size < least < len(document.text):
            yield finding(self, chunk, f"{chunk.size} characters where about {target_size} are aimed at")


member = TooSmall()
