"""TAB008 unparsed-number: a figure in a table that is no number.

What: a cell among numbers is of digits and separators, or what a program or a hurry left there, and no number.
Why it hurts retrieval: it has no value, so sums and comparisons leave it out, and a search for the figure as it
should be fails.
Example: `1,2O4` (a letter O), `12..5`, `1,23,4`, `#REF!`, `12abc`
Cure: correct the figure.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.figures import is_broken_number
from tasks.quality.phrases import quoted_snippet
from tasks.quality.subject import CheckedDocument
from tasks.tables.numbers import number
from tasks.tables.reader import CellGrid
from warehouse.records import Severity, Table

_LEAST_SHARE = 0.6
_FEWEST = 2


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Columns that are mostly numbers."""
    for table in subject.document.tables:
        grid = CellGrid(table, subject.document.text)
        for column in range(1, len(table.rows[0])):
            for row, cell in _broken(subject, table, column):
                place = grid.place(row, column)
                message = f"'{quoted_snippet(cell)}' in row {row} of table {table.number} is no number: correct it"
                yield Violation(message, place.start, place.end, page=subject.page_of(place.start))


def _broken(subject: CheckedDocument, table: Table, column: int) -> list[tuple[int, str]]:
    cells = [(row, cells[column].strip()) for row, cells in subject.body_rows(table) if cells[column].strip()]
    numbers = [found for _, cell in cells if (found := number(cell)) is not None]
    if len(numbers) < _FEWEST or len(numbers) < _LEAST_SHARE * len(cells):
        return []
    grouped = any(each.grouped for each in numbers)
    return [(row, cell) for row, cell in cells if is_broken_number(cell, grouped=grouped)]


member = DocumentRule("TAB008", "unparsed-number", Severity.WARNING, 0.0, Scope.TABLE, __doc__, _found)
"""Its penalty is nothing: a table with damaged figures is found as well as any other."""
