"""Rules of tables as they were read: their pages, columns, totals, and whether they are tables."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import Scope, Violation, document_rule, rules_by_name
from warehouse.records import Severity, Table, Total


def continued_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB006 continued-table: a table that runs over several pages.

    What: its rows stand on two pages or more; they are joined, repeated headers set aside.
    Why it hurts retrieval: a citation names the first page alone, and the reader has to turn pages to see the figure.
    Example: a list of subsidiaries on pages 40 to 43.
    Cure: nothing has to be done; a table a page is cited more exactly.
    """
    for table in subject.document.tables:
        pages = sorted({part.page for part in table.parts})
        if len(pages) > 1:
            message = f"table {table.number} runs over pages {pages[0]} to {pages[-1]}; hits name page {pages[0]}"
            yield Violation(message, table.start, table.end, page=pages[0])


_LEAST = 0.5


def doubtful_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB009 doubtful-table: a table that may not be one, or not be cut rightly.

    What: the confidence that it is a table with these rows and columns is below one half.
    Why it hurts retrieval: figures may stand under the wrong header, and prose taken for a table loses its sentences.
    Example: two columns of prose that were read as a table.
    Cure: compare it with the page by `kalends tables FILE`; a ruled table is found more surely.
    """
    for table in subject.document.tables:
        if table.confidence < _LEAST:
            message = f"table {table.number} is doubtful (confidence {table.confidence:.2f}): compare it with the page"
            yield Violation(message, table.start, table.end)


_FEWEST_ROWS = 2


def empty_column(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB007 empty-column: a column of a table without a single entry.

    What: no body cell of the column holds anything.
    Why it hurts retrieval: the header promises what the table does not say; or the entries were lost or slipped into a
    neighbour.
    Example: `| Item | 2023 | Notes |` with nothing below Notes.
    Cure: remove the column, or fill it.
    """
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


def total_does_not_add_up(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB003 total-does-not-add-up: a table whose total is not the sum of the figures it stands for.

    What: a row or column that says that it is a total, or is one in its other figures, differs from what its parts make
    by more than the rounding of the printed figures explains.
    Why it hurts retrieval: an answer that quotes the total contradicts one that adds up the rows; or a figure was read
    wrongly, and then the passage states what the source does not.
    Example: `| Total | 1,500 |` below 1,200 and 200.
    Cure: compare the table with the page; where the source itself errs, quote the parts beside the total.
    """
    # Once for each figure.
    tables = {table.number: table for table in subject.document.tables}
    for total in subject.totals:
        if not total.adds_up:
            yield Violation(_said(total, tables[total.table]), total.start, total.end)


def _said(total: Total, table: Table) -> str:
    where = f"row {total.row}, column {total.column} of table {table.number}"
    stated = table.rows[total.row][total.column]
    return f"'{total.label or 'the total'}' in {where} is {stated}, its {total.of} make {total.computed:.10g}"


members = rules_by_name(
    document_rule(continued_table, Severity.NOTE, 0.0, Scope.TABLE),
    # Its penalty is nothing: prose that was read as a table answers as well as prose that was not.
    document_rule(doubtful_table, Severity.NOTE, 0.0, Scope.TABLE),
    document_rule(empty_column, Severity.NOTE, 0.05, Scope.TABLE),
    # Its penalty is nothing: a passage that shows an error of its source is found as well as any other.
    document_rule(total_does_not_add_up, Severity.NOTE, 0.0, Scope.TABLE),
)
