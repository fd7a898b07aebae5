"""CHK008 boilerplate: a passage, or a paragraph of it, of words that stand in every document of its sort.

What: half or more of it are copyright notices, disclaimers, cautionary statements, navigation, or lines of a table of
contents. A paragraph costs its share of the passage.
Why it hurts retrieval: it resembles its like in all other documents, matches many questions a little and answers
none.
Example: `All rights reserved. No part of this publication may be reproduced …`
Cure: leave such parts out of the source, or set them aside with the running headers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from tasks.quality.boilerplate import boilerplate
from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.subject import CheckedDocument
from warehouse.records import Chunk, Severity

_LEAST_SHARE = 0.5


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks without a table, or else the first such paragraph of a chunk."""
    for chunk in subject.chunks:
        share, what = boilerplate(chunk.text)
        if not chunk.has_table and share >= _LEAST_SHARE:
            yield of_chunk(chunk, f"{share:.0%} of the passage is {what}: leave it out of the source")
        else:
            yield from islice(_paragraphs(subject, chunk), 1)


def _paragraphs(subject: CheckedDocument, chunk: Chunk) -> Iterator[Violation]:
    """Neighbours of one sort are one: many files give each line of a table of contents a paragraph of its own."""
    judged = ((span, *boilerplate(subject.document.text[slice(*span)])) for span in subject.prose_in(chunk))
    for what, group in groupby(judged, key=lambda each: each[2] if each[1] >= _LEAST_SHARE else ""):
        spans = [span for span, _, _ in group]
        start, end = spans[0][0], spans[-1][1]
        if what and end - start >= _SHORTEST:
            penalty = round(_PENALTY * (end - start) / chunk.size, 2)
            message = f"a paragraph of the passage is {what}: leave it out of the source"
            yield Violation(message, start, end, chunk, penalty=penalty)


_SHORTEST = 30
_PENALTY = 0.2
member = DocumentRule("CHK008", "boilerplate", Severity.WARNING, _PENALTY, Scope.CHUNK, __doc__, _found)
