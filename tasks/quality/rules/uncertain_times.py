"""Rules of times that may be read in several ways; each reports once a file, at the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tasks.parsers.written_dates import DAY_FIRST, MONTH_FIRST, day_order
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import counted, quoted_snippet
from tasks.quality.rule import Scope, Violation, document_rule, rules_by_name
from tasks.temporal.meanings.company import CALENDAR_UNKNOWN
from warehouse.records import Calendar, Severity

_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:(?:1[6-9]|2[01])\d\d|\d\d)(?![\d/-])")
_MONTHS = 12


def ambiguous_day_order(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP001 ambiguous-day-order: a date that may be read in two ways.

    What: day and month are both twelve or less, and nothing in the file tells which comes first.
    Why it hurts retrieval: a question about April finds March, or the other way round.
    Example: `03/04/2023`
    Cure: write 2023-04-03, or the month in words.
    """
    # One finding a file, at the first date; none where another date of the file settles the order.
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
    return any(
        match[1].lstrip("0") != match[3].lstrip("0") and all(0 < int(part) <= _MONTHS for part in (match[1], match[3]))
        for match in found
    )


def unanchored_relative_date(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP002 unanchored-relative-date: a relative date in a document that has no date.

    What: "last quarter" or "yesterday" where nothing says when the text was written; it is read as no day.
    Why it hurts retrieval: no question about a time finds the statement, and no reader can tell which time it means.
    Example: `Sales fell last month.` in a text without a date.
    Cure: date the document, or write the period out.
    """
    # One finding a file, at the first of them.
    if subject.date is not None:
        return
    found = [mention for mention in subject.mentions if mention.relative and mention.anchor is None]
    if found:
        first = found[0]
        count = f"and {len(found) - 1} more are read as no day" if len(found) > 1 else "is read as no day"
        message = f"'{quoted_snippet(first.text)}' {count}, since the document is undated: date it"
        yield Violation(message, first.start, first.end, page=subject.page_of(first.start))


def unknown_fiscal_calendar(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP004 unknown-fiscal-calendar: a fiscal period of a company whose calendar is not known.

    What: "fiscal 2023" or "Q2 FY23" in a document that does not say when its fiscal years end.
    Why it hurts retrieval: the period is taken for the calendar year, up to eleven months off.
    Example: `Revenue grew in the second quarter of fiscal 2023.`
    Cure: say once when the fiscal year ends: "our fiscal year ends on June 30".
    """
    # One finding a file, at the first period.
    wanting = (each for each in subject.mentions if each.calendar is Calendar.FISCAL and CALENDAR_UNKNOWN in each.basis)
    for first in islice(wanting, 1):
        known = f"'{quoted_snippet(first.text)}' is taken for the calendar's, for nothing says when fiscal years end"
        message = f"{known}: say so once ('our fiscal year ends on June 30')"
        yield Violation(message, first.start, first.end)


members = rules_by_name(
    document_rule(ambiguous_day_order, Severity.WARNING, 0.05, Scope.CHUNK),
    # Its penalty is nothing: leaving such chunks out changed no answer that did not ask for a time.
    document_rule(unanchored_relative_date, Severity.WARNING, 0.0, Scope.CHUNK),
    # Its penalty is nothing: no answer was lost where years were called fiscal.
    document_rule(unknown_fiscal_calendar, Severity.NOTE, 0.0, Scope.CHUNK),
)
