"""Two tables that stand side by side, each with labels, a header and figures of its own, where they are read as one.

```
Assets         2023    2022        Liabilities    2023    2022
Inventory       900     870        Reserves        700     650
Cash            450     430        Loans         1,000     900
Total         1,350   1,300        Total         1,700   1,550
```

A column of words among figures alone makes no second table: the list of a firm's products has one for the currency.
Both sides must be of times, have totals, the same header or titles, or the second one must be longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parsers.printed_lines import PrintedLine
from tasks.parsers.table_form import ParsedGrid, TextTable, are_pairs

_FIGURE = re.compile(r"[^\w(−-]*[(−-]?\s*[$€£¥]?\s*\d[\d,.'’\s]*\s*[%)a-z]{0,3}|[-–—]{1,3}|n/?a", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|\b(?:[QH][1-4]|[1-4][QH]|FY\s?\d\d)\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:grand |sub)?tota+l|sum(?:me)?\b|gesamt|somme|suma\b|合计|合計|总计|總計", re.IGNORECASE)
_GUTTER = 4  # Characters that part two tables in a line, at least.
_FEWEST = 2  # Labels of a table.
_PAIRS_ABREAST = 4  # Columns of two lists of names and values.
_MOSTLY = 0.8
"""The share of the cells of a column below its header that are figures."""
_DIFFERENT = 0.7
"""The share of the labels of a table that no other row has; units and currencies are a few words again and again."""


def find_second_table(rows: Sequence[Sequence[str]], header_rows: int, *, apart: bool = True) -> range | None:
    """The columns of a second table beside the first one; None where the rows are of one table.

    Where no gap sets them `apart`, both must have the same header of times over their figures, or totals and
    nothing over those of the second that is not over the first: balance sheets have "Aktiva", two years, "Passiva" and
    the same two years; pay slips hours, rates and amounts on the left, amounts on the right.
    """
    head, body = rows[:header_rows], rows[header_rows:]
    if not head or len(body) < _FEWEST:
        return None
    columns = [[row[place] for row in body if row[place]] for place in range(len(rows[0]))]
    labels = [place for place, cells in enumerate(columns) if _are_labels(cells)]
    if not labels or labels[0]:
        return None
    for place in labels[1:]:
        end = next((other for other in labels if other > place), len(columns))
        left, right = range(1, place), range(place + 1, end)
        if not left or not right or not all(_are_figures(columns[number]) for number in (*left, *right)):
            continue
        timed = all(any(_TIME.search(row[number]) for row in head for number in side) for side in (left, right))
        totals = all(any(map(_TOTAL.match, columns[number])) for number in (0, place))
        longer = any(not any(row[:place]) and row[place] and any(row[place + 1 : end]) for row in body)
        last = list(head[-1])
        again = all(last[1:place]) and last[:place] == last[place : place * 2]
        alike = any(all(row[1:place]) and row[1:place] == row[place + 1 : end] for row in head)
        known = totals and {*last[place + 1 : end]} <= {*last[1:place]} - {""}
        titles = any(set(_list_filled(row)) == {0, place} for row in head[:-1])
        if titles or timed or totals or longer or again if apart else (alike and timed) or known:
            return range(place, end)
    return None


def _list_filled(row: Sequence[str]) -> list[int]:
    return [place for place, cell in enumerate(row) if cell]


def _are_labels(cells: Sequence[str]) -> bool:
    is_worded = all(_WORDS.search(cell) and not _FIGURE.fullmatch(cell) for cell in cells)
    return len(cells) >= _FEWEST and is_worded and len(set(cells)) >= _DIFFERENT * len(cells)


def _are_figures(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(_FIGURE.fullmatch(cell) is not None for cell in cells) >= _MOSTLY * len(cells)


def is_gutter(second: range, gaps: Sequence[float], least: float) -> bool:
    """Whether what parts a second table from the first is no narrower than the gaps between the figures of both.

    `gaps` are those behind each column but the last, in any unit.
    """
    place, *_, last = second
    return gaps[place - 1] >= max((least, *gaps[1 : place - 1], *gaps[place + 1 : last]))


def split_at_blank_columns(rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """The rows of each table of a file whose columns a blank one parts from the next table; all rows where it has one.

    Titles may stand above the headers, one over the first column of all or each over that of its table. A header may
    leave the labels without a name.
    """
    width = max(map(len, rows), default=0)
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    filled = [place for place in range(width) if any(row[place] for row in padded)]
    starts = [place for place in filled if not place or place - 1 not in filled]
    titles = 0
    while titles < len(padded) and padded[titles][0] and set(starts).issuperset(_list_filled(padded[titles])):
        titles += 1
    grid = [[row[place] for place in filled] for row in padded]
    second = find_second_table(grid, titles + 1) if len(starts) > 1 and len(grid) > titles + 1 else None
    named = second and all(cell for place, cell in enumerate(grid[titles]) if place not in (0, second[0]))
    if second is None or filled[second[0]] not in starts or not named:
        return [list(map(list, rows))]
    cut = filled[second[0]]
    first, others = ([row[side] for row in padded if any(row[side])] for side in (slice(cut), slice(cut, None)))
    return [first, *split_at_blank_columns(others)]


def find_side(rows: Sequence[Sequence[str]], header_rows: int) -> int | None:
    """The first column of a second table in a grid of cells whose columns nothing parts; None where it is one.

    That are two tables as `find_second_table` knows them, or names and values in four columns.
    """
    if second := find_second_table(rows, header_rows, apart=False):
        return second[0]
    sides = [[row[side] for row in rows if any(row[side])] for side in (slice(2), slice(2, None))]
    return 2 if len(rows[0]) == _PAIRS_ABREAST and all(map(are_pairs, sides)) else None


def split_sides(grid: ParsedGrid, cut: int) -> list[ParsedGrid]:
    """The tables on both sides of a column of a grid, each with the merges that begin in it."""
    return [
        ParsedGrid(
            tuple(row[first:last] for row in grid.rows),
            grid.places,
            tuple(
                replace(merge, column=merge.column - first, columns=min(merge.columns, last - merge.column))
                for merge in grid.merges
                if first <= merge.column < last
            ),
        )
        for first, last in ((0, cut), (cut, len(grid.rows[0])))
    ]


ReadLines = Callable[[Sequence[PrintedLine]], tuple[int, TextTable, Sequence[tuple[int, int]]] | None]
"""Reads lines as a table: the line that it begins on, the table, and from where to where its columns reach."""


def split_lines(lines: Sequence[PrintedLine], table: TextTable, read: ReadLines) -> list[str | TextTable]:
    """The tables that stand side by side in lines which were read as one, with the lines above each; else the table."""
    second = find_second_table(table.rows, table.header_rows)
    whole = read(lines) if second else None
    if second is None or whole is None or len(whole[2]) != len(table.rows[0]):
        return [table]
    if not is_gutter(second, [after[0] - before[1] for before, after in pairwise(whole[2])], _GUTTER):
        return [table]
    parts: list[str | TextTable] = []
    for is_left in (True, False):
        side = [_cut_line(line, whole[2][second[0]][0], is_left=is_left) for line in lines]
        found = read(side)
        if found is None:
            return [table]
        top, own, _ = found
        parts += ["\n".join(line.text for line in side[:top]), *split_lines(side[top:], own, read)]
    return parts


def _cut_line(line: PrintedLine, at: int, *, is_left: bool) -> PrintedLine:
    """What stands in a line left of a place, or from it on."""
    cells = [cell for cell in line.cells if (cell.start < at) is is_left]
    rule = [(start, end) for start, end in line.rule if (start < at) is is_left]
    return PrintedLine("  ".join(cell.text for cell in cells), cells, rule)
