"""DOC017 duplicate-file: a file whose bytes are those of another.

What: two files of the corpus have the same SHA-256.
Why it hurts retrieval: every hit comes twice and takes the place of another passage.
Example: `report.pdf` and `report (1).pdf`
Cure: remove one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    for source, original in corpus.copies.items():
        yield source, Violation(f"the same bytes as {original}: remove one of them")


member = CorpusRule("DOC017", "duplicate-file", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
