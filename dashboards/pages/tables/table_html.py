"""HTML of a table: its caption, its grid with buttons for cells, the chosen cell in words, wrong totals and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import product

from dashboards.assistant.tools.document_spans import format_period
from dashboards.html.safe_text import fact_list_html, line_html, list_html, text_html
from dashboards.pages.tables.parsed_table import CellPosition, ParsedTable
from tasks.ask.figures.figure_cells import SCALES, format_exact
from tasks.quality.phrases import counted
from warehouse.records import Cell, CorrectedField, Merge, Total, TotalOf

LONGEST = 400  # Characters of a cell that are drawn in the grid; the chosen cell is shown in full beside it.
PARTS_NAMED = 12  # Rows or columns of a sum that are named.
UNSURE = 0.6  # Confidence below which a warning says that rows or columns may be wrong.


def grid_html(table: ParsedTable, rows: range, chosen: CellPosition | None) -> str:
    """The header and some `rows` of the body; each body cell is a button with its position as `data-cell`."""
    merges = {(merge.row, merge.column): merge for merge in table.table.merges}
    covered = set(_covered(merges))
    depth = table.table.header_rows

    def line(row: int) -> str:
        places = [(row, column) for column in range(len(table.table.rows[row])) if (row, column) not in covered]
        return f"<tr>{''.join(_cell_html(table, place, merges.get(place), chosen) for place in places)}</tr>"

    head = "".join(map(line, range(depth)))
    body = "".join(line(row) for row in rows if row >= depth)
    name = escape(" ".join(table.table.caption.split())[:LONGEST] or f"Table {table.table.number}", quote=True)
    return (
        f'<div class="k-table k-grid" tabindex="0" role="region" aria-label="{name}"><table>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def _covered(merges: Mapping[CellPosition, Merge]) -> Iterator[CellPosition]:
    """The positions that merged cells extend over, without those where they begin."""
    for begin, merge in merges.items():
        over = product(range(merge.row, merge.row + merge.rows), range(merge.column, merge.column + merge.columns))
        yield from (place for place in over if place != begin)


def _cell_html(table: ParsedTable, place: CellPosition, merge: Merge | None, chosen: CellPosition | None) -> str:
    row, column = place
    text, cell, total = table.table.rows[row][column], table.cells.get(place), table.totals.get(place)
    spans = f' rowspan="{merge.rows}"' if merge and merge.rows > 1 else ""
    spans += f' colspan="{merge.columns}"' if merge and merge.columns > 1 else ""
    if row < table.table.header_rows:
        group = merge is not None and merge.columns > 1
        side = "" if group or column not in table.figure_columns else ' class="k-figure"'
        return f'<th scope="{"colgroup" if group else "col"}"{side}{spans}>{_text_html(text)}</th>'
    if not column and text:
        return f'<th scope="row"{spans}>{_text_html(text)}</th>'
    names = ["k-figure"] if cell and cell.value is not None else []
    names += ["k-total" if total.adds_up else "k-wrong"] if total else []
    classes = f' class="{" ".join(names)}"' if names else ""
    content = _text_html(text)
    if text and cell:
        wrong = total is not None and not total.adds_up
        content += '<span class="k-flag" aria-label="does not add up">≠</span>' if wrong else ""
        title, pressed = ' title="Does not add up"' if wrong else "", "true" if place == chosen else "false"
        button = f'<button type="button" data-cell="{row}.{column}" aria-pressed="{pressed}"{title}>'
        content = f"{button}{content}</button>"
    return f"<td{classes}{spans}>{content}</td>"


def _text_html(text: str) -> str:
    return text_html(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def cell_html(table: ParsedTable, cell: Cell) -> str:
    """The facts of a cell: its text, value, scale, period, names and total."""
    return fact_list_html(list(_facts(table, cell)))


def wrong_html(table: ParsedTable) -> str:
    """A list of the totals that do not add up, a sentence each."""
    items = []
    for total in table.wrong:
        name = f"{table.name(TotalOf.ROWS, total.row)}, {table.name(TotalOf.COLUMNS, total.column)}"
        items.append(text_html(f"{name}: {total_words(table, total)}"))
    return list_html("k-wrongs", items)


def total_words(table: ParsedTable, total: Total) -> str:
    """The parts of a total, and whether they add up to it."""
    less = f" less {_part_names(table, total.of, total.less)}" if total.less else ""
    added = f"{_part_names(table, total.of, total.parts)}{less}"
    if total.adds_up:
        return f"sum of {added}: adds up"
    more = "much" if total.difference > 0 else "little"
    return (
        f"the table states {format_exact(total.stated)}; the sum of {added} is {format_exact(total.computed)}: "
        f"{format_exact(abs(total.difference))} too {more}"
    )


def _facts(table: ParsedTable, cell: Cell) -> Iterator[tuple[str, str]]:
    yield "As printed", cell.text
    if cell.value is None:
        yield "Value", "no number"
    else:
        yield "Value", " ".join(part for part in (format_exact(cell.value), cell.currency, cell.unit) if part)
    by_person = cell.value is not None and not cell.unit and table.corrected(CorrectedField.SCALE)
    if cell.value is not None and (cell.scale != 1.0 or by_person):
        scale = "units" if cell.scale == 1.0 else SCALES.get(cell.scale, f"× {format_exact(cell.scale)}")
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
        yield "Total", total_words(table, total)
    yield "Place", f"row {cell.row + 1}, column {cell.column + 1}, characters {cell.start:,} to {cell.end:,}"


def _part_names(table: ParsedTable, of: TotalOf, places: Sequence[int]) -> str:
    names = [table.name(of, place) for place in places[:PARTS_NAMED]]
    return ", ".join(names) + (f" and {len(places) - PARTS_NAMED} more" if len(places) > PARTS_NAMED else "")


def heading_html(table: ParsedTable) -> str:
    """The caption, with the company, period, pages and size of the table."""
    own = table.table
    pages = [part.page for part in own.parts]
    facts = [
        table.entry.attributes.company,
        table.entry.reported_name,
        f"pages {pages[0]} to {pages[-1]}" if len(pages) > 1 else f"page {pages[0]}" if pages else "",
        f"{counted(len(own.rows), 'row')}, {counted(len(own.rows[0]) if own.rows else 0, 'column')}",
        f"confidence {own.confidence:.2f}: rows or columns may be wrong" if own.confidence < UNSURE else "",
    ]
    caption = " ".join(own.caption.split()) or f"Table {own.number}"
    return f'<div class="k-caption"><h2>{text_html(caption)}</h2>{line_html(facts)}</div>'


def notes_html(notes: Iterable[str]) -> str:
    """The notes below a table, a line each."""
    return list_html("k-notes", list(map(text_html, notes)))
