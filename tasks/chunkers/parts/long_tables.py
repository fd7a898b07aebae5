"""Long lists of records: which tables are cut between their rows, where, and the head that their parts repeat.

A table of ordinary length is read as a whole and stays whole. A list of thousands of rows is not: as one passage its
vector would be near to nothing, its words would be lost in its length, and its citation would name no row. Its passages
are runs of rows of about the size of any other passage.
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

MIN_LIST_ROWS = 200
"""The least number of rows below the header of a list of records; as in `tasks.tables.line_items`."""
MAX_WHOLE_LIST = 5_000
"""The most characters of such a list that is not split nevertheless: 200 rows of two short cells are quickly read."""
MIN_LONG_TABLE = 20_000
"""The least characters of a table of fewer rows that is also a list of records, such as a diary with long rows.

Of 329 tables in 128 filings, papers, notes and web pages the longest has 62 rows and 6,241 characters.
"""

MAX_HEAD_LENGTH, MIN_CELL_WIDTH = 2_000, 12
"""The most characters of a head that every part repeats, and the least per cell: those of surveys are questions."""


def is_record_list(table: Table) -> bool:
    """Whether a table is a list of records that nobody reads as a whole."""
    rows, length = len(table.rows) - table.header_rows, table.end - table.start
    return rows > 1 and length > (MAX_WHOLE_LIST if rows >= MIN_LIST_ROWS else MIN_LONG_TABLE)


def split_table(table: Table, ruler: Ruler, size: int, used: int = 0) -> tuple[Span, ...]:
    """The spans that a list of records is cut into, in order: each measures at most `size` together with its head.

    The first includes the header, and leaves space for `used` more before it. A part has at least one row, and at most
    half a size is reserved for its head. Rows that share a cell, or have the same first one, such as those of a day,
    stay together if they fit.
    """
    head = min(ruler.measure(table.start, table.row_spans[table.header_rows][0]), size // 2)
    parts: list[Span] = []
    begin, stop = table.start, None
    for first, last in _iter_row_groups(table):
        is_joined = ruler.measure(table.row_spans[first][0], _find_row_end(table, last - 1)) <= size - head
        for row in [first] if is_joined else range(first, last):
            end = _find_row_end(table, last - 1 if is_joined else row)
            if stop is not None and ruler.measure(begin, end) > size - (head if parts else used):
                parts.append((begin, stop))
                begin = table.row_spans[row][0]
            stop = end
    return (*parts, (begin, table.end))


def _find_row_end(table: Table, row: int) -> int:
    """The end of a row; the last row includes the closing line of the table."""
    return table.end if row == len(table.rows) - 1 else table.row_spans[row][1]


def _iter_row_groups(table: Table) -> Iterator[Span]:
    """Half-open runs of rows below the header with the same first cell, or with a cell that spans several rows."""
    merged_rows = {row for merge in table.merges for row in range(merge.row + 1, merge.row + merge.rows)}
    starts = [table.header_rows]
    for row in range(table.header_rows + 1, len(table.rows)):
        first_cell, cell_above = table.rows[row][0], table.rows[row - 1][0]
        if row not in merged_rows and not (first_cell and first_cell == cell_above):
            starts.append(row)
    yield from pairwise([*starts, len(table.rows)])


def find_table(document: Document, position: int) -> Table | None:
    """The table around a position, which must be after its start."""
    next_index = bisect_right(document.tables, position - 1, key=lambda table: table.start)
    return document.tables[next_index - 1] if next_index and position < document.tables[next_index - 1].end else None


def find_head(document: Document, position: int) -> Span | None:
    """The head, from the opening line to the rule, of the table that continues at a position; None if none does."""
    table = find_table(document, position)
    if table is None or len(table.rows) <= table.header_rows or position < table.row_spans[table.header_rows][0]:
        return None
    return table.start, table.row_spans[table.header_rows][0] - 1


def shorten_head(head: str) -> str:
    """A head as the parts of its table repeat it: if it is too long, its cells are cut to the same width."""
    if len(head) <= MAX_HEAD_LENGTH:
        return head
    opening, *lines = head.split("\n")
    rows = [[unescape_cell(cell.strip()) for cell in BAR.split(line)[1:-1]] for line in lines]
    width = max(MAX_HEAD_LENGTH // sum(map(len, rows)), MIN_CELL_WIDTH)
    clipped_rows = ([cell if len(cell) <= width else f"{cell[: width - 1].rstrip()}…" for cell in row] for row in rows)
    return "\n".join([opening, *map(format_row, clipped_rows)])


def is_planned_part(table: Table, start: int, end: int) -> bool:
    """Whether a span's part of a table is whole rows of a list of records, as chunkers cut it, and nothing else."""
    if not is_record_list(table):
        return False
    next_row = bisect_right(table.row_spans, start, key=lambda row: row[0])
    last_row = bisect_left(table.row_spans, end, key=lambda row: row[1])
    begins = start <= table.start or (next_row > table.header_rows and table.row_spans[next_row - 1][0] == start)
    stops = end >= table.end or (last_row < len(table.rows) and table.row_spans[last_row][1] == end)
    return begins and stops
