"""TAB008 unparsed-number: a figure in a table that is no number.

What: a cell among numbers is of digits and separators, and cannot be read as one.
Why it hurts retrieval: it has no value, so sums and comparisons leave it out, and a search for the figure as it
should be fails.
Example: `1,2O4` (a letter O), `12..5`, `1,23,4`
Cure: correct the figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.quality.contract import Blame, DocumentRule, Scope
from tasks.quality.subject import Subject
from tasks.quality.wording import shown
from tasks.tables.numbers import is_figure, number
from tasks.tables.places import Grid
from warehouse.records import Severity, Table

_LEAST_SHARE = 0.6
_FEWEST = 2
_BROKEN = re.compile(
    r"(?=.*\d)[($€£¥+−-]*(?:\d[\dOolISB.,' ]*|[OolISB]\d[\dOolISB.,']*)[)%]*|[($€£¥+−-]*\d+[A-Za-z]\d+[)%]*"
)
_NO_NUMBER = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|\d+(?:\.\d+){2,}|\d{1,2}[.:]\d{2}|\d{4}[-/]\d{2,4}|[1-4][QqHh]\d+"
    r"|\d+[xX×]\d+|\d+[eE]\d+|\d{5,}|(?:\d+ )+\d+"
)
"""Dates, versions, hours, spans of years, quarters, sizes, powers, telephone numbers, several numbers."""


def _found(subject: Subject) -> Iterator[Blame]:
    """Columns that are mostly numbers."""
    for table in subject.document.tables:
        grid = Grid(table, subject.document.text)
        for column in range(1, len(table.rows[0])):
            for row, cell in _broken(subject, table, column):
                place = grid.place(row, column)
                message = f"'{shown(cell)}' in row {row} of table {table.number} is no number: correct it"
                yield Blame(message, place.start, place.end, page=subject.page_of(place.start))


def _broken(subject: Subject, table: Table, column: int) -> list[tuple[int, str]]:
    cells = [(row, cells[column].strip()) for row, cells in subject.body_rows(table) if cells[column].strip()]
    numbers = sum(number(cell) is not None for _, cell in cells)
    if numbers < _FEWEST or numbers < _LEAST_SHARE * len(cells):
        return []
    return [(row, cell) for row, cell in cells if _is_broken(cell)]


def _is_broken(cell: str) -> bool:
    if len(cell) > _LONGEST or is_figure(cell) or number(cell, comma=True) is not None:
        return False
    return _BROKEN.fullmatch(cell) is not None and _NO_NUMBER.fullmatch(cell) is None


_LONGEST = 24


member = DocumentRule("TAB008", "unparsed-number", Severity.WARNING, 0.1, Scope.TABLE, __doc__, _found)
