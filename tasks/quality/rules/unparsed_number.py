"""TAB008 unparsed-number: a figure in a table that is no number.

What: a cell among numbers is of digits and separators, or what a program or a hurry left there, and no number.
Why it hurts retrieval: it has no value, so sums and comparisons leave it out, and a search for the figure as it
should be fails.
Example: `1,2O4` (a letter O), `12..5`, `1,23,4`, `#REF!`, `12abc`
Cure: correct the figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation
from tasks.tables.numbers import is_figure, number
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


_LONGEST = 24
_MISREAD = re.compile(
    r"(?=.*\d)[($€£¥+−-]*(?:\d[\dOolISB.,' ]*|[OolISB]\d[\dOolISB.,']*)[)%]*|[($€£¥+−-]*\d+[A-Za-z]\d+[)%]*"
    r"|[($€£¥+−-]*\d[\d.,]*[.,]\d*[A-Za-z][\d.,]*\d[)%]*|[($€£¥+−-]*\d+\.[A-Za-z][)%]*|[($€£¥+−-]*\d*[A-Za-z]\d*[.,][\d.,]*\d[)%]*"
)
_MISTYPED = re.compile(
    r"[-+−–]{2,}[$€£¥]?\d[\d.,]*|[$€£¥]?\d[\d.,]*\?+|[$€£¥]?\d[\d.,]*(?!(?i:st|nd|rd|th)\b)[A-Za-z]{3,}"
)
_TWO_SIGNS = re.compile(r"([-+−–])\1+[$€£¥]?\d[\d.,]*")
_GROUP = re.compile(r"[($€£¥+−-]*\d{1,3}(?:,\d{3})*,(?!\d{3})[\dOolISB]{3}(?:,\d{3})*[)%]*")
"""Thousands apart, one digit of them a letter: without knowing that, 1,18B is a billion and more."""
_INSTEAD = re.compile(
    r"#(?:ref|value|div/0|name|num|null|n/a)[!?]?|nan|[+-]?inf(?:inity)?|undefined|null|\?+|x{2,}|error"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a|one|two|five|ten) (?:hundred|thousand|million)",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|\d{1,2}[.:]\d{2}|\d{4}[-/]\d{2,4}|[1-4][QqHh]\d+"
    r"|[\d.]+[xX×][\d.]+|[\d.]+[eE]\d+|\d{5,}|(?:\d+ )+\d+|\d{1,2}[A-Z][a-z]{2,8}"
)
"""Dates, hours, spans of years, quarters, sizes, powers, telephone numbers, several numbers."""
_VERSION = re.compile(r"\d+(?:\.\d+){2,}")


def is_broken_number(cell: str, *, grouped: bool) -> bool:
    """Whether a cell was meant as a number and is none; `grouped` says that its column sets thousands apart."""
    if len(cell) > _LONGEST:
        return False
    if _TWO_SIGNS.fullmatch(cell) or (grouped and _GROUP.fullmatch(cell)):
        return True
    if is_figure(cell) or number(cell, comma=True) is not None:
        return False
    if _INSTEAD.fullmatch(cell) is not None:
        return True
    if _VERSION.fullmatch(cell) is not None:
        return grouped
    is_wrong = _MISREAD.fullmatch(cell) is not None or _MISTYPED.fullmatch(cell) is not None
    return is_wrong and _NO_NUMBER.fullmatch(cell) is None
