"""The rows and the columns of a table as lines of figures that may be added."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from tasks.tables.measures import FigureKind
from tasks.tables.numbers import is_nil, is_sign
from tasks.tables.reader import TableReader
from tasks.tables.sections import is_total
from tasks.tables.sums import SummedLine

_DEDUCTS = re.compile(r"^\(?(?:less|minus|deduct(?:ions?)?)\b|^(?:其中)?(?:减|減|扣除)", re.IGNORECASE)
_COST = re.compile(r"\b(?:costs?|expenses?|tax(?:es)?|provision|charges?)\b|成本|费用|費用|税", re.IGNORECASE)
COUNTED = (FigureKind.AMOUNT, FigureKind.SHARES, FigureKind.COUNT)
"""What is added; percentages and amounts per something are not."""


def row_lines(reader: TableReader) -> list[SummedLine]:
    """The body rows that hold figures, from the top; a row without any begins a section."""
    grid, lines, opens = reader.grid, list[SummedLine](), True
    columns = range(grid.labels, len(grid.table.rows[0]))
    for row in range(grid.body, len(grid.table.rows)):
        label = " ".join(filter(None, grid.table.rows[row][: grid.labels]))
        line = _line(reader, row, label, ((column, row, column) for column in columns), opens=opens)
        opens = line is None
        if line is not None:
            lines.append(line)
    return lines


def column_lines(reader: TableReader) -> list[SummedLine]:
    """The columns that hold figures, from the left; a section begins where an upper header changes."""
    grid, lines, group = reader.grid, list[SummedLine](), None
    rows = range(grid.body, len(grid.table.rows))
    for column in range(grid.labels, len(grid.table.rows[0])):
        path = grid.column_path(column)
        opens, group = path[:-1] != group, path[:-1]
        label = path[-1] if path else ""
        line = _line(reader, column, label, ((row, row, column) for row in rows), opens=opens)
        if line is not None:
            lines.append(line)
    return lines


def _line(
    reader: TableReader, index: int, label: str, cells: Iterable[tuple[int, int, int]], *, opens: bool
) -> SummedLine | None:
    """A line of the cells (position, row, column), of the kind of its first number; None where no cell is one.

    Figures are in units, so that columns in thousands and in millions can be added.
    """
    figures: dict[int, Decimal] = {}
    kinds: dict[int, str] = {}
    unclear: set[int] = set()
    for position, row, column in cells:
        found = reader.number(row, column)
        text = reader.grid.table.rows[row][column]
        if found is not None:
            frame = reader.frame(row, column)
            figures[position] = found.printed.scaleb(found.power + (frame.power(found) or 0))
            measure = frame.measure_of(found)
            kinds[position] = found.unit or ("" if measure in COUNTED else measure.value)
        elif is_nil(text):
            figures[position] = Decimal(0)
        elif not is_sign(text):
            unclear.add(position)
    if not figures:
        return None
    kind = next(iter(kinds.values()), "")
    return SummedLine(
        index,
        label,
        kind,
        figures,
        unclear=frozenset(unclear),
        other=frozenset(position for position, each in kinds.items() if each != kind),
        opens=opens,
        is_cost=_COST.search(label) is not None,
        deducts=_DEDUCTS.search(label) is not None,
        is_total=is_total(label),
    )
