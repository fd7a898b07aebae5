"""A table as a true grid: merged cells, header rows and row names, and body cells that can be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import product

from dashboards.drawing.escaping import text_html
from dashboards.facts.tables.shown import Place, Shown
from warehouse.records import Merge

LONGEST = 400
"""Characters of a cell that are drawn; the chosen cell is told whole beside the grid."""


def grid_html(table: Shown, rows: range, chosen: Place | None) -> str:
    """The header and some `rows` of the body; each body cell is a button with its place as `data-cell`."""
    merges = {(merge.row, merge.column): merge for merge in table.table.merges}
    covered = set(_covered(merges))
    depth = table.table.header_rows

    def line(row: int) -> str:
        places = [(row, column) for column in range(len(table.table.rows[row])) if (row, column) not in covered]
        return f"<tr>{''.join(_cell(table, place, merges.get(place), chosen) for place in places)}</tr>"

    head = "".join(map(line, range(depth)))
    body = "".join(line(row) for row in rows if row >= depth)
    named = escape(" ".join(table.table.caption.split())[:LONGEST] or f"Table {table.table.number}", quote=True)
    return (
        f'<div class="k-table k-grid" tabindex="0" role="region" aria-label="{named}"><table>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def _covered(merges: Mapping[Place, Merge]) -> Iterator[Place]:
    """The places that merged cells reach over, without where they begin."""
    for begin, merge in merges.items():
        over = product(range(merge.row, merge.row + merge.rows), range(merge.column, merge.column + merge.columns))
        yield from (place for place in over if place != begin)


def _cell(table: Shown, place: Place, merge: Merge | None, chosen: Place | None) -> str:
    row, column = place
    text = table.table.rows[row][column]
    spans = _spans(merge)
    if row < table.table.header_rows:
        group = merge is not None and merge.columns > 1
        side = "" if group or column not in table.figure_columns else ' class="k-figure"'
        return f'<th scope="{"colgroup" if group else "col"}"{side}{spans}>{_text(text)}</th>'
    if not column and text:
        return f'<th scope="row"{spans}>{_text(text)}</th>'
    looks = _looks(table, place)
    classes = f' class="{" ".join(looks)}"' if looks else ""
    return f"<td{classes}{spans}>{_button(table, place, text, pressed=place == chosen)}</td>"


def _spans(merge: Merge | None) -> str:
    if merge is None:
        return ""
    rows = f' rowspan="{merge.rows}"' if merge.rows > 1 else ""
    return rows + (f' colspan="{merge.columns}"' if merge.columns > 1 else "")


def _looks(table: Shown, place: Place) -> list[str]:
    cell, total = table.cells.get(place), table.totals.get(place)
    looks = ["k-figure"] if cell and cell.value is not None else []
    if total:
        looks.append("k-total" if total.adds_up else "k-wrong")
    return looks


def _button(table: Shown, place: Place, text: str, *, pressed: bool) -> str:
    if not text or place not in table.cells:
        return _text(text)
    total = table.totals.get(place)
    wrong = total is not None and not total.adds_up
    told = ' title="Does not add up"' if wrong else ""
    mark = '<span class="k-flag" aria-label="does not add up">≠</span>' if wrong else ""
    state = "true" if pressed else "false"
    return (
        f'<button type="button" data-cell="{place[0]}.{place[1]}" aria-pressed="{state}"{told}>'
        f"{_text(text)}{mark}</button>"
    )


def _text(text: str) -> str:
    return text_html(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
