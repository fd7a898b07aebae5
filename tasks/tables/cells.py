"""The body cells of a document's tables as facts: where each stands, what heads it, what it is worth and when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tasks.tables.addends import Spot, shared_currencies
from tasks.tables.frames import PLAIN
from tasks.tables.numbers import Number
from tasks.tables.periods import Periods
from tasks.tables.places import BETWEEN, Place
from tasks.tables.reader import TableReader, readers
from tasks.temporal.learning import calendar_of
from warehouse.records import Cell, Document, Total


def cells(document: Document, checked: Sequence[Total], year_end: str = "") -> tuple[Cell, ...]:
    """Every body cell that is not empty, in reading order, the row headers among them.

    The period comes from the column's headers, else from the row's, or from both together. A scale ("in millions")
    comes from the cell, else from its headers, else from the corner, the caption or the line above the table; it does
    not touch percentages, amounts per share, years and head counts. A currency comes the same way, or from a figure
    that is added with this one: `checked` are the document's totals. Dashes, "nil" and "n/a" have no value.
    `year_end` (MM-DD) is the end of fiscal years that is declared for the document, if any, as in `calendar_of`.
    """
    periods = Periods(document.language, document.attributes.day_order, calendar_of(document, year_end))
    found = [_cell(place, reader, periods) for reader in readers(document) for place in _filled(reader)]
    named = {(cell.table, cell.row, cell.column): cell.currency for cell in found if cell.currency}
    shared = shared_currencies(checked, named)
    return tuple(
        replace(cell, currency=shared[cell.table, cell.row, cell.column]) if _lacks_currency(cell, shared) else cell
        for cell in found
    )


def _lacks_currency(cell: Cell, shared: Mapping[Spot, str]) -> bool:
    lacks = not cell.currency and cell.value is not None and not cell.unit
    return lacks and (cell.table, cell.row, cell.column) in shared


def _filled(reader: TableReader) -> Iterator[Place]:
    table = reader.grid.table
    rows = range(reader.grid.body, len(table.row_spans))
    return (place for row in rows for place in reader.grid.places(row) if place.end > place.start)


def _cell(place: Place, reader: TableReader, periods: Periods) -> Cell:
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
        value=_value(found, power),
        unit="" if found is None or power is None else frame.unit(found),
        scale=10.0 ** (power or 0),
        currency="" if found is None or power is None else frame.money(found),
        period_start=period[0] if period else None,
        period_end=period[1] if period else None,
        doubt="; ".join(filter(None, doubts)),
    )


def _value(found: Number | None, power: int | None) -> float | None:
    return None if found is None or power is None else float(found.printed.scaleb(found.power + power))
