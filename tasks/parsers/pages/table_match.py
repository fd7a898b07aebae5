"""Whether a table has the columns and the header of another, as the next part of one table has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tasks.parsers.pages.found import FoundTable
from tasks.parsers.table_form import guess_header_rows

_MOST_MORE = 2
_OVERLAP = 0.5


def header_of(table: FoundTable) -> int:
    """How many rows are the header, guessed where the page does not show it."""
    return guess_header_rows(table.rows) if table.header_rows is None else table.header_rows


def repeats(above: FoundTable, below: FoundTable) -> int:
    """How many rows at the head of the second are the last rows of the first's header again.

    Where the columns of one page are cut otherwise than those of the other, the words still are the same.
    """
    header = header_of(above)
    for start in range(header + 1):
        same = 0
        for one, two in zip(above.rows[start:], below.rows, strict=False):
            if plain(one) != plain(two):
                break
            same += 1
        if same and (start == 0 or start + same >= header) and any(plain(row) for row in below.rows[:same]):
            return same
    heights = range(1, min(header + _MOST_MORE, len(below.rows) - 1) + 1)
    return next((end for end in heights if words_of(below.rows[:end]) == words_of(above.rows[:header])), 0)


def words_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """The words of rows, whatever cells they stand in."""
    return sorted(plain([word]) for row in rows for cell in row for word in cell.split())


def plain(row: Iterable[str]) -> str:
    """The letters and digits of a row, which two pages print alike."""
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
