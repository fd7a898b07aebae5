"""DOC019 missing-date: a document that does not say when it was written.

What: neither its properties, its text nor its name give a date; it is undated.
Why it hurts retrieval: filters by date leave it out, the newest come before it, and "last year" in it is no year.
Example: `minutes.txt` without a date in it.
Cure: put a date into the front matter, the first lines or the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Files with some text; a note of a few words has no date to give, and a wrong date is another fault."""
    if subject.date is None and not subject.document.dates and len(subject.document.text) >= _LEAST:
        yield Violation("nothing in it says when it was written: put a date into the front matter, first lines or name")


_LEAST = 200


member = DocumentRule("DOC019", "missing-date", Severity.NOTE, 0.0, Scope.DOCUMENT, __doc__, _found)
