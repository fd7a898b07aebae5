"""TMP002 unanchored-relative-date: a relative date in a document that has no date.

What: "last quarter" or "yesterday" where nothing says when the text was written; it is read as no day.
Why it hurts retrieval: no question about a time finds the statement, and no reader can tell which time it means.
Example: `Sales fell last month.` in a text without a date.
Cure: date the document, or write the period out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.phrases import quoted_snippet
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """One finding a file, at the first of them."""
    if subject.date is not None:
        return
    found = [mention for mention in subject.mentions if mention.relative and mention.anchor is None]
    if found:
        first = found[0]
        count = f"and {len(found) - 1} more are read as no day" if len(found) > 1 else "is read as no day"
        message = f"'{quoted_snippet(first.text)}' {count}, since the document is undated: date it"
        yield Violation(message, first.start, first.end, page=subject.page_of(first.start))


member = DocumentRule("TMP002", "unanchored-relative-date", Severity.WARNING, 0.0, Scope.CHUNK, __doc__, _found)
"""Its penalty is nothing: leaving such chunks out changed no answer that did not ask for a time."""
