"""Which header cells head each column: by the merges that a format records, else by where the blanks are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.tables.scales import worded_scale
from warehouse.records import Table

Path = tuple[str, ...]


def column_paths(table: Table, first: int = 0, last: int | None = None) -> tuple[Path, ...]:
    """For each column its header texts from the top, none twice in a path; the rows from `first` before `last`.

    Without `last` they end with the table's header. A merged cell heads all columns and rows it covers. In a table
    without merges a blank header cell belongs to a neighbour where the row's pattern leaves no doubt.
    """
    last = table.header_rows if last is None else last
    header = [list(row) for row in table.rows[first:last]]
    spans = [merge for merge in table.merges if first <= merge.row < last]
    if not spans:
        header = [_reaching(row, is_last=row is header[-1]) for row in header]
    for merge in spans:
        text = table.rows[merge.row][merge.column]
        for row in header[merge.row - first : merge.row - first + merge.rows]:
            row[merge.column : merge.column + merge.columns] = [text] * merge.columns
    return tuple(joined(parts) for parts in zip(*header, strict=True))


def joined(parts: Sequence[str]) -> Path:
    """The texts of a path without blanks and repetitions."""
    return tuple(dict.fromkeys(stripped for part in parts if (stripped := part.strip())))


def _reaching(row: Sequence[str], *, is_last: bool) -> list[str]:
    """A header row with the blanks that its labels reach over filled; the first column heads the labels of rows.

    A lone label heads every column, in the last row only where it names a scale. Labels in even steps, at the start of
    their groups, in their middle or at their end, head groups of that step. Labels from the first column on reach to
    the right up to the next one. Otherwise the blanks stay: a wrong header is worse than none.
    """
    filled = list(row)
    places = [column for column in range(1, len(row)) if row[column].strip()]
    if not places or len(places) == len(row) - 1:
        return filled
    lone = len(places) == 1
    if is_last and ((lone and worded_scale(row[places[0]]) is None) or (not lone and places[0] != 1)):
        return filled
    for start, end, label in _groups(places, len(row), even_only=is_last):
        for column in range(start, end):
            filled[column] = row[label]
    return filled


def _groups(places: Sequence[int], width: int, *, even_only: bool) -> Iterator[tuple[int, int, int]]:
    """Runs of columns, from `start` before `end`, and the column of the label that heads them."""
    lead, trail = places[0] - 1, width - 1 - places[-1]
    steps = {after - before for before, after in pairwise(places)}
    if not steps:
        yield 1, width, places[0]
    elif len(steps) == 1 and lead + trail + 1 == (step := min(steps)):
        for place in places:
            yield place - lead, place - lead + step, place
    elif lead == 0 and not even_only:
        yield from ((before, after, before) for before, after in pairwise(places))
        if trail < max(steps):
            yield places[-1], width, places[-1]
