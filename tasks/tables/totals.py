"""The cross-foot check of rows and columns: which figures are totals of others, and whether they add up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from tasks.tables.frames import FigureKind
from tasks.tables.headers import is_total
from tasks.tables.numbers import is_nil, is_sign
from tasks.tables.reader import TableReader, readers
from tasks.tables.sums import Sum, SummedLine, computed_sum, deducted_parts, find_sums
from warehouse.records import NO_CORRECTIONS, Document, DocumentCorrections, Table, Total, TotalOf

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


_WILD = 0.5
"""A figure that is off by more than this share of the sum was never meant as the sum, unless its label says total."""
_ROUNDING = 0.1  # How much of a wrong subtotal its effect on the next total may differ from it.


def totals(document: Document, corrections: DocumentCorrections = NO_CORRECTIONS) -> tuple[Total, ...]:
    """The totals of all tables: a record for each figure that is checked."""
    return tuple(total for reader in readers(document, corrections.tables) for total in _table_totals(reader))


def table_totals(table: Table, document: Document) -> tuple[Total, ...]:
    """The totals of one table of a document: those of rows, then those of columns."""
    return next(_table_totals(reader) for reader in readers(document) if reader.grid.table is table)


def _table_totals(reader: TableReader) -> tuple[Total, ...]:
    of_rows = _Checks(reader, TotalOf.ROWS).of(find_sums(row_lines(reader), across=False))
    of_columns = _Checks(reader, TotalOf.COLUMNS).of(find_sums(column_lines(reader), across=True))
    return (*of_rows, *of_columns)


class _Checks:
    """Turns the sums of rows, or of columns, into records."""

    def __init__(self, reader: TableReader, of: TotalOf) -> None:
        self._reader = reader
        self._of = of
        self._off: dict[tuple[int, int], float] = {}

    def of(self, found: Iterator[Sum]) -> Iterator[Total]:
        """A record for each figure of each total that is sure to be meant as one."""
        for each in found:
            for position in sorted(each.matched | each.missed):
                total = self._total(each, position)
                if total.adds_up or self._is_meant(each, position, total):
                    if not total.adds_up:
                        self._off[each.total.index, position] = total.difference
                    yield total

    def _total(self, found: Sum, position: int) -> Total:
        index = found.total.index
        row, column = (index, position) if self._of is TotalOf.ROWS else (position, index)
        stated, made = found.total.figures[position], computed_sum(found.parts, found.signs, position)
        less = dict.fromkeys(part.index for part in deducted_parts(found.parts, found.signs))
        place = self._reader.grid.place(row, column)
        return Total(
            table=self._reader.grid.table.number,
            row=row,
            column=column,
            of=self._of,
            label=found.total.label,
            parts=tuple(part.index for part in found.parts if part.index not in less),
            less=tuple(less),
            stated=float(stated),
            computed=float(made),
            difference=float(stated - made),
            adds_up=position in found.matched,
            start=place.start,
            end=place.end,
        )

    def _is_meant(self, found: Sum, position: int, total: Total) -> bool:
        """Whether a figure that is not the sum of its parts is meant to be.

        Percentages, averages and balances are not; nor is what a wrong subtotal among the parts explains.
        """
        number, frame = self._reader.number(total.row, total.column), self._reader.frame(total.row, total.column)
        if number is None or number.unit or frame.measure_of(number) not in COUNTED:
            return False
        if self._is_between(found, position):
            return False
        if not found.total.is_total and abs(total.difference) > _WILD * abs(total.computed):
            return False
        explained = -sum(self._off.get((part.index, position), 0.0) for part in found.parts)
        return not explained or abs(total.difference - explained) > _ROUNDING * abs(explained)

    @staticmethod
    def _is_between(found: Sum, position: int) -> bool:
        """Whether a figure lies within the range of its parts, all of one sign: an average or what remains, no sum."""
        parts = [figure for part in found.parts if (figure := part.figures.get(position))]
        stated = found.total.figures[position]
        one_sign = all(part > 0 for part in parts) or all(part < 0 for part in parts)
        return len(parts) > 1 and one_sign and min(parts) <= stated <= max(parts)
