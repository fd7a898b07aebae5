"""TMP003 impossible-date: a date that there is not.

What: a day that its month does not have, or a month above twelve.
Why it hurts retrieval: it stands for no day, so no question about a time finds the passage.
Example: `February 30, 2023`, `2023-13-05`
Cure: correct the date.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.impossible import impossible_dates
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for start, end in impossible_dates(subject.document.text):
        message = f"there is no {subject.document.text[start:end]}: correct the date"
        yield Violation(message, start, end, page=subject.page_of(start))


member = DocumentRule("TMP003", "impossible-date", Severity.WARNING, 0.05, Scope.CHUNK, __doc__, _found)
