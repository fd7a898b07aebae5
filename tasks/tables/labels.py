"""Where a table's body and its labels are, and the header of each row: its label under the sections it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.tables.heads import Path, joined
from tasks.tables.numbers import is_figure, is_nil, is_sign, number
from tasks.tables.scales import worded_scale
from tasks.tables.sections import TableSection, closed, opened, section_of
from warehouse.records import Table

_MOST_LABELS = 4


def label_columns(table: Table) -> int:
    """How many first columns hold labels: the first, and those after it without a figure where later ones have some."""
    body = table.rows[first_body_row(table) :]
    for column in range(1, min(_MOST_LABELS, len(table.rows[0]))):
        filled = [row[column] for row in body if row[column]]
        if any(is_figure(cell) or is_sign(cell) for cell in filled) or len(filled) * 2 < sum(
            bool(row[0]) for row in body
        ):
            return column
        if not any(is_figure(cell) for row in body for cell in row[column + 1 :]):
            return 1
    return 1


def row_paths(table: Table, labels: int) -> tuple[Path, ...]:
    """For each row its section labels and its own label or labels, outermost first; nothing for header rows.

    A section is a row with one text and no figure. It heads the rows below it until the next of its kind, or until a
    total that names it; a total that names no open section stands outside them. One directly below another stands
    inside it.
    """
    rows = list(_with_merged_labels(table, labels))
    heads, body = header_end(table), first_body_row(table)
    paths: list[Path] = [()] * heads
    open_sections: list[TableSection] = []
    followed = False
    for row in rows[heads:]:
        section = section_of(row)
        if section is not None:
            open_sections = opened(open_sections, section, nested=followed)
            paths.append(tuple(each.label for each in open_sections))
        else:
            own = joined(row[:labels])
            if followed and own and own[0][:1].islower() and open_sections[-1].kind == (False, False):
                own = (f"{open_sections.pop().label} {own[0]}", *own[1:])
            above = open_sections
            if not followed:
                above, open_sections = closed(open_sections, own[0] if own else "")
            paths.append(joined([*(each.label for each in above), *own]))
        followed = section is not None
    return (*((),) * body, *paths[body:])


def first_body_row(table: Table) -> int:
    """The first row below the header. A first row of figures is no header, though a table without one is given one."""
    header = table.rows[: table.header_rows]
    return next((number for number, row in enumerate(header) if _is_data(row)), table.header_rows)


def _is_data(row: Sequence[str]) -> bool:
    """Whether a row has a label and figures such as no column header is: amounts, negative or grouped.

    1, 2.0, 5%, 2019 and $000 are headers too, and so are (1), (2) and (3) side by side.
    """
    found = [number(cell) for cell in row[1:] if cell and not is_nil(cell)]
    figures = [each for each in found if each is not None]
    plain = [each for each in figures if each.printed and not each.unit]
    counted = [-place for place in range(1, len(found) + 1)]
    if not row[0] or len(plain) < len(found) or [each.printed for each in plain] == counted:
        return False
    return any(each.currency or each.grouped or each.printed < 0 for each in plain)


def header_end(table: Table) -> int:
    """The first row below the column headers: a header's last rows that hold one label at the left are sections."""
    end = first_body_row(table)
    while end > 1 and section_of(table.rows[end - 1]) is not None and _heads_rows(table.rows[end - 1]):
        end -= 1
    return end if any(cell for row in table.rows[:end] for cell in row[1:]) else first_body_row(table)


def _heads_rows(row: Sequence[str]) -> bool:
    text = next(filter(None, row))
    return worded_scale(text) is None and (bool(row[0]) or text.endswith((":", "：")))


def _with_merged_labels(table: Table, labels: int) -> Iterator[Sequence[str]]:
    """The rows with the label of a merged cell in all rows it covers.

    In tables that record no merges a blank first label beside others repeats the one above.
    """
    rows, body = [list(row) for row in table.rows], first_body_row(table)
    merged = [merge for merge in table.merges if merge.column < labels and merge.row >= body]
    for merge in merged:
        for row in rows[merge.row : merge.row + merge.rows]:
            row[merge.column] = table.rows[merge.row][merge.column]
    if labels > 1 and not table.merges:
        for above, row in zip(rows[body:], rows[body + 1 :], strict=False):
            if not row[0] and any(row[1:labels]):
                row[0] = above[0]
    return iter(rows)
