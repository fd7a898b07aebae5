"""Long lists of records: which tables are cut between their rows, where, and the head that their parts are read below.

A table of ordinary length is read as a whole and stays whole. A list of thousands of rows is not: one passage of it has
a vector that is near to nothing, its words are lost in its length, and its citation names no row. Its passages are runs
of rows of about the size of any other passage.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from warehouse.records import Document, Table
from warehouse.table_notation import BAR, format_row, unescape_cell

if TYPE_CHECKING:
    from tasks.chunkers.chunker import Ruler, Span

FEWEST_ROWS = 200
"""Rows below the header from which on a table is a list of records; as in `tasks.tables.line_items`."""
LONGEST_LIST = 5_000
"""Characters up to which such a list is kept whole all the same: 200 rows of two short cells are read at a glance."""
LONGEST_TABLE = 20_000
"""Characters from which on a table of fewer rows is one too, as a diary is whose rows are paragraphs.

Of 329 tables in 128 filings, papers, notes and web pages the longest has 62 rows and 6,241 characters.
"""

LONGEST_HEAD, NARROWEST_CELL = 2_000, 12
"""Characters of a head, and of each of its cells, that every part repeats: those of surveys are whole questions."""


def is_record_list(table: Table) -> bool:
    """Whether a table is a list of records that nobody reads as a whole."""
    rows, length = len(table.rows) - table.header_rows, table.end - table.start
    return rows > 1 and length > (LONGEST_LIST if rows >= FEWEST_ROWS else LONGEST_TABLE)


def split_table(table: Table, ruler: Ruler, size: int, taken: int = 0) -> tuple[Span, ...]:
    """The spans that a list of records is cut into, in order: each measures at most `size` together with its head.

    The first has the header in it, and leaves room for `taken` more before it. A part has one row at least, and no more
    than half a size is kept free for its head. Rows that share a cell, or have the same first one, such as those of a
    day, stay together where they fit.
    """
    head = min(ruler.measure(table.start, table.row_spans[table.header_rows][0]), size // 2)
    parts: list[Span] = []
    begin, stop = table.start, None
    for first, last in _iter_row_groups(table):
        is_one = ruler.measure(table.row_spans[first][0], _find_row_end(table, last - 1)) <= size - head
        for row in [first] if is_one else range(first, last):
            end = _find_row_end(table, last - 1 if is_one else row)
            if stop is not None and ruler.measure(begin, end) > size - (head if parts else taken):
                parts.append((begin, stop))
                begin = table.row_spans[row][0]
            stop = end
    return (*parts, (begin, table.end))


def _find_row_end(table: Table, row: int) -> int:
    """Where a row ends; the closing line of the table goes with the last."""
    return table.end if row == len(table.rows) - 1 else table.row_spans[row][1]


def _iter_row_groups(table: Table) -> Iterator[Span]:
    """Half-open runs of rows below the header with one first cell, or that a cell over several rows holds together."""
    merged = {row for merge in table.merges for row in range(merge.row + 1, merge.row + merge.rows)}
    starts = [table.header_rows]
    for row in range(table.header_rows + 1, len(table.rows)):
        first, above = table.rows[row][0], table.rows[row - 1][0]
        if row not in merged and not (first and first == above):
            starts.append(row)
    yield from pairwise([*starts, len(table.rows)])


def find_table(document: Document, place: int) -> Table | None:
    """The table that a place lies in, behind its beginning."""
    after = bisect_right(document.tables, place - 1, key=lambda table: table.start)
    return document.tables[after - 1] if after and place < document.tables[after - 1].end else None


def find_head(document: Document, place: int) -> Span | None:
    """The head, from the opening line to the rule, of the table that goes on at a place; None where none does."""
    table = find_table(document, place)
    if table is None or len(table.rows) <= table.header_rows or place < table.row_spans[table.header_rows][0]:
        return None
    return table.start, table.row_spans[table.header_rows][0] - 1


def shorten_head(head: str) -> str:
    """A head as the parts of its table repeat it: the cells of one that is too long are cut to the same width."""
    if len(head) <= LONGEST_HEAD:
        return head
    opening, *lines = head.split("\n")
    rows = [[unescape_cell(cell.strip()) for cell in BAR.split(line)[1:-1]] for line in lines]
    width = max(LONGEST_HEAD // sum(map(len, rows)), NARROWEST_CELL)
    clipped = ([cell if len(cell) <= width else f"{cell[: width - 1].rstrip()}…" for cell in row] for row in rows)
    return "\n".join([opening, *map(format_row, clipped)])


def is_planned_part(table: Table, start: int, end: int) -> bool:
    """Whether what a span holds of a table are whole rows of a list of records, as chunkers cut it, and only it."""
    if not is_record_list(table):
        return False
    after = bisect_right(table.row_spans, start, key=lambda row: row[0])
    before = bisect_left(table.row_spans, end, key=lambda row: row[1])
    begins = start <= table.start or (after > table.header_rows and table.row_spans[after - 1][0] == start)
    stops = end >= table.end or (before < len(table.rows) and table.row_spans[before][1] == end)
    return begins and stops
