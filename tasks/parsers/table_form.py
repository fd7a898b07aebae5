"""The form in which a table stands in the text, and the tidying that makes it one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.records import Box

_NUMBER = re.compile(r"^[^\w(−-]*[(−-]?\s*[$€£¥]?\s*\d[\d,.\s]*\s*[%)a-z]{0,3}$", re.IGNORECASE)
_YEAR = re.compile(r"^(?:19|20)\d\d[*†a-z]?$")
_MOST_HEADER_ROWS = 4


@dataclass(frozen=True, slots=True)
class Grid:
    """Rectangular rows of tidy cells with the box of each row, if it has one."""

    rows: tuple[tuple[str, ...], ...]
    boxes: tuple[Box, ...]

    @property
    def is_table(self) -> bool:
        """At least two rows and two columns."""
        return len(self.rows) > 1 and len(self.rows[0]) > 1


def tidy(rows: Sequence[Sequence[str]], boxes: Sequence[Box] = ()) -> Grid:
    """White space squeezed, rows padded to one width, rows and columns without any text dropped."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max(map(len, cells), default=0)
    padded = [row + [""] * (width - len(row)) for row in cells]
    columns = [column for column in range(width) if any(row[column] for row in padded)]
    kept = [number for number, row in enumerate(padded) if any(row)]
    return Grid(
        tuple(tuple(padded[number][column] for column in columns) for number in kept),
        tuple(boxes[number] for number in kept) if boxes else (),
    )


def shown_cell(text: str) -> str:
    """A cell as it stands in the text: its pipes escaped."""
    return text.replace("|", "\\|")


def shown_row(cells: Sequence[str]) -> str:
    """A row as one line of the text."""
    return f"| {' | '.join(map(shown_cell, cells))} |"


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are the header, where the format does not say: those before the first data.

    A row is data where a cell after the first is a number that is not a year. A table without such a row has one
    header row.
    """
    for number, row in enumerate(rows):
        if any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in row[1:]):
            return min(max(number, 1), _MOST_HEADER_ROWS)
    return 1
