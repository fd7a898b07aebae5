"""CHK004 too-small: a passage far below the size aimed at, though the document holds more text.

What: fewer than a twentieth of the target's characters.
Why it hurts retrieval: a few words match a question strongly by chance and tell the reader little.
Example: `See next page.`
Cure: join short sections, or raise `chunk.size`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.phrases import quoted_snippet
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_LEAST_SHARE = 0.05


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks without a table in documents that are longer; properties of notes and headings are other matters."""
    least = subject.target * _LEAST_SHARE
    for chunk in subject.chunks:
        is_small = not chunk.has_table and chunk.size < least < len(subject.document.text)
        if is_small and not subject.is_properties(chunk) and any(subject.prose_in(chunk)):
            message = (
                f"{chunk.size} characters where about {subject.target} are aimed at: '{quoted_snippet(chunk.text)}'"
            )
            yield of_chunk(chunk, message)


member = DocumentRule("CHK004", "too-small", Severity.NOTE, 0.05, Scope.CHUNK, __doc__, _found)
"""Its penalty is small: such chunks beside half of the others took no place that an answer needed."""
