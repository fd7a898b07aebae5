"""TMP002 unanchored-relative-date: a relative date in a document that has no date.

What: "last quarter" or "yesterday", counted from the time of the file because nothing else is known.
Why it hurts retrieval: copying the file moves the statement to another time.
Example: `Sales fell last month.` in a text without a date.
Cure: date the document, or write the period out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import Blame, DocumentRule, Scope
from tasks.quality.subject import Subject
from tasks.quality.wording import shown
from warehouse.records import DateOrigin, Severity


def _found(subject: Subject) -> Iterator[Blame]:
    """One finding a file, at the first of them."""
    if subject.date.origin is not DateOrigin.MODIFIED:
        return
    anchor = subject.date.date
    found = [mention for mention in subject.mentions if mention.relative and mention.anchor in (None, anchor)]
    if found:
        first = found[0]
        count = f"and {len(found) - 1} more are" if len(found) > 1 else "is"
        message = f"'{shown(first.text)}' {count} counted from the time of the file: date the document"
        yield Blame(message, first.start, first.end, page=subject.page_of(first.start))


member = DocumentRule("TMP002", "unanchored-relative-date", Severity.WARNING, 0.0, Scope.CHUNK, __doc__, _found)
"""Its penalty is nothing: leaving such chunks out changed no answer that did not ask for a time."""
