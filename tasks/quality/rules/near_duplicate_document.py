"""DOC018 near-duplicate-document: a document that says nearly what another says.

What: at least four fifths of the runs of five words are the same (MinHash).
Why it hurts retrieval: hits come twice, and drafts and versions stand beside each other without a word on which is
valid.
Example: `policy-v1.docx` and `policy-v2.docx`
Cure: keep the valid version, or say in each which it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    for source, (other, likeness) in corpus.alike.items():
        yield source, Violation(f"{likeness:.0%} the same as {other}: keep the valid one of them")


member = CorpusRule("DOC018", "near-duplicate-document", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
