"""An island of cells as text lines or as a table with its title, header and notes; long lists of records in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from tasks.parsers.sheets.sheet_cells import CellKind, SheetCell, SheetGrid
from tasks.parsers.sheets.sheet_layout import Island, find_rows_between
from tasks.parsers.sheets.workbook_package import format_column
from tasks.parsers.written_dates import MAX_ENTRY_LENGTH, parse_entry_interval
from warehouse.records import Merge

_MAX_HEADER_ROWS = 4  # Rows without data above the first with it that are a header.
_MAX_FROZEN_ROWS = 6  # Rows that stay in sight: more of them are no header.
_SAMPLE_ROWS = 12  # Cells below one that are looked at for what their column holds.
_MIN_SAME_KIND_SHARE = 0.5
"""The share of the cells below one that are of its kind where it belongs to them."""
_MIN_RECORD_ROWS = 200
"""Rows from which on a table is a list of records and not read as one; as in `tasks.tables.line_items`."""
_MAX_PIECE_LENGTH = 1_500
"""Characters of a piece of such a list: passages aim at 1,000, and from 2,000 on are too large (TAB002)."""
_MAX_HEADER_RATIO = (
    4  # Times its header that a piece may be long, so that headers are a quarter of the text at the most.
)
_MIN_PROSE_LETTERS = 40  # Letters of the longest cell of a row, on average, from which on the rows are a diary.
_MIN_DATED_SHARE = 0.9
"""The share of rows with a day where the rows are dated."""
_MIN_KEY_SHARE = 0.6
"""The share of first cells that end with a colon where an island is a form."""
_MAX_TITLES = 3  # Rows, the last of which may have several cells, of which none is the header of a table.
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MAX_PERIOD_LENGTH = 40  # Characters of a time over columns: "Three months ended September 30, 2024".
_DATA_KINDS = frozenset({CellKind.FLAG, CellKind.ERROR, CellKind.TIME})


@dataclass(eq=False)
class SheetTable:
    """A table on a sheet: rectangular `rows`, the first `header_rows` of them its header.

    `above` are the lines of its title, `below` its notes. `kinds` are those of the cells, `first_row` and `left` the
    place of its first cell, `numbers` the sheet's numbers of the rows.
    """

    rows: list[list[str]]
    kinds: list[list[CellKind | None]]
    header_rows: int
    merges: list[Merge]
    numbers: list[int]
    left: int
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where it is on its sheet: "B3:F20"."""
        return self.format_place(0, len(self.rows))

    def format_place(self, start: int, stop: int) -> str:
        """Where some of its rows are."""
        right = self.left + len(self.rows[0]) - 1
        first, last = self.numbers[start], self.numbers[stop - 1]
        return f"{format_column(self.left)}{first}:{format_column(right)}{last}"


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Rows of a list of records, from `start` before `stop`, and the heading that says which."""

    heading: str
    start: int
    stop: int


def read_text_lines(island: Island) -> list[str]:
    """The lines of an island that is no table, or nothing.

    It has one column, or one row below its titles, or is a form of names and values.
    """
    rows = [island.get_row(number) for number in island.rows]
    if all(len(row) == 1 for row in rows[:-1]) and len(rows) <= _MAX_TITLES:
        return [" ".join(cell.text.strip() for _, cell in row) for row in rows]
    if all(len(row) == 1 for row in rows):
        return [" ".join(cell.text.strip() for _, cell in row) for row in rows]
    keyed_count = sum(row[0][1].text.rstrip().endswith((":", "：")) for row in rows)
    if all(len(row) <= 2 for row in rows) and keyed_count >= _MIN_KEY_SHARE * len(rows):
        return [" ".join(cell.text.strip() for _, cell in row) for row in rows]
    return []


def make_table(island: Island, grid: SheetGrid) -> SheetTable:
    """The table of an island."""
    rows = list(island.rows)
    above: list[str] = []
    below: list[str] = []
    if island.table is None:
        while len(rows) > 2 and _is_title(island, grid, rows[0]):
            above.append(_join_row(island, rows.pop(0)))
        while len(rows) > 2 and _is_remark(island, rows[-1]):
            below.insert(0, _join_row(island, rows.pop()))
    columns = range(island.left, island.right + 1)
    cells = [[island.cells[row].get(column) for column in columns] for row in rows]
    kinds = [[cell.kind if cell else None for cell in row] for row in cells]
    merges = list(_iter_merges(grid, rows, island))
    return SheetTable(
        [[cell.text if cell else "" for cell in row] for row in cells],
        kinds,
        _count_header_rows(island, grid, rows, cells, merges),
        merges,
        rows,
        island.left,
        above,
        below,
    )


def _join_row(island: Island, row: int) -> str:
    return " ".join(cell.text.strip() for _, cell in island.get_row(row))


def _is_title(island: Island, grid: SheetGrid, number: int) -> bool:
    """Whether a row holds nothing but a text at the left, or a text or a day that is merged over the whole width.

    A time that is merged over all columns but that of the labels heads them.
    """
    row = island.get_row(number)
    if len(row) != 1 or row[0][1].kind not in (CellKind.TEXT, CellKind.DATE):
        return False
    column = row[0][0]
    merge = next((area for area in grid.merges if (area.top, area.left) == (number, column)), None)
    if merge is not None and merge.bottom > merge.top and merge.right == merge.left:
        return False  # The label of several rows.
    if merge is not None and merge.right >= island.right and column <= island.left + 1:
        is_head = column > island.left and len(row[0][1].text) <= _MAX_PERIOD_LENGTH
        return not (is_head and _YEAR.search(row[0][1].text))
    return column == island.left and row[0][1].kind is CellKind.TEXT


def _is_remark(island: Island, number: int) -> bool:
    row = island.get_row(number)
    return len(row) == 1 and row[0][0] == island.left and row[0][1].kind is CellKind.TEXT


def _iter_merges(grid: SheetGrid, rows: Sequence[int], island: Island) -> Iterator[Merge]:
    """The merged cells of a table, counted in its rows and columns."""
    for merge in grid.merges:
        if merge.left < island.left or merge.left > island.right or not rows[0] <= merge.top <= rows[-1]:
            continue
        first, last = find_rows_between(rows, merge.top, merge.bottom)
        if first == last or rows[first] != merge.top:
            continue
        width = min(merge.right, island.right) - merge.left + 1
        if last - first > 1 or width > 1:
            yield Merge(first, merge.left - island.left, last - first, width)


def _count_header_rows(
    island: Island,
    grid: SheetGrid,
    rows: Sequence[int],
    cells: Sequence[Sequence[SheetCell | None]],
    merges: Sequence[Merge],
) -> int:
    """How many of the first rows are the header: as Excel says, else those before the first data."""
    if island.table is not None:
        return island.table.header_rows
    if grid.filtered and grid.filtered.top in rows[:_MAX_FROZEN_ROWS] and grid.filtered.left >= island.left:
        return rows.index(grid.filtered.top) + 1
    frozen = sum(row <= grid.frozen for row in rows[: _MAX_FROZEN_ROWS + 1])
    first = next((place for place in range(min(len(cells), _SAMPLE_ROWS)) if _is_data(cells, place)), None)
    if 0 < frozen <= _MAX_FROZEN_ROWS and (first is None or frozen <= first):
        return frozen
    if first is None or first > _MAX_HEADER_ROWS:
        first = 1
    for place in range(1, first):
        if not _may_continue_header(cells, place, merges):
            return place
    return first


def _may_continue_header(cells: Sequence[Sequence[SheetCell | None]], place: int, merges: Sequence[Merge]) -> bool:
    """Whether a row without data continues the header above it, and is no first row of words."""
    row, above = cells[place], cells[place - 1]
    if sum(cell is not None for cell in row) == 1 and row[0] is not None:
        return False  # A section.
    has_span = any(merge.row <= place - 1 < merge.row + merge.rows for merge in merges)
    value_cells = [cell for cell in row[1:] if cell is not None]
    has_times = bool(value_cells) and all(cell.kind in (CellKind.DATE, CellKind.YEAR) for cell in value_cells)
    return row[0] is None or has_span or has_times or any(cell is None for cell in above[1:])


def _is_data(cells: Sequence[Sequence[SheetCell | None]], place: int) -> bool:
    """Whether a row holds data: a figure, or a day or year such as its column goes on with."""
    row = cells[place]
    if _is_count(row):
        return False
    for column, cell in enumerate(row):
        if cell is None or cell.kind is CellKind.TEXT:
            continue
        if cell.kind in _DATA_KINDS:
            return True
        below = [
            other.kind for other in (line[column] for line in cells[place + 1 : place + 1 + _SAMPLE_ROWS]) if other
        ]
        same_count = sum(kind is cell.kind for kind in below)
        if cell.kind is CellKind.NUMBER and (column or (below and same_count >= _MIN_SAME_KIND_SHARE * len(below))):
            return True
        if cell.kind is not CellKind.NUMBER and below and same_count >= _MIN_SAME_KIND_SHARE * len(below):
            return True
    return False


def _is_count(row: Sequence[SheetCell | None]) -> bool:
    """Whether a row counts its columns: 1, 2, 3 and so on behind a label or a blank."""
    values = [cell.text for cell in row[1:] if cell is not None]
    return len(values) > 2 and values == [str(number) for number in range(1, len(values) + 1)]


@dataclass(frozen=True, slots=True)
class DatedRows:
    """The day of each row below a table's header; `is_prose` says that the rows are a diary."""

    days: tuple[date, ...]
    is_prose: bool


def find_dated_rows(table: SheetTable) -> DatedRows | None:
    """The days of a table whose rows are in the order of their days; None where they are not, or all of one day."""
    body = range(table.header_rows, len(table.rows))
    for column in range(min(3, len(table.rows[0]))):
        row_days: list[date] = []
        day_count = 0
        for row in body:
            days = (
                parse_entry_interval(table.rows[row][column], "") if table.kinds[row][column] is CellKind.DATE else None
            )
            if days is not None and (days[1] - days[0]).days == 1:
                row_days.append(days[0])
                day_count += 1
            elif row_days:
                row_days.append(row_days[-1])
        if day_count < _MIN_DATED_SHARE * len(body) or len(row_days) != len(body) or len(set(row_days)) < 2:
            continue
        if row_days in (sorted(row_days), sorted(row_days, reverse=True)):
            return DatedRows(tuple(row_days), _is_prose(table))
    return None


def _is_prose(table: SheetTable) -> bool:
    """Whether the longest cell of a row is a sentence, as in a diary, and longer than the header, as in no survey."""
    lengths = [
        max((_count_letters(text) for text, kind in zip(*row, strict=True) if kind is CellKind.TEXT), default=0)
        for row in list(zip(table.rows, table.kinds, strict=True))[table.header_rows :]
    ]
    head = sum(_count_letters(text) for row in table.rows[: table.header_rows] for text in row)
    return sum(lengths) >= max(_MIN_PROSE_LETTERS, head) * max(len(lengths), 1)


def _count_letters(text: str) -> int:
    """The length of a text, a character of Chinese counted for two letters."""
    return sum(1 + (letter >= "\u2e80") for letter in text)


def split_records(table: SheetTable, dated: DatedRows | None) -> list[TablePiece]:
    """The pieces of a list of records, each a passage of its own with the header; none where the table is to be whole.

    A diary has a piece for each day, a log of figures one for the days that go into a passage, any other list its rows.
    """
    body = len(table.rows) - table.header_rows
    is_long = body >= _MIN_RECORD_ROWS and table.header_rows > 0
    if not is_long and not (dated and dated.is_prose):
        return []
    if any(merge.rows > 1 and merge.row >= table.header_rows for merge in table.merges):
        return []
    if dated is None:
        return [
            TablePiece(table.format_place(start, stop), start, stop)
            for start, stop in _pack_rows(table, range(table.header_rows, len(table.rows) + 1))
        ]
    starts = [place for place in range(len(dated.days)) if not place or dated.days[place] != dated.days[place - 1]]
    cuts: list[int] = []
    for start, stop in pairwise([*starts, len(dated.days)]):
        first = table.header_rows + start
        is_large = sum(_measure_row(table, first + place) for place in range(stop - start)) > _MAX_PIECE_LENGTH
        cuts += range(first, first + (stop - start if is_large else 1))
    cuts.append(len(table.rows))
    pieces = []
    for start, stop in pairwise(cuts) if dated.is_prose else _pack_rows(table, cuts, dated.days):
        ends = sorted((dated.days[start - table.header_rows], dated.days[stop - 1 - table.header_rows]))
        heading = " to ".join(dict.fromkeys(day.isoformat() for day in ends))
        pieces.append(TablePiece(heading, start, stop))
    return pieces


def _measure_row(table: SheetTable, row: int) -> int:
    """Characters of a row as the text shows it."""
    return sum(len(text) + 3 for text in table.rows[row]) + 2


def _pack_rows(table: SheetTable, cuts: Sequence[int], days: Sequence[date] = ()) -> Iterator[tuple[int, int]]:
    """Runs of rows, cut at the places allowed, that fit into a piece with the header."""
    head = sum(_measure_row(table, row) for row in range(table.header_rows))
    max_length = max(_MAX_PIECE_LENGTH, _MAX_HEADER_RATIO * head)
    start, size = cuts[0], head
    for first, stop in pairwise(cuts):
        row_size = sum(_measure_row(table, row) for row in range(first, stop))
        place = start - table.header_rows
        is_distant_day = bool(days) and abs(days[first - table.header_rows] - days[place]) >= MAX_ENTRY_LENGTH
        if first > start and (size + row_size > max_length or is_distant_day):
            yield start, first
            start, size = first, head
        size += row_size
    yield start, cuts[-1]
