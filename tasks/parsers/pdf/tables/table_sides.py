"""Tables side by side at the foot of a page of a PDF that continue side by side at the head of the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tasks.parsers.assembly import enclose_boxes
from tasks.parsers.pdf.lines.text_lines import TextLine
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.table_continuation import (
    TableContinuation,
    check_continuation,
    count_header_rows,
    find_continuation,
    match_columns,
)
from warehouse.records import Box


def find_continuations(page: PageContent, following: PageContent, furniture_ids: set[int]) -> list[TableContinuation]:
    """The continuations of the last tables of a page in the first ones of the next: side by side, or a single one."""
    above, below = _list_sides(reversed(page.items), furniture_ids), _list_sides(following.items, furniture_ids)
    if len(above) != len(below) or len(above) < 2:
        link = find_continuation(page, following, furniture_ids)
        return [link] if link else []
    links = (check_continuation(TableContinuation(*pair), set()) for pair in zip(above, below, strict=True))
    return [link for link in links if link]


def _list_sides(items: Iterable[TextLine | FoundTable], furniture_ids: set[int]) -> list[FoundTable]:
    """The tables that come first and are side by side, from the left; none if a line comes before them."""
    sides: list[FoundTable] = []
    for item in items:
        if id(item) in furniture_ids:
            continue
        if not isinstance(item, FoundTable) or not all(_are_beside(item.box, side.box) for side in sides):
            break
        sides.append(item)
    return sorted(sides, key=lambda side: side.box.x0)


def _are_beside(one: Box, other: Box) -> bool:
    """Whether two boxes share heights but do not overlap."""
    return one.top < other.bottom and other.top < one.bottom and (one.x1 <= other.x0 or other.x1 <= one.x0)


def split_continued_sides(pages: Sequence[PageContent], furniture_ids: set[int]) -> list[PageContent]:
    """The pages; a page's first table, if it has no header, is cut where it continues tables that are side by side."""
    result = list(pages[:1])
    for page in pages[1:]:
        index = next((number for number, item in enumerate(page.items) if id(item) not in furniture_ids), 0)
        first = page.items[index] if page.items else None
        sides = _list_sides(reversed(result[-1].items), furniture_ids)
        if isinstance(first, FoundTable) and len(sides) > 1 and not count_header_rows(first):
            items = (*page.items[:index], *_split_table(first, sides), *page.items[index + 1 :])
            result.append(replace(page, items=items))
        else:
            result.append(page)
    return result


def _split_table(table: FoundTable, sides: Sequence[FoundTable]) -> list[FoundTable]:
    """A table cut into one below each side, or whole if its columns are not those of the sides."""
    cuts = [0, *accumulate(len(side.edges) - 1 for side in sides)]
    if cuts[-1] != len(table.edges) - 1 or table.merges:
        return [table]
    parts = [_cut_columns(table, first, last) for first, last in pairwise(cuts)]
    are_fitting = all(
        part is not None
        and match_columns(side, part) is not None
        and part.box.x0 < side.box.x1
        and side.box.x0 < part.box.x1
        for side, part in zip(sides, parts, strict=True)
    )
    return [part for part in parts if part] if are_fitting else [table]


def _cut_columns(table: FoundTable, first: int, last: int) -> FoundTable | None:
    """The columns of a table from `first` up to but not including `last`, without its empty rows."""
    left, right = table.edges[first], table.edges[last]
    row_numbers = [number for number, row in enumerate(table.rows) if any(row[first:last])]
    if not row_numbers:
        return None
    boxes = tuple(
        replace(box, x0=max(box.x0, left), x1=min(box.x1, right))
        for box in (table.boxes[number] for number in row_numbers)
    )
    return replace(
        table,
        box=enclose_boxes(boxes),
        rows=tuple(table.rows[number][first:last] for number in row_numbers),
        boxes=boxes,
        edges=table.edges[first : last + 1],
        leaders=tuple(line for line in table.leaders if left <= line.box.x0 < right),
    )
