"""A passage as HTML: prose as it stands, tables as tables."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import filterfalse, groupby

from dashboards.drawing.marking import marked

_MARKER = re.compile(r"\[TABLE \d+\]|\[END TABLE\]")
_ROW = re.compile(r"\|.*\|")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*:?-{3,}:?\s*")

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table's shown form. `header` is empty where it has none or the passage holds only later rows."""

    header: tuple[Row, ...]
    body: tuple[Row, ...]


def parts(text: str) -> list[str | Grid]:
    """The prose and the tables of a passage, in order, without the markers around tables."""
    found: list[str | Grid] = []
    for of_table, lines in groupby(filterfalse(is_marker, text.splitlines()), key=is_row):
        kept = list(lines)
        piece: str | Grid = grid_of(kept) if of_table else "\n".join(kept).strip("\n")
        if piece:
            found.append(piece)
    return found


def passage_html(text: str, asked: frozenset[str]) -> str:
    """The whole passage with the words `asked` marked."""
    drawn = [table_html(part, asked) if isinstance(part, Grid) else _prose(part, asked) for part in parts(text)]
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(drawn)}</div>'


def quotes_html(quotes: Sequence[str], passage: str, asked: frozenset[str]) -> str:
    """Quotations from one passage: sentences between quotation marks, and table rows below their header."""
    found: list[str | Grid] = []
    for quote in quotes:
        piece, last = _quoted(quote, passage), found[-1] if found else ""
        if isinstance(piece, Grid) and isinstance(last, Grid) and piece.header and piece.header == last.header:
            found[-1] = Grid(last.header, (*last.body, *piece.body))
        else:
            found.append(piece)
    return "".join(table_html(f, asked) if isinstance(f, Grid) else f"<q>{marked(f, asked)}</q>" for f in found)


def _quoted(quote: str, passage: str) -> str | Grid:
    """A quotation as prose, or as the rows of the table it is from, whether or not it repeats that table's header."""
    quoted = next((part for part in parts(quote) if isinstance(part, Grid)), None)
    if quoted is None:
        return quote
    for table in parts(passage):
        if isinstance(table, Grid):
            depth = len(table.header)
            rows = quoted.body[depth:] if quoted.body[:depth] == table.header else quoted.body
            if rows and set(rows) <= set(table.body):
                return Grid(table.header, rows)
    return quoted


def is_marker(line: str) -> bool:
    """Whether a line only says where a table begins or ends."""
    return _MARKER.fullmatch(line.strip()) is not None


def is_row(line: str) -> bool:
    """Whether a line is a row of a table, or the rule below its header."""
    return _ROW.fullmatch(line.strip()) is not None


def grid_of(lines: Sequence[str]) -> Grid:
    """The table that some rows make."""
    rows = [_cells(line) for line in lines]
    rule = next((number for number, row in enumerate(rows) if all(map(_RULE.fullmatch, row))), None)
    if rule is None:
        return Grid((), tuple(rows))
    return Grid(tuple(row for row in rows[:rule] if any(row)), tuple(rows[rule + 1 :]))


def _cells(line: str) -> Row:
    return tuple(cell.strip().replace("\\|", "|") for cell in _BETWEEN_CELLS.split(line.strip()[1:-1]))


def _prose(text: str, asked: frozenset[str]) -> str:
    return f"<p>{marked(text, asked)}</p>"


def table_html(grid: Grid, asked: frozenset[str], quoted: Container[int] = ()) -> str:
    """A table, its rows number so and so of the body shown as `quoted`."""
    head = "".join(_row("th", row, asked) for row in grid.header)
    body = "".join(_row("td", row, asked, quoted=number in quoted) for number, row in enumerate(grid.body))
    return f'<div class="k-table" tabindex="0"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def _row(tag: str, row: Row, asked: frozenset[str], *, quoted: bool = False) -> str:
    begun = '<tr class="k-quoted">' if quoted else "<tr>"
    return begun + "".join(f"<{tag}>{marked(cell, asked)}</{tag}>" for cell in row) + "</tr>"
