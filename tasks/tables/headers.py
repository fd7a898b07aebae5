"""Headers of a table: the cells that head each column, the first row of the body, and the labels and sections of rows.

Column headers follow the merges that a format records, else the blanks. A row is headed by its label and by the
sections that it is in, which totals end. Header rows in the middle of a table (years that start again, or a header that
a page break repeats) head the rows below them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tasks.parsers.table_form import HeaderCell, find_repeats
from tasks.tables.numbers import find_scale, is_figure, is_nil, is_sign, parse_number
from warehouse.records import Table
from warehouse.records.calendars import Interval

HeaderPath = tuple[str, ...]


@dataclass(frozen=True)
class HeaderContext:
    """The times that a table's titles and other headers give, to read one of its headers.

    `titles` are the caption, perhaps empty, and the texts above the table, the nearest first. Years like "2023/24"
    begin with the `first_month`, if it is known. `last_year` is the latest year that a column names and nothing finer.
    `parts` are the periods of quarters, halves and months without a year beside others, by their header paths; those of
    all columns if only a title names one.
    """

    titles: HeaderPath = ("",)
    first_month: int = 0
    last_year: int = 0
    parts: Mapping[HeaderPath, Interval] = field(default_factory=dict)


def _list_column_paths(table: Table, first_row: int, end_row: int) -> tuple[HeaderPath, ...]:
    """For each column its header texts from the top, none twice in a path, of the rows `first_row` to `end_row`.

    A merged cell heads all columns and rows it covers. In a table without merges a blank header cell belongs to a
    neighbour if the row's pattern leaves no doubt; in one with merges, if the labels below it repeat.
    """
    header = [list(row) for row in table.rows[first_row:end_row]]
    merges = [merge for merge in table.merges if first_row <= merge.row < end_row]
    for merge in merges:
        text = table.rows[merge.row][merge.column]
        for row in header[merge.row - first_row : merge.row - first_row + merge.rows]:
            row[merge.column : merge.column + merge.columns] = [text] * merge.columns
    merged_rows = {row - first_row for merge in merges for row in range(merge.row, merge.row + merge.rows)}
    below: list[HeaderCell] = []
    for index in range(len(header) - 1, -1, -1):
        row = header[index]
        is_centred = bool(below) and _is_centred(row)
        if not merges or is_centred or (below and index not in merged_rows and _find_groups(row, below)):
            header[index] = _fill_blanks(row, below)
        below = _list_runs(header[index], is_merged=row != header[index] or index in merged_rows)
    return tuple(map(_join_path, zip(*header, strict=True)))


def _join_path(parts: Sequence[str]) -> HeaderPath:
    """The texts of a path without blanks and repetitions."""
    return tuple(dict.fromkeys(stripped for part in parts if (stripped := part.strip())))


def _is_centred(row: Sequence[str]) -> bool:
    """Whether a header row has, apart from its first cell, only one time in the middle of its columns."""
    columns = [column for column in range(1, len(row)) if row[column].strip()]
    is_one = len({row[index] for index in columns}) == 1 and columns[0] + columns[-1] == len(row)
    return is_one and bool(_DATED.search(row[columns[0]]))


def _fill_blanks(row: Sequence[str], below: Sequence[HeaderCell]) -> list[str]:
    """A header row in which the blanks that a label extends over are filled; the first column heads the rows' labels.

    A single label heads every column; in the last row, which has none `below`, only if it names a scale; a label over
    some columns does so if it is a time in their middle. Labels head the groups that repeat in the labels below them.
    Labels in even steps, at the start, the middle or the end of their groups, head groups of that step. Labels from the
    first column on extend to the right up to the next. Otherwise the blanks stay: a wrong header is worse than none.
    """
    cells, width, is_last = list(row), len(row), not below
    columns = [index for index in range(1, width) if row[index].strip()]
    if not columns or len(columns) == width - 1:
        return cells
    if not is_last and _is_centred(row):
        columns = columns[:1]
    steps = {after - before for before, after in pairwise(columns)}
    lead, trail = columns[0] - 1, width - 1 - columns[-1]
    groups: list[tuple[int, int, int]] = []  # from `start` before `end`, and the column of the label that heads them
    if not steps:
        if not is_last or find_scale(row[columns[0]]) is not None:
            groups = [(1, width, columns[0])]
    elif below and (repeats := _find_groups(row, below)):
        groups = [(first, last + 1, column) for (first, last), column in zip(repeats, columns, strict=True)]
    elif is_last and lead:
        return cells
    elif len(steps) == 1 and lead + trail + 1 == (step := min(steps)):
        groups = [(column - lead, column - lead + step, column) for column in columns]
    elif lead == 0 and not is_last:
        groups = [(before, after, before) for before, after in pairwise(columns)]
        groups += [(columns[-1], width, columns[-1])] if trail < max(steps) else []
    for start, end, label in groups:
        cells[start:end] = [row[label]] * (end - start)
    return cells


def _find_groups(row: Sequence[str], below: Sequence[HeaderCell]) -> list[tuple[int, int]] | None:
    """The columns of each label of a header row except the first, if the labels below repeat under each."""
    columns = [index for index in range(1, len(row)) if row[index].strip()]
    return find_repeats([(row[column], column, column) for column in columns], below, columns)


def _list_runs(row: Sequence[str], *, is_merged: bool) -> list[HeaderCell]:
    """The cells of a header row except the first; `is_merged` makes neighbours with the same text one cell."""
    runs: list[HeaderCell] = []
    for column, text in enumerate(row[1:], 1):
        if is_merged and runs and runs[-1][0] == text:
            runs[-1] = text, runs[-1][1], column
        else:
            runs.append((text, column, column))
    return runs


_TOTAL = re.compile(
    r"^(?:sub-?)?totals?\b|^net cash\b|\btotals?$|^(?:sum|overall)$|^(?:合计|合計|总计|總計|小计|小計)|[合总小]计$",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"^(?:net (?:income|earnings|loss|profit)|(?:income|earnings|loss|profit) (?:\(loss\) )?(?:before|from|for)"
    r"|operating (?:income|profit)|balances?(?: at| as of|,|$)|comprehensive income"
    r"|(?:basic|diluted) (?:earnings|net|income|loss)|净利润|利润总额|营业利润)",
    re.IGNORECASE,
)
"""Rows that belong to the whole statement, not to the section above them, unless the section has their name."""
_NON_SECTION = re.compile(r"^(?:commitments and contingenc|see (?:the )?(?:accompanying )?notes)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")
_EMPTY_WORDS = frozenset(
    ["total", "net", "cash", "flows", "from", "of", "the", "in", "and", "provided", "by", "used", "for", "s"]
)
_MAX_SECTION_LENGTH = 120  # In characters; a longer text is a note that somebody put into the table.


def _classify_section(section: str) -> tuple[bool, bool]:
    """The kind of a section: those of one kind follow each other; sections in capitals contain the other kinds."""
    return section.isupper(), section.rstrip().endswith((":", "："))


def is_total(label: str) -> bool:
    """Whether a row's label says that it is a total."""
    return _TOTAL.search(label.strip().rstrip(":：")) is not None


def _find_section(row: Sequence[str]) -> str:
    """The label of the section that a row opens, which has one text and no figure; empty for other rows."""
    texts = [cell for cell in row if cell]
    if len(texts) != 1 or is_figure(texts[0]) or len(texts[0]) > _MAX_SECTION_LENGTH or _NON_SECTION.match(texts[0]):
        return ""
    return texts[0]


def _has_year_sections(rows: Sequence[Sequence[str]]) -> bool:
    """Whether years head the rows below them: each is alone in its row, and no total or other year follows it."""
    is_year = [bool(_YEAR.fullmatch(row[0])) for row in rows]
    years = [index for index in range(len(rows)) if is_year[index]]
    heads = all(not any(rows[index][1:]) and index + 1 < len(rows) and not is_year[index + 1] for index in years)
    return bool(years) and heads and not any(is_total(rows[index + 1][0]) for index in years)


def _open_section(sections: list[str], new: str, *, is_nested: bool) -> list[str]:
    """The open sections after `new` begins; `is_nested` says that the row above was a section too."""
    index = next(
        (number for number, name in enumerate(sections) if _classify_section(name) == _classify_section(new)), None
    )
    if is_nested and (index is None or index == len(sections) - 1):
        return [*sections, new]
    if index is not None:
        return [*sections[:index], new]
    return [new] if new.isupper() else [*(name for name in sections if name.isupper()), new]


def _close_sections(sections: list[str], label: str) -> tuple[list[str], list[str]]:
    """The sections that a row with this label is in, and those still open below it.

    "Total current assets" is in "Current assets:", which it ends, and in "Assets", which continues.
    """
    total_words = _list_content_words(label)
    if not label or (is_total(label) and not total_words):
        return sections, sections[:-1]
    if not is_total(label) and not _RESULT.match(label):
        return sections, sections
    for index in range(len(sections) - 1, -1, -1):
        section_words = _list_content_words(sections[index])
        if section_words and total_words and (section_words <= total_words or total_words <= section_words):
            return sections[: index + 1], sections[: index + 1 if section_words < total_words else index]
    return [], []


def _list_content_words(label: str) -> frozenset[str]:
    return frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS - set("合计总小計總")


_MAX_LABEL_COLUMNS = 4


def count_label_columns(table: Table) -> int:
    """The number of first columns that hold labels: the first, and those without figures if later ones have some.

    If many columns have none, the second distinguishes the rows that share one merged cell of the first.
    """
    first = find_first_body_row(table)
    body = table.rows[first:]
    for column in range(1, min(_MAX_LABEL_COLUMNS, len(table.rows[0]))):
        texts = [row[column] for row in body if row[column]]
        is_sparse = len(texts) * 2 < sum(bool(row[0]) for row in body)
        if is_sparse or any(is_figure(cell) or is_sign(cell) for cell in texts):
            return column
        if not any(is_figure(cell) for row in body for cell in row[column + 1 :]):
            return 1
    is_tall = any(merge.column == 0 and merge.rows > 1 and merge.row + merge.rows > first for merge in table.merges)
    return 1 + int(is_tall and len(table.rows[0]) > _MAX_LABEL_COLUMNS)


def list_row_paths(table: Table, labels: int) -> tuple[HeaderPath, ...]:
    """For each row its section labels and its own label or labels, outermost first; nothing for header rows.

    A section is a row with one text and no figure. It heads the rows below it until the next of its kind, or until a
    total that names it; a total that names no open section is outside them. A section directly below another is inside
    it.
    """
    header_rows, body = find_header_end(table), find_first_body_row(table)
    name_column = _find_name_column(table, labels)
    paths: list[HeaderPath] = [()] * header_rows
    open_sections: list[str] = []
    is_after_section = False
    rows = _repeat_merged_labels(table, labels)[header_rows:]
    label_counts = Counter(row[0] for row in rows)
    has_year_sections = _has_year_sections(rows)
    for row in rows:
        section = row[0] if has_year_sections and _YEAR.fullmatch(row[0]) else _find_section(row)
        if section:
            open_sections = _open_section(open_sections, section, is_nested=is_after_section)
            paths.append(tuple(open_sections))
        else:
            row_path = _join_path([*row[:labels], *row[name_column : name_column + 1]]) or _find_later_label(
                row[labels:]
            )
            continues_section = (
                is_after_section and row_path and row_path[0][:1].islower() and label_counts[row_path[0]] < 2
            )
            is_wrapped = continues_section and not _YEAR.fullmatch(open_sections[-1])  # No label goes on from "2023".
            if is_wrapped and _classify_section(open_sections[-1]) == (False, False):
                row_path = (f"{open_sections.pop()} {row_path[0]}", *row_path[1:])
            row_sections = open_sections
            if not is_after_section:
                row_sections, open_sections = _close_sections(open_sections, row_path[0] if row_path else "")
            paths.append(_join_path([*row_sections, *row_path]))
        is_after_section = bool(section)
    return (*((),) * body, *paths[body:])


def _find_name_column(table: Table, labels: int) -> int:
    """The column with the names of rows that begin with numbers, as results do with ranks; else one after the last.

    Its cells are words, most of them different.
    """
    body, width = table.rows[find_first_body_row(table) :], len(table.rows[0])
    numbers = [row[0] for row in body if row[0]]
    if labels > 1 or len(numbers) < _MIN_NUMBERED or not all(map(_ROW_NUMBER.fullmatch, numbers)):
        return width
    if any(map(_YEAR.fullmatch, numbers)):
        return width
    for column in range(1, min(_MAX_NAME_COLUMN, width)):
        cells = [row[column] for row in body if row[column]]
        are_names = all(_NAME.search(cell) and not is_figure(cell) for cell in cells)
        if are_names and 2 * len(cells) > len(body) and len(set(cells)) >= _MIN_DISTINCT_SHARE * len(cells):
            return column
    return width


def _find_later_label(cells: Sequence[str]) -> HeaderPath:
    """The label of a row whose label cells are empty: the text right before its figures, as "Total" in an invoice."""
    texts = [text for cell in cells if (text := cell.strip())]
    figures = [is_nil(text) or parse_number(text) is not None for text in texts]
    is_label = any(figures) and not figures[0] and not is_sign(texts[0]) and any(map(str.isalpha, texts[0]))
    return (texts[0],) if is_label else ()


def find_first_body_row(table: Table) -> int:
    """The first row below the header. A first row of figures is no header, though a table without one is given one."""
    header = table.rows[: table.header_rows]
    return next((number for number, row in enumerate(header) if _is_data(row)), table.header_rows)


def _is_data(row: Sequence[str]) -> bool:
    """Whether a row has a label and figures that cannot be column headers: amounts, negative or grouped figures.

    1, 2.0, 5%, 2019 and $000 can be headers, and so can (1), (2) and (3) side by side.
    """
    numbers = [parse_number(cell) for cell in row[1:] if cell and not is_nil(cell)]
    figures = [figure for figure in numbers if figure is not None]
    unitless = [figure for figure in figures if figure.printed and not figure.unit]
    column_numbers = [-index for index in range(1, len(numbers) + 1)]
    if not row[0] or len(unitless) < len(numbers) or [figure.printed for figure in unitless] == column_numbers:
        return False
    return any(figure.currency or figure.grouped or figure.printed < 0 for figure in unitless)


def find_header_end(table: Table) -> int:
    """The first row below the column headers: a header's last rows that hold one label at the left are sections."""
    end = find_first_body_row(table)
    while end > 1 and (text := _find_section(table.rows[end - 1])) and find_scale(text) is None:
        if not table.rows[end - 1][0] and not text.endswith((":", "：")):
            break
        end -= 1
    return end if any(cell for row in table.rows[:end] for cell in row[1:]) else find_first_body_row(table)


def _repeat_merged_labels(table: Table, labels: int) -> list[list[str]]:
    """The rows with the label of a merged cell in all rows that it covers.

    In tables without merges a blank first label beside other labels repeats the one above, unless that is a row number.
    """
    rows, body = [list(row) for row in table.rows], find_first_body_row(table)
    merges = [merge for merge in table.merges if merge.column < labels and merge.row >= body]
    for merge in merges:
        for row in rows[merge.row : merge.row + merge.rows]:
            row[merge.column] = table.rows[merge.row][merge.column]
    if labels > 1 and not table.merges:
        for above, row in zip(rows[body:], rows[body + 1 :], strict=False):
            if not row[0] and any(row[1:labels]) and not _ROW_NUMBER.fullmatch(above[0]):
                row[0] = above[0]
    return rows


_MIN_NUMBERED, _MAX_NAME_COLUMN, _MIN_DISTINCT_SHARE = 2, 6, 0.7
"""The fewest rows with a number, the last column that names may be in, and the least share of different names."""
_NAME = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_ROW_NUMBER = re.compile(r"[0-9]{1,4}\.?")
_MAX_HEADER_ROWS = 12  # The rows of a header that head its columns: those nearest to the body.
_YEAR = re.compile(r"(?:FY|CY)?\s?(?:19|20)[0-9]{2}(?:年度?)?")
_DATED = re.compile(
    r"(?<![0-9,.])(?:19|20)[0-9]{2}(?![0-9,])|\b[QH][1-4]\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
    r"|\b(?:months|weeks|years?|quarter) (?:ended|ending)\b|[0-9一二三四]季度|月",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:as (?:of|at)\b|(?:for )?(?:the )?.{0,20}\b(?:ended|ending)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ColumnHeaders:
    """The column headers of a table, which may change on the way down."""

    starts: tuple[int, ...]
    paths: tuple[tuple[HeaderPath, ...], ...]

    def get_paths(self, row: int) -> tuple[HeaderPath, ...]:
        """The header path of each column for a row: the last header above it."""
        return self.paths[max(0, bisect_right(self.starts, row) - 1)]


def find_headers(table: Table, labels: int) -> ColumnHeaders:
    """The table's own header and those within its body; `labels` is how many first columns hold labels."""
    header_texts = {cell for row in table.rows[: table.header_rows] for cell in row if cell}
    start, body = find_header_end(table), find_first_body_row(table)
    runs = [(0, start)]  # rows that are headers: from the first, before the last
    row = body
    while row < len(table.rows):
        end = row
        while end < len(table.rows) and _is_header(table.rows[end], labels, header_texts):
            end += 1
        if row < end < len(table.rows):
            runs.append((row, end))
        row = end + 1
    if len(runs) > 1 and runs[1][0] == body == start:
        runs[:2] = [(0, runs[1][1])]
    return ColumnHeaders(
        tuple(first for first, _ in runs),
        tuple(_list_column_paths(table, max(first, end - _MAX_HEADER_ROWS), end) for first, end in runs),
    )


def _is_header(row: Sequence[str], labels: int, header_texts: set[str]) -> bool:
    label, texts = row[0], [cell for cell in row[labels:] if cell]
    if label and label not in header_texts and find_scale(label) is None and not _OPENING.match(label):
        return False
    if not texts or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in texts):
        return False
    header_cells = [
        cell for cell in texts if cell in header_texts or cell == "%" or _DATED.search(cell) or find_scale(cell)
    ]
    return len(header_cells) * 2 >= len(texts)


_NAMED_THING = re.compile(
    r"\s*(?:senior|convertible|notes?|bonds?|plans?|acts?|program(?:me)?s?|agreements?|facilit|debentures?|term loan"
    r"|credit|indenture|awards?|grants?|series|tranche|repurchase|acquisitions?|restructuring|equity|directors?)\b",
    re.IGNORECASE,
)
"""A word after a year that makes it the name of a thing, not a time ("2018 Plan")."""
_OPEN_TIME_LEAD = re.compile(
    r"\b(?:after|before|beyond|since|until|through|prior to|due|expir\w+)(?: in)?[\s:(]*$", re.IGNORECASE
)
_OPEN_TIME_TAIL = re.compile(
    r"\s*(?:(?:and|or|&)\s(?:thereafter|beyond|after|later|earlier|prior|before|subsequent)|\+|[及和]?以[后後前]"
    r"|[0-9]{1,2}\s?[-–~至]|止)",
    re.IGNORECASE,
)
"""Text after a date that is the end of an open time, or only the beginning of an expression that is not understood."""
_LABEL_BEFORE_DATE = re.compile(
    r"(?:|.*(?:\b(?:at|as of|on|ended|ending|for|in|during)|[:,(–—-]))\s*(?:the )?"
    r"(?:(?:total|fiscal|calendar|balances?|years?|quarter|period|month|actual|forecast)\s?)*",
    re.IGNORECASE,
)
"""Text that may precede a date in a row's label for the row to be of that date."""
_LABEL_AFTER_DATE = re.compile(r"(?:[\s)*†‡:,.;¹²³⁴⁵⁶⁷⁸⁹]|\([^)]{0,30}\)|\[[^\]]{0,9}\]|年?[末底]|余额|合计)*")


def is_named_time(start: int, end: int, text: str) -> bool:
    """Whether the text from `start` to `end` is a time, and not part of a name or an open time."""
    after = text[end:]
    return not (_NAMED_THING.match(after) or _OPEN_TIME_TAIL.match(after) or _OPEN_TIME_LEAD.search(text[:start]))


def is_time_label(start: int, end: int, text: str) -> bool:
    """Whether a row's label contains nothing but the time from `start` to `end`."""
    fills = _LABEL_BEFORE_DATE.fullmatch(text[:start]) and _LABEL_AFTER_DATE.fullmatch(text[end:])
    return bool(fills) and is_named_time(start, end, text)
