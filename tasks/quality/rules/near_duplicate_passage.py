"""CHK009 near-duplicate-passage: a passage that says much of what stands elsewhere already.

What: two fifths of its runs of five words stand in an earlier document, or 85 % of them at another place of this one.
Why it hurts retrieval: the same answer fills several places among the hits and drives others out.
Example: the same risk factors in the reports of three quarters.
Cure: keep the passage in one place and link to it, or search the newest document only.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    for (source, first), (other, chunk), share in corpus.repeated_chunks:
        where = "this file" if source == other else source
        message = (
            f"{share:.0%} of passage {chunk.number + 1} stands in {where}, passage {first.number + 1}: keep one of them"
        )
        yield other, Violation(message, chunk.start, chunk.end, page=chunk.page)


member = CorpusRule("CHK009", "near-duplicate-passage", Severity.NOTE, 0.1, Scope.CORPUS, __doc__, _found)
