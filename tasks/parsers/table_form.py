"""The form in which a table stands in the text, and the tidying that makes it one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.records import Box, Merge

_NUMBER = re.compile(r"^[^\w(−-]*[(−-]?\s*[$€£¥]?\s*\d[\d,.\s]*\s*[%)a-z]{0,3}$", re.IGNORECASE)
_YEAR = re.compile(r"^(?:19|20)\d\d[*†a-z]?$")
_AMOUNT = re.compile(r"\d,\d{3}|[$€£¥]\s*[(−-]?\s*\d*[1-9]|^[(−-]\s*\d*[.,]\d")
_MOST_HEADER_ROWS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: its page and its box there."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Grid:
    """Rectangular rows of tidy cells, the place of each row if it has one, and which cells reach further."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[Place, ...] = ()
    merges: tuple[Merge, ...] = ()

    @property
    def is_table(self) -> bool:
        """At least two rows and two columns."""
        return len(self.rows) > 1 and len(self.rows[0]) > 1


def tidy(rows: Sequence[Sequence[str]], places: Sequence[Place] = (), merges: Sequence[Merge] = ()) -> Grid:
    """White space squeezed, rows padded to one width, rows and columns without any text dropped."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max(map(len, cells), default=0)
    padded = [row + [""] * (width - len(row)) for row in cells]
    columns = [column for column in range(width) if any(row[column] for row in padded)]
    kept = [number for number, row in enumerate(padded) if any(row)]
    return Grid(
        tuple(tuple(padded[number][column] for column in columns) for number in kept),
        tuple(places[number] for number in kept) if places else (),
        tuple(moved for merge in merges if (moved := _moved(merge, kept, columns)) is not None),
    )


def _moved(merge: Merge, rows: Sequence[int], columns: Sequence[int]) -> Merge | None:
    """A merge counted in the rows and columns that are kept; None where it covers only one place of them."""
    row, column = bisect_left(rows, merge.row), bisect_left(columns, merge.column)
    if rows[row : row + 1] != [merge.row] or columns[column : column + 1] != [merge.column]:
        return None
    height = bisect_left(rows, merge.row + merge.rows) - row
    width = bisect_left(columns, merge.column + merge.columns) - column
    return Merge(row, column, height, width) if height > 1 or width > 1 else None


def shown_cell(text: str) -> str:
    """A cell as it stands in the text: its pipes escaped."""
    return text.replace("|", "\\|")


def shown_row(cells: Sequence[str]) -> str:
    """A row as one line of the text."""
    return f"| {' | '.join(map(shown_cell, cells))} |"


def shown_table(number: int, rows: Sequence[Sequence[str]], header_rows: int) -> list[str]:
    """The lines of a table as it stands in the text, from `[TABLE n]` to `[END TABLE]`.

    A table without a header shows an empty one, which pipe tables must have (GitHub Flavored Markdown, 4.10).
    """
    shown = [shown_row(row) for row in rows]
    head = shown[:header_rows] or [shown_row([""] * len(rows[0]))]
    rule = shown_row(["---"] * len(rows[0]))
    return [f"[TABLE {number}]", *head, rule, *shown[header_rows:], "[END TABLE]"]


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are the header, where the format does not say: those before the first data.

    A row is data where a cell after the first is a number that is not a year. A table without such a row has one
    header row. A table has none if its first row has a label and amounts beside it, grouped or with a currency sign,
    as no header has.
    """
    for number, row in enumerate(rows):
        if any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in row[1:]):
            return min(max(number, 0 if _is_data(row) else 1), _MOST_HEADER_ROWS)
    return 1


def _is_data(row: Sequence[str]) -> bool:
    beyond = [cell for cell in row[1:] if cell]
    return bool(row[0]) and all(map(_NUMBER.match, beyond)) and any(map(_AMOUNT.search, beyond))
