"""A passage as HTML: prose as it stands, tables as tables."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise

from dashboards.drawing.highlights import Highlight
from dashboards.drawing.lines import PassageLine, is_row, passage_lines, split_header
from dashboards.drawing.marking import highlight_line, mark_words, quote_line
from tasks.ask.units import Span
from tasks.quality.wording import counted

LONGEST, WIDEST = 4, 320
"""How much is shown of a passage of which no part stands out: lines, and characters of each."""
FEW, NEAR = 14, 4
"""So many rows are never too many, and of more so many on either side of a quoted one are shown."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The rows of a table's shown form. `header` is empty where it has none or the passage holds only later rows."""

    header: tuple[Row, ...]
    body: tuple[Row, ...]


def passage_parts(text: str) -> list[str | TableGrid]:
    """The prose and the tables of a passage, in order, without the markers around tables."""
    found: list[str | TableGrid] = []
    for of_table, lines in groupby(passage_lines(text), key=_is_of_table):
        kept = [line.text for line in lines]
        piece: str | TableGrid = table_grid(kept) if of_table else "\n".join(kept).strip("\n")
        if piece:
            found.append(piece)
    return found


def passage_html(
    text: str,
    asked: frozenset[str],
    marks: Sequence[Highlight] = (),
    quoted: Sequence[Span] = (),
    *,
    closely: bool = False,
) -> str:
    """The whole passage with the words `asked` marked, and the dates and names at `marks` set off.

    Of prose the very spans `quoted` are set off as well, of tables the rows that they touch. Read `closely`, a long
    table keeps only the rows around those.
    """

    def drawn(line: PassageLine) -> str:
        return quote_line(line, marks, quoted, partial(mark_words, asked=asked))

    pieces = [
        _table(list(lines), asked, marks, quoted, closely=closely) if of_table else prose_html(list(map(drawn, lines)))
        for of_table, lines in groupby(passage_lines(text), key=_is_of_table)
    ]
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(pieces)}</div>'


def passage_beginning(text: str) -> str:
    """How a passage begins: its first lines that say something, a table's with the rule below its header."""
    told, shown = 0, list[str]()
    for line in passage_lines(text):
        told += bool(line.text.strip("|-: "))
        if told > LONGEST:
            break
        shown.append(line.text if is_row(line.text) or len(line.text) <= WIDEST else f"{line.text[:WIDEST]} …")
    return "\n".join(shown).strip("\n")


def quotes_html(quotes: Sequence[str], passage: str, asked: frozenset[str]) -> str:
    """Quotations from one passage: sentences between quotation marks, and table rows below their header."""
    found: list[str | TableGrid] = []
    for quote in quotes:
        piece, last = _quoted(quote, passage), found[-1] if found else ""
        if (
            isinstance(piece, TableGrid)
            and isinstance(last, TableGrid)
            and piece.header
            and piece.header == last.header
        ):
            found[-1] = TableGrid(last.header, (*last.body, *piece.body))
        else:
            found.append(piece)
    return "".join(
        table_html(f, asked) if isinstance(f, TableGrid) else f"<q>{mark_words(f, asked)}</q>" for f in found
    )


def _quoted(quote: str, passage: str) -> str | TableGrid:
    """A quotation as prose, or as the rows of the table it is from, whether or not it repeats that table's header."""
    quoted = next((part for part in passage_parts(quote) if isinstance(part, TableGrid)), None)
    if quoted is None:
        return quote
    for table in passage_parts(passage):
        if isinstance(table, TableGrid):
            depth = len(table.header)
            rows = quoted.body[depth:] if quoted.body[:depth] == table.header else quoted.body
            if rows and set(rows) <= set(table.body):
                return TableGrid(table.header, rows)
    return quoted


def table_grid(lines: Sequence[str]) -> TableGrid:
    """The table that some rows make."""
    header, body = split_header([PassageLine(0, line) for line in lines])
    return TableGrid(tuple(map(_cells, header)), tuple(map(_cells, body)))


def _cells(row: PassageLine) -> Row:
    return tuple(cell.text.replace("\\|", "|") for cell in row.cells)


def _is_of_table(line: PassageLine) -> bool:
    return is_row(line.text)


def prose_html(lines: Sequence[str]) -> str:
    """Lines of HTML as a paragraph, nothing of empty ones."""
    drawn = "\n".join(lines).strip("\n")
    return f"<p>{drawn}</p>" if drawn else ""


def _table(
    lines: Sequence[PassageLine],
    asked: frozenset[str],
    marks: Sequence[Highlight],
    quoted: Sequence[Span],
    *,
    closely: bool,
) -> str:
    header, body = split_header(lines)

    def draw(words: str) -> str:
        return mark_words(words.replace("\\|", "|"), asked)

    def drawn(row: PassageLine) -> list[str]:
        return [highlight_line(cell, marks, draw) for cell in row.cells]

    touched = {
        place for place, row in enumerate(body) if any(low < row.end and high > row.start for low, high in quoted)
    }
    kept = _around(len(body), touched) if closely and touched else range(len(body))
    rows: list[list[str]] = []
    shown: set[int] = set()
    for last, place in pairwise((-1, *kept, len(body))):
        if place > last + 1:
            rows.append([f"… {counted(place - last - 1, 'row')}"])
        if place < len(body):
            if place in touched:
                shown.add(len(rows))
            rows.append(drawn(body[place]))
    return rows_html(list(map(drawn, header)), rows, shown)


def _around(count: int, touched: Container[int]) -> list[int]:
    """Of so many rows those near the touched ones; all where there are few."""
    if count <= FEW:
        return list(range(count))
    return [row for row in range(count) if any(row + step in touched for step in range(-NEAR, NEAR + 1))]


def table_html(grid: TableGrid, asked: frozenset[str], quoted: Container[int] = ()) -> str:
    """A table, its rows number so and so of the body shown as `quoted`."""
    head = [[mark_words(cell, asked) for cell in row] for row in grid.header]
    return rows_html(head, [[mark_words(cell, asked) for cell in row] for row in grid.body], quoted)


def rows_html(header: Sequence[Sequence[str]], body: Sequence[Sequence[str]], quoted: Container[int] = ()) -> str:
    """A table of cells that are HTML."""
    head = "".join(_row("th", row) for row in header)
    rows = "".join(_row("td", row, quoted=number in quoted) for number, row in enumerate(body))
    return f'<div class="k-table" tabindex="0"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _row(tag: str, cells: Sequence[str], *, quoted: bool = False) -> str:
    begun = '<tr class="k-quoted">' if quoted else "<tr>"
    return begun + "".join(f"<{tag}{_looks(cell)}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _looks(cell: str) -> str:
    """A figure in parts ("$ 51,612") stays on one line, however narrow the page."""
    return ' class="k-figure"' if _FIGURE.fullmatch(_TAG.sub("", cell)) else ""


_TAG = re.compile(r"<[^<>]*>")
_FIGURE = re.compile(r"\W*\d[\d.,]*\s+\W+|\W+\s+\(?-?\d[\d.,]*\W*")
