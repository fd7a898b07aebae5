"""TMP005 superseded-statement: a statement that a later document makes anew with another figure or name.

What: the same sentence, with other numbers or another holder of an office, and no period of its own, stands in a
document of a later date.
Why it hurts retrieval: the outdated figure is found as readily as the valid one.
Example: `The plan costs 30 dollars a month.` and, two years later, 35.
Cure: date the statement, or mark the older document as superseded.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from tasks.quality.corpus import Corpus
from tasks.quality.rule import CorpusRule, Scope, Violation
from tasks.quality.statements import Statement
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """Each outdated statement once, against the newest one."""
    newest: dict[str, tuple[date, str, Statement]] = {}
    dated = [(digest.date.date, source, digest) for source, digest in corpus.digests.items() if digest.date]
    for day, source, digest in sorted(dated, key=lambda each: each[0]):
        newest.update({each.subject: (day, source, each) for each in digest.statements})
    for own, source, digest in dated:
        for statement in digest.statements:
            day, other, latest = newest[statement.subject]
            if source != other and day > own and latest.figures != statement.figures:
                was, now = ", ".join(statement.figures), ", ".join(latest.figures)
                message = f"'{was}' is '{now}' in {other} of {day.isoformat()}: mark this as superseded"
                yield source, Violation(message, statement.start, statement.end)


member = CorpusRule("TMP005", "superseded-statement", Severity.WARNING, 0.1, Scope.CORPUS, __doc__, _found)
