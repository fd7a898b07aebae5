"""A cell in words: what it says, what it was read as, and whether it adds up where it is a total."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboards.assistant.tools.document_spans import format_period
from dashboards.drawing.escaping import text_html
from dashboards.drawing.understanding import fact_list_html
from dashboards.facts.tables.shown import Shown
from tasks.ask.figures.figure_cells import SCALES, exact
from warehouse.records import Cell, CorrectedField, Total, TotalOf

SHOWN = 12
"""Parts of a total that are named."""


def cell_html(table: Shown, cell: Cell) -> str:
    """All that was read of a cell."""
    return fact_list_html(list(_facts(table, cell)))


def wrong_html(table: Shown) -> str:
    """The totals that do not add up, a sentence each."""
    items = "".join(
        f"<li>{text_html(f'{_where(table, total)}: {total_told(table, total)}')}</li>" for total in table.wrong
    )
    return f'<ul class="k-wrongs">{items}</ul>'


def total_told(table: Shown, total: Total) -> str:
    """Of what a figure is the total, and whether it is."""
    less = f" less {_listed(table, total.of, total.less)}" if total.less else ""
    added = f"{_listed(table, total.of, total.parts)}{less}"
    if total.adds_up:
        return f"sum of {added}: adds up"
    more = "much" if total.difference > 0 else "little"
    return (
        f"the table states {exact(total.stated)}; the sum of {added} is {exact(total.computed)}: "
        f"{exact(abs(total.difference))} too {more}"
    )


def _facts(table: Shown, cell: Cell) -> Iterator[tuple[str, str]]:
    yield "As printed", cell.text
    if cell.value is None:
        yield "Value", "no number"
    else:
        yield "Value", " ".join(part for part in (exact(cell.value), cell.currency, cell.unit) if part)
    by_person = cell.value is not None and not cell.unit and table.corrected(CorrectedField.SCALE)
    if cell.value is not None and (cell.scale != 1.0 or by_person):
        scale = "units" if cell.scale == 1.0 else SCALES.get(cell.scale, f"× {exact(cell.scale)}")
        yield "Printed in", f"{scale} (corrected by a person)" if by_person else scale
    if cell.doubt:
        yield "Uncertain", cell.doubt
    yield "Period", format_period(cell.period_start, cell.period_end) or "none"
    if cell.row_header:
        yield "Row", " › ".join(cell.row_header.split(" / "))
    if cell.column_header:
        yield "Column", " › ".join(part for part in cell.column_header.split(" / ") if part)
    total = table.totals.get((cell.row, cell.column))
    if total:
        yield "Total", total_told(table, total)
    yield "Place", f"row {cell.row + 1}, column {cell.column + 1}, characters {cell.start:,} to {cell.end:,}"


def _where(table: Shown, total: Total) -> str:
    return f"{table.name(TotalOf.ROWS, total.row)}, {table.name(TotalOf.COLUMNS, total.column)}"


def _listed(table: Shown, of: TotalOf, places: Sequence[int]) -> str:
    named = [table.name(of, place) for place in places[:SHOWN]]
    return ", ".join(named) + (f" and {len(places) - SHOWN} more" if len(places) > SHOWN else "")
