"""VLT005 bad-property: a property of a note that is not what its name says.

What: a date property that is no date, or tags with spaces in them.
Why it hurts retrieval: the note is not found by its date or its tags.
Example: `date: 2023-13-05`, `tags: [annual report]`
Cure: write dates as YYYY-MM-DD and tags as single words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.parsers.notes.front_matter import split_front_matter
from tasks.quality.checked_document import MARKDOWN, CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Severity

_DATES = frozenset({"date", "created", "updated", "modified", "published", "due"})
_TEMPLATE = re.compile(r"\{\{|<%")
_TAG_SPACE = re.compile(r"\S\s+\S")


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Front matter that can be read; templates are filled in later."""
    if subject.document.media_type != MARKDOWN or not subject.raw:
        return
    properties = split_front_matter(subject.raw).properties
    lines = subject.raw.split("\n")
    for name, value in properties.items():
        problem = _problem(name.strip().lower(), value)
        if problem and not _TEMPLATE.search(str(value)):
            line = next((number for number, text in enumerate(lines, 1) if text.startswith(name)), 1)
            yield Violation(f"property '{name}' {problem}", line=line, column=1)


def _problem(name: str, value: object) -> str:
    if name in _DATES and isinstance(value, str) and value.strip() and not _names_time(value):
        return f"is '{quoted_snippet(value)}', which is no date: write it as YYYY-MM-DD"
    if name in ("tags", "tag") and isinstance(value, list):
        spaced = next((str(tag) for tag in value if _TAG_SPACE.search(str(tag))), None)
        return (
            f"has the tag '{quoted_snippet(spaced)}' with a space in it: join the words with a hyphen" if spaced else ""
        )
    return ""


def _names_time(value: str) -> bool:
    from tasks.temporal.tagger import tag

    return any(mention.start_date for mention in tag(value.strip("[]\"' "), None, "und"))


member = DocumentRule("VLT005", "bad-property", Severity.WARNING, 0.0, Scope.DOCUMENT, __doc__, _found)
