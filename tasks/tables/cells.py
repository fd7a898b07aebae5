"""The body cells of a document's tables as facts: where each stands, what heads it, what it is worth and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tasks.tables.frames import PLAIN
from tasks.tables.periods import Periods
from tasks.tables.reader import BETWEEN, CellSpan, TableReader, readers
from tasks.temporal.fiscal_inference import calendar_of
from warehouse.records import NO_CORRECTIONS, Cell, Document, DocumentCorrections, Total, TotalOf

_FINE = re.compile(r"(?<![0-9,.])[0-9]{0,3}\.[0-9]{2,}(?![0-9])")
_FEWEST_WHOLE, _MOSTLY = 3, 0.7
"""How many rows of a table are of whole amounts, and what share of all, for one with two decimals to stand out."""
_OTHER_DECIMALS = "printed with decimals, the table's other amounts without"


def cells(
    document: Document,
    checked: Sequence[Total],
    year_end: str = "",
    corrections: DocumentCorrections = NO_CORRECTIONS,
) -> tuple[Cell, ...]:
    """Every body cell that is not empty, in reading order, the row headers among them.

    The period comes from the column's headers, else from the row's, or from both together. A scale ("in millions")
    comes from the cell, else from its headers, else from what stands around the table; it does not touch percentages,
    amounts per share, years and head counts. A currency comes the same way, or from a figure that is added with this
    one: `checked` are the document's totals. Dashes, "nil" and "n/a" have no value. What is not sure says why in
    `doubt`. `year_end` (MM-DD) is the end of fiscal years that is declared for the document, if any, as in
    `calendar_of`. What people corrected comes before all this: nothing is in doubt about a scale that they gave.
    """
    calendar = calendar_of(document, year_end, corrections.fiscal_year_end)
    periods = Periods(document.language, document.attributes.day_order, calendar)
    every = list(readers(document, corrections.tables))
    found = [
        _cell(place, reader, periods)
        for reader in every
        for row in range(reader.grid.body, len(reader.grid.table.row_spans))
        for place in reader.grid.places(row)
        if place.end > place.start
    ]
    sure = {each.grid.table.number for each in every if each.correction and each.correction.scale is not None}
    named = {(cell.table, cell.row, cell.column): cell.currency for cell in found if cell.currency}
    shared = shared_currencies(checked, named)
    odd = _rows_of_other_decimals([cell for cell in found if cell.table not in sure])

    def settled(cell: Cell) -> Cell:
        spot = cell.table, cell.row, cell.column
        if spot in shared and not cell.currency and cell.value is not None and not cell.unit:
            cell = replace(cell, currency=shared[spot])
        if spot[:2] in odd and not cell.doubt and _is_scaled(cell):
            cell = replace(cell, doubt=_OTHER_DECIMALS)
        return cell

    return tuple(map(settled, found))


def _rows_of_other_decimals(found: Sequence[Cell]) -> set[tuple[int, int]]:
    """Rows (table, row) of scaled amounts with two decimals or more among rows of whole amounts.

    They may be amounts per share that no word says to be such.
    """
    rows: dict[int, dict[int, list[Cell]]] = {}
    for cell in filter(_is_scaled, found):
        rows.setdefault(cell.table, {}).setdefault(cell.row, []).append(cell)
    odd: set[tuple[int, int]] = set()
    for table, held in rows.items():
        fine = {row for row, cells in held.items() if all(_FINE.search(cell.text) for cell in cells)}
        whole = sum(not any("." in cell.text for cell in cells) for cells in held.values())
        if fine and whole >= max(_FEWEST_WHOLE, _MOSTLY * len(held)):
            odd |= {(table, row) for row in fine}
    return odd


def _is_scaled(cell: Cell) -> bool:
    """Whether a scale of its surroundings was applied to an amount."""
    return cell.value is not None and cell.scale > 1 and not cell.unit


def _cell(place: CellSpan, reader: TableReader, periods: Periods) -> Cell:
    grid = reader.grid
    row, column = grid.row_path(place.row), grid.column_path(place.column, place.row)
    if place.column < grid.labels:
        period, frame = periods.of_row(row), PLAIN
    else:
        period = periods.of_cell(row, column, grid.column_path(0, place.row))
        frame = reader.frame(place.row, place.column)
    found = reader.number(place.row, place.column)
    doubts = ("", "")
    if found is not None and place.column >= grid.labels:
        unheaded = not period and not column and any(map(periods.of_row, grid.headers.above(place.row)))
        timing = "the column has no header" if unheaded else periods.doubt(row, column, grid.column_path(0, place.row))
        doubts = (frame.doubt(found), timing)
    power = None if found is None else frame.power(found)
    return Cell(
        table=grid.table.number,
        row=place.row,
        column=place.column,
        text=grid.text[place.start : place.end],
        start=place.start,
        end=place.end,
        row_header=BETWEEN.join(row),
        column_header=BETWEEN.join(column),
        value=None if found is None or power is None else float(found.printed.scaleb(found.power + power)),
        unit="" if found is None or power is None else frame.unit(found),
        scale=10.0 ** (power or 0),
        currency="" if found is None or power is None else frame.money(found),
        period_start=period[0] if period else None,
        period_end=period[1] if period else None,
        doubt="; ".join(filter(None, doubts)),
    )


Spot = tuple[int, int, int]  # A cell by table, row and column.

_MOST_ROUNDS = 8  # Grand totals hold subtotals hold parts: so deep is no table.


def shared_currencies(totals: Sequence[Total], printed: Mapping[Spot, str]) -> dict[Spot, str]:
    """The currency of each spot that is added up with one of a known currency, none of the sum having another.

    Only amounts of one currency can be added, so what holds for a part or for the total holds for all of the sum.
    """
    known = dict(printed)
    sums = [tuple(_spots(total)) for total in totals if total.adds_up]
    for _ in range(_MOST_ROUNDS):
        before = len(known)
        for spots in sums:
            codes = {known[spot] for spot in spots if spot in known}
            if len(codes) == 1:
                known.update(dict.fromkeys(spots, codes.pop()))
        if len(known) == before:
            break
    return known


def _spots(total: Total) -> Iterator[Spot]:
    yield total.table, total.row, total.column
    for part in (*total.parts, *total.less):
        if total.of is TotalOf.ROWS:
            yield total.table, part, total.column
        else:
            yield total.table, total.row, part
