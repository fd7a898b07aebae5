"""Rules of the shape of tables: rows of one length below a header."""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise

from tasks.quality.checked_document import MARKDOWN, CheckedDocument
from tasks.quality.note_links import enumerate_lines, without_code
from tasks.quality.phrases import format_count, shorten_text
from tasks.quality.rule import Scope, Violation, index_by_name, make_document_rule
from warehouse.records import Chunk, Severity, Table


def ragged_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB004: a table whose rows have different numbers of cells.

    What: a row of the source has more or fewer cells than the header.
    Why it hurts retrieval: cells slip under the wrong header, and a figure is found as what it is not.
    Example: `| Tea | 10 |` below `| Item | 2022 | 2023 |`
    Cure: give every row as many cells as the header has; leave cells empty rather than out.
    """
    # Rows of tables whose source is text or a web page; in other documents headers that are too short for their body.
    # The first such row of a chunk is charged to it, the others cost no more.
    charged_chunks: set[str] = set()
    for row in _find_uneven_rows(subject.raw, subject.document.media_type):
        message = f"this row has {format_count(row.cells, 'cell')}, the header {row.header}: fill or remove cells"
        chunk = _find_chunk(subject, row)
        is_charged = chunk is not None and chunk.chunk_id in charged_chunks
        yield Violation(message, chunk=chunk, line=row.number, column=1, penalty=0.0 if is_charged else None)
        charged_chunks |= {chunk.chunk_id} if chunk else set()
    if subject.document.media_type in (MARKDOWN, *_SEPARATED_VALUES_TYPES):
        return
    for table in filter(_lacks_last_header, subject.document.tables):
        message = f"the header of table {table.number} has a cell less than its rows: name every column"
        yield Violation(message, table.start, table.end)


def _find_chunk(subject: CheckedDocument, row: UnevenRow) -> Chunk | None:
    """The chunk of the table with the row, or of the next table, as not every row has words of its own."""
    position = subject.anchors.find_position(row.number)
    tables = subject.document.tables
    index = len(tables) if position is None else bisect_right(tables, position, key=lambda table: table.end)
    if position is None or index == len(tables):
        return None
    return subject.find_chunk(max(position, tables[index].start))


def _lacks_last_header(table: Table) -> bool:
    """Whether the last column has no header and is filled below all others that have one."""
    head, body = table.rows[: table.header_rows], table.rows[table.header_rows :]
    width = len(table.rows[0])
    if not head or width < 3:
        return False
    merged_columns = {
        merge.column + offset for merge in table.merges if not merge.row for offset in range(merge.columns)
    }
    has_header = [column in merged_columns or any(row[column] for row in head) for column in range(width)]
    is_filled = {bool(row[-1]) for row in body} == {True, False}
    return not has_header[-1] and all(has_header[:-1]) and is_filled


_DELIMITER_ROW = re.compile(r"\s{0,3}[|]?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+")
_BAR = re.compile(r"\\.|\[\[[^\[\]\n]*\]\]|\|")
_REMARK_LINE = re.compile(r"#+\s*\w|sep=", re.IGNORECASE)
"""What begins a remark, and the line that names the delimiter, above the header."""
_SEPARATED_VALUES_TYPES = ("text/csv", "text/tab-separated-values")
_DELIMITERS = ",;\t|"
_MIN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class UnevenRow:
    """A row by the number of its line, from 1, its cells, and the cells of its table's header."""

    number: int
    cells: int
    header: int


def _find_uneven_rows(raw: str, media_type: str) -> Iterator[UnevenRow]:
    """The rows in order; nothing for sources that are neither Markdown, separated values nor a web page."""
    if media_type == MARKDOWN:
        yield from _find_markdown_rows(raw)
    elif media_type in _SEPARATED_VALUES_TYPES:
        yield from _find_value_rows(raw)
    elif media_type == "text/html":
        reader = _TableCounter()
        reader.feed(raw)
        for table in reader.tables:
            # In a table of data the first row is as wide as most others; in other tables rows are laid out freely.
            header = table[0][1]
            full_row_count = sum(cells == header for _, cells in table)
            if header > 1 and len(table) > 2 and full_row_count > len(table) / 2:
                yield from (UnevenRow(number, cells, header) for number, cells in table if cells not in (header, 1))


def _find_markdown_rows(raw: str) -> Iterator[UnevenRow]:
    """Rows below a header and its rule, up to a line without a bar."""
    previous_line, header = "", 0
    for number, line in enumerate_lines(without_code(raw)):
        if "|" not in line:
            header = 0
        elif header:
            cells = _count_cells(line)
            if cells != header:
                yield UnevenRow(number, cells, header)
        elif (
            _DELIMITER_ROW.fullmatch(line)
            and "|" in previous_line
            and _count_cells(previous_line) == _count_cells(line)
        ):
            header = _count_cells(previous_line)
        previous_line = line


def _count_cells(line: str) -> int:
    inner = line.strip().lstrip("> ").removeprefix("|")
    bars = [match.end() for match in _BAR.finditer(inner) if match[0] == "|"]
    ends_with_bar = bool(bars) and bars[-1] == len(inner.rstrip())
    return len(bars) + (not ends_with_bar)


def _find_value_rows(raw: str) -> Iterator[UnevenRow]:
    """The rows in order, with the delimiter of the header's line; titles above, half as long as rows, are skipped."""
    first = next((line for _, line in enumerate_lines(raw) if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(raw.splitlines(), delimiter=delimiter)
    try:
        full_rows = (row for row in reader if any(cell.strip() for cell in row) and not _REMARK_LINE.match(row[0]))
        rows = [(reader.line_num, len(row)) for row in full_rows]
    except csv.Error:
        return  # a field over 131,072 characters: a quote that is never closed
    counts = Counter(cells for _, cells in rows)
    usual_count, count = max(counts.items(), key=lambda pair: pair[::-1], default=(0, 0))  # Of two widths the larger.
    if usual_count < 2 or count < _MIN_SHARE * len(rows):
        return
    start = next(index for index, (_, cells) in enumerate(rows) if cells == usual_count)
    if start == 1 and usual_count > rows[0][1] > usual_count / 2:
        start = 0
    yield from (UnevenRow(number, cells, usual_count) for number, cells in rows[start:] if cells != usual_count)


_MAX_COLUMNS, _MAX_ROWS = 1000, 65_534  # HTML's limits of `colspan` and `rowspan`.


class _TableCounter(HTMLParser):
    """Counts the columns of rows, table by table.

    `tables` are in the order of their ends; those that contain other tables are layout and left out. A row is the line
    that it begins on, from 1, and the number of columns it covers, including cells that extend into it from above.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[int, int]]] = []
        self._open: list[_OpenTable] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            for outer in self._open:
                outer.is_layout = True
            self._open.append(_OpenTable())
        elif self._open and tag == "tr":
            self._open[-1].begin_row(self.getpos()[0])
        elif self._open and tag in ("td", "th"):
            spans = dict(attrs)
            self._open[-1].add_cell(
                _parse_span(spans, "colspan", _MAX_COLUMNS), _parse_span(spans, "rowspan", _MAX_ROWS)
            )

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._open:
            table = self._open.pop()
            if table.rows and not table.is_layout:
                self.tables.append(table.rows)


class _OpenTable:
    """A table that is being read."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int]] = []
        self.is_layout = False
        self._open_row_spans: list[tuple[int, int]] = []

    def begin_row(self, line: int) -> None:
        """Begin a row, with the cells that extend into it from above."""
        self._open_row_spans = [(columns, rows - 1) for columns, rows in self._open_row_spans if rows > 1]
        self.rows.append((line, sum(columns for columns, _ in self._open_row_spans)))

    def add_cell(self, columns: int, rows: int) -> None:
        """Add a cell to the last row; one before any row is no part of the table."""
        if self.rows:
            line, columns_before = self.rows[-1]
            self.rows[-1] = (line, columns_before + columns)
            self._open_row_spans += [(columns, rows)] if rows > 1 else []


def _parse_span(attributes: dict[str, str | None], name: str, limit: int) -> int:
    value = attributes.get(name) or ""
    return min(limit, int(value)) if value.isdecimal() and len(value) < 6 and int(value) else 1


def headerless_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB005: a table that does not say what its columns hold.

    What: there is no header row, or it is empty, or its cells are figures.
    Why it hurts retrieval: a figure without its header is a number without meaning; no question about a year or an item
    finds it.
    Example: `| Tea | 1,200 | 1,350 |` as the first row.
    Cure: name the columns in the first row.
    """
    from tasks.tables.headers import find_first_body_row
    from tasks.tables.numbers import parse_number

    # Tables with figures.
    for table in subject.document.tables:
        has_figures = any(parse_number(cell) is not None for row in table.rows[1:] for cell in row[1:])
        header = [cell for row in table.rows[: table.header_rows] for cell in row[1:] if cell]
        is_headerless = len(table.rows[0]) > 1
        if header:
            is_headerless = find_first_body_row(table) == 0 or all(map(_is_amount, header)) or _is_row_of_counts(table)
        if has_figures and is_headerless:
            first = shorten_text(" | ".join(filter(None, table.rows[0])))
            message = f"table {table.number} has no header row; it begins with '{first}': name its columns"
            yield Violation(message, table.start, table.end)


def _is_row_of_counts(table: Table) -> bool:
    """Whether the first row has a label and whole numbers above numbers, no years and no scale (1, 2, 3; 5, 10)."""
    from tasks.tables.numbers import parse_number

    label, *cells = table.rows[0]
    if not label or len(cells) < 2 or len(table.rows) < 3 or not all(map(str.isdecimal, cells)):
        return False
    if any(parse_number(cell) is None for cell in table.rows[1][1:]):
        return False
    counts = [int(cell) for cell in cells]
    return not _is_scale(counts) and not all(_FIRST_YEAR <= count <= _LAST_YEAR for count in counts)


def _is_scale(counts: Sequence[int]) -> bool:
    """Whether whole numbers rise by equal steps, or are round, or are numbers of months and grades."""
    steps = {after - before for before, after in pairwise([0, *counts])}
    rises = min(steps) > 0 and any(count % 5 == 0 for count in counts)
    return len(steps) == 1 or rises or all(count % 5 == 0 for count in counts) or set(counts) <= set(range(13))


_FIRST_YEAR, _LAST_YEAR = 1500, 2200


def _is_amount(cell: str) -> bool:
    """Whether a cell is a figure that cannot be a column header, unlike years, shares and small numbers."""
    from tasks.tables.numbers import parse_number

    number = parse_number(cell)
    return number is not None and (number.grouped or (number.marked and not number.unit))


members = index_by_name(
    make_document_rule(ragged_table, Severity.WARNING, 0.1, Scope.TABLE),
    make_document_rule(headerless_table, Severity.WARNING, 0.1, Scope.TABLE),
)
