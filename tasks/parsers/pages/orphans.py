"""Rows that a page break parts from their table, too few on the next page to be seen as a table there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.parsers.assembly import around
from tasks.parsers.pages.breaks import cells_of, leaders_of
from tasks.parsers.pages.continued_tables import link_of
from tasks.parsers.pages.figures import is_figure
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.page_reader import PageContent

_MOST_ABOVE = 8
_CLOSE = 1.2


def with_orphans(pages: Sequence[PageContent], aside: set[int]) -> list[PageContent]:
    """The pages; the rows at the head of one that go on the last table of the page before are a table there."""
    found = list(pages[:1])
    for page in pages[1:]:
        above = next((item for item in reversed(found[-1].items) if isinstance(item, FoundTable)), None)
        rows = list(_rows(page, above, aside)) if above is not None else []
        parted = _held(page, above, rows) if above is not None and rows else page
        found.append(parted if parted is not page and link_of(found[-1], parted, aside) else page)
    return found


def _rows(page: PageContent, above: FoundTable, aside: set[int]) -> Iterator[TextLine]:
    """The first lines with figures in the columns of `above`; few lines without, and no table, may precede them."""
    bottom = None
    body = (item for item in page.items if id(item) not in aside)
    for number, item in enumerate(body):
        if not isinstance(item, TextLine) or (bottom is None and number > _MOST_ABOVE):
            return
        far = bottom is not None and item.box.top - bottom > _CLOSE * item.size
        if far or not _has_figures(item, above):
            if bottom is not None:
                return
            continue
        bottom = item.box.bottom
        yield item


def _has_figures(line: TextLine, table: FoundTable) -> bool:
    """Whether a line has figures, and nothing but figures, beyond the first column of a table."""
    beyond = [cell for cell in (cells_of(line, table) or ())[1:] if cell]
    return bool(beyond) and all(map(is_figure, beyond))


def _held(page: PageContent, above: FoundTable, lines: Sequence[TextLine]) -> PageContent:
    """The page with lines taken together as a table with the columns of `above`."""
    boxes = tuple(line.box for line in lines)
    rows = tuple(cells for line in lines if (cells := cells_of(line, above)) is not None)
    table = replace(
        above,
        page=page.number,
        box=around(boxes),
        rows=rows,
        boxes=boxes,
        merges=(),
        header_rows=0,
        leaders=tuple(leaders_of(lines)),
    )
    first, others = lines[0], {id(line) for line in lines[1:]}
    items = tuple(table if item is first else item for item in page.items if id(item) not in others)
    return replace(page, items=items)
