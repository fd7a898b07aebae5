"""CHK008 boilerplate: a chunk of words that stand in every document of its sort.

What: half or more of it are copyright notices, disclaimers, cautionary statements, navigation, or lines of a table of
contents.
Why it hurts retrieval: it resembles its like in all other documents, matches many questions a little and answers
none.
Example: `All rights reserved. No part of this publication may be reproduced …`
Cure: leave such parts out of the source, or set them aside with the running headers.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.boilerplate import boilerplate
from tasks.quality.contract import Blame, DocumentRule, Scope, of_chunk
from tasks.quality.subject import Subject
from warehouse.records import Severity

_LEAST_SHARE = 0.5


def _found(subject: Subject) -> Iterator[Blame]:
    """Chunks without a table."""
    for chunk in subject.chunks:
        share, what = boilerplate(chunk.text)
        if not chunk.has_table and share >= _LEAST_SHARE:
            yield of_chunk(chunk, f"{share:.0%} of the chunk is {what}: leave it out of the source")


member = DocumentRule("CHK008", "boilerplate", Severity.WARNING, 0.2, Scope.CHUNK, __doc__, _found)
