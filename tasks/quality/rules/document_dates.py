"""Rules of the date that a document has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.corpus import Corpus, Digest
from tasks.quality.rule import Scope, Violation, corpus_rule, document_rule, rules_by_name
from warehouse.records import DateClaim, DateOrigin, Severity


def missing_date(subject: CheckedDocument) -> Iterator[Violation]:
    """DOC019 missing-date: a document that does not say when it was written.

    What: neither its properties, its text nor its name give a date; it is undated.
    Why it hurts retrieval: filters by date leave it out, the newest come before it, and "last year" in it is no year.
    Example: `minutes.txt` without a date in it.
    Cure: put a date into the front matter, the first lines or the name.
    """
    # Files with some text; a note of a few words has no date to give, and a wrong date is another fault.
    if subject.date is None and not subject.document.dates and len(subject.document.text) >= _LEAST:
        yield Violation("nothing in it says when it was written: put a date into the front matter, first lines or name")


_LEAST = 200


_SURE = frozenset(DateOrigin) - {DateOrigin.TEXT}
_DAY = timedelta(days=1)  # It may be tomorrow elsewhere.


def future_date(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC020 future-date: a document dated in the future.

    What: the date that its front matter, properties, dateline or name gives is after today's.
    Why it hurts retrieval: it wins every question for the newest, and none about the time it is really of.
    Example: `date: 2052-03-04` for 2025-03-04
    Cure: correct the date.
    """
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


members = rules_by_name(
    document_rule(missing_date, Severity.NOTE, 0.0, Scope.DOCUMENT),
    corpus_rule(future_date, Severity.WARNING, 0.0, Scope.CORPUS),
)
