"""The rows of the tables of a web page by line and width, as its source writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

Width = tuple[int, int]
"""The line that a row begins on, from 1, and how many columns it covers, cells that reach down into it among them."""
_MOST_COLUMNS, _MOST_ROWS = 1000, 65_534
"""What HTML lets `colspan` and `rowspan` be."""


def tables_of_page(raw: str) -> Iterator[Sequence[Width]]:
    """The tables in the order of their ends; those that hold other tables are layout and left out."""
    reader = _TableCounter()
    reader.feed(raw)
    return iter(reader.tables)


class _TableCounter(HTMLParser):
    """Counts the columns of rows, table by table."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[Width]] = []
        self._open: list[_Table] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            for outer in self._open:
                outer.is_layout = True
            self._open.append(_Table())
        elif self._open and tag == "tr":
            self._open[-1].begin_row(self.getpos()[0])
        elif self._open and tag in ("td", "th"):
            spans = dict(attrs)
            self._open[-1].add_cell(_span(spans, "colspan", _MOST_COLUMNS), _span(spans, "rowspan", _MOST_ROWS))

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._open:
            table = self._open.pop()
            if table.rows and not table.is_layout:
                self.tables.append(table.rows)


class _Table:
    """A table that is being read."""

    def __init__(self) -> None:
        self.rows: list[Width] = []
        self.is_layout = False
        self._reaching: list[tuple[int, int]] = []

    def begin_row(self, line: int) -> None:
        """A row, with the cells that reach into it from above."""
        self._reaching = [(columns, rows - 1) for columns, rows in self._reaching if rows > 1]
        self.rows.append((line, sum(columns for columns, _ in self._reaching)))

    def add_cell(self, columns: int, rows: int) -> None:
        """A cell of the last row; one before any row is no part of the table."""
        if self.rows:
            line, before = self.rows[-1]
            self.rows[-1] = (line, before + columns)
            self._reaching += [(columns, rows)] if rows > 1 else []


def _span(attributes: dict[str, str | None], name: str, most: int) -> int:
    given = attributes.get(name) or ""
    return min(most, int(given)) if given.isdecimal() and len(given) < 6 and int(given) else 1
