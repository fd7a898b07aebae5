"""A passage with what was quoted of it marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from dashboards.drawing.passages import grid_of, is_marker, is_row, table_html
from tasks.ask.units import Span

Line = tuple[int, str]
"""A line and where it begins in the passage."""


def quoted_html(text: str, spans: Sequence[Span]) -> str:
    """The whole passage: of prose the very spans are marked, of tables the rows that they touch."""
    drawn = [
        _table(list(lines), spans) if of_table else _prose(list(lines), spans)
        for of_table, lines in groupby(_lines(text), key=lambda line: is_row(line[1]))
    ]
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(drawn)}</div>'


def _lines(text: str) -> Iterator[Line]:
    place = 0
    for line in text.splitlines(keepends=True):
        if not is_marker(line):
            yield place, line.rstrip("\r\n")
        place += len(line)


def _table(lines: Sequence[Line], spans: Sequence[Span]) -> str:
    grid = grid_of([line for _, line in lines])
    body = lines[len(lines) - len(grid.body) :]
    touched = {number for number, line in enumerate(body) if any(_inside(line, spans))}
    return table_html(grid, frozenset(), touched)


def _prose(lines: Sequence[Line], spans: Sequence[Span]) -> str:
    drawn = "\n".join(_marked(line, spans) for line in lines).strip("\n")
    return f"<p>{drawn}</p>" if drawn else ""


def _marked(line: Line, spans: Sequence[Span]) -> str:
    pieces, done, text = [], 0, line[1]
    for start, end in sorted(_inside(line, spans)):
        begun = max(start, done)
        if begun < end:
            pieces.append(f"{escape(text[done:begun])}<mark>{escape(text[begun:end])}</mark>")
            done = end
    return "".join((*pieces, escape(text[done:])))


def _inside(line: Line, spans: Sequence[Span]) -> Iterator[Span]:
    """The parts of a line that the spans cover, as places in the line."""
    start, text = line
    for low, high in spans:
        if low < start + len(text) and high > start:
            yield max(low - start, 0), min(high - start, len(text))
