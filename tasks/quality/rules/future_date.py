"""DOC020 future-date: a document dated in the future.

What: the date that its front matter, properties, dateline or name gives is after today's.
Why it hurts retrieval: it wins every question for the newest, and none about the time it is really of.
Example: `date: 2052-03-04` for 2025-03-04
Cure: correct the date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from tasks.quality.contract import Blame, CorpusRule, Scope
from tasks.quality.corpus import Corpus
from warehouse.records import DateOrigin, Severity

_SURE = frozenset(DateOrigin) - {DateOrigin.TEXT, DateOrigin.MODIFIED, DateOrigin.HEADING}
_DAY = timedelta(days=1)
"""It may be tomorrow elsewhere."""


def _found(corpus: Corpus) -> Iterator[tuple[str, Blame]]:
    latest = corpus.today + _DAY
    for source, digest in corpus.digests.items():
        ahead = [claim for claim in (*digest.claims, digest.date) if claim.origin in _SURE and claim.date > latest]
        if ahead:
            first = min(ahead, key=lambda claim: claim.date)
            yield source, Blame(f"{first.date.isoformat()} ({first.origin}) is in the future: correct it")


member = CorpusRule("DOC020", "future-date", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
