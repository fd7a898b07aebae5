"""TAB003 total-does-not-add-up: a table whose total is not the sum of the figures it stands for.

What: a row or column that says that it is a total, or is one in its other figures, differs from what its parts make
by more than the rounding of the printed figures explains.
Why it hurts retrieval: an answer that quotes the total contradicts one that adds up the rows; or a figure was read
wrongly, and then the passage states what the source does not.
Example: `| Total | 1,500 |` below 1,200 and 200.
Cure: compare the table with the page; where the source itself errs, quote the parts beside the total.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity, Table, Total


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Once for each figure."""
    tables = {table.number: table for table in subject.document.tables}
    for total in subject.totals:
        if not total.adds_up:
            yield Violation(_said(total, tables[total.table]), total.start, total.end)


def _said(total: Total, table: Table) -> str:
    where = f"row {total.row}, column {total.column} of table {table.number}"
    stated = table.rows[total.row][total.column]
    return f"'{total.label or 'the total'}' in {where} is {stated}, its {total.of} make {total.computed:.10g}"


member = DocumentRule("TAB003", "total-does-not-add-up", Severity.NOTE, 0.0, Scope.TABLE, __doc__, _found)
"""Its penalty is nothing: a passage that shows an error of its source is found as well as any other."""
