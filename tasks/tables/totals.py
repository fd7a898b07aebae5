"""The cross-foot check: which figures are totals of others, and whether they add up."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.tables.lines import COUNTED, column_lines, row_lines
from tasks.tables.reader import TableReader, readers
from tasks.tables.sum_detection import Sum, sums
from tasks.tables.sums import computed, deducted
from warehouse.records import NO_CORRECTIONS, Document, DocumentCorrections, Table, Total, TotalOf

_WILD = 0.5
"""A figure that is off by more than this share of the sum was never meant as the sum, unless its label says total."""
_ROUNDING = 0.1
"""How much of a wrong subtotal its effect on the next total may differ from it."""


def totals(document: Document, corrections: DocumentCorrections = NO_CORRECTIONS) -> tuple[Total, ...]:
    """The totals of all tables: a record for each figure that is checked."""
    return tuple(total for reader in readers(document, corrections.tables) for total in _table_totals(reader))


def table_totals(table: Table, document: Document) -> tuple[Total, ...]:
    """The totals of one table of a document: those of rows, then those of columns."""
    return next(_table_totals(reader) for reader in readers(document) if reader.grid.table is table)


def _table_totals(reader: TableReader) -> tuple[Total, ...]:
    of_rows = _Checks(reader, TotalOf.ROWS).of(sums(row_lines(reader), across=False))
    of_columns = _Checks(reader, TotalOf.COLUMNS).of(sums(column_lines(reader), across=True))
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
        stated, made = found.total.figures[position], computed(found.parts, found.signs, position)
        less = dict.fromkeys(part.index for part in deducted(found.parts, found.signs))
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
