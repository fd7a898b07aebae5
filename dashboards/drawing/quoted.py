"""A passage with what was quoted of it marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from dashboards.drawing.lines import Line, header_and_body, is_row, lines_of
from dashboards.drawing.passages import grid_of, prose_html, table_html
from tasks.ask.units import Span


def quoted_html(text: str, spans: Sequence[Span]) -> str:
    """The whole passage: of prose the very spans are marked, of tables the rows that they touch."""
    drawn = [
        _table(list(lines), spans) if of_table else prose_html([_marked(line, spans) for line in lines])
        for of_table, lines in groupby(lines_of(text), key=lambda line: is_row(line.text))
    ]
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(drawn)}</div>'


def _table(lines: Sequence[Line], spans: Sequence[Span]) -> str:
    _, body = header_and_body(lines)
    touched = {number for number, line in enumerate(body) if any(_inside(line, spans))}
    return table_html(grid_of([line.text for line in lines]), frozenset(), touched)


def _marked(line: Line, spans: Sequence[Span]) -> str:
    pieces, done, text = [], 0, line.text
    for start, end in sorted(_inside(line, spans)):
        begun = max(start, done)
        if begun < end:
            pieces.append(f"{escape(text[done:begun])}<mark>{escape(text[begun:end])}</mark>")
            done = end
    return "".join((*pieces, escape(text[done:])))


def _inside(line: Line, spans: Sequence[Span]) -> Iterator[Span]:
    """The parts of a line that the spans cover, as places in the line."""
    for low, high in spans:
        if low < line.end and high > line.start:
            yield max(low - line.start, 0), min(high - line.start, len(line.text))
