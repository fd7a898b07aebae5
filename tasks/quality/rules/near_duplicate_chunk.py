"""CHK009 near-duplicate-chunk: a chunk that says nearly what an earlier one says.

What: at least 85 % of the runs of five words are the same (MinHash), in another document or apart in this one.
Why it hurts retrieval: the same answer fills several places among the hits and drives others out.
Example: the same risk factors in the reports of three quarters.
Cure: keep the passage in one place and link to it, or search the newest document only.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import Blame, CorpusRule, Scope
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Blame]]:
    for (source, first), (other, chunk), likeness in corpus.alike_chunks:
        where = f"chunk {first.number + 1}" if source == other else f"chunk {first.number + 1} of {source}"
        message = f"chunk {chunk.number + 1} is {likeness:.0%} the same as {where}: keep one of them"
        yield other, Blame(message, chunk.start, chunk.end, page=chunk.page)


member = CorpusRule("CHK009", "near-duplicate-chunk", Severity.NOTE, 0.1, Scope.CORPUS, __doc__, _found)
