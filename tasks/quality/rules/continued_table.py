"""TAB006 continued-table: a table that runs over several pages.

What: its rows stand on two pages or more; they are joined, repeated headers set aside.
Why it hurts retrieval: a citation names the first page alone, and the reader has to turn pages to see the figure.
Example: a list of subsidiaries on pages 40 to 43.
Cure: nothing has to be done; a table a page is cited more exactly.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.subject import CheckedDocument
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for table in subject.document.tables:
        pages = sorted({part.page for part in table.parts})
        if len(pages) > 1:
            message = f"table {table.number} runs over pages {pages[0]} to {pages[-1]}; hits name page {pages[0]}"
            yield Violation(message, table.start, table.end, page=pages[0])


member = DocumentRule("TAB006", "continued-table", Severity.NOTE, 0.0, Scope.TABLE, __doc__, _found)
