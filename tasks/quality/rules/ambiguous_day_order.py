"""TMP001 ambiguous-day-order: a date that may be read in two ways.

What: day and month are both twelve or less, and nothing in the file tells which comes first.
Why it hurts retrieval: a question about April finds March, or the other way round.
Example: `03/04/2023`
Cure: write 2023-04-03, or the month in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.parsers.written_dates import DAY_FIRST, MONTH_FIRST, day_order
from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.phrases import counted
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:(?:1[6-9]|2[01])\d\d|\d\d)(?![\d/-])")
_MONTHS = 12


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """One finding a file, at the first date; none where another date of the file settles the order."""
    found = [mention for mention in subject.mentions if _is_ambiguous(mention.text)]
    if not found or day_order((), subject.document.text) in (DAY_FIRST, MONTH_FIRST):
        return
    if subject.document.attributes.day_order in (DAY_FIRST, MONTH_FIRST):
        return
    first = found[0]
    read = f"; '{first.text}' is read as {first.start_date.isoformat()}" if first.start_date else ""
    message = f"{counted(len(found), 'date')} may be day or month first{read}: write it as YYYY-MM-DD"
    yield Violation(message, first.start, first.end, page=subject.page_of(first.start))


def _is_ambiguous(text: str) -> bool:
    """Whether a date, or one end of a span of dates, is; a day that is also its month reads the same both ways."""
    found = _NUMERIC.finditer(text)
    return any(match[1].lstrip("0") != match[3].lstrip("0") and _are_months(match) for match in found)


def _are_months(match: re.Match[str]) -> bool:
    return all(0 < int(part) <= _MONTHS for part in (match[1], match[3]))


member = DocumentRule("TMP001", "ambiguous-day-order", Severity.WARNING, 0.05, Scope.CHUNK, __doc__, _found)
