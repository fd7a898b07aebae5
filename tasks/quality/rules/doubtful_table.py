"""TAB009 doubtful-table: a table that may not be one, or not be cut rightly.

What: the confidence that it is a table with these rows and columns is below one half.
Why it hurts retrieval: figures may stand under the wrong header, and prose taken for a table loses its sentences.
Example: two columns of prose that were read as a table.
Cure: compare it with the page by `kalends tables FILE`; a ruled table is found more surely.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_LEAST = 0.5


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for table in subject.document.tables:
        if table.confidence < _LEAST:
            message = f"table {table.number} is doubtful (confidence {table.confidence:.2f}): compare it with the page"
            yield Violation(message, table.start, table.end)


member = DocumentRule("TAB009", "doubtful-table", Severity.NOTE, 0.0, Scope.TABLE, __doc__, _found)
"""Its penalty is nothing: prose that was read as a table answers as well as prose that was not."""
