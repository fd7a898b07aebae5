"""The cross-foot check of rows and columns: which figures are totals of others, and whether they add up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tasks.tables.frames import FigureKind
from tasks.tables.headers import is_total
from tasks.tables.numbers import is_nil, is_sign
from tasks.tables.reader import CellGrid, TableReader, make_readers
from tasks.tables.sums import MAX_GAP_SHARE, ZERO, Sum, SummedLine, compute_sum, find_sums, list_deducted
from warehouse.records import NO_CORRECTIONS, Document, DocumentCorrections, Table, Total, TotalOf

Spot = tuple[int, int]  # A cell by row and column.

_DEDUCTS = re.compile(r"^\(?(?:less|minus|deduct(?:ions?)?)\b|^(?:其中)?(?:减|減|扣除)", re.IGNORECASE)
_COST = re.compile(r"\b(?:costs?|expenses?|tax(?:es)?|provision|charges?)\b|成本|费用|費用|税", re.IGNORECASE)
_SUMMED_KINDS = (FigureKind.AMOUNT, FigureKind.SHARES, FigureKind.COUNT)
"""The kinds that are added; percentages and amounts per something are not."""
_ROUNDING = 0.1  # The share of a wrong subtotal by which its effect on the next total may differ from it.


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of a table in units, so that columns in thousands and in millions can be added.

    They are by row and column, with zero for dashes and without a kind for these; `unclear` are the cells that show
    something else.
    """

    values: Mapping[Spot, Decimal]
    kinds: Mapping[Spot, str]
    unclear: frozenset[Spot]


def _read_figures(reader: TableReader) -> _Figures:
    values: dict[Spot, Decimal] = {}
    kinds: dict[Spot, str] = {}
    unclear: set[Spot] = set()
    grid = reader.grid
    for row in range(grid.body, len(grid.table.rows)):
        for column, text in enumerate(grid.table.rows[row][grid.labels :], grid.labels):
            spot = row, column
            number = reader.get_number(row, column)
            if number is not None:
                frame = reader.get_frame(row, column)
                values[spot] = number.printed.scaleb(number.power + (frame.get_power(number) or 0))
                measure = frame.get_measure(number)
                kinds[spot] = number.unit or ("" if measure in _SUMMED_KINDS else measure.value)
            elif is_nil(text):
                values[spot] = ZERO
            elif not is_sign(text):
                unclear.add(spot)
    return _Figures(values, kinds, frozenset(unclear))


def _iter_row_lines(grid: CellGrid, figures: _Figures) -> Iterator[SummedLine]:
    """The body rows that hold figures, from the top; a row without any begins a section."""
    opens = True
    columns = range(grid.labels, len(grid.table.rows[0]))
    for row in range(grid.body, len(grid.table.rows)):
        label = " ".join(filter(None, grid.table.rows[row][: grid.labels]))
        line = _make_line(figures, row, label, {column: (row, column) for column in columns}, opens=opens)
        opens = line is None
        if line is not None:
            yield line


def _iter_column_lines(grid: CellGrid, figures: _Figures) -> Iterator[SummedLine]:
    """The columns that hold figures, from the left; a change of the upper headers begins a section."""
    group = None
    rows = range(grid.body, len(grid.table.rows))
    for column in range(grid.labels, len(grid.table.rows[0])):
        path = grid.get_column_path(column)
        opens, group = path[:-1] != group, path[:-1]
        spots = {row: (row, column) for row in rows}
        line = _make_line(figures, column, path[-1] if path else "", spots, opens=opens)
        if line is not None:
            yield line


def _make_line(
    figures: _Figures, index: int, label: str, spots: Mapping[int, Spot], *, opens: bool
) -> SummedLine | None:
    """A line of the cells by position, with the kind of its first number; None if no cell is a figure."""
    values = {position: figures.values[spot] for position, spot in spots.items() if spot in figures.values}
    if not values:
        return None
    kinds = {position: figures.kinds[spot] for position, spot in spots.items() if spot in figures.kinds}
    kind = next(iter(kinds.values()), "")
    return SummedLine(
        index,
        label,
        kind,
        values,
        unclear=frozenset(position for position, spot in spots.items() if spot in figures.unclear),
        other=frozenset(position for position, other_kind in kinds.items() if other_kind != kind),
        opens=opens,
        is_cost=_COST.search(label) is not None,
        deducts=_DEDUCTS.search(label) is not None,
        is_total=is_total(label),
    )


def find_totals(document: Document, corrections: DocumentCorrections = NO_CORRECTIONS) -> tuple[Total, ...]:
    """The totals of all tables: a record for each figure that is checked."""
    return tuple(total for reader in make_readers(document, corrections.tables) for total in _find_in_table(reader))


def find_table_totals(table: Table, document: Document) -> tuple[Total, ...]:
    """The totals of one table of a document: those of rows, then those of columns."""
    return next(_find_in_table(reader) for reader in make_readers(document) if reader.grid.table is table)


def _find_in_table(reader: TableReader) -> tuple[Total, ...]:
    grid, figures = reader.grid, _read_figures(reader)
    of_rows = find_sums(list(_iter_row_lines(grid, figures)), across=False)
    of_columns = find_sums(list(_iter_column_lines(grid, figures)), across=True)
    return (*_iter_totals(reader, TotalOf.ROWS, of_rows), *_iter_totals(reader, TotalOf.COLUMNS, of_columns))


def _iter_totals(reader: TableReader, of: TotalOf, sums: Iterable[Sum]) -> Iterator[Total]:
    """A record for each figure of each total that is surely meant as a total."""
    offsets: dict[tuple[int, int], float] = {}
    for line_sum in sums:
        for position in sorted(line_sum.fit.matched | line_sum.fit.missed):
            total = _make_total(reader, of, line_sum, position)
            # A difference that a wrong subtotal among the parts explains does not count against the total.
            earlier_gap = -sum(offsets.get((part.index, position), 0.0) for part in line_sum.parts)
            is_new = not earlier_gap or abs(total.difference - earlier_gap) > _ROUNDING * abs(earlier_gap)
            if total.adds_up or (is_new and _is_intended(reader, line_sum, position, total)):
                if not total.adds_up:
                    offsets[line_sum.total.index, position] = total.difference
                yield total


def _make_total(reader: TableReader, of: TotalOf, line_sum: Sum, position: int) -> Total:
    index = line_sum.total.index
    row, column = (index, position) if of is TotalOf.ROWS else (position, index)
    figure, parts_sum = line_sum.total.figures[position], compute_sum(line_sum.parts, line_sum.fit.signs, position)
    deductions = list_deducted(line_sum.parts, line_sum.fit.signs)
    span = reader.grid.get_cell(row, column)
    return Total(
        table=reader.grid.table.number,
        row=row,
        column=column,
        of=of,
        label=line_sum.total.label,
        parts=tuple(part.index for part in line_sum.parts if part.index not in deductions),
        less=tuple(part.index for part in line_sum.parts if part.index in deductions),
        stated=float(figure),
        computed=float(parts_sum),
        difference=float(figure - parts_sum),
        adds_up=position in line_sum.fit.matched,
        start=span.start,
        end=span.end,
    )


def _is_intended(reader: TableReader, line_sum: Sum, position: int, total: Total) -> bool:
    """Whether a figure that is not the sum of its parts should be: percentages, averages and balances should not."""
    number, frame = reader.get_number(total.row, total.column), reader.get_frame(total.row, total.column)
    if number is None or number.unit or frame.get_measure(number) not in _SUMMED_KINDS:
        return False
    parts = [figure for part in line_sum.parts if (figure := part.figures.get(position))]
    one_sign = all(part > 0 for part in parts) or all(part < 0 for part in parts)
    # A figure within the range of its parts, all of one sign, is an average or a remainder.
    if len(parts) > 1 and one_sign and min(parts) <= line_sum.total.figures[position] <= max(parts):
        return False
    return line_sum.total.is_total or abs(total.difference) <= float(MAX_GAP_SHARE) * abs(total.computed)
