"""Rules of tables as they were read: their pages, columns, totals and figures, and whether they are tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import shorten_text
from tasks.quality.rule import Violation, index_by_name, make_table_rule
from warehouse.records import Severity


def continued_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB006: a table that runs over several pages.

    What: its rows are on two pages or more; they are joined, without repeated headers.
    Why it hurts retrieval: a citation names the first page alone, and the reader has to turn pages to see the figure.
    Example: a list of subsidiaries on pages 40 to 43.
    Cure: nothing has to be done; a table a page is cited more exactly.
    """
    for table in subject.document.tables:
        pages = sorted({part.page for part in table.parts})
        if len(pages) > 1:
            message = f"table {table.number} runs over pages {pages[0]} to {pages[-1]}; hits name page {pages[0]}"
            yield Violation(message, table.start, table.end, page=pages[0])


_MIN_CONFIDENCE = 0.5


def doubtful_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB009: a table that may not be one, or not be cut rightly.

    What: the confidence that it is a table with these rows and columns is below one half.
    Why it hurts retrieval: figures may be under the wrong header, and prose taken for a table loses its sentences.
    Example: two columns of prose that were read as a table.
    Cure: compare it with the page by `kalends tables FILE`; a ruled table is found more surely.
    """
    for table in subject.document.tables:
        if table.confidence < _MIN_CONFIDENCE:
            message = f"table {table.number} is doubtful (confidence {table.confidence:.2f}): compare it with the page"
            yield Violation(message, table.start, table.end)


_MIN_ROWS = 2


def empty_column(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB007: a column of a table without a single entry.

    What: all body cells of the column are empty.
    Why it hurts retrieval: the header promises what the table does not say; or the entries were lost or slipped into a
    neighbour.
    Example: `| Item | 2023 | Notes |` with nothing below Notes.
    Cure: remove the column, or fill it.
    """
    for table in subject.document.tables:
        body = table.rows[table.header_rows :]
        if len(body) < _MIN_ROWS:
            continue
        covered_columns = {
            column for merge in table.merges for column in range(merge.column + 1, merge.column + merge.columns)
        }
        for column in range(len(table.rows[0])):
            if column not in covered_columns and not any(row[column].strip() for row in body):
                name = " ".join(filter(None, (row[column] for row in table.rows[: table.header_rows])))
                column_name = f"'{shorten_text(name)}'" if name else str(column + 1)
                message = f"column {column_name} of table {table.number} is empty: fill or remove it"
                yield Violation(message, table.start, table.end)


def total_does_not_add_up(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB003: a table whose total is not the sum of the figures it stands for.

    What: a row or column that says that it is a total, or is one in its other figures, differs from what its parts make
    by more than the rounding of the printed figures explains.
    Why it hurts retrieval: an answer that quotes the total contradicts one that adds up the rows; or a figure was read
    wrongly, and then the passage states what the source does not.
    Example: `| Total | 1,500 |` below 1,200 and 200.
    Cure: compare the table with the page; where the source itself errs, quote the parts with the total.
    """
    # Once for each figure.
    tables = {table.number: table for table in subject.document.tables}
    for total in subject.totals:
        if not total.adds_up:
            table = tables[total.table]
            place = f"row {total.row}, column {total.column} of table {table.number}"
            figure = table.rows[total.row][total.column]
            message = (
                f"'{total.label or 'the total'}' in {place} is {figure}, its {total.of} make {total.computed:.10g}"
            )
            yield Violation(message, total.start, total.end)


_MIN_SHARE = 0.6
_MIN_NUMBERS = 2


def unparsed_number(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB008: a figure in a table that is no number.

    What: a cell among numbers is of digits and separators, or what a program or a hurry left there, and no number.
    Why it hurts retrieval: it has no value, so sums and comparisons leave it out, and a search for the figure as it
    should be fails.
    Example: `1,2O4` (a letter O), `12..5`, `1,23,4`, `#REF!`, `12abc`
    Cure: correct the figure.
    """
    from tasks.tables.numbers import parse_number
    from tasks.tables.reader import CellGrid

    # Columns that are mostly numbers.
    for table in subject.document.tables:
        grid = CellGrid(table, subject.document.text)
        body = list(enumerate(table.rows[table.header_rows :], table.header_rows))
        for column in range(1, len(table.rows[0])):
            cells = [(row, texts[column].strip()) for row, texts in body if texts[column].strip()]
            numbers = [number for _, cell in cells if (number := parse_number(cell)) is not None]
            if len(numbers) < _MIN_NUMBERS or len(numbers) < _MIN_SHARE * len(cells):
                continue
            has_groups = any(number.grouped for number in numbers)
            for row, cell in cells:
                if _is_broken_number(cell, has_group_separators=has_groups):
                    grid_cell = grid.get_cell(row, column)
                    message = f"'{shorten_text(cell)}' in row {row} of table {table.number} is no number: correct it"
                    yield Violation(message, grid_cell.start, grid_cell.end)


_MAX_CELL_LENGTH = 24
_MISREAD_NUMBER = re.compile(
    r"(?=.*\d)[($€£¥+−-]*(?:\d[\dOolISB.,' ]*|[OolISB]\d[\dOolISB.,']*)[)%]*|[($€£¥+−-]*\d+[A-Za-z]\d+[)%]*"
    r"|[($€£¥+−-]*\d[\d.,]*[.,]\d*[A-Za-z][\d.,]*\d[)%]*|[($€£¥+−-]*\d+\.[A-Za-z][)%]*|[($€£¥+−-]*\d*[A-Za-z]\d*[.,][\d.,]*\d[)%]*"
)
_MISTYPED_NUMBER = re.compile(
    r"[-+−–]{2,}[$€£¥]?\d[\d.,]*|[$€£¥]?\d[\d.,]*\?+|[$€£¥]?\d[\d.,]*(?!(?i:st|nd|rd|th)\b)[A-Za-z]{3,}"
)
_DOUBLED_SIGN = re.compile(r"([-+−–])\1+[$€£¥]?\d[\d.,]*")
_MISREAD_GROUP = re.compile(r"[($€£¥+−-]*\d{1,3}(?:,\d{3})*,(?!\d{3})[\dOolISB]{3}(?:,\d{3})*[)%]*")
"""Figures with separated thousands and a letter for one digit; without separators 1,18B could be billions."""
_PLACEHOLDER = re.compile(
    r"#(?:ref|value|div/0|name|num|null|n/a)[!?]?|nan|[+-]?inf(?:inity)?|undefined|null|\?+|x{2,}|error"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a|one|two|five|ten) (?:hundred|thousand|million)",
    re.IGNORECASE,
)
_OTHER_NOTATION = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|\d{1,2}[.:]\d{2}|\d{4}[-/]\d{2,4}|[1-4][QqHh]\d+"
    r"|[\d.]+[xX×][\d.]+|[\d.]+[eE]\d+|\d{5,}|(?:\d+ )+\d+|\d{1,2}[A-Z][a-z]{2,8}"
)
"""Dates, hours, spans of years, quarters, sizes, powers, telephone numbers, several numbers at once."""
_VERSION_NUMBER = re.compile(r"\d+(?:\.\d+){2,}")


def _is_broken_number(cell: str, *, has_group_separators: bool) -> bool:
    """Whether a cell is a malformed number; `has_group_separators` says that its column separates thousands."""
    from tasks.tables.numbers import is_figure, parse_number

    if len(cell) > _MAX_CELL_LENGTH:
        return False
    if _DOUBLED_SIGN.fullmatch(cell) or (has_group_separators and _MISREAD_GROUP.fullmatch(cell)):
        return True
    if is_figure(cell) or parse_number(cell, comma=True) is not None:
        return False
    if _PLACEHOLDER.fullmatch(cell):
        return True
    if _VERSION_NUMBER.fullmatch(cell):
        return has_group_separators
    return bool(_MISREAD_NUMBER.fullmatch(cell) or _MISTYPED_NUMBER.fullmatch(cell)) and not _OTHER_NOTATION.fullmatch(
        cell
    )


def mistagged_figure(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB012: a figure that the filer's tag gives another value, unit or period than its table prints.

    What: a figure is tagged as data in inline XBRL, and the table around it, read without the tag, says something else
    by more than rounding: its scale, its currency, or the time that its column is of. The tag's value is taken.
    Why it hurts retrieval: one of them is wrong, and whoever asks gets that figure, perhaps a thousand times too small.
    Example: `scale="3"` on 1,204 in a table "in millions"; a column of 2023 tagged with the context of 2024.
    Cure: compare the cell with its page; correct the tag, or, where the table was read wrongly, its scale or currency
    with `kalends correct`.
    """
    for cell in subject.tagged_cells:
        if cell.doubt:
            place = f"row {cell.row} of table {cell.table}"
            message = (
                f"'{shorten_text(cell.text)}' in {place} ({cell.concept}): {cell.doubt}: compare both with the page"
            )
            yield Violation(message, cell.start, cell.end)


members = index_by_name(
    make_table_rule(continued_table, Severity.NOTE, 0.0),
    # Its penalty is nothing: prose that was read as a table answers as well as prose that was not.
    make_table_rule(doubtful_table, Severity.NOTE, 0.0),
    # Its penalty is nothing: the passage shows what the filer printed, whatever the tag says.
    make_table_rule(mistagged_figure, Severity.WARNING, 0.0),
    make_table_rule(empty_column, Severity.NOTE, 0.05),
    # Its penalty is nothing: a passage that shows an error of its source is found as well as any other.
    make_table_rule(total_does_not_add_up, Severity.NOTE, 0.0),
    # Its penalty is nothing: a table with damaged figures is found as well as any other.
    make_table_rule(unparsed_number, Severity.WARNING, 0.0),
)
