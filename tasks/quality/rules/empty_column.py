"""TAB007 empty-column: a column of a table without a single entry.

What: no body cell of the column holds anything.
Why it hurts retrieval: the header promises what the table does not say; or the entries were lost or slipped into a
neighbour.
Example: `| Item | 2023 | Notes |` with nothing below Notes.
Cure: remove the column, or fill it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.phrases import quoted_snippet
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity

_FEWEST_ROWS = 2


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for table in subject.document.tables:
        body = table.rows[table.header_rows :]
        if len(body) < _FEWEST_ROWS:
            continue
        covered = {column for merge in table.merges for column in range(merge.column + 1, merge.column + merge.columns)}
        for column in range(len(table.rows[0])):
            if column not in covered and not any(row[column].strip() for row in body):
                name = " ".join(filter(None, (row[column] for row in table.rows[: table.header_rows])))
                which = f"'{quoted_snippet(name)}'" if name else str(column + 1)
                message = f"column {which} of table {table.number} is empty: fill or remove it"
                yield Violation(message, table.start, table.end)


member = DocumentRule("TAB007", "empty-column", Severity.NOTE, 0.05, Scope.TABLE, __doc__, _found)
