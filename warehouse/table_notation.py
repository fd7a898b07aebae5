r"""Notation of tables in texts: how documents, passages and prompts show a table, written and read.

    [TABLE 3]
    | Region | 2023 |
    | --- | --- |
    | Asia \| Pacific | 1,204 |
    [END TABLE]

Grammar, a line each::

    table   = opening, row+, rule, row*, closing
    opening = "[TABLE " number "]"              the table's number in its document, from 1
    row     = "| " cell (" | " cell)* " |"      all rows of a table have as many cells; a blank cell is empty
    cell    = characters of one line, a bar among them written with a backslash before it
    rule    = a row of "---"                    the header's rows are above it
    closing = "[END TABLE]"

It is the pipe table of GitHub Flavored Markdown (4.10), which must have a header: if a table has none, an empty row
replaces it. A passage may contain some rows of a long table, so that a marker may lack its counterpart; they are
embedded and shown below the table's head: its opening, its header and the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

CLOSING = "[END TABLE]"
BAR = re.compile(r"(?<!\\)\|")  # The separator of cells: a bar without a backslash before it.
MARKER = re.compile(r"\[TABLE \d+\]|\[END TABLE\]")
OPENING_LINE = re.compile(r"^\[TABLE \d+\]$", re.MULTILINE)
TABLE = re.compile(r"^\[TABLE \d+\]$.*?(?:^\[END TABLE\]$|\Z)", re.MULTILINE | re.DOTALL)
"""A table from its opening to its closing, or to the end of the text if it has no closing."""
HEAD = re.compile(r"\[TABLE \d+\]\n(?:.*\n)*?\|(?: *:?-{3,}:? *\|)+\n")
"""The beginning of a table down to its rule."""
_ROW = re.compile(r"\|.*\|$", re.MULTILINE)
_FIRST_ROWS = re.compile(r"(?:\|.*\|(?:\n|\Z))+(?:\[END TABLE\])?")


def format_table_opening(number: int) -> str:
    """The first line of a table."""
    return f"[TABLE {number}]"


def format_row(cells: Sequence[str]) -> str:
    """A row as one line of the text."""
    return f"| {' | '.join(map(escape_cell, cells))} |"


def format_table(number: int, rows: Sequence[Sequence[str]], header_rows: int) -> list[str]:
    """The lines of a table, from its opening to its closing."""
    lines = [format_row(row) for row in rows]
    head = lines[:header_rows] or [format_row([""] * len(rows[0]))]
    rule = format_row(["---"] * len(rows[0]))
    return [format_table_opening(number), *head, rule, *lines[header_rows:], CLOSING]


def escape_cell(text: str) -> str:
    """A cell as it is written: its bars with a backslash before them."""
    return text.replace("|", "\\|")


def unescape_cell(text: str) -> str:
    """The text of a cell without the backslashes before its bars."""
    return text.replace("\\|", "|")


def opens_table(text: str, position: int = 0) -> bool:
    """Whether a table begins at a position of a text, or continues there with a row."""
    return text.startswith("[TABLE ", position) or _ROW.match(text, position) is not None


def find_first_rows_end(text: str) -> int:
    """The end of the rows at the beginning of a text, including their table's closing; 0 if it begins otherwise."""
    match = _FIRST_ROWS.match(text)
    return len(match[0].rstrip()) if match else 0


def extract_header(head: str) -> str:
    """The rows of a header in a table's head, without the opening, the rule and the text above the table."""
    lines = head[head.rfind("[TABLE ") :].splitlines()
    return "\n".join(line for line in lines if not is_marker(line) and set(line) - set("|-: "))


def iter_table_spans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the tables of a passage, in order; it may contain only the last rows of the first table."""
    rows = find_first_rows_end(text)
    if rows:
        yield 0, rows
    yield from (table.span() for table in TABLE.finditer(text, rows))


def is_marker(line: str) -> bool:
    """Whether a line is the opening or the closing of a table."""
    return MARKER.fullmatch(line.strip()) is not None


def has_table(text: str) -> bool:
    """Whether a text has any table marker."""
    return MARKER.search(text) is not None


def count_tables(text: str) -> int:
    """How many tables open in a text."""
    return sum(mark != CLOSING for mark in MARKER.findall(text))


def has_complete_tables(text: str) -> bool:
    """Whether the markers of a text are pairs of an opening and a closing one, none missing and none left over."""
    closes = [mark == CLOSING for mark in MARKER.findall(text)]
    return closes == [False, True] * (len(closes) // 2)
