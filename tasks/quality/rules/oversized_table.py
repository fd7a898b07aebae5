"""TAB002 oversized-table: a table of more than twice the size that chunks aim at.

What: a chunk with a table is longer than two target sizes (0.15) or three (0.3).
Why it hurts retrieval: one vector stands for hundreds of figures, and a hit shows the reader far more than was asked.
Example: a balance sheet of 5,000 characters where chunks aim at 1,000.
Cure: raise the chunk size for such documents, or divide the table in the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.quality.contract import finding
from warehouse.records import Chunk, Document, Finding, Severity

_LARGE, _HUGE = 2, 3
_HUGE_PENALTY = 0.3


class OversizedTable:
    """Fires on chunks with a table; the table is kept whole all the same."""

    code: ClassVar[str] = "TAB002"
    name: ClassVar[str] = "oversized-table"
    severity: ClassVar[Severity] = Severity.WARNING
    penalty: ClassVar[float] = 0.15

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        if not chunk.has_table or chunk.size <= _LARGE * target_size:
            return
        penalty = _HUGE_PENALTY if chunk.size > _HUGE * target_size else self.penalty
        yield finding(
            self, chunk, f"{chunk.size} characters are {chunk.size / target_size:.1f} times the size", penalty
        )


member = OversizedTable()
