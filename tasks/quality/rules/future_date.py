"""DOC020 future-date: a document dated in the future.

What: the date that its front matter, properties, dateline or name gives is after today's.
Why it hurts retrieval: it wins every question for the newest, and none about the time it is really of.
Example: `date: 2052-03-04` for 2025-03-04
Cure: correct the date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus, Digest
from warehouse.records import DateClaim, DateOrigin, Severity

_SURE = frozenset(DateOrigin) - {DateOrigin.TEXT}
_DAY = timedelta(days=1)
"""It may be tomorrow elsewhere."""


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    latest = corpus.today + _DAY
    for source, digest in corpus.digests.items():
        first = min(_ahead(digest, latest), key=lambda claim: claim.date, default=None)
        if first is not None:
            yield source, Violation(f"{first.date.isoformat()} ({first.origin}) is in the future: correct it")


def _ahead(digest: Digest, latest: date) -> list[DateClaim]:
    """The claims after a day; a diary whose first entries are of the past may hold plans as well."""
    if digest.date and digest.date.origin is DateOrigin.CORRECTED:
        return [digest.date] if digest.date.date > latest else []
    sure = [claim for claim in (*digest.claims, digest.date) if claim and claim.origin in _SURE]
    is_begun = any(claim.origin is DateOrigin.HEADING and claim.date <= latest for claim in sure)
    dated = (claim for claim in sure if not (is_begun and claim.origin is DateOrigin.HEADING))
    return [claim for claim in dated if claim.date > latest]


member = CorpusRule("DOC020", "future-date", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
