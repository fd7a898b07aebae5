"""TAB005 headerless-table: a table that does not say what its columns hold.

What: there is no header row, or it is empty, or its cells are figures.
Why it hurts retrieval: a figure without its header is a number without meaning; no question about a year or an item
finds it.
Example: `| Tea | 1,200 | 1,350 |` as the first row.
Cure: name the columns in the first row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation
from tasks.tables.headers import first_body_row
from tasks.tables.numbers import number
from warehouse.records import Severity, Table


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Tables with figures."""
    for table in subject.document.tables:
        if _is_headerless(table) and _has_figures(table):
            first = quoted_snippet(" | ".join(filter(None, table.rows[0])))
            message = f"table {table.number} has no header row; it begins with '{first}': name its columns"
            yield Violation(message, table.start, table.end)


def _is_headerless(table: Table) -> bool:
    header = [cell for row in table.rows[: table.header_rows] for cell in row[1:] if cell]
    if not header:
        return len(table.rows[0]) > 1
    return first_body_row(table) == 0 or all(_is_amount(cell) for cell in header) or _is_row_of_counts(table)


def _is_row_of_counts(table: Table) -> bool:
    """Whether the first row holds a label and whole numbers over numbers, no years and no scale (1, 2, 3; 5, 10)."""
    label, *cells = table.rows[0]
    if not label or len(cells) < 2 or len(table.rows) < 3 or not all(map(str.isdecimal, cells)):
        return False
    if any(number(cell) is None for cell in table.rows[1][1:]):
        return False
    counts = [int(cell) for cell in cells]
    return not _is_scale(counts) and not all(_FIRST_YEAR <= count <= _LAST_YEAR for count in counts)


def _is_scale(counts: Sequence[int]) -> bool:
    """Whether whole numbers go up by one step, or by round ones, or are those of months and grades."""
    steps = {after - before for before, after in pairwise([0, *counts])}
    rises = min(steps) > 0 and any(count % 5 == 0 for count in counts)
    return len(steps) == 1 or rises or all(count % 5 == 0 for count in counts) or set(counts) <= set(range(13))


_FIRST_YEAR, _LAST_YEAR = 1500, 2200


def _has_figures(table: Table) -> bool:
    return any(number(cell) is not None for row in table.rows[1:] for cell in row[1:])


def _is_amount(cell: str) -> bool:
    """Whether a cell is a figure that heads no column, as years, shares and small numbers do."""
    found = number(cell)
    return found is not None and (found.grouped or (found.marked and not found.unit))


member = DocumentRule("TAB005", "headerless-table", Severity.WARNING, 0.1, Scope.TABLE, __doc__, _found)
