"""The body cells of a document's tables as facts: where each stands, what heads it, what it is worth and when."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tasks.tables.frames import FigureKind, Frame
from tasks.tables.header_periods import HeaderPeriods
from tasks.tables.line_items import find_statement_kinds
from tasks.tables.reader import PATH_SEPARATOR, CellSpan, TableReader, make_readers
from tasks.tables.tagged_figures import TaggedFigures, with_fact
from tasks.temporal.fiscal_inference import infer_document_calendar
from warehouse.records import (
    NO_CORRECTIONS,
    Cell,
    Document,
    DocumentCorrections,
    Total,
    TotalOf,
)

Spot = tuple[int, int, int]  # A cell by table, row and column.

_MOST_ROUNDS = 8  # Grand totals hold subtotals hold parts: so deep is no table.


_FINE = re.compile(r"(?<![0-9,.])[0-9]{0,3}\.[0-9]{2,}(?![0-9])")
_FEWEST_WHOLE, _MOSTLY = 3, 0.7
"""How many rows of a table are of whole amounts, and what share of all, for one with two decimals to stand out."""
_OTHER_DECIMALS = "printed with decimals, the table's other amounts without"


def read_cells(
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
    `infer_document_calendar`. What people corrected comes before all this: a scale that they gave is not in doubt.

    A figure that the filer tags (`Document.facts`) has the tag's value, unit, scale, currency and period; its doubt
    then is that the printed table reads otherwise.
    """
    calendar = infer_document_calendar(document, year_end, corrections.fiscal_year_end)
    periods = HeaderPeriods(document, calendar)
    every, tagged = list(make_readers(document, corrections.tables)), TaggedFigures(document.facts)
    found = [
        _make_cell(place, reader, periods, first_month, tagged)
        for reader in every
        for first_month in [periods.find_first_month(reader.grid)]
        for row in range(reader.grid.body, len(reader.grid.table.row_spans))
        for place in reader.grid.iter_cells(row)
        if place.end > place.start
    ]
    sure = {each.grid.table.number for each in every if each.correction and each.correction.scale is not None}
    currencies = {(cell.table, cell.row, cell.column): cell.currency for cell in found if cell.currency}
    shared = _find_shared_currencies(checked, currencies)
    odd = _find_rows_of_other_decimals([cell for cell in found if cell.table not in sure])
    kinds = find_statement_kinds(document, found)

    def settle_cell(cell: Cell) -> Cell:
        if cell.concept:
            return replace(cell, statement=kinds[cell.table]) if cell.table in kinds else cell
        spot = cell.table, cell.row, cell.column
        if spot in shared and not cell.currency and cell.value is not None and not cell.unit:
            cell = replace(cell, currency=shared[spot])
        if spot[:2] in odd and not cell.doubt and _is_scaled(cell):
            cell = replace(cell, doubt=_OTHER_DECIMALS)
        return replace(cell, statement=kinds[cell.table]) if cell.table in kinds else cell

    return tuple(map(settle_cell, found))


def _find_rows_of_other_decimals(found: Sequence[Cell]) -> set[tuple[int, int]]:
    """Rows (table, row) of scaled amounts with two decimals or more among rows of whole amounts.

    They may be amounts per share that no word says to be such.
    """
    tables: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cell in filter(_is_scaled, found):
        tables[cell.table][cell.row].append(cell.text)
    odd: set[tuple[int, int]] = set()
    for table, rows in tables.items():
        fine = {row for row, texts in rows.items() if all(map(_FINE.search, texts))}
        whole = sum(not any("." in text for text in texts) for texts in rows.values())
        if whole >= max(_FEWEST_WHOLE, _MOSTLY * len(rows)):
            odd |= {(table, row) for row in fine}
    return odd


def _is_scaled(cell: Cell) -> bool:
    """Whether a scale of its surroundings was applied to an amount."""
    return cell.value is not None and cell.scale > 1 and not cell.unit


def _make_cell(
    place: CellSpan, reader: TableReader, periods: HeaderPeriods, first_month: int, tagged: TaggedFigures
) -> Cell:
    grid = reader.grid
    row, column = grid.get_row_path(place.row), grid.get_column_path(place.column, place.row)
    found, doubts = reader.get_number(place.row, place.column), list[str]()
    dated = grid.get_dated_path(place.row)
    if place.column < grid.labels:  # headers say nothing of a label
        period, frame = periods.find_row_period(dated), Frame(FigureKind.AMOUNT, 0, 0, "")
    else:
        corner = grid.get_column_path(0, place.row)
        period, frame = (
            periods.find_cell_period(dated, column, corner, grid.table.caption, first_month),
            reader.get_frame(place.row, place.column),
        )
        if found is not None:
            unheaded = (
                not period and not column and any(map(periods.find_row_period, grid.headers.get_paths(place.row)))
            )
            timing = "the column has no header" if unheaded else periods.describe_doubt(dated, column, corner)
            doubts = [frame.describe_doubt(found), timing]
    power = None if found is None else frame.get_power(found)
    currency = "" if found is None or power is None else frame.get_currency(found)
    unit = "" if found is None or power is None else frame.get_unit(found)
    if found is not None and not unit and not currency and place.column >= grid.labels:
        unit = reader.get_row_unit(place.row, place.column, is_dated=period is not None)
    cell = Cell(
        table=grid.table.number,
        row=place.row,
        column=place.column,
        text=grid.text[place.start : place.end],
        start=place.start,
        end=place.end,
        row_header=PATH_SEPARATOR.join(row),
        column_header=PATH_SEPARATOR.join(column),
        value=None if found is None or power is None else float(found.printed.scaleb(found.power + power)),
        unit=unit,
        scale=10.0 ** (power or 0),
        currency=currency,
        period_start=period[0] if period else None,
        period_end=period[1] if period else None,
        doubt="; ".join(filter(None, doubts)),
    )
    fact = tagged.find_fact(cell.text, cell.start, is_figure=found is not None) if tagged else None
    if fact is None:
        return cell
    return with_fact(cell, fact, found, frame.get_measure(found) if found else frame.measure, reader.correction)


def _find_shared_currencies(totals: Sequence[Total], printed: Mapping[Spot, str]) -> dict[Spot, str]:
    """The currency of each spot that is added up with one of a known currency, none of the sum having another.

    Only amounts of one currency can be added, so what holds for a part or for the total holds for all of the sum.
    """
    known = dict(printed)
    sums = []
    for total in totals:
        if total.adds_up:
            of_rows = total.of is TotalOf.ROWS
            parts = [(part, total.column) if of_rows else (total.row, part) for part in (*total.parts, *total.less)]
            sums.append([(total.table, *spot) for spot in ((total.row, total.column), *parts)])
    for _ in range(_MOST_ROUNDS):
        before = len(known)
        for spots in sums:
            codes = {known[spot] for spot in spots if spot in known}
            if len(codes) == 1:
                known.update(dict.fromkeys(spots, codes.pop()))
        if len(known) == before:
            break
    return known
