"""CHK005 low-alphabetic-share: a passage, or a paragraph of it, of mostly digits and signs, neither a table nor code.

What: fewer than half of the visible characters are letters of words without digits. A paragraph costs its share of the
passage.
Why it hurts retrieval: an embedding model reads words; loose numbers, as of a table read as text, blur the vector.
Example: `12 345 11 202 9.2 % 8 114 7 903 2.7 %`
Cure: have the table recognised as a table, or leave lists of numbers out of the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation, of_chunk
from warehouse.records import BlockKind, Chunk, Severity

_LEAST_SHARE = 0.5
_SHORTEST = 100
_PENALTY = 0.05
"""It is small: loose figures took no place that an answer needed, and hid no answer that they were put to."""
_ONLY = "only {:.0%} of the visible characters are letters of words"


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks without a table or code, or else the first such paragraph; the properties of notes are what they are."""
    for chunk in subject.chunks:
        share = _share(chunk.text)
        if subject.is_properties(chunk):
            continue
        blocks = blocks_in(subject.document, chunk.start, chunk.end)
        if share < _LEAST_SHARE and not chunk.has_table and all(block.kind is not BlockKind.CODE for block in blocks):
            yield of_chunk(chunk, f"{_ONLY.format(share)}: '{quoted_snippet(chunk.text)}'")
        else:
            yield from islice(_paragraphs(subject, chunk), 1)


def _paragraphs(subject: CheckedDocument, chunk: Chunk) -> Iterator[Violation]:
    for start, end in subject.prose_in(chunk):
        text = subject.document.text[start:end]
        share = _share(text)
        is_long = end - start >= _SHORTEST and not subject.are_properties(start, end)
        if share < _LEAST_SHARE and is_long:
            penalty = round(_PENALTY * (end - start) / chunk.size, 2)
            yield Violation(
                f"{_ONLY.format(share)} in a paragraph: '{quoted_snippet(text)}'", start, end, chunk, penalty=penalty
            )


def _share(text: str) -> float:
    """The share of a text's visible characters that are letters, 0 to 1; Chinese characters are, addresses left out."""
    words = [word for word in text.split() if "://" not in word]
    plain = (word for word in words if not word.isascii() or not any(map(str.isdigit, word)))
    letters = sum(map(str.isalpha, "".join(plain)))
    return letters / max(1, len("".join(words)))


member = DocumentRule("CHK005", "low-alphabetic-share", Severity.WARNING, _PENALTY, Scope.CHUNK, __doc__, _found)
