"""Headers of a table: which cells head each column, where the body begins, and the labels and sections of each row.

Columns are headed by the merges that a format records, else by where the blanks are. A row is headed by its label under
the sections that it stands in, which totals end. Header rows in the midst of a table, years that start anew or a header
that a page break repeats, head what is below them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parsers.table_form import HeaderCell, find_repeats
from tasks.tables.numbers import find_scale, is_figure, is_nil, is_sign, parse_number
from warehouse.records import Table

HeaderPath = tuple[str, ...]


def _list_column_paths(table: Table, first: int, last: int) -> tuple[HeaderPath, ...]:
    """For each column its header texts from the top, none twice in a path; the rows from `first` before `last`.

    A merged cell heads all columns and rows it covers. In a table without merges a blank header cell belongs to a
    neighbour where the row's pattern leaves no doubt; in one with merges, where the labels below it repeat.
    """
    header = [list(row) for row in table.rows[first:last]]
    spans = [merge for merge in table.merges if first <= merge.row < last]
    for merge in spans:
        text = table.rows[merge.row][merge.column]
        for row in header[merge.row - first : merge.row - first + merge.rows]:
            row[merge.column : merge.column + merge.columns] = [text] * merge.columns
    merged = {row - first for merge in spans for row in range(merge.row, merge.row + merge.rows)}
    below: list[HeaderCell] = []
    for number in range(len(header) - 1, -1, -1):
        row = header[number]
        is_centred = bool(below) and _is_centred(row)
        if not spans or is_centred or (below and number not in merged and _find_groups(row, below)):
            header[number] = _fill_blanks(row, below)
        below = _list_runs(header[number], joined=row != header[number] or number in merged)
    return tuple(map(_join_path, zip(*header, strict=True)))


def _join_path(parts: Sequence[str]) -> HeaderPath:
    """The texts of a path without blanks and repetitions."""
    return tuple(dict.fromkeys(stripped for part in parts if (stripped := part.strip())))


def _is_centred(row: Sequence[str]) -> bool:
    """Whether a header row but for its first cell is one time in the middle of its columns."""
    places = [column for column in range(1, len(row)) if row[column].strip()]
    is_one = len({row[place] for place in places}) == 1 and places[0] + places[-1] == len(row)
    return is_one and bool(_DATED.search(row[places[0]]))


def _fill_blanks(row: Sequence[str], below: Sequence[HeaderCell]) -> list[str]:
    """A header row with the blanks that its labels reach over filled; the first column heads the labels of rows.

    A lone label heads every column, in the last row, which has none `below`, only where it names a scale; one that
    reaches over some columns does where it is a time in their middle. Labels head the groups that the labels below them
    make by beginning anew. Labels in even steps, at the start of their groups, in their middle or at their end, head
    groups of that step. Labels from the first column on reach to the right up to the
    next one. Otherwise the blanks stay: a wrong header is worse than none.
    """
    filled, width, is_last = list(row), len(row), not below
    places = [column for column in range(1, width) if row[column].strip()]
    if not places or len(places) == width - 1:
        return filled
    if not is_last and _is_centred(row):
        places = places[:1]
    steps = {after - before for before, after in pairwise(places)}
    lead, trail = places[0] - 1, width - 1 - places[-1]
    groups: list[tuple[int, int, int]] = []  # from `start` before `end`, and the column of the label that heads them
    if not steps:
        if not is_last or find_scale(row[places[0]]) is not None:
            groups = [(1, width, places[0])]
    elif below and (repeats := _find_groups(row, below)):
        groups = [(first, last + 1, place) for (first, last), place in zip(repeats, places, strict=True)]
    elif is_last and lead:
        return filled
    elif len(steps) == 1 and lead + trail + 1 == (step := min(steps)):
        groups = [(place - lead, place - lead + step, place) for place in places]
    elif lead == 0 and not is_last:
        groups = [(before, after, before) for before, after in pairwise(places)]
        groups += [(places[-1], width, places[-1])] if trail < max(steps) else []
    for start, end, label in groups:
        filled[start:end] = [row[label]] * (end - start)
    return filled


def _find_groups(row: Sequence[str], below: Sequence[HeaderCell]) -> list[tuple[int, int]] | None:
    """The columns of each label of a header row but the first, where the labels below begin anew under each."""
    places = [column for column in range(1, len(row)) if row[column].strip()]
    return find_repeats([(row[place], place, place) for place in places], below, places)


def _list_runs(row: Sequence[str], *, joined: bool) -> list[HeaderCell]:
    """The cells of a header row but the first; neighbours that show the same text are one where they are `joined`."""
    runs: list[HeaderCell] = []
    for column, text in enumerate(row[1:], 1):
        if joined and runs and runs[-1][0] == text:
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
"""Rows that stand for the whole statement, not for the section above them, unless that is named for them."""
_NO_SECTION = re.compile(r"^(?:commitments and contingenc|see (?:the )?(?:accompanying )?notes)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")
_EMPTY_WORDS = frozenset(
    ["total", "net", "cash", "flows", "from", "of", "the", "in", "and", "provided", "by", "used", "for", "s"]
)
_LONGEST_SECTION = 120  # In characters; what is longer is a note that somebody put into the table.


def _classify_section(section: str) -> tuple[bool, bool]:
    """Sections of one kind follow each other; of different kinds, capitals hold the others."""
    return section.isupper(), section.rstrip().endswith((":", "："))


def is_total(label: str) -> bool:
    """Whether a row's label says that it is a total."""
    return _TOTAL.search(label.strip().rstrip(":：")) is not None


def _find_section(row: Sequence[str]) -> str:
    """The label of the section that a row opens, which has one text and no figure; empty for other rows."""
    filled = [cell for cell in row if cell]
    if len(filled) != 1 or is_figure(filled[0]) or len(filled[0]) > _LONGEST_SECTION or _NO_SECTION.match(filled[0]):
        return ""
    return filled[0]


def _open_section(sections: list[str], new: str, *, nested: bool) -> list[str]:
    """The open sections once `new` begins; `nested` says that the row above was a section too."""
    same = next(
        (place for place, each in enumerate(sections) if _classify_section(each) == _classify_section(new)), None
    )
    if nested and (same is None or same == len(sections) - 1):
        return [*sections, new]
    if same is not None:
        return [*sections[:same], new]
    return [new] if new.isupper() else [*(each for each in sections if each.isupper()), new]


def _close_sections(sections: list[str], label: str) -> tuple[list[str], list[str]]:
    """The sections that a row of this label stands in, and those still open below it.

    "Total current assets" speaks of "Current assets:", whose end it is, and of "Assets", which goes on.
    """
    named = _list_content_words(label)
    if not label or (is_total(label) and not named):
        return sections, sections[:-1]
    if not is_total(label) and not _RESULT.match(label):
        return sections, sections
    for place in range(len(sections) - 1, -1, -1):
        own = _list_content_words(sections[place])
        if own and named and (own <= named or named <= own):
            return sections[: place + 1], sections[: place + 1 if own < named else place]
    return [], []


def _list_content_words(label: str) -> frozenset[str]:
    return frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS - set("合计总小計總")


_MOST_LABELS = 4


def count_label_columns(table: Table) -> int:
    """How many first columns hold labels: the first, and those after it without a figure where later ones have some.

    Where many columns are without, the second tells the rows apart that one cell of the first stands beside.
    """
    first = find_first_body_row(table)
    body = table.rows[first:]
    for column in range(1, min(_MOST_LABELS, len(table.rows[0]))):
        filled = [row[column] for row in body if row[column]]
        few = len(filled) * 2 < sum(bool(row[0]) for row in body)
        if few or any(is_figure(cell) or is_sign(cell) for cell in filled):
            return column
        if not any(is_figure(cell) for row in body for cell in row[column + 1 :]):
            return 1
    tall = any(merge.column == 0 and merge.rows > 1 and merge.row + merge.rows > first for merge in table.merges)
    return 1 + int(tall and len(table.rows[0]) > _MOST_LABELS)


def list_row_paths(table: Table, labels: int) -> tuple[HeaderPath, ...]:
    """For each row its section labels and its own label or labels, outermost first; nothing for header rows.

    A section is a row with one text and no figure. It heads the rows below it until the next of its kind, or until a
    total that names it; a total that names no open section stands outside them. One directly below another stands
    inside it.
    """
    heads, body = find_header_end(table), find_first_body_row(table)
    names = _find_name_column(table, labels)
    paths: list[HeaderPath] = [()] * heads
    open_sections: list[str] = []
    followed = False
    rows = _with_merged_labels(table, labels)[heads:]
    known = Counter(row[0] for row in rows)
    for row in rows:
        section = _find_section(row)
        if section:
            open_sections = _open_section(open_sections, section, nested=followed)
            paths.append(tuple(open_sections))
        else:
            own = _join_path([*row[:labels], *row[names : names + 1]]) or _find_later_label(row[labels:])
            goes_on = followed and own and own[0][:1].islower() and known[own[0]] < 2
            if goes_on and _classify_section(open_sections[-1]) == (False, False):
                own = (f"{open_sections.pop()} {own[0]}", *own[1:])
            above = open_sections
            if not followed:
                above, open_sections = _close_sections(open_sections, own[0] if own else "")
            paths.append(_join_path([*above, *own]))
        followed = bool(section)
    return (*((),) * body, *paths[body:])


def _find_name_column(table: Table, labels: int) -> int:
    """The column of the names of rows that begin with figures, as results do with ranks; else one beyond all.

    Its cells are words, most of them different.
    """
    body, width = table.rows[find_first_body_row(table) :], len(table.rows[0])
    firsts = [row[0] for row in body if row[0]]
    if labels > 1 or len(firsts) < _FEWEST_NUMBERED or not all(map(_ROW_NUMBER.fullmatch, firsts)):
        return width
    if any(map(_YEAR.fullmatch, firsts)):
        return width
    for column in range(1, min(_MOST_BEFORE_NAMES, width)):
        cells = [row[column] for row in body if row[column]]
        worded = all(_NAME.search(cell) and not is_figure(cell) for cell in cells)
        if worded and 2 * len(cells) > len(body) and len(set(cells)) >= _MOSTLY * len(cells):
            return column
    return width


def _find_later_label(cells: Sequence[str]) -> HeaderPath:
    """The label of a row whose cells for labels are empty: the text right before its figures, "Total" of an invoice."""
    shown = [text for cell in cells if (text := cell.strip())]
    figures = [is_nil(text) or parse_number(text) is not None for text in shown]
    is_label = any(figures) and not figures[0] and not is_sign(shown[0]) and any(map(str.isalpha, shown[0]))
    return (shown[0],) if is_label else ()


def find_first_body_row(table: Table) -> int:
    """The first row below the header. A first row of figures is no header, though a table without one is given one."""
    header = table.rows[: table.header_rows]
    return next((number for number, row in enumerate(header) if _is_data(row)), table.header_rows)


def _is_data(row: Sequence[str]) -> bool:
    """Whether a row has a label and figures such as no column header is: amounts, negative or grouped.

    1, 2.0, 5%, 2019 and $000 are headers too, and so are (1), (2) and (3) side by side.
    """
    found = [parse_number(cell) for cell in row[1:] if cell and not is_nil(cell)]
    figures = [each for each in found if each is not None]
    plain = [each for each in figures if each.printed and not each.unit]
    counted = [-place for place in range(1, len(found) + 1)]
    if not row[0] or len(plain) < len(found) or [each.printed for each in plain] == counted:
        return False
    return any(each.currency or each.grouped or each.printed < 0 for each in plain)


def find_header_end(table: Table) -> int:
    """The first row below the column headers: a header's last rows that hold one label at the left are sections."""
    end = find_first_body_row(table)
    while end > 1 and (text := _find_section(table.rows[end - 1])) and find_scale(text) is None:
        if not table.rows[end - 1][0] and not text.endswith((":", "：")):
            break
        end -= 1
    return end if any(cell for row in table.rows[:end] for cell in row[1:]) else find_first_body_row(table)


def _with_merged_labels(table: Table, labels: int) -> list[list[str]]:
    """The rows with the label of a merged cell in all rows it covers.

    In tables that record no merges a blank first label beside others repeats the one above, but no number of a row.
    """
    rows, body = [list(row) for row in table.rows], find_first_body_row(table)
    merged = [merge for merge in table.merges if merge.column < labels and merge.row >= body]
    for merge in merged:
        for row in rows[merge.row : merge.row + merge.rows]:
            row[merge.column] = table.rows[merge.row][merge.column]
    if labels > 1 and not table.merges:
        for above, row in zip(rows[body:], rows[body + 1 :], strict=False):
            if not row[0] and any(row[1:labels]) and not _ROW_NUMBER.fullmatch(above[0]):
                row[0] = above[0]
    return rows


_FEWEST_NUMBERED, _MOST_BEFORE_NAMES, _MOSTLY = 2, 6, 0.7
"""Rows with a number, the columns that names may stand in, and the share of names that no other row has."""
_NAME = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_ROW_NUMBER = re.compile(r"[0-9]{1,4}\.?")
_MOST_ROWS = 12  # The rows of a header that head its columns: those nearest to the body.
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
    known = {cell for row in table.rows[: table.header_rows] for cell in row if cell}
    start, body = find_header_end(table), find_first_body_row(table)
    runs = [(0, start)]  # rows that are headers: from the first, before the last
    row = body
    while row < len(table.rows):
        end = row
        while end < len(table.rows) and _is_header(table.rows[end], labels, known):
            end += 1
        if row < end < len(table.rows):
            runs.append((row, end))
        row = end + 1
    if len(runs) > 1 and runs[1][0] == body == start:
        runs[:2] = [(0, runs[1][1])]
    return ColumnHeaders(
        tuple(first for first, _ in runs),
        tuple(_list_column_paths(table, max(first, end - _MOST_ROWS), end) for first, end in runs),
    )


def _is_header(row: Sequence[str], labels: int, known: set[str]) -> bool:
    label, filled = row[0], [cell for cell in row[labels:] if cell]
    if label and label not in known and find_scale(label) is None and not _OPENING.match(label):
        return False
    if not filled or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in filled):
        return False
    heading = [cell for cell in filled if cell in known or cell == "%" or _DATED.search(cell) or find_scale(cell)]
    return len(heading) * 2 >= len(filled)
