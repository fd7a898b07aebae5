"""Two tables side by side, each with its own labels, header and figures, that were read as one.

```
Assets         2023    2022        Liabilities    2023    2022
Inventory       900     870        Reserves        700     650
Cash            450     430        Loans         1,000     900
Total         1,350   1,300        Total         1,700   1,550
```

A column of words between figures is not enough for a second table: a list of a firm's products may have one for the
currency. Both sides must have times, totals, the same header or titles, or the second one must be longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parsers.plain_text.printed_lines import PrintedLine
from tasks.parsers.table_form import ParsedGrid, TextTable, are_pairs

_FIGURE = re.compile(r"[^\w(−-]*[(−-]?\s*[$€£¥]?\s*\d[\d,.'’\s]*\s*[%)a-z]{0,3}|[-–—]{1,3}|n/?a", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|\b(?:[QH][1-4]|[1-4][QH]|FY\s?\d\d)\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:grand |sub)?tota+l|sum(?:me)?\b|gesamt|somme|suma\b|合计|合計|总计|總計", re.IGNORECASE)
_MIN_GUTTER = 4  # The fewest characters between two tables in a line.
_MIN_LABELS = 2  # Labels of a table.
_TWO_LIST_COLUMNS = 4  # Columns of two lists of names and values side by side.
_MIN_FIGURE_SHARE = 0.8
"""The least share of figures among the cells of a column below its header."""
_MIN_DISTINCT_SHARE = 0.7
"""The least share of different labels in a table; units and currencies repeat a few words."""


def find_second_table(rows: Sequence[Sequence[str]], header_rows: int, *, has_gap: bool = True) -> range | None:
    """The columns of a second table to the right of the first one; None if the rows are one table.

    Unless a gap separates them (`has_gap`), both must have the same header of times over their figures, or totals and
    no header over the second that is not over the first: balance sheets have "Aktiva", two years, "Passiva" and the
    same two years; pay slips have hours, rates and amounts on the left, amounts on the right.
    """
    header, body = rows[:header_rows], rows[header_rows:]
    if not header or len(body) < _MIN_LABELS:
        return None
    columns = [[row[start] for row in body if row[start]] for start in range(len(rows[0]))]
    labels = [start for start, cells in enumerate(columns) if _are_label_cells(cells)]
    if not labels or labels[0]:
        return None
    for start in labels[1:]:
        end = next((next_start for next_start in labels if next_start > start), len(columns))
        left, right = range(1, start), range(start + 1, end)
        if not left or not right or not all(_are_figure_cells(columns[number]) for number in (*left, *right)):
            continue
        have_times = all(any(_TIME.search(row[number]) for row in header for number in side) for side in (left, right))
        have_totals = all(any(map(_TOTAL.match, columns[number])) for number in (0, start))
        is_longer = any(not any(row[:start]) and row[start] and any(row[start + 1 : end]) for row in body)
        last_header = list(header[-1])
        is_repeated = all(last_header[1:start]) and last_header[:start] == last_header[start : start * 2]
        are_alike = any(all(row[1:start]) and row[1:start] == row[start + 1 : end] for row in header)
        has_known_totals = have_totals and {*last_header[start + 1 : end]} <= {*last_header[1:start]} - {""}
        have_titles = any(set(_list_filled(row)) == {0, start} for row in header[:-1])
        if (
            have_titles or have_times or have_totals or is_longer or is_repeated
            if has_gap
            else (are_alike and have_times) or has_known_totals
        ):
            return range(start, end)
    return None


def _list_filled(row: Sequence[str]) -> list[int]:
    return [column for column, cell in enumerate(row) if cell]


def _are_label_cells(cells: Sequence[str]) -> bool:
    is_worded = all(_WORD.search(cell) and not _FIGURE.fullmatch(cell) for cell in cells)
    return len(cells) >= _MIN_LABELS and is_worded and len(set(cells)) >= _MIN_DISTINCT_SHARE * len(cells)


def _are_figure_cells(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(_FIGURE.fullmatch(cell) is not None for cell in cells) >= _MIN_FIGURE_SHARE * len(cells)


def is_gutter(second_columns: range, gaps: Sequence[float], min_gap: float) -> bool:
    """Whether the gap before a second table is not narrower than the gaps between the figures of both.

    `gaps` are those after each column except the last, in any unit.
    """
    first, *_, last = second_columns
    return gaps[first - 1] >= max((min_gap, *gaps[1 : first - 1], *gaps[first + 1 : last]))


def split_at_blank_columns(rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """The rows of each table of a file in which blank columns separate the tables; all rows if it has only one.

    Titles may be above the headers, one over the first column of all tables or one over that of each table. A header
    may have no name for the labels.
    """
    width = max(map(len, rows), default=0)
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    columns = [column for column in range(width) if any(row[column] for row in padded)]
    starts = [column for column in columns if not column or column - 1 not in columns]
    title_rows = 0
    while (
        title_rows < len(padded) and padded[title_rows][0] and set(starts).issuperset(_list_filled(padded[title_rows]))
    ):
        title_rows += 1
    filled_rows = [[row[column] for column in columns] for row in padded]
    second = (
        find_second_table(filled_rows, title_rows + 1)
        if len(starts) > 1 and len(filled_rows) > title_rows + 1
        else None
    )
    has_names = second and all(
        cell for column, cell in enumerate(filled_rows[title_rows]) if column not in (0, second[0])
    )
    if second is None or columns[second[0]] not in starts or not has_names:
        return [list(map(list, rows))]
    second_start = columns[second[0]]
    left_rows, right_rows = (
        [row[side] for row in padded if any(row[side])] for side in (slice(second_start), slice(second_start, None))
    )
    return [left_rows, *split_at_blank_columns(right_rows)]


def find_second_start(rows: Sequence[Sequence[str]], header_rows: int) -> int | None:
    """The first column of a second table in a grid of cells without gaps between its columns; None if it is one table.

    These are two tables by the rules of `find_second_table`, or names and values in four columns.
    """
    if second := find_second_table(rows, header_rows, has_gap=False):
        return second[0]
    sides = [[row[side] for row in rows if any(row[side])] for side in (slice(2), slice(2, None))]
    return 2 if len(rows[0]) == _TWO_LIST_COLUMNS and all(map(are_pairs, sides)) else None


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
"""Reads lines as a table: the line on which it begins, the table, and the starts and ends of its columns."""


def split_lines(lines: Sequence[PrintedLine], table: TextTable, read_table: ReadLines) -> list[str | TextTable]:
    """The tables side by side in lines that were read as one table, with the lines above each; else the table."""
    second = find_second_table(table.rows, table.header_rows)
    result = read_table(lines) if second else None
    if second is None or result is None or len(result[2]) != len(table.rows[0]):
        return [table]
    if not is_gutter(second, [after[0] - before[1] for before, after in pairwise(result[2])], _MIN_GUTTER):
        return [table]
    parts: list[str | TextTable] = []
    for is_left in (True, False):
        side = [_cut_line(line, result[2][second[0]][0], is_left=is_left) for line in lines]
        side_result = read_table(side)
        if side_result is None:
            return [table]
        first_line, side_table, _ = side_result
        parts += [
            "\n".join(line.text for line in side[:first_line]),
            *split_lines(side[first_line:], side_table, read_table),
        ]
    return parts


def _cut_line(line: PrintedLine, cut: int, *, is_left: bool) -> PrintedLine:
    """The part of a line to the left of a position, or from it on."""
    cells = [cell for cell in line.cells if (cell.start < cut) is is_left]
    rule = [(start, end) for start, end in line.rule if (start < cut) is is_left]
    return PrintedLine("  ".join(cell.text for cell in cells), cells, rule)
