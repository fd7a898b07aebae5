"""Header rows in the midst of a table: years that start anew, or a header that a page break repeats."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.tables.heads import Path, column_paths
from tasks.tables.labels import first_body_row, header_end
from tasks.tables.numbers import is_figure
from tasks.tables.scales import worded_scale
from warehouse.records import Table

_MOST_ROWS = 12
"""The rows of a header that head its columns: those nearest to the body."""
_YEAR = re.compile(r"(?:FY|CY)?\s?(?:19|20)[0-9]{2}(?:年度?)?")
_DATED = re.compile(
    r"(?<![0-9,.])(?:19|20)[0-9]{2}(?![0-9,])|\b[QH][1-4]\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
    r"|\b(?:months|weeks|years?|quarter) (?:ended|ending)\b|[0-9一二三四]季度|月",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:as (?:of|at)\b|(?:for )?(?:the )?.{0,20}\b(?:ended|ending)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Headers:
    """The column headers of a table, which may change on the way down."""

    starts: tuple[int, ...]
    paths: tuple[tuple[Path, ...], ...]

    def above(self, row: int) -> tuple[Path, ...]:
        """The header path of each column for a row: the last header above it."""
        return self.paths[max(0, bisect_right(self.starts, row) - 1)]


def headers_of(table: Table, labels: int) -> Headers:
    """The table's own header and those within its body; `labels` is how many first columns hold labels."""
    runs = [(0, header_end(table)), *_inner(table, labels)]
    if len(runs) > 1 and runs[1][0] == first_body_row(table) == runs[0][1]:
        runs[:2] = [(0, runs[1][1])]
    return Headers(
        tuple(first for first, _ in runs),
        tuple(column_paths(table, max(first, end - _MOST_ROWS), end) for first, end in runs),
    )


def _inner(table: Table, labels: int) -> Iterator[tuple[int, int]]:
    """Runs of body rows that are headers: from the first, before the last."""
    known = {cell for row in table.rows[: table.header_rows] for cell in row if cell}
    row = first_body_row(table)
    while row < len(table.rows):
        end = row
        while end < len(table.rows) and _is_header(table.rows[end], labels, known):
            end += 1
        if row < end < len(table.rows):
            yield row, end
        row = end + 1


def _is_header(row: Sequence[str], labels: int, known: set[str]) -> bool:
    label, filled = row[0], [cell for cell in row[labels:] if cell]
    if label and label not in known and worded_scale(label) is None and not _OPENING.match(label):
        return False
    if not filled or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in filled):
        return False
    return sum(cell in known or _speaks_of_columns(cell) for cell in filled) * 2 >= len(filled)


def _speaks_of_columns(cell: str) -> bool:
    return cell == "%" or _DATED.search(cell) is not None or worded_scale(cell) is not None
