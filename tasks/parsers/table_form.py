"""The form in which a table stands in the text: cells that span others laid out on a plain grid, then tidied.

Cells are laid out by HTML 5, 4.9.12. Columns that only hold the sign of a number, as filings set them, join it:
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
from tasks.parsers.text_marks import without_marks
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
_BOTH = re.compile(r"\b(?:vs?|versus|to|through|and|or|from)\b|[-–—&至与和]", re.IGNORECASE)
_BRACKET = re.compile(r"[(\[](?=[^()\[\]]*(?:[^\W\d_]|%))[^()\[\]]{1,20}[)\]]")
_MAX_HEADER_ROWS = 4  # Rows that are guessed to be a header.
_MAX_COLUMNS = 200  # Columns of a table; what stands further right joins the last one.
_FEW_ROWS = 3  # Two rows of a header and a row of figures, or rows of figures that are looked at.
_MIN_REPEATS = 2  # Groups of columns that have the same labels.
_BEFORE = frozenset(["$", "€", "£", "¥", "(", "$(", "$ (", "US$", "C$", "A$", "HK$", "RMB"])
_AFTER = frozenset([")", "%", ")%", ") %", "*", "†"])


HeaderCell = tuple[str, int, int]
"""The words of a cell of a header, and its first and last columns."""


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where a row stands: its page and its box there."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class ParsedGrid:
    """Rectangular rows of tidy cells, the place of each row if it has one, and which cells reach further."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[RowPlace, ...] = ()
    merges: tuple[Merge, ...] = ()

    @property
    def is_table(self) -> bool:
        """At least two rows and two columns."""
        return len(self.rows) > 1 and len(self.rows[0]) > 1


@dataclass(frozen=True, slots=True)
class TextTable:
    """The rows of a table, its header first, and the cells of the header that reach over several columns."""

    rows: list[list[str]]
    header_rows: int
    merges: list[Merge]


def tidy(rows: Sequence[Sequence[str]], places: Sequence[RowPlace] = (), merges: Sequence[Merge] = ()) -> ParsedGrid:
    """White space squeezed, rows padded to one width, rows and columns without any text dropped."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max(map(len, cells), default=0)
    padded = [row + [""] * (width - len(row)) for row in cells]
    columns = [column for column in range(width) if any(row[column] for row in padded)]
    kept = [number for number, row in enumerate(padded) if any(row)]
    return ParsedGrid(
        tuple(tuple(padded[number][column] for column in columns) for number in kept),
        tuple(places[number] for number in kept) if places else (),
        tuple(moved for merge in merges if (moved := _move_merge(merge, kept, columns)) is not None),
    )


def with_dates_apart(grid: ParsedGrid, header_rows: int) -> ParsedGrid:
    """The table with each header cell that runs several dates together cut, a date for each column that it heads.

    "July 29, 2023 July 30, 2022" over two columns, the second blank, heads the one with the first date and the other
    with the second. Columns without anything below the header are no such columns.
    """
    rows, merges = [list(row) for row in grid.rows], list(grid.merges)
    filled = {column for row in rows[header_rows:] for column, cell in enumerate(row) if cell}
    for number, row in enumerate(rows[:header_rows]):
        for column in range(1, len(row)):
            dates = _split_dates(row[column])
            merge = next((each for each in merges if (each.row, each.column) == (number, column)), None)
            blanks = next((n for n, cell in enumerate(row[column + 1 :]) if cell), len(row) - column - 1)
            width = merge.columns if merge else 1 + blanks
            first = column
            if len(dates) == 2 and width == 1 and column > 1 and not row[column - 1]:
                first, width = column - 1, 2
            places = range(first, first + width)
            if len(dates) < 2 or width % len(dates) or not filled.issuperset(places) or (merge and merge.rows > 1):
                continue
            step = width // len(dates)
            merges = [each for each in merges if each is not merge]
            row[first : first + width] = [""] * width
            for place, part in enumerate(dates):
                row[first + place * step] = part
                if step > 1:
                    merges.append(Merge(number, first + place * step, 1, step))
    return ParsedGrid(tuple(map(tuple, rows)), grid.places, tuple(merges))


def _split_dates(text: str) -> list[str]:
    """The dates that a header runs together, each with what follows it alike; nothing where it says anything else."""
    found = list(_DATE.finditer(text))
    if len(found) < 2 or found[0].start():
        return []
    ends = [*(match.start() for match in found[1:]), len(text)]
    pairs = list(zip(found, ends, strict=True))
    tails = {text[match.end() : end].strip() for match, end in pairs}
    if len(tails) > 1 or any(_BOTH.search(tail) for tail in tails):
        return []
    return [text[match.start() : end].strip() for match, end in pairs]


def _move_merge(merge: Merge, rows: Sequence[int], columns: Sequence[int]) -> Merge | None:
    """A merge counted in the rows and columns that are kept; None where it covers only one place of them."""
    row, column = bisect_left(rows, merge.row), bisect_left(columns, merge.column)
    if rows[row : row + 1] != [merge.row] or columns[column : column + 1] != [merge.column]:
        return None
    height = bisect_left(rows, merge.row + merge.rows) - row
    width = bisect_left(columns, merge.column + merge.columns) - column
    return Merge(row, column, height, width) if height > 1 or width > 1 else None


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows are the header, where the format does not say: those before the first data.

    A row is data where a cell after the first is a number that is not a year. A table without such a row has one
    header row. A table has none if its first row has a label and amounts beside it, grouped or with a currency sign,
    as no header has. In a table of two columns that begins with a label, as a form does, labels below it are no header.
    """
    for number, row in enumerate(rows):
        if any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in row[1:]):
            is_form = len(row) == 2 and rows[0][0]
            most = 1 + len(list(takewhile(_has_no_label, rows[1:number]))) if is_form else _MAX_HEADER_ROWS
            return min(max(number, 0 if _is_data(row) else 1), most)
    return count_header_rows(rows, 1)


def count_header_rows(rows: Sequence[Sequence[str]], marked: int) -> int:
    """The header rows that a format marks, and the row below a single one that names what the first leaves blank.

    CSV and Markdown have one row for "2022" above "Q1" to "Q4". Below the second one stand figures. A row of
    nothing but units in brackets, below words in all its columns, is of the header as well.
    """
    if marked != 1 or len(rows) <= _FEW_ROWS:
        return marked
    first, second, *body = (row[1:] for row in rows)
    heads = 0 < sum(map(bool, first)) < len(first) and all(second)
    words = not any(_NUMBER.match(cell) and not _YEAR.match(cell) for cell in second)
    below = [cell for row in body[:_FEW_ROWS] for cell in row if cell]
    are_figures = all(_NUMBER.match(cell) or HOUR.fullmatch(cell) for cell in below)
    are_units = sum(map(bool, second)) > 1 and all(_BRACKET.fullmatch(cell) for cell in second if cell)
    return 1 + int((heads and words and bool(below) and are_figures) or (are_units and all(first)))


_PAIR_WORDS = tomllib.loads(Path(__file__).with_name("pair_words.toml").read_text(encoding="utf-8"))


def _compile_labels(name: str) -> re.Pattern[str]:
    """The words of labels of a name, whole, at the end of a compound, or in Chinese."""
    lists = _PAIR_WORDS[name]
    whole, ends = ("|".join(map(re.escape, lists[each])) for each in ("words", "endings"))
    parts = [rf"(?<!\w)(?:{whole})(?!\w)", *([rf"(?:{ends})(?!\w)"] if ends else []), *lists["chinese"]]
    return re.compile("|".join(parts), re.IGNORECASE)


_ATTRIBUTE, _TIME_LABEL, _PAIR_HEADER = map(_compile_labels, ("attributes", "times", "headers"))
_MOMENT = re.compile(
    rf"(?:{_DATE.pattern}|\d{{4}}-\d\d?-\d\d?|\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{2,4}}|\d{{1,2}}\.?\s[^\W\d_]{{3,10}}\.?\s\d{{4}}"
    r"|\d{1,2}:\d\d|[QH][1-4]\b)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[^\W\d_]+\s?\d{1,2}")  # As columns are: "Game 1".
_SAYS_MORE = re.compile(r"[^\W\d_]{4}|\b[^\W\d_a-z](?![A-Z])[^\W\d_]|[\u3400-\u9fff]")
_MOST_PAIRS = 40  # Rows of a table of names and values.
_SEVERAL_NAMES = 4  # Different words for single values among its labels, which show that each label is of another kind.


def are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows of two columns are names and their values from the first on: a table without a header.

    Their labels are all different. All end with a colon; or the first and half of all are made of words for single
    values ("Invoice number", "Due date"); or the first value has figures and the others are of several kinds. A first
    row is a header where its value is made of such words itself ("Amount"), a unit, a time beside no word for one, the
    number of a column, or words above nothing but figures.
    """
    if not 1 < len(rows) <= _MOST_PAIRS or len(rows[0]) != 2:
        return False
    (label, value), *body = rows
    labels = [row[0].casefold() for row in rows]
    kinds = {_classify_value(each) for _, each in body if each}
    if not label or not value or not all(labels) or len(set(labels)) < len(rows) or not kinds:
        return False
    if all(each.endswith((":", "：")) for each in labels):
        return True
    first = _classify_value(value)
    if first == "words":
        is_head = kinds == {"figure"} or not _SAYS_MORE.search(_ATTRIBUTE.sub("", _PAIR_HEADER.sub("", value)))
    elif first == "moment":
        is_head = kinds == {"figure"} or not _TIME_LABEL.search(label)
    else:
        is_head = bool(_NUMBERED.fullmatch(value)) or not any(map(str.isdigit, value.replace("000", "")))
    if is_head or len(rows) < _FEW_ROWS or not _SAYS_MORE.search(_PAIR_HEADER.sub("", label)):
        return False
    found = [set(map(str.casefold, _ATTRIBUTE.findall(each))) for each in labels]
    is_varied = len(set().union(*found)) >= min(len(rows) // 2 + 1, _SEVERAL_NAMES)
    if found[0] and is_varied and 2 * sum(map(bool, found)) >= len(rows):
        return True
    return first == "moment" or (first != "words" and len(kinds) > 1)


def _classify_value(text: str) -> str:
    """Whether a value is a time, a figure, a code of letters and figures, or words."""
    if _MOMENT.match(text):
        return "moment"
    if _NUMBER.match(text):
        return "figure"
    return "code" if any(map(str.isdigit, text)) and " " not in text else "words"


def find_repeats(
    heads: Sequence[HeaderCell], leaves: Sequence[HeaderCell], homes: Sequence[int]
) -> list[tuple[int, int]] | None:
    """The columns that some header cells reach over, where the labels below them begin anew under each of them.

    "Q1 Q2 Q3 Q4 Total Q1 Q2" below "2022" and "2023" are two groups of 5 and 2. `homes` are the columns that the heads
    stand in, which must lie in their groups. The last head reaches over no label that the others do not have, unless it
    is known to. None where the labels say nothing. The same words again and again, without a figure, are the first line
    of labels that go on below.
    """
    texts = [text for text, _, _ in leaves]
    opening = next((text for text in texts if text and texts.count(text) == len(heads)), "")
    starts = [place for place, text in enumerate(texts) if text == opening]
    if len(heads) < _MIN_REPEATS or len(starts) != len(heads):
        return None
    if len({text for text, _, _ in heads}) == 1 and not any(map(str.isdigit, heads[0][0])):
        return None
    groups = [leaves[start:end] for start, end in pairwise([*starts, len(leaves)])]
    if any(len({text for text, _, _ in group}) < len(group) for group in groups):
        return None
    known = {text for group in groups[:-1] for text, _, _ in group}
    kept = list(takewhile(lambda leaf: leaf[0] in known, groups[-1]))
    spans = [(group[0][1], group[-1][2]) for group in (*groups[:-1], kept)]
    ends = [*(first - 1 for first, _ in spans[1:]), heads[-1][2]]
    spans = [
        (first, max(last, min(head[2], end)) if head[1] == first else last)
        for head, (first, last), end in zip(heads, spans, ends, strict=True)
    ]
    inside = all(first <= home <= last for (first, last), home in zip(spans, homes, strict=True))
    return spans if inside and any(last > first for first, last in spans) else None


def _has_no_label(row: Sequence[str]) -> bool:
    return not row[0]


def _is_data(row: Sequence[str]) -> bool:
    beyond = [cell for cell in row[1:] if cell]
    return bool(row[0]) and all(map(_NUMBER.match, beyond)) and any(map(_AMOUNT.search, beyond))


def find_spanning_heads(rows: Sequence[Sequence[str]], header_rows: int) -> list[Merge]:
    """The cells of all header rows but the last that reach over the empty ones beside them.

    A pipe table has no way to say so; a blank over a column that has a name below stands for the name before it.
    """
    merges: list[Merge] = []
    for number, row in enumerate(rows[: max(0, header_rows - 1)]):
        starts = [column for column, cell in enumerate(row) if cell and column > 0]
        spans = pairwise([*starts, len(row)])
        merges += (Merge(number, start, 1, end - start) for start, end in spans if end - start > 1)
    return merges


@dataclass(frozen=True, slots=True)
class SpanCell:
    """A cell as written: how many rows and columns it covers."""

    text: str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A table on its grid: each text once, at the first place of its cell, and the cells that cover more places.

    `header_rows` is None where the format marks none.
    """

    rows: list[list[str]]
    header_rows: int | None
    merges: list[Merge]

    @property
    def is_table(self) -> bool:
        """Whether words stand in at least two rows and two columns; else it is a frame around its content."""
        rows = [row for row in self.rows if any(text.strip() for text in row)]
        columns = {place for row in rows for place, text in enumerate(row) if text.strip()}
        return len(rows) > 1 and len(columns) > 1


def lay_out(rows: Sequence[Sequence[SpanCell]], header_rows: int | None = None) -> LaidTable:
    """The cells at their places. No row is wider than 200 columns; what stands further right joins the last cell."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    taken: list[set[int]] = [set() for _ in rows]
    merges: list[Merge] = []
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in taken[number]:
                column += 1
            if column >= _MAX_COLUMNS:
                above, left = _find_holder(merges, number, _MAX_COLUMNS - 1)
                grid[above][left] = f"{grid[above].get(left, '')} {cell.text}"
                continue
            merge = _place_cell(taken, number, column, cell)
            grid[number][column] = cell.text
            if merge.rows > 1 or merge.columns > 1:
                merges.append(merge)
            column += merge.columns
    return LaidTable(
        [[row.get(column, "") for column in range(max(row, default=-1) + 1)] for row in grid], header_rows, merges
    )


def _find_holder(merges: Sequence[Merge], row: int, column: int) -> tuple[int, int]:
    """The first place of the cell that covers a place."""
    for merge in reversed(merges):
        if 0 <= row - merge.row < merge.rows and 0 <= column - merge.column < merge.columns:
            return merge.row, merge.column
    return row, column


def _place_cell(taken: list[set[int]], number: int, column: int, cell: SpanCell) -> Merge:
    """Takes the cell's places, as many as are free and in the table."""
    width = min(max(cell.columns, 1), _MAX_COLUMNS - column)
    while any(place in taken[number] for place in range(column, column + width)):
        width -= 1
    height = min(max(cell.rows, 1), len(taken) - number)
    for below in range(number, number + height):
        taken[below].update(range(column, column + width))
    return Merge(number, column, height, width)


def parse_span(value: str | None) -> int:
    """The number in a `rowspan` or `colspan` attribute, 1 where there is no sensible one."""
    return max(parse_count(value or ""), 1)


def join_signs(laid: LaidTable) -> LaidTable:
    """The table with every such column joined to the one whose numbers it belongs to.

    A currency stands before its number, a closing parenthesis or a percent sign behind it. A column with any other
    text stays, unless that is a header over both columns.
    """
    width = max(map(len, laid.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in laid.rows]
    plain = [[without_marks(cell) for cell in row] for row in rows]
    wide = {(merge.row, merge.column) for merge in laid.merges if merge.columns > 1}
    # Where the text of the cell stands that covers a place.
    holder = {
        (row, column): merge.column
        for merge in laid.merges
        for row in range(merge.row, merge.row + merge.rows)
        for column in range(merge.column + 1, merge.column + merge.columns)
    }
    gone: list[int] = []

    def find_text_place(row: int, column: int) -> int:
        """The column in which the text of the cell at a place stands."""
        first = holder.get((row, column), column)
        return first + 1 if first in gone else first

    for column in range(width):
        headed = {number for number in range(len(rows)) if (number, column) in wide}
        signs = [row[column].strip() for row in plain]
        before = [find_text_place(number, column - 1) for number in range(len(rows))] if column else []
        if column + 1 < width and _is_sign_of(signs, [row[column + 1].strip() for row in plain], _BEFORE, headed):
            for row in (*rows, *plain):
                row[column + 1] = " ".join(filter(None, (row[column].strip(), row[column + 1].strip())))
            gone.append(column)
        elif column and column - 1 not in gone:
            numbers = [row[place].strip() for row, place in zip(plain, before, strict=True)]
            if _is_sign_of(signs, numbers, _AFTER, ()):
                for texts in (rows, plain):
                    for row, place in zip(texts, before, strict=True):
                        row[place] = row[place].strip() + row[column].strip()
                gone.append(column)
    if not gone:
        return laid
    # Merged cells keep what is left of them.
    merges: list[Merge] = []
    for merge in laid.merges:
        first, last = (place - bisect_left(gone, place) for place in (merge.column, merge.column + merge.columns))
        if last - first > 1 or (last > first and merge.rows > 1):
            merges.append(replace(merge, column=first, columns=last - first))
    kept = [column for column in range(width) if column not in gone]
    return LaidTable([[row[column] for column in kept] for row in rows], laid.header_rows, merges)


def _is_sign_of(signs: Sequence[str], numbers: Sequence[str], known: frozenset[str], headed: Container[int]) -> bool:
    """Whether a column holds signs, each beside a number or alone, and else nothing but headers over both columns."""
    found = False
    for place, (sign, text) in enumerate(zip(signs, numbers, strict=True)):
        if sign in known and (text in ("", "-", "—", "–") or any(map(str.isdigit, text))):
            found = True
        elif sign and not (place in headed and not text):
            return False
    return found
