"""Tables that stand side by side at the foot of a page of a PDF and go on so at the head of the next one."""

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


def find_continuations(page: PageContent, following: PageContent, aside: set[int]) -> list[TableContinuation]:
    """How the first tables of a page go on the last ones of the page before: side by side, or one the other."""
    above, below = _list_sides(reversed(page.items), aside), _list_sides(following.items, aside)
    if len(above) != len(below) or len(above) < 2:
        link = find_continuation(page, following, aside)
        return [link] if link else []
    links = (check_continuation(TableContinuation(*pair), set()) for pair in zip(above, below, strict=True))
    return [link for link in links if link]


def _list_sides(items: Iterable[TextLine | FoundTable], aside: set[int]) -> list[FoundTable]:
    """The tables that come first and stand side by side, from the left; none where a line comes before them."""
    sides: list[FoundTable] = []
    for item in items:
        if id(item) in aside:
            continue
        if not isinstance(item, FoundTable) or not all(_are_beside(item.box, side.box) for side in sides):
            break
        sides.append(item)
    return sorted(sides, key=lambda side: side.box.x0)


def _are_beside(one: Box, other: Box) -> bool:
    """Whether two boxes share heights and no place."""
    return one.top < other.bottom and other.top < one.bottom and (one.x1 <= other.x0 or other.x1 <= one.x0)


def split_continued_sides(pages: Sequence[PageContent], aside: set[int]) -> list[PageContent]:
    """The pages; the first table of one, without a header, is cut where it goes on tables that stand side by side."""
    found = list(pages[:1])
    for page in pages[1:]:
        place = next((number for number, item in enumerate(page.items) if id(item) not in aside), 0)
        first = page.items[place] if page.items else None
        sides = _list_sides(reversed(found[-1].items), aside)
        if isinstance(first, FoundTable) and len(sides) > 1 and not count_header_rows(first):
            items = (*page.items[:place], *_split_table(first, sides), *page.items[place + 1 :])
            found.append(replace(page, items=items))
        else:
            found.append(page)
    return found


def _split_table(table: FoundTable, sides: Sequence[FoundTable]) -> list[FoundTable]:
    """A table cut into one below each side, or whole where its columns are not those of the sides."""
    cuts = [0, *accumulate(len(side.edges) - 1 for side in sides)]
    if cuts[-1] != len(table.edges) - 1 or table.merges:
        return [table]
    parts = [_cut_columns(table, first, last) for first, last in pairwise(cuts)]
    fit = all(
        part is not None
        and match_columns(side, part) is not None
        and part.box.x0 < side.box.x1
        and side.box.x0 < part.box.x1
        for side, part in zip(sides, parts, strict=True)
    )
    return [part for part in parts if part] if fit else [table]


def _cut_columns(table: FoundTable, first: int, last: int) -> FoundTable | None:
    """The columns of a table from `first` before `last`, without its empty rows."""
    left, right = table.edges[first], table.edges[last]
    kept = [number for number, row in enumerate(table.rows) if any(row[first:last])]
    if not kept:
        return None
    boxes = tuple(
        replace(box, x0=max(box.x0, left), x1=min(box.x1, right)) for box in (table.boxes[number] for number in kept)
    )
    return replace(
        table,
        box=enclose_boxes(boxes),
        rows=tuple(table.rows[number][first:last] for number in kept),
        boxes=boxes,
        edges=table.edges[first : last + 1],
        leaders=tuple(line for line in table.leaders if left <= line.box.x0 < right),
    )
