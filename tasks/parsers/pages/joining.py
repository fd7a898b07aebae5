"""Tables that go on over the next page, put together again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tasks.parsers.assembly import Line
from tasks.parsers.pages.figures import is_figure
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.reading import PageContent
from tasks.parsers.pages.regions import CAPTION
from tasks.parsers.table_form import guess_header_rows
from warehouse.records import Merge

_CONTINUED = re.compile(r"continued|cont[’'.]?d|\bcont\.|续", re.IGNORECASE)
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_OVERLAP = 0.5
_MOST_LINES = 4
_LABEL = 0.7
_NEAR = 3.0


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """A table with all of its parts, one a page; `repeated` are the headers that later pages show again."""

    parts: tuple[FoundTable, ...]
    rows: tuple[tuple[str, ...], ...]
    merges: tuple[Merge, ...]
    header_rows: int
    repeated: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A table that goes on another; the lines around the page break that are labels of its rows."""

    above: FoundTable
    below: FoundTable
    before: tuple[TextLine, ...] = ()
    after: tuple[TextLine, ...] = ()


def header_of(table: FoundTable) -> int:
    """How many rows are the header, guessed where the page does not show it."""
    return guess_header_rows(table.rows) if table.header_rows is None else table.header_rows


def links(pages: Sequence[PageContent], aside: set[int]) -> Iterator[Link]:
    """Each table that goes on the last one of the page before."""
    for page, following in pairwise(pages):
        above, before = _nearest(reversed(page.items), aside)
        title = _title(page.items, above, aside)
        below, after = _nearest(iter(following.items), aside)
        if above is not None and below is not None:
            link = Link(above, below, tuple(reversed(before)), tuple(after))
            if (found := _goes_on(link, title)) is not None:
                yield found


def _nearest(items: Iterator[TextLine | FoundTable], aside: set[int]) -> tuple[FoundTable | None, list[TextLine]]:
    """The first table on the way, and the few lines passed; none where there are many."""
    passed: list[TextLine] = []
    for item in items:
        if isinstance(item, FoundTable):
            return item, passed
        if id(item) not in aside:
            passed.append(item)
            if len(passed) > _MOST_LINES:
                break
    return None, passed


def _title(items: Sequence[TextLine | FoundTable], table: FoundTable | None, aside: set[int]) -> set[str]:
    """The lines above a table."""
    place = next((number for number, item in enumerate(items) if item is table), 0)
    lines = [item for item in items[max(0, place - _MOST_LINES) : place] if isinstance(item, TextLine)]
    return {_plain([line.text]) for line in lines if id(line) not in aside}


def _goes_on(link: Link, title: set[str]) -> Link | None:
    """The link with its labels only, if the second table is the first's continuation.

    It has the first's columns, and no title but the first's, or one that says so.
    """
    known = bool(link.after) and all(_plain([line.text]) in title for line in link.after)
    told = known or _is_told([line.text for line in link.after])
    before = [line for line in link.before if not _CONTINUED.search(line.text)]
    after = [] if told else list(link.after)
    if columns_of(link.above, link.below) is None or not all(_is_label(line, link.above) for line in before):
        return None
    same = repeats(link.above, link.below)
    if after and (same or not _is_body(link.below) or not all(_is_label(line, link.below) for line in after)):
        return None
    return replace(link, before=tuple(before), after=tuple(after)) if same or told or _is_body(link.below) else None


def _is_told(lines: Sequence[str]) -> bool:
    """Whether one of the last title lines says "continued", with no sentence after it."""
    place = next((number for number in range(len(lines) - 1, -1, -1) if _CONTINUED.search(lines[number])), None)
    return place is not None and not any(line.rstrip().endswith((".", ":")) for line in lines[place + 1 :])


def _is_label(line: TextLine, table: FoundTable) -> bool:
    """Whether a line beside a table labels a row without figures: in its first column, close, no sentence."""
    box = table.box
    inside = box.x0 - 4 <= line.box.x0 < table.edges[1] and line.box.x1 < box.x0 + _LABEL * (box.x1 - box.x0)
    near = min(abs(line.box.top - box.bottom), abs(box.top - line.box.bottom)) < _NEAR * line.size
    return inside and near and not CAPTION.match(line.text) and not line.text.endswith(".")


def _is_body(table: FoundTable) -> bool:
    """Whether a table begins with rows of figures or labels and has no header of its own."""
    if table.header_rows is not None:
        return table.header_rows == 0
    return any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in table.rows[0][1:] if cell)


def repeats(above: FoundTable, below: FoundTable) -> int:
    """How many rows at the head of the second are the last rows of the first's header again."""
    header = header_of(above)
    for start in range(header + 1):
        same = 0
        for one, two in zip(above.rows[start:], below.rows, strict=False):
            if _plain(one) != _plain(two):
                break
            same += 1
        if same and (start == 0 or start + same >= header) and any(_plain(row) for row in below.rows[:same]):
            return same
    return 0


def _plain(row: Iterable[str]) -> str:
    return re.sub(r"\W+", "", "".join(row)).lower()


def columns_of(above: FoundTable, below: FoundTable) -> list[int] | None:
    """For each column of the second the column of the first it stands under; None where the two do not fit."""
    shift = min((above.edges[0] - below.edges[0], 0.0), key=lambda by: abs(above.edges[-1] - below.edges[-1] - by))
    if len(above.edges) == len(below.edges):
        pairs = zip(above.edges[1:-1], below.edges[1:-1], strict=True)
        width = above.edges[-1] - above.edges[0]
        if all(abs(one - two - shift) < 0.08 * width for one, two in pairs):
            return list(range(len(above.edges) - 1))
    if len(below.edges) > len(above.edges):
        return None
    places = [
        _under(above, start + shift, end + shift) for start, end in zip(below.edges, below.edges[1:], strict=False)
    ]
    fits = None not in places and len(set(places)) == len(places) and len(places) >= max(2, len(above.edges) - 3)
    return [place for place in places if place is not None] if fits else None


def _under(table: FoundTable, start: float, end: float) -> int | None:
    """The column that lies over most of a stretch."""
    best, share = None, _OVERLAP
    for number, (left, right) in enumerate(zip(table.edges, table.edges[1:], strict=False)):
        overlap = (min(right, end) - max(left, start)) / max(1.0, min(right - left, end - start))
        if overlap > share:
            best, share = number, overlap
    return best


def join(parts: Sequence[FoundTable], found: Mapping[int, Link]) -> JoinedTable:
    """One table of parts that go on each other; its rows have the labels between them and no repeated headers.

    `found` has the link to each part that goes on another, by the part's `id`.
    """
    first = parts[0]
    whole, repeated, merges = [_labelled(first, (), _before(parts, 1, found))], [], list(first.merges)
    for number, part in enumerate(parts[1:], start=1):
        columns = columns_of(first, part) or list(range(len(part.rows[0])))
        again = repeats(first, part)
        repeated += [
            Line(" ".join(filter(None, row)), part.page, box)
            for row, box in zip(part.rows[:again], part.boxes[:again], strict=True)
        ]
        body = replace(part, rows=tuple(_widened(part.rows[again:], columns, first)), boxes=part.boxes[again:])
        labels = found[id(part)].after
        height = sum(len(other.rows) for other in whole)
        merges += _moved(part.merges, again, height + len(labels), columns)
        whole.append(_labelled(body, labels, _before(parts, number + 1, found)))
    rows = tuple(row for part in whole for row in part.rows)
    return JoinedTable(tuple(whole), rows, tuple(merges), header_of(first), tuple(repeated))


def _before(parts: Sequence[FoundTable], number: int, found: Mapping[int, Link]) -> tuple[TextLine, ...]:
    """The labels that stand between a part and its page's end."""
    return found[id(parts[number])].before if number < len(parts) else ()


def _labelled(part: FoundTable, above: Sequence[TextLine], below: Sequence[TextLine]) -> FoundTable:
    """A part with lines around it as rows that have a label only."""
    wide = len(part.rows[0]) if part.rows else 1
    rows = [[(line.text, *[""] * (wide - 1)) for line in lines] for lines in (above, below)]
    boxes = [[line.box for line in lines] for lines in (above, below)]
    return replace(
        part, rows=(*map(tuple, rows[0]), *part.rows, *map(tuple, rows[1])), boxes=(*boxes[0], *part.boxes, *boxes[1])
    )


def _widened(rows: Iterable[Sequence[str]], columns: Sequence[int], first: FoundTable) -> Iterator[tuple[str, ...]]:
    """The rows of a later part in the columns of the first."""
    for row in rows:
        wide = [""] * len(first.rows[0])
        for column, text in zip(columns, row, strict=True):
            wide[column] = text
        yield tuple(wide)


def _moved(merges: Sequence[Merge], dropped: int, below: int, columns: Sequence[int]) -> Iterator[Merge]:
    """Merges of a later part counted in the rows and columns of the whole."""
    for merge in merges:
        if merge.row >= dropped:
            first, last = columns[merge.column], columns[merge.column + merge.columns - 1]
            yield Merge(below + merge.row - dropped, first, merge.rows, last - first + 1)
