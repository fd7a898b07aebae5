"""TAB004 ragged-table: a table whose rows have different numbers of cells.

What: a row of the source has more or fewer cells than the header.
Why it hurts retrieval: cells slip under the wrong header, and a figure is found as what it is not.
Example: `| Tea | 10 |` below `| Item | 2022 | 2023 |`
Cure: give every row as many cells as the header has; leave cells empty rather than out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.phrases import counted
from tasks.quality.subject import CheckedDocument
from tasks.quality.uneven import TEXTUAL, UnevenRow, uneven_rows
from warehouse.records import Chunk, Severity, Table


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Rows of tables whose source is text or a web page; in documents headers that are too short for their body.

    The first such row of a chunk is charged to it, the others cost no more.
    """
    charged: set[str] = set()
    for row in uneven_rows(subject.raw, subject.document.media_type):
        message = f"this row has {counted(row.cells, 'cell')}, the header {row.header}: fill or remove cells"
        chunk = _chunk_of(subject, row)
        is_known = chunk is not None and chunk.chunk_id in charged
        yield Violation(message, chunk=chunk, line=row.number, column=1, penalty=0.0 if is_known else None)
        charged |= {chunk.chunk_id} if chunk else set()
    if subject.document.media_type not in TEXTUAL:
        yield from (_short(table) for table in subject.document.tables if _is_short(table))


def _chunk_of(subject: CheckedDocument, row: UnevenRow) -> Chunk | None:
    """The chunk of the table that the row is in, or that comes next: not every row has words of its own."""
    place = subject.anchors.position(row.number)
    tables = subject.document.tables
    found = len(tables) if place is None else bisect_right(tables, place, key=lambda table: table.end)
    return subject.chunk_at(tables[found].start) if found < len(tables) else None


def _is_short(table: Table) -> bool:
    """Whether the last column has no header and is filled below all others that have one."""
    if not table.header_rows or len(table.rows[0]) < 3:
        return False
    head, width = table.rows[: table.header_rows], len(table.rows[0])
    merged = {merge.column + more for merge in table.merges if not merge.row for more in range(merge.columns)}
    heads = [column in merged or any(row[column] for row in head) for column in range(width)]
    body = table.rows[table.header_rows :]
    lacking = not heads[-1] and all(heads[:-1])
    return lacking and any(row[-1] for row in body) and any(not row[-1] for row in body)


def _short(table: Table) -> Violation:
    return Violation(
        f"the header of table {table.number} has a cell less than its rows: name every column", table.start, table.end
    )


member = DocumentRule("TAB004", "ragged-table", Severity.WARNING, 0.1, Scope.TABLE, __doc__, _found)
