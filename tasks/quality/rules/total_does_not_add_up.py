"""TAB003 total-does-not-add-up: a table whose total is not the sum of the figures it stands for.

What: a row or column that says that it is a total, or is one in its other figures, differs from what its parts make by
more than the rounding of the printed figures explains.
Why it hurts retrieval: an answer that quotes the total contradicts one that adds up the rows; or a figure was read
wrongly, and then the passage states what the source does not.
Example: `| Total | 1,500 |` below 1,200 and 200.
Cure: compare the table with the page; where the source itself errs, quote the parts beside the total.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.quality.contract import finding
from tasks.tables.totals import table_totals
from warehouse.records import Chunk, Document, Finding, Severity, Table, Total


class TotalDoesNotAddUp:
    """Fires once for each figure, in the chunk in which its table begins."""

    code: ClassVar[str] = "TAB003"
    name: ClassVar[str] = "total-does-not-add-up"
    severity: ClassVar[Severity] = Severity.NOTE
    penalty: ClassVar[float] = 0.0

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        if not chunk.has_table:
            return
        for table in document.tables:
            if chunk.start <= table.start < chunk.end:
                wrong = (total for total in table_totals(table, document) if not total.adds_up)
                yield from (finding(self, chunk, _said(total, table)) for total in wrong)


def _said(total: Total, table: Table) -> str:
    where = f"row {total.row}, column {total.column} of table {table.number}"
    stated = table.rows[total.row][total.column]
    return f"'{total.label or 'the total'}' in {where} is {stated}, its {total.of} make {total.computed:.10g}"


member = TotalDoesNotAddUp()
"""Its penalty is nothing: a passage that shows an error of its source is found as well as any other."""
