"""Rows of Markdown, CSV and HTML tables that have more or fewer cells than the header, found in the source."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.quality.page_tables import tables_of_page
from tasks.quality.source import lines_of, without_code
from tasks.quality.subject import MARKDOWN

_RULE = re.compile(r"\s{0,3}[|]?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+")
_BAR = re.compile(r"\\.|\[\[[^\[\]\n]*\]\]|\|")
_VALUES = ("text/csv", "text/tab-separated-values")
_PAGE = "text/html"
TEXTUAL = (MARKDOWN, *_VALUES)
_DELIMITERS = ",;\t|"
_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class UnevenRow:
    """A row by the number of its line, from 1, its cells, and the cells of its table's header."""

    number: int
    cells: int
    header: int


def uneven_rows(raw: str, media_type: str) -> Iterator[UnevenRow]:
    """The rows in order; nothing for sources that are neither Markdown, separated values nor a web page."""
    if media_type == MARKDOWN:
        yield from _of_markdown(raw)
    elif media_type in _VALUES:
        yield from _of_values(raw)
    elif media_type == _PAGE:
        for table in tables_of_page(raw):
            yield from _of_page(table)


def _of_markdown(raw: str) -> Iterator[UnevenRow]:
    """Rows below a header and its rule, up to a line without a bar."""
    before, header = "", 0
    for number, line in lines_of(without_code(raw)):
        if "|" not in line:
            header = 0
        elif header:
            cells = _cells(line)
            if cells != header:
                yield UnevenRow(number, cells, header)
        elif _RULE.fullmatch(line) and "|" in before and _cells(before) == _cells(line):
            header = _cells(before)
        before = line


def _of_page(table: Sequence[tuple[int, int]]) -> Iterator[UnevenRow]:
    """Rows of a table of data: its first row is as wide as most others; in others, rows are laid out freely."""
    header = table[0][1]
    even = sum(cells == header for _, cells in table)
    if header > 1 and len(table) > 2 and even > len(table) / 2:
        yield from (UnevenRow(number, cells, header) for number, cells in table if cells not in (header, 1))


def _cells(line: str) -> int:
    inner = line.strip().lstrip("> ").removeprefix("|")
    bars = [found.end() for found in _BAR.finditer(inner) if found[0] == "|"]
    closed = bool(bars) and bars[-1] == len(inner.rstrip())
    return len(bars) + (not closed)


def _of_values(raw: str) -> Iterator[UnevenRow]:
    """The delimiter is that of the header's line; titles above the table, half as long as rows, are let pass."""
    first = next((line for _, line in lines_of(raw) if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(raw.splitlines(), delimiter=delimiter)
    try:
        rows = [(reader.line_num, len(row)) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error:
        return  # a field over 131,072 characters: a quote that is never closed
    usual, count = Counter(cells for _, cells in rows).most_common(1)[0] if rows else (0, 0)
    if usual < 2 or count < _LEAST_SHARE * len(rows):
        return
    start = next(place for place, (_, cells) in enumerate(rows) if cells == usual)
    if start and usual > rows[start - 1][1] > usual / 2:
        start -= 1
    for number, cells in rows[start:]:
        if cells != usual:
            yield UnevenRow(number, cells, usual)
