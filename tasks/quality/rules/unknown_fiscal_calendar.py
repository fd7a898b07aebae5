"""TMP004 unknown-fiscal-calendar: a fiscal period of a company whose calendar is not known.

What: "fiscal 2023" or "Q2 FY23" in a document that does not say when its fiscal years end.
Why it hurts retrieval: the period is taken for the calendar year, up to eleven months off.
Example: `Revenue grew in the second quarter of fiscal 2023.`
Cure: say once when the fiscal year ends: "our fiscal year ends on June 30".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.phrases import quoted_snippet
from tasks.quality.subject import CheckedDocument
from tasks.temporal.meanings.company import WANTING
from warehouse.records import Calendar, Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """One finding a file, at the first period."""
    wanting = (each for each in subject.mentions if each.calendar is Calendar.FISCAL and WANTING in each.basis)
    for first in islice(wanting, 1):
        known = f"'{quoted_snippet(first.text)}' is taken for the calendar's, for nothing says when fiscal years end"
        message = f"{known}: say so once ('our fiscal year ends on June 30')"
        yield Violation(message, first.start, first.end)


member = DocumentRule("TMP004", "unknown-fiscal-calendar", Severity.NOTE, 0.0, Scope.CHUNK, __doc__, _found)
"""Its penalty is nothing: no answer was lost where years were called fiscal."""
