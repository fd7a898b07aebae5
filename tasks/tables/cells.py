"""The body cells of a document's tables as facts: the position, headers, value and period of each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tasks.tables.frames import FigureKind, Frame
from tasks.tables.header_periods import HeaderPeriods
from tasks.tables.headers import HeaderContext
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

_MAX_ROUNDS = 8  # Grand totals hold subtotals, which hold parts: no table is nested deeper than this.


_TWO_DECIMALS = re.compile(r"(?<![0-9,.])[0-9]{0,3}\.[0-9]{2,}(?![0-9])")
_MIN_WHOLE, _MIN_WHOLE_SHARE = 3, 0.7
"""The number and the share of a table's rows that must have whole amounts for a row with two decimals to be odd."""
_OTHER_DECIMALS = "printed with decimals, the table's other amounts without"


def read_cells(
    document: Document,
    totals: Sequence[Total],
    year_end: str = "",
    corrections: DocumentCorrections = NO_CORRECTIONS,
) -> tuple[Cell, ...]:
    """Every body cell that is not empty, in reading order, including the row headers.

    The period comes from the column's headers, else from the row's, or from both together. A scale ("in millions")
    comes from the cell, else from its headers, else from the text around the table; it does not apply to percentages,
    amounts per share, years and head counts. A currency is found in the same way, or from a figure that is added with
    this one: `totals` are the document's totals. Dashes, "nil" and "n/a" have no value. `doubt` says why a cell is not
    sure. `year_end` (MM-DD) is the end of fiscal years that is declared for the document, if any, as in
    `infer_document_calendar`. People's corrections take precedence over all this: a scale that they gave has no doubt.

    A figure that the filer tags (`Document.facts`) has the tag's value, unit, scale, currency and period; it has a
    doubt if the printed table reads otherwise.
    """
    calendar = infer_document_calendar(document, year_end, corrections.fiscal_year_end)
    periods = HeaderPeriods(document, calendar)
    readers, tagged_figures = list(make_readers(document, corrections.tables)), TaggedFigures(document.facts)
    cells = [
        _make_cell(span, reader, periods, context, tagged_figures)
        for reader in readers
        for context in [periods.make_context(reader.grid, reader.titles)]
        for row in range(reader.grid.body, len(reader.grid.table.row_spans))
        for span in reader.grid.iter_cells(row)
        if span.end > span.start
    ]
    corrected_tables = {
        reader.grid.table.number for reader in readers if reader.correction and reader.correction.scale is not None
    }
    currencies = {(cell.table, cell.row, cell.column): cell.currency for cell in cells if cell.currency}
    shared_currencies = _find_shared_currencies(totals, currencies)
    odd_rows = _find_rows_of_other_decimals([cell for cell in cells if cell.table not in corrected_tables])
    statement_kinds = find_statement_kinds(document, cells)

    def settle_cell(cell: Cell) -> Cell:
        if cell.concept:
            return replace(cell, statement=statement_kinds[cell.table]) if cell.table in statement_kinds else cell
        spot = cell.table, cell.row, cell.column
        if spot in shared_currencies and not cell.currency and cell.value is not None and not cell.unit:
            cell = replace(cell, currency=shared_currencies[spot])
        if spot[:2] in odd_rows and not cell.doubt and _is_scaled(cell):
            cell = replace(cell, doubt=_OTHER_DECIMALS)
        return replace(cell, statement=statement_kinds[cell.table]) if cell.table in statement_kinds else cell

    return tuple(map(settle_cell, cells))


def _find_rows_of_other_decimals(cells: Sequence[Cell]) -> set[tuple[int, int]]:
    """Rows (table, row) of scaled amounts with two decimals or more among rows of whole amounts.

    They may be amounts per share that no word marks as such.
    """
    tables: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cell in filter(_is_scaled, cells):
        tables[cell.table][cell.row].append(cell.text)
    odd_rows: set[tuple[int, int]] = set()
    for table, rows in tables.items():
        decimal_rows = {row for row, texts in rows.items() if all(map(_TWO_DECIMALS.search, texts))}
        whole_count = sum(not any("." in text for text in texts) for texts in rows.values())
        if whole_count >= max(_MIN_WHOLE, _MIN_WHOLE_SHARE * len(rows)):
            odd_rows |= {(table, row) for row in decimal_rows}
    return odd_rows


def _is_scaled(cell: Cell) -> bool:
    """Whether the cell is an amount to which the scale of its surroundings was applied."""
    return cell.value is not None and cell.scale > 1 and not cell.unit


def _make_cell(
    span: CellSpan, reader: TableReader, periods: HeaderPeriods, context: HeaderContext, tagged_figures: TaggedFigures
) -> Cell:
    grid = reader.grid
    row_path, column_path = grid.get_row_path(span.row), grid.get_column_path(span.column, span.row)
    number, doubts = reader.get_number(span.row, span.column), list[str]()
    dated_path = grid.get_dated_path(span.row)
    if span.column < grid.labels:  # headers say nothing about a label
        period, frame = periods.find_row_period(dated_path), Frame(FigureKind.AMOUNT, 0, 0, "")
    else:
        corner = grid.get_column_path(0, span.row)
        period, frame = (
            periods.find_cell_period(dated_path, column_path, corner, context),
            reader.get_frame(span.row, span.column),
        )
        if number is not None:
            is_unheaded = (
                not period and not column_path and any(map(periods.find_row_period, grid.headers.get_paths(span.row)))
            )
            period_doubt = (
                "the column has no header" if is_unheaded else periods.describe_doubt(dated_path, column_path, corner)
            )
            doubts = [reader.describe_doubt(span.row, span.column), frame.describe_doubt(number), period_doubt]
    power = None if number is None else frame.get_power(number)
    currency = "" if number is None or power is None else frame.get_currency(number)
    unit = "" if number is None or power is None else frame.get_unit(number)
    if number is not None and not unit and not currency and span.column >= grid.labels:
        unit = reader.get_row_unit(span.row, span.column, is_dated=period is not None)
    cell = Cell(
        table=grid.table.number,
        row=span.row,
        column=span.column,
        text=grid.text[span.start : span.end],
        start=span.start,
        end=span.end,
        row_header=PATH_SEPARATOR.join(row_path),
        column_header=PATH_SEPARATOR.join(column_path),
        value=None if number is None or power is None else float(number.printed.scaleb(number.power + power)),
        unit=unit,
        scale=10.0 ** (power or 0),
        currency=currency,
        period_start=period[0] if period else None,
        period_end=period[1] if period else None,
        doubt="; ".join(filter(None, doubts)),
    )
    fact = tagged_figures.find_fact(cell.text, cell.start, is_figure=number is not None) if tagged_figures else None
    if fact is None:
        return cell
    return with_fact(cell, fact, number, frame.get_measure(number) if number else frame.measure, reader.correction)


def _find_shared_currencies(totals: Sequence[Total], printed_currencies: Mapping[Spot, str]) -> dict[Spot, str]:
    """The currency of each cell that is in a sum with a cell of a known currency, if the sum has only one currency.

    Only amounts of one currency can be added, so the currency of a part or of the total is that of the whole sum.
    """
    currencies = dict(printed_currencies)
    spots_of_sums = []
    for total in totals:
        if total.adds_up:
            of_rows = total.of is TotalOf.ROWS
            parts = [(part, total.column) if of_rows else (total.row, part) for part in (*total.parts, *total.less)]
            spots_of_sums.append([(total.table, *spot) for spot in ((total.row, total.column), *parts)])
    for _ in range(_MAX_ROUNDS):
        count_before = len(currencies)
        for spots in spots_of_sums:
            codes = {currencies[spot] for spot in spots if spot in currencies}
            if len(codes) == 1:
                currencies.update(dict.fromkeys(spots, codes.pop()))
        if len(currencies) == count_before:
            break
    return currencies
