"""CHK007 too-large: a passage far above the size aimed at and the size of its neighbours.

What: more than one and a half times the target and twice the median of the document's passages.
Why it hurts retrieval: one vector stands for many statements and is near to none of them.
Example: a paragraph of 4,000 characters where passages aim at 1,000.
Cure: lower `chunk.size`, or choose a chunker that cuts long paragraphs.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_TIMES_TARGET = 1.5
_TIMES_MEDIAN = 2


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks without a table; the abstracts of papers are kept whole on purpose."""
    if not subject.chunks:
        return
    median = statistics.median(chunk.size for chunk in subject.chunks)
    most = _TIMES_TARGET * subject.target
    for chunk in subject.chunks:
        stands_out = len(subject.chunks) == 1 or chunk.size > _TIMES_MEDIAN * median
        if chunk.size > most and stands_out and not chunk.has_table and not subject.is_abstract(chunk):
            usual = f"where {subject.target} are aimed at and {median:.0f} are usual"
            yield of_chunk(chunk, f"{chunk.size} characters {usual}: cut it")


member = DocumentRule("CHK007", "too-large", Severity.WARNING, 0.1, Scope.CHUNK, __doc__, _found)
"""Its penalty is moderate: three chunks in one cost few answers where as much is read, and not surely."""
