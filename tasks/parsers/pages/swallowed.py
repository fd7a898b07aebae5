"""Running heads that stand so close above tables that each page takes its own for the first row of a header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.parsers.assembly import AssembledLine, around
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.page_reader import PageContent
from warehouse.records import Merge

_FEWEST_PAGES = 3
_WINDOW = 5
_HEAD = 0.08
_MOST_CELLS = 2


def with_heads_freed(pages: Sequence[PageContent]) -> tuple[list[PageContent], set[int]]:
    """The pages, and the `id` of each running head that was the first row of a table and now is a line above it.

    It stands at the top of three of five pages in a row, the same but for its digits, with a header below it.
    """
    places: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        if (head := _head(page)) is not None:
            places.setdefault(head, []).append(number)
    heads = {number for on in places.values() for number in _often(on)}
    freed = [_freed(page) if number in heads else page for number, page in enumerate(pages)]
    return freed, {id(freed[number].items[0]) for number in heads}


def _often(on: Sequence[int]) -> Iterator[int]:
    """The pages of a head that shows it three times in five pages."""
    for number, later in zip(on, on[_FEWEST_PAGES - 1 :], strict=False):
        if later - number < _WINDOW:
            yield from (page for page in on if number <= page <= later)


def _head(page: PageContent) -> str | None:
    """What may be a running head in the first row of a page's first item, without its digits."""
    table = page.items[0] if page.items else None
    if not isinstance(table, FoundTable) or table.box.top > _HEAD * page.height or (table.header_rows or 0) < 2:
        return None
    filled = [cell for cell in table.rows[0] if cell]
    if len(filled) > _MOST_CELLS or len(filled) == len(table.rows[0]):
        return None
    return re.sub(r"\d+", "#", " ".join(filled))


def _freed(page: PageContent) -> PageContent:
    table, *others = page.items
    if not isinstance(table, FoundTable) or table.header_rows is None:
        return page
    box, text = table.boxes[0], " ".join(filter(None, table.rows[0]))
    line = AssembledLine(text, page.number, box)
    rest = replace(
        table,
        box=around(table.boxes[1:]),
        rows=table.rows[1:],
        boxes=table.boxes[1:],
        merges=tuple(
            Merge(merge.row - 1, merge.column, merge.rows, merge.columns) for merge in table.merges if merge.row
        ),
        header_rows=table.header_rows - 1,
    )
    return replace(page, items=(TextLine(line, box.bottom - box.top, bold=False, pieces=(line,)), rest, *others))
