"""One table with its parsed cells and checked totals, and its HTML: grid, chosen cell in words, wrong totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from itertools import product
from pathlib import Path

import pyarrow as pa

from dashboards.assistant.tools.document_spans import format_period
from dashboards.html.safe_text import escape_text, render_line, render_list
from tasks.ask.figures.figure_cells import SCALES, format_exact
from tasks.quality.phrases import format_count
from warehouse.printable_text import format_first
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Cell, CorrectedField, Merge, Table, Total, TotalOf
from warehouse.records.corrections import SCALES as SCALE_POWERS
from warehouse.store.arrow_files import get_schema, to_records
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

CellPosition = tuple[int, int]  # The row and the column of a cell, from 0.


@dataclass(frozen=True)
class ParsedTable:
    """A table of a document with its parsed body cells and its checked totals."""

    entry: CatalogEntry
    table: Table
    cells: Mapping[CellPosition, Cell]
    totals: Mapping[CellPosition, Total]

    @property
    def wrong_totals(self) -> list[Total]:
        """The totals that do not add up, by row and column."""
        return [total for total in self.totals.values() if not total.adds_up]

    @cached_property
    def scale(self) -> str:
        """The scale of most amounts in words; "ones" where there are none."""
        powers = Counter(cell.scale for cell in self._amounts)
        most = max(powers, key=powers.__getitem__, default=1.0)
        return next((word for word, power in SCALE_POWERS.items() if 10.0**power == most), f"{most:,.0f}")

    @cached_property
    def currency(self) -> str:
        """The currency of most amounts; empty where none has one."""
        codes = Counter(cell.currency for cell in self._amounts if cell.currency)
        return max(codes, key=codes.__getitem__, default="")

    @property
    def _amounts(self) -> list[Cell]:
        """The figures with a currency or a scale; where none has either, all figures without a unit."""
        figures = [cell for cell in self.cells.values() if cell.value is not None and not cell.unit]
        return [cell for cell in figures if cell.currency or cell.scale != 1.0] or figures

    def is_corrected(self, field: CorrectedField) -> bool:
        """Whether a person has corrected a field of the table."""
        correction = self.entry.find_correction(field, self.table.number)
        return correction is not None and not correction.note

    @cached_property
    def figure_columns(self) -> frozenset[int]:
        """The columns with figures."""
        return frozenset(column for (_, column), cell in self.cells.items() if cell.value is not None)

    def get_name(self, of: TotalOf, place: int) -> str:
        """The name of a row or a column, or its number where it has none."""
        if of is TotalOf.COLUMNS:
            return self.headers[place]
        return " ".join(self.table.rows[place][0].split()) or f"row {place + 1}"

    @cached_property
    def headers(self) -> list[str]:
        """A unique name for each column: its headers, or its number where it has none."""
        names: list[str] = []
        for column in range(len(self.table.rows[0]) if self.table.rows else 0):
            above = dict.fromkeys(
                filter(None, (self._find_header_above(row, column) for row in range(self.table.header_rows)))
            )
            name = " / ".join(" ".join(text.split()) for text in above) or f"column {column + 1}"
            names.append(name if name not in names else f"{name} (column {column + 1})")
        return names

    def _find_header_above(self, row: int, column: int) -> str:
        """The text of a header row over a column; that of a merged cell over all of its columns."""
        for merge in self.table.merges:
            over = range(merge.column, merge.column + merge.columns)
            if column in over and row in range(merge.row, merge.row + merge.rows):
                return self.table.rows[merge.row][merge.column]
        return self.table.rows[row][column]


def read_parsed_table(warehouse: Warehouse, document_id: str, number: int) -> ParsedTable | None:
    """A table of a document by its number; None where there is no such table."""
    parameters = {"id": document_id, "number": number}
    snapshot = warehouse.snapshot
    entry = snapshot.read_entries([document_id]).get(document_id)
    tables = to_records(Table, snapshot.query_records(_SQL["table"], parameters)) if entry else ()
    if not entry or not tables:
        return None
    cells, totals = (
        snapshot.query_records(_SQL["parts"].format(name=name), parameters) for name in ("cells", "totals")
    )
    return ParsedTable(
        entry,
        tables[0],
        {(cell.row, cell.column): cell for cell in to_records(Cell, cells)},
        {(total.row, total.column): total for total in to_records(Total, totals)},
    )


def build_printed_rows(table: ParsedTable) -> pa.Table:
    """The rows below the header as text, as they are printed; all rows where there is no header."""
    rows = table.table.rows[table.table.header_rows :]
    columns = [pa.array([row[column] for row in rows], pa.string()) for column in range(len(table.headers))]
    return pa.table(columns, table.headers)


def build_cell_rows(table: ParsedTable) -> pa.Table:
    """A row for each body cell, with the fields of `Cell`."""
    return pa.Table.from_pylist([asdict(cell) for cell in table.cells.values()], get_schema(Cell))


MAX_CELL_LENGTH = 400  # Characters of a cell that are drawn in the grid; the chosen cell is shown in full next to it.
PARTS_NAMED = 12  # Rows or columns of a sum that are named.
UNSURE = 0.6  # Confidence below which a warning says that rows or columns may be wrong.


def render_grid(table: ParsedTable, rows: range, chosen_cell: CellPosition | None) -> str:
    """The header and some `rows` of the body; each body cell is a button with its position as `data-cell`."""
    merges = {(merge.row, merge.column): merge for merge in table.table.merges}
    # The positions that merged cells extend over, without those where they begin.
    covered_places = {
        place
        for begin, merge in merges.items()
        for place in product(
            range(merge.row, merge.row + merge.rows), range(merge.column, merge.column + merge.columns)
        )
        if place != begin
    }
    depth = table.table.header_rows

    def render_line(row: int) -> str:
        places = [(row, column) for column in range(len(table.table.rows[row])) if (row, column) not in covered_places]
        return f"<tr>{''.join(_render_cell(table, place, merges.get(place), chosen_cell) for place in places)}</tr>"

    head = "".join(map(render_line, range(depth)))
    body = "".join(render_line(row) for row in rows if row >= depth)
    name = escape(" ".join(table.table.caption.split())[:MAX_CELL_LENGTH] or f"Table {table.table.number}", quote=True)
    return (
        f'<div class="k-table k-grid" tabindex="0" role="region" aria-label="{name}"><table>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def _render_cell(table: ParsedTable, place: CellPosition, merge: Merge | None, chosen_cell: CellPosition | None) -> str:
    row, column = place
    text, cell, total = table.table.rows[row][column], table.cells.get(place), table.totals.get(place)
    spans = f' rowspan="{merge.rows}"' if merge and merge.rows > 1 else ""
    spans += f' colspan="{merge.columns}"' if merge and merge.columns > 1 else ""
    if row < table.table.header_rows:
        group = merge is not None and merge.columns > 1
        side = "" if group or column not in table.figure_columns else ' class="k-figure"'
        return f'<th scope="{"colgroup" if group else "col"}"{side}{spans}>{_render_text(text)}</th>'
    if not column and text:
        return f'<th scope="row"{spans}>{_render_text(text)}</th>'
    names = ["k-figure"] if cell and cell.value is not None else []
    names += ["k-total" if total.adds_up else "k-wrong"] if total else []
    classes = f' class="{" ".join(names)}"' if names else ""
    content = _render_text(text)
    if text and cell:
        is_wrong = total is not None and not total.adds_up
        content += '<span class="k-flag" aria-label="does not add up">≠</span>' if is_wrong else ""
        title, state = (' title="Does not add up"' if is_wrong else "", "true" if place == chosen_cell else "false")
        button = f'<button type="button" data-cell="{row}.{column}" aria-pressed="{state}"{title}>'
        content = f"{button}{content}</button>"
    return f"<td{classes}{spans}>{content}</td>"


def _render_text(text: str) -> str:
    return escape_text(text if len(text) <= MAX_CELL_LENGTH else f"{text[:MAX_CELL_LENGTH]}…")


def render_wrong_totals(table: ParsedTable) -> str:
    """A list of the totals that do not add up, a sentence each."""
    items = []
    for total in table.wrong_totals:
        name = f"{table.get_name(TotalOf.ROWS, total.row)}, {table.get_name(TotalOf.COLUMNS, total.column)}"
        items.append(escape_text(f"{name}: {describe_total(table, total)}"))
    return render_list("k-wrongs", items)


def describe_total(table: ParsedTable, total: Total) -> str:
    """The parts of a total, and whether they add up to it."""
    less = f" less {_format_part_names(table, total.of, total.less)}" if total.less else ""
    added = f"{_format_part_names(table, total.of, total.parts)}{less}"
    if total.adds_up:
        return f"sum of {added}: adds up"
    more = "much" if total.difference > 0 else "little"
    return (
        f"the table states {format_exact(total.stated)}; the sum of {added} is {format_exact(total.computed)}: "
        f"{format_exact(abs(total.difference))} too {more}"
    )


def iter_cell_facts(table: ParsedTable, cell: Cell) -> Iterator[tuple[str, str]]:
    """The facts of a cell: its text, value, scale, period, names and total."""
    yield "As printed", cell.text
    if cell.value is None:
        yield "Value", "no number"
    else:
        yield "Value", " ".join(part for part in (format_exact(cell.value), cell.currency, cell.unit) if part)
    by_person = cell.value is not None and not cell.unit and table.is_corrected(CorrectedField.SCALE)
    if cell.value is not None and (cell.scale != 1.0 or by_person):
        scale = "units" if cell.scale == 1.0 else SCALES.get(cell.scale, f"× {format_exact(cell.scale)}")
        yield "Printed in", f"{scale} (corrected by a person)" if by_person else scale
    if cell.concept:
        yield "Tagged by the filer as", cell.concept
    if cell.doubt:
        yield "Uncertain", cell.doubt
    yield "Period", format_period(cell.period_start, cell.period_end) or "none"
    if cell.row_header:
        yield "Row", " › ".join(cell.row_header.split(" / "))
    if cell.column_header:
        yield "Column", " › ".join(part for part in cell.column_header.split(" / ") if part)
    total = table.totals.get((cell.row, cell.column))
    if total:
        yield "Total", describe_total(table, total)
    yield "Place", f"row {cell.row + 1}, column {cell.column + 1}, characters {cell.start:,} to {cell.end:,}"


def _format_part_names(table: ParsedTable, of: TotalOf, places: Sequence[int]) -> str:
    return format_first([table.get_name(of, place) for place in places], PARTS_NAMED)


def render_heading(table: ParsedTable) -> str:
    """The caption, with the company, period, pages and size of the table."""
    printed_table = table.table
    pages = [part.page for part in printed_table.parts]
    columns = len(printed_table.rows[0]) if printed_table.rows else 0
    facts = [
        table.entry.attributes.company,
        table.entry.reported_name,
        f"pages {pages[0]} to {pages[-1]}" if len(pages) > 1 else f"page {pages[0]}" if pages else "",
        f"{format_count(len(printed_table.rows), 'row')}, {format_count(columns, 'column')}",
        f"confidence {printed_table.confidence:.2f}: rows or columns may be wrong"
        if printed_table.confidence < UNSURE
        else "",
    ]
    caption = " ".join(printed_table.caption.split()) or f"Table {printed_table.number}"
    return f'<div class="k-caption"><h2>{escape_text(caption)}</h2>{render_line(facts)}</div>'
