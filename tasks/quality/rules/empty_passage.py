"""CHK001 empty-passage: a passage without a single letter or digit.

What: the text is blank, or only rules, bullets and punctuation.
Why it hurts retrieval: its vector means nothing, so it is near to everything and takes a place among the hits.
Example: `* * *`
Cure: remove decorative lines from the source, or choose a chunker that joins small pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for chunk in subject.chunks:
        if not any(map(str.isalnum, chunk.text)):
            yield of_chunk(chunk, "the passage holds no letter and no digit: remove the line")


member = DocumentRule("CHK001", "empty-passage", Severity.ERROR, 1.0, Scope.CHUNK, __doc__, _found)
