"""Which tables go on over the next page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tasks.parsers.pages.breaks import are_labels, cells_of
from tasks.parsers.pages.captions import is_note
from tasks.parsers.pages.figures import is_figure
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.page_reader import PageContent
from tasks.parsers.pages.table_match import columns_of, header_of, plain, repeats, words_of

_CONTINUED = re.compile(r"continued|cont[’'.]?d|\bcont\.|续|\(more\)|see (?:foot)?notes? (?:at|on)\b", re.IGNORECASE)
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_MOST_LINES = 4
_MOST_NOTES = 16
_SAME_GRID = 2.0
_CLOSE = 0.6


@dataclass(frozen=True, slots=True)
class TableContinuation:
    """A table that goes on another; the lines around the page break that are labels of its rows.

    The first `again` lines after the break repeat the header.
    """

    above: FoundTable
    below: FoundTable
    before: tuple[TextLine, ...] = ()
    after: tuple[TextLine, ...] = ()
    again: int = 0


def links(pages: Sequence[PageContent], aside: set[int]) -> Iterator[TableContinuation]:
    """Each table that goes on the last one of the page before."""
    for page, following in pairwise(pages):
        if (found := link_of(page, following, aside)) is not None:
            yield found


def link_of(page: PageContent, following: PageContent, aside: set[int]) -> TableContinuation | None:
    """How the first table of a page goes on the last one of the page before; None where it does not."""
    above, before = _nearest(reversed(page.items), aside)
    below, after = _nearest(iter(following.items), aside)
    if above is None or below is None:
        return None
    return _goes_on(
        TableContinuation(above, below, tuple(reversed(before)), tuple(after)), _title(page.items, above, aside)
    )


def _nearest(items: Iterator[TextLine | FoundTable], aside: set[int]) -> tuple[FoundTable | None, list[TextLine]]:
    """The first table on the way, and the few lines passed; none where there are many."""
    passed: list[TextLine] = []
    for item in items:
        if isinstance(item, FoundTable):
            return item, passed
        if id(item) not in aside:
            passed.append(item)
            if len(passed) > _MOST_NOTES:
                break
    return None, passed


def _title(items: Sequence[TextLine | FoundTable], table: FoundTable | None, aside: set[int]) -> set[str]:
    """The lines above a table."""
    place = next((number for number, item in enumerate(items) if item is table), 0)
    lines = [item for item in items[max(0, place - _MOST_LINES) : place] if isinstance(item, TextLine)]
    return {plain([line.text]) for line in lines if id(line) not in aside}


def _goes_on(link: TableContinuation, title: set[str]) -> TableContinuation | None:
    """The link with its labels only, if the second table is the first's continuation.

    It has the first's columns, and no title but the first's, or one that says so.
    """
    same, again = repeats(link.above, link.below), _header_lines(link)
    told = again > 0 or _is_told(link.after, title)
    sure = told or same > 0
    notes = next((place for place, line in enumerate(link.before) if is_note(line)), len(link.before))
    before = [line for line in link.before[:notes] if not _CONTINUED.search(line.text)]
    after = list(link.after[again:]) if again or not told else []
    if columns_of(link.above, link.below) is None or max(len(before), len(link.after)) > _MOST_LINES:
        return None
    if not _are_rows(before, link.above, sure=sure) or not _are_notes(link.before[notes:], sure=sure):
        return None
    if not (link.before or link.after) and _is_one_grid(link.above, link.below):
        return link
    if (after and (same or not _are_labels_above(after, link))) or not (sure or _is_body(link.below)):
        return None
    return replace(link, before=tuple(before), after=(*link.after[:again], *after), again=again)


def _are_rows(lines: Sequence[TextLine], above: FoundTable, *, sure: bool) -> bool:
    """Whether lines below a table's last row are more of it: labels, or words in its columns if it surely goes on."""
    parted = sure and lines and all(len(line.pieces) > 1 and cells_of(line, above) is not None for line in lines)
    return bool(parted) or are_labels(lines, above, above.box.x0)


def _are_notes(lines: Sequence[TextLine], *, sure: bool) -> bool:
    """Whether lines are notes of a table that surely goes on, each beginning one or following closely; or none."""
    closely = (below.box.top - above.box.bottom < _CLOSE * below.size for above, below in pairwise(lines))
    return not lines or (sure and all(close or is_note(line) for close, line in zip(closely, lines[1:], strict=True)))


def _are_labels_above(lines: Sequence[TextLine], link: TableContinuation) -> bool:
    """Whether lines above the second table are labels of its rows, which have no header of their own."""
    left = min(link.above.box.x0, link.below.box.x0)
    return _is_body(link.below) and are_labels(lines[::-1], link.below, left)


def _header_lines(link: TableContinuation) -> int:
    """How many of the lines above the second table are the header of the first once more."""
    header = words_of(link.above.rows[: header_of(link.above)])
    lines = [(line.text,) for line in link.after]
    return next((end for end in range(1, len(lines) + 1) if words_of(lines[:end]) == header), 0)


def _is_one_grid(above: FoundTable, below: FoundTable) -> bool:
    """Whether ruled tables of words with nothing between them have one grid: no figures tell a header from a row."""
    ruled = above.header_rows is None and below.header_rows is None and len(above.edges) == len(below.edges)
    same = all(abs(one - two) < _SAME_GRID for one, two in zip(above.edges, below.edges, strict=False))
    return (
        ruled
        and same
        and not any(is_figure(cell) for table in (above, below) for row in table.rows for cell in row[1:])
    )


def _is_told(lines: Sequence[TextLine], title: set[str]) -> bool:
    """Whether lines repeat the `title` above the first table, or one says "continued" with no sentence after it."""
    texts = [line.text for line in lines]
    if texts and all(plain([text]) in title for text in texts):
        return True
    place = next((number for number in range(len(texts) - 1, -1, -1) if _CONTINUED.search(texts[number])), None)
    return place is not None and not any(text.rstrip().endswith((".", ":")) for text in texts[place + 1 :])


def _is_body(table: FoundTable) -> bool:
    """Whether a table begins with rows of figures or labels and has no header of its own."""
    if table.header_rows is not None:
        return table.header_rows == 0
    beyond = [cell for cell in table.rows[0][1:] if cell]
    return not beyond or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in beyond)
