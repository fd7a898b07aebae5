"""TAB002 oversized-table: a table of more than twice the size that passages aim at.

What: a passage with a table is longer than two target sizes (0.15) or three (0.3).
Why it hurts retrieval: one vector stands for hundreds of figures, and a hit shows the reader far more than was asked.
Example: a balance sheet of 5,000 characters where passages aim at 1,000.
Cure: raise `chunk.size` for such documents, or divide the table in the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_LARGE, _HUGE = 2, 3
_HUGE_PENALTY = 0.3


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks with a table; the table is kept whole all the same."""
    for chunk in subject.chunks:
        if chunk.has_table and chunk.size > _LARGE * subject.target:
            penalty = _HUGE_PENALTY if chunk.size > _HUGE * subject.target else None
            times = f"{chunk.size / subject.target:.1f} times the size aimed at"
            yield of_chunk(chunk, f"a table of {chunk.size} characters is {times}: divide it in the source", penalty)


member = DocumentRule("TAB002", "oversized-table", Severity.WARNING, 0.15, Scope.CHUNK, __doc__, _found)
