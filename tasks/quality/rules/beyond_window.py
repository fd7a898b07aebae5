"""CHK010 beyond-window: a passage longer than the embedder's window.

What: the passage has a quarter more tokens than the model reads at once, or yet more.
Why it hurts retrieval: the text beyond is not seen beside what stands before it: the passage is embedded in several
pieces, and other programs cut it off.
Example: 1,000 Chinese characters for a model that reads 256 tokens.
Cure: lower `chunk.size` for such documents, or choose a model with a longer window.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.subject import CheckedDocument
from tasks.quality.tokens import estimated_tokens
from warehouse.records import Severity

_FARTHEST = 1.25
"""In windows: of a chunk that is a little longer all but a sentence or two is seen at once."""


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks but for tables, which are embedded row by row, and abstracts; tokens are estimated without a model."""
    for chunk in subject.chunks:
        tokens = 0 if chunk.has_table else estimated_tokens(chunk.embedded_text)
        if tokens > _FARTHEST * subject.window and not subject.is_abstract(chunk):
            message = f"about {tokens} tokens where the model reads {subject.window} at once: lower chunk.size"
            yield of_chunk(chunk, message)


member = DocumentRule("CHK010", "beyond-window", Severity.NOTE, 0.05, Scope.CHUNK, __doc__, _found)
