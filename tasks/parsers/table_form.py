"""The form of a table in the text: spanning cells are laid out on a grid, which is then tidied.

Cells are laid out by HTML 5, 4.9.12. Columns with only the sign of a number, as in filings, are joined to it:
`$ | 1,204 | )` is the one cell `$ 1,204)`.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from pathlib import Path

from tasks.parsers.numerals import parse_count
from tasks.parsers.parser_contract import without_marks
from warehouse.records import Box, Merge

_NUMBER = re.compile(r"^[^\w(−-]*[(−-]?\s*[$€£¥]?\s*\d[\d,.\s]*\s*[%)a-z]{0,3}$", re.IGNORECASE)
_YEAR = re.compile(r"^(?:19|20)\d\d[*†a-z]?$")
_AMOUNT = re.compile(r"\d,\d{3}|[$€£¥]\s*[(−-]?\s*\d*[1-9]|^[(−-]\s*\d*[.,]\d")
HOUR = re.compile(r"[0-2]?\d[:.h][0-5]\d(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
_DATE = re.compile(
    r"(?<![\w/.-])(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s(?:\d{1,2},?\s)?|FY\s?)?(?:19|20)\d\d"
    r"(?![\w/-])"
    r"|(?<![\w/.-])\d{1,2}/\d{1,2}/(?:\d\d){1,2}(?![\w/-])|(?:19|20)\d\d年(?:\d{1,2}月(?:\d{1,2}日)?|度)?",
    re.IGNORECASE,
)
_DATE_CONNECTOR = re.compile(r"\b(?:vs?|versus|to|through|and|or|from)\b|[-–—&至与和]", re.IGNORECASE)
_UNIT_IN_BRACKETS = re.compile(r"[(\[](?=[^()\[\]]*(?:[^\W\d_]|%))[^()\[\]]{1,20}[)\]]")
_MAX_HEADER_ROWS = 4  # The most rows that are guessed to be a header.
_MAX_COLUMNS = 200  # Columns of a table; cells further right join the last one.
_MIN_BODY_ROWS = 3  # Two rows of a header and a row of figures, or the rows of figures that are read.
_MIN_REPEATS = 2  # The fewest groups of columns that have the same labels.
_SIGNS_BEFORE = frozenset(["$", "€", "£", "¥", "(", "$(", "$ (", "US$", "C$", "A$", "HK$", "RMB"])
_SIGNS_AFTER = frozenset([")", "%", ")%", ") %", "*", "†"])


HeaderCell = tuple[str, int, int]
"""The words of a cell of a header, and its first and last columns."""


@dataclass(frozen=True, slots=True)
class RowPlace:
    """The place of a row: its page and its box there."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class ParsedGrid:
    """Rectangular rows of tidy cells, the place of each row if it has one, and the merged cells."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[RowPlace, ...] = ()
    merges: tuple[Merge, ...] = ()

    @property
    def is_table(self) -> bool:
        """At least two rows and two columns."""
        return len(self.rows) > 1 and len(self.rows[0]) > 1


@dataclass(frozen=True, slots=True)
class TextTable:
    """The rows of a table, its header first, and the header cells that span several columns."""

    rows: list[list[str]]
    header_rows: int
    merges: list[Merge]


def tidy(rows: Sequence[Sequence[str]], places: Sequence[RowPlace] = (), merges: Sequence[Merge] = ()) -> ParsedGrid:
    """The table with normalized white space, rows of one width, and no rows or columns without text."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max(map(len, cells), default=0)
    padded = [row + [""] * (width - len(row)) for row in cells]
    columns = [column for column in range(width) if any(row[column] for row in padded)]
    row_numbers = [number for number, row in enumerate(padded) if any(row)]
    return ParsedGrid(
        tuple(tuple(padded[number][column] for column in columns) for number in row_numbers),
        tuple(places[number] for number in row_numbers) if places else (),
        tuple(moved_merge for merge in merges if (moved_merge := _move_merge(merge, row_numbers, columns)) is not None),
    )


def split_date_headers(grid: ParsedGrid, header_rows: int) -> ParsedGrid:
    """The table with each header cell of several dates cut into a date for each of its columns.

    "July 29, 2023 July 30, 2022" over two columns, of which the second is blank, is split into the first date over
    the first column and the second date over the second. Columns that are empty below the header do not count.
    """
    rows, merges = [list(row) for row in grid.rows], list(grid.merges)
    filled_columns = {column for row in rows[header_rows:] for column, cell in enumerate(row) if cell}
    for number, row in enumerate(rows[:header_rows]):
        for column in range(1, len(row)):
            dates = _split_dates(row[column])
            cell_merges = (merge for merge in merges if (merge.row, merge.column) == (number, column))
            merge = next(cell_merges, None)
            blank_count = next((count for count, cell in enumerate(row[column + 1 :]) if cell), len(row) - column - 1)
            width = merge.columns if merge else 1 + blank_count
            first_column = column
            if len(dates) == 2 and width == 1 and column > 1 and not row[column - 1]:
                first_column, width = column - 1, 2
            columns = range(first_column, first_column + width)
            if (
                len(dates) < 2
                or width % len(dates)
                or not filled_columns.issuperset(columns)
                or (merge and merge.rows > 1)
            ):
                continue
            step = width // len(dates)
            merges = [candidate for candidate in merges if candidate is not merge]
            row[first_column : first_column + width] = [""] * width
            for index, part in enumerate(dates):
                row[first_column + index * step] = part
                if step > 1:
                    merges.append(Merge(number, first_column + index * step, 1, step))
    return ParsedGrid(tuple(map(tuple, rows)), grid.places, tuple(merges))


def _split_dates(text: str) -> list[str]:
    """The dates of a header that contains only dates, each with the same text after it; else nothing."""
    matches = list(_DATE.finditer(text))
    if len(matches) < 2 or matches[0].start():
        return []
    ends = [*(match.start() for match in matches[1:]), len(text)]
    pairs = list(zip(matches, ends, strict=True))
    tails = {text[match.end() : end].strip() for match, end in pairs}
    if len(tails) > 1 or any(_DATE_CONNECTOR.search(tail) for tail in tails):
        return []
    return [text[match.start() : end].strip() for match, end in pairs]


def _move_merge(merge: Merge, rows: Sequence[int], columns: Sequence[int]) -> Merge | None:
    """A merge counted in the rows and columns that are kept; None if it covers only one of their places."""
    first_row, first_column = bisect_left(rows, merge.row), bisect_left(columns, merge.column)
    if rows[first_row : first_row + 1] != [merge.row] or columns[first_column : first_column + 1] != [merge.column]:
        return None
    height = bisect_left(rows, merge.row + merge.rows) - first_row
    width = bisect_left(columns, merge.column + merge.columns) - first_column
    return Merge(first_row, first_column, height, width) if height > 1 or width > 1 else None


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """The number of header rows if the format does not state it: the rows before the first data.

    A row is data if a cell after the first is a number that is not a year. A table without such a row has one header
    row. A table has none if its first row has a label and amounts, grouped or with a currency sign, which no header
    has. In a table of two columns that begins with a label, as a form does, labels below it are not header rows.
    """
    for number, row in enumerate(rows):
        if any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in row[1:]):
            is_form = len(row) == 2 and rows[0][0]
            max_rows = 1 + len(list(takewhile(_has_no_label, rows[1:number]))) if is_form else _MAX_HEADER_ROWS
            return min(max(number, 0 if _is_data(row) else 1), max_rows)
    return count_header_rows(rows, 1)


def count_header_rows(rows: Sequence[Sequence[str]], marked_rows: int) -> int:
    """The header rows that a format marks, and the row below a single one that names the columns it leaves blank.

    CSV and Markdown have one row for "2022" above "Q1" to "Q4". Figures must follow the second row. A row of only units
    in brackets, below words in all its columns, belongs to the header as well.
    """
    if marked_rows != 1 or len(rows) <= _MIN_BODY_ROWS:
        return marked_rows
    first, second, *body = (row[1:] for row in rows)
    is_heading = 0 < sum(map(bool, first)) < len(first) and all(second)
    are_words = not any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in second)
    cells_below = [cell for row in body[:_MIN_BODY_ROWS] for cell in row if cell]
    are_figures = all(_NUMBER.match(cell) or HOUR.fullmatch(cell) for cell in cells_below)
    are_units = sum(map(bool, second)) > 1 and all(_UNIT_IN_BRACKETS.fullmatch(cell) for cell in second if cell)
    return 1 + int((is_heading and are_words and bool(cells_below) and are_figures) or (are_units and all(first)))


_PAIR_WORDS = tomllib.loads(Path(__file__).with_name("pair_words.toml").read_text(encoding="utf-8"))


def _compile_labels(name: str) -> re.Pattern[str]:
    """A pattern of the label words of a name: whole words, ends of compounds, and Chinese."""
    lists = _PAIR_WORDS[name]
    words, ends = ("|".join(map(re.escape, lists[key])) for key in ("words", "endings"))
    parts = [rf"(?<!\w)(?:{words})(?!\w)", *([rf"(?:{ends})(?!\w)"] if ends else []), *lists["chinese"]]
    return re.compile("|".join(parts), re.IGNORECASE)


_ATTRIBUTE, _TIME_LABEL, _PAIR_HEADER = map(_compile_labels, ("attributes", "times", "headers"))
_MOMENT = re.compile(
    rf"(?:{_DATE.pattern}|\d{{4}}-\d\d?-\d\d?|\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{2,4}}|\d{{1,2}}\.?\s[^\W\d_]{{3,10}}\.?\s\d{{4}}"
    r"|\d{1,2}:\d\d|[QH][1-4]\b)",
    re.IGNORECASE,
)
_NUMBERED_COLUMN = re.compile(r"[^\W\d_]+\s?\d{1,2}")  # A numbered column: "Game 1".
_SPECIFIC_WORD = re.compile(r"[^\W\d_]{4}|\b[^\W\d_a-z](?![A-Z])[^\W\d_]|[\u3400-\u9fff]")
_NUMBER_LABEL = re.compile(r"\b(?:no|nr|number|id|code|\w*nummer|num[ée]ro|número|n[°º])\b\W*\Z|号", re.IGNORECASE)
"""A label of a number that is no year even if it has the form of one: "Invoice no. | 2024"."""
_MAX_PAIRS = 40  # The most rows of a table of names and values.
_MIN_VARIED_NAMES = 4  # Different words for single values among labels of different kinds.


def names_value(label: str) -> bool:
    """Whether a label ends with a colon or has words for a single value: "Invoice number", "Account"."""
    return label.endswith((":", "：")) or _ATTRIBUTE.search(label) is not None


def are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows of two columns are names and their values from the first on: a table without a header.

    Their labels are all different. All end with a colon; or the first and half of all consist of words for single
    values ("Invoice number", "Due date"); or the first value has figures and the others are of several kinds. A first
    row is a header if its value consists of such words ("Amount"), or is a unit, a time whose label is no word for a
    time, the number of a column, or words above only figures.
    """
    if not 1 < len(rows) <= _MAX_PAIRS or len(rows[0]) != 2:
        return False
    (label, value), *body = rows
    labels = [row[0].casefold() for row in rows]
    kinds = {_classify_value(cell) for _, cell in body if cell}
    if not label or not value or not all(labels) or len(set(labels)) < len(rows) or not kinds:
        return False
    if all(label.endswith((":", "：")) for label in labels):
        return True
    first_kind = "figure" if _NUMBER_LABEL.search(label) and value.isdecimal() else _classify_value(value)
    if first_kind == "words":
        is_header = kinds == {"figure"} or not _SPECIFIC_WORD.search(_ATTRIBUTE.sub("", _PAIR_HEADER.sub("", value)))
    elif first_kind == "moment":
        is_header = kinds == {"figure"} or not _TIME_LABEL.search(label)
    else:
        is_header = bool(_NUMBERED_COLUMN.fullmatch(value)) or not any(map(str.isdigit, value.replace("000", "")))
    is_few = len(rows) < _MIN_BODY_ROWS and not (first_kind == "moment" and all(map(_ATTRIBUTE.search, labels)))
    if is_header or is_few or not _SPECIFIC_WORD.search(_PAIR_HEADER.sub("", label)):
        return False
    attribute_sets = [set(map(str.casefold, _ATTRIBUTE.findall(label))) for label in labels]
    is_varied = len(set().union(*attribute_sets)) >= min(len(rows) // 2 + 1, _MIN_VARIED_NAMES)
    if attribute_sets[0] and is_varied and 2 * sum(map(bool, attribute_sets)) >= len(rows):
        return True
    return first_kind == "moment" or (first_kind != "words" and len(kinds) > 1)


def _classify_value(text: str) -> str:
    """Whether a value is a time, a figure, a code of letters and figures, or words."""
    if _MOMENT.match(text):
        return "moment"
    if _NUMBER.match(text):
        return "figure"
    return "code" if any(map(str.isdigit, text)) and " " not in text else "words"


def find_repeats(
    heads: Sequence[HeaderCell], leaves: Sequence[HeaderCell], head_columns: Sequence[int]
) -> list[tuple[int, int]] | None:
    """The columns that each header cell spans, if the labels below the cells repeat under each of them.

    "Q1 Q2 Q3 Q4 Total Q1 Q2" below "2022" and "2023" are two groups of 5 and 2. `head_columns` are the columns of the
    heads, which must be in their groups. The last head spans no label that the others do not have, unless it is known
    to. None if the labels do not repeat. Heads with the same words, without a figure, are the first line of labels that
    continue below.
    """
    texts = [text for text, _, _ in leaves]
    opening_text = next((text for text in texts if text and texts.count(text) == len(heads)), "")
    starts = [index for index, text in enumerate(texts) if text == opening_text]
    if len(heads) < _MIN_REPEATS or len(starts) != len(heads):
        return None
    if len({text for text, _, _ in heads}) == 1 and not any(map(str.isdigit, heads[0][0])):
        return None
    groups = [leaves[start:end] for start, end in pairwise([*starts, len(leaves)])]
    if any(len({text for text, _, _ in group}) < len(group) for group in groups):
        return None
    known_texts = {text for group in groups[:-1] for text, _, _ in group}
    last_leaves = list(takewhile(lambda leaf: leaf[0] in known_texts, groups[-1]))
    spans = [(group[0][1], group[-1][2]) for group in (*groups[:-1], last_leaves)]
    ends = [*(first - 1 for first, _ in spans[1:]), heads[-1][2]]
    spans = [
        (first, max(last, min(head[2], end)) if head[1] == first else last)
        for head, (first, last), end in zip(heads, spans, ends, strict=True)
    ]
    are_inside = all(first <= column <= last for (first, last), column in zip(spans, head_columns, strict=True))
    return spans if are_inside and any(last > first for first, last in spans) else None


def _has_no_label(row: Sequence[str]) -> bool:
    return not row[0]


def _is_data(row: Sequence[str]) -> bool:
    cells = [cell for cell in row[1:] if cell]
    return bool(row[0]) and all(map(_NUMBER.match, cells)) and any(map(_AMOUNT.search, cells))


def find_spanning_heads(rows: Sequence[Sequence[str]], header_rows: int) -> list[Merge]:
    """The cells of all header rows except the last that span the empty ones after them.

    A pipe table cannot mark them; a blank over a column that has a name below belongs to the name before it.
    """
    merges: list[Merge] = []
    for number, row in enumerate(rows[: max(0, header_rows - 1)]):
        starts = [column for column, cell in enumerate(row) if cell and column > 0]
        spans = pairwise([*starts, len(row)])
        merges += (Merge(number, start, 1, end - start) for start, end in spans if end - start > 1)
    return merges


@dataclass(frozen=True, slots=True)
class SpanCell:
    """A cell as written, with the numbers of rows and columns it covers."""

    text: str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A table on its grid: each text once, at the first place of its cell, and the cells that cover more places.

    `header_rows` is None if the format marks none.
    """

    rows: list[list[str]]
    header_rows: int | None
    merges: list[Merge]

    @property
    def is_table(self) -> bool:
        """Whether at least two rows and two columns have words; else it is a frame around its content."""
        rows = [row for row in self.rows if any(text.strip() for text in row)]
        columns = {place for row in rows for place, text in enumerate(row) if text.strip()}
        return len(rows) > 1 and len(columns) > 1


def lay_out(rows: Sequence[Sequence[SpanCell]], header_rows: int | None = None) -> LaidTable:
    """The cells at their places. No row is wider than 200 columns; cells further right join the last cell."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    covered: list[set[int]] = [set() for _ in rows]
    merges: list[Merge] = []
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in covered[number]:
                column += 1
            if column >= _MAX_COLUMNS:
                row_index, column_index = _find_covering_place(merges, number, _MAX_COLUMNS - 1)
                grid[row_index][column_index] = f"{grid[row_index].get(column_index, '')} {cell.text}"
                continue
            merge = _place_cell(covered, number, column, cell)
            grid[number][column] = cell.text
            if merge.rows > 1 or merge.columns > 1:
                merges.append(merge)
            column += merge.columns
    return LaidTable(
        [[row.get(column, "") for column in range(max(row, default=-1) + 1)] for row in grid], header_rows, merges
    )


def _find_covering_place(merges: Sequence[Merge], row: int, column: int) -> tuple[int, int]:
    """The first place of the cell that covers a place."""
    for merge in reversed(merges):
        if 0 <= row - merge.row < merge.rows and 0 <= column - merge.column < merge.columns:
            return merge.row, merge.column
    return row, column


def _place_cell(covered: list[set[int]], number: int, column: int, cell: SpanCell) -> Merge:
    """Marks the cell's places as covered, as many as are free and in the table."""
    width = min(max(cell.columns, 1), _MAX_COLUMNS - column)
    while any(place in covered[number] for place in range(column, column + width)):
        width -= 1
    height = min(max(cell.rows, 1), len(covered) - number)
    for row_index in range(number, number + height):
        covered[row_index].update(range(column, column + width))
    return Merge(number, column, height, width)


def parse_span(value: str | None) -> int:
    """The number in a `rowspan` or `colspan` attribute, 1 if there is no valid one."""
    return max(parse_count(value or ""), 1)


def join_signs(table: LaidTable) -> LaidTable:
    """The table with every column of signs joined to the column of their numbers.

    A currency is before its number, a closing parenthesis or a percent sign after it. A column with any other text
    is kept, unless that is a header over both columns.
    """
    width = max(map(len, table.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in table.rows]
    plain_rows = [[without_marks(cell) for cell in row] for row in rows]
    wide_cells = {(merge.row, merge.column) for merge in table.merges if merge.columns > 1}
    # For each covered place the column with the text of the cell that covers it.
    text_columns = {
        (row, column): merge.column
        for merge in table.merges
        for row in range(merge.row, merge.row + merge.rows)
        for column in range(merge.column + 1, merge.column + merge.columns)
    }
    joined: list[int] = []

    def find_text_place(row: int, column: int) -> int:
        """The column that has the text of the cell at a place."""
        first = text_columns.get((row, column), column)
        return first + 1 if first in joined else first

    for column in range(width):
        header_rows_over = {number for number in range(len(rows)) if (number, column) in wide_cells}
        signs = [row[column].strip() for row in plain_rows]
        previous_columns = [find_text_place(number, column - 1) for number in range(len(rows))] if column else []
        if column + 1 < width and _is_sign_column(
            signs, [row[column + 1].strip() for row in plain_rows], _SIGNS_BEFORE, header_rows_over
        ):
            for row in (*rows, *plain_rows):
                row[column + 1] = " ".join(filter(None, (row[column].strip(), row[column + 1].strip())))
            joined.append(column)
        elif column and column - 1 not in joined:
            numbers = [row[place].strip() for row, place in zip(plain_rows, previous_columns, strict=True)]
            if _is_sign_column(signs, numbers, _SIGNS_AFTER, ()):
                for texts in (rows, plain_rows):
                    for row, place in zip(texts, previous_columns, strict=True):
                        row[place] = row[place].strip() + row[column].strip()
                joined.append(column)
    if not joined:
        return table
    # Merged cells keep their remaining columns.
    merges: list[Merge] = []
    for merge in table.merges:
        first, last = (place - bisect_left(joined, place) for place in (merge.column, merge.column + merge.columns))
        if last - first > 1 or (last > first and merge.rows > 1):
            merges.append(replace(merge, column=first, columns=last - first))
    kept_columns = [column for column in range(width) if column not in joined]
    return LaidTable([[row[column] for column in kept_columns] for row in rows], table.header_rows, merges)


def _is_sign_column(
    signs: Sequence[str], numbers: Sequence[str], known_signs: frozenset[str], header_rows_over: Container[int]
) -> bool:
    """Whether a column has signs, each next to a number or an empty cell, and else only headers over both columns."""
    has_sign = False
    for row_index, (sign, text) in enumerate(zip(signs, numbers, strict=True)):
        if sign in known_signs and (text in ("", "-", "—", "–") or any(map(str.isdigit, text))):
            has_sign = True
        elif sign and not (row_index in header_rows_over and not text):
            return False
    return has_sign
