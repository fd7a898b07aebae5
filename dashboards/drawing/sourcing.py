"""Sources of an answer as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dashboards.drawing.escaping import text_html
from dashboards.drawing.lines import is_row
from dashboards.drawing.passages import table_grid

_CHUNK = re.compile(r"(?<=[(,] )Chunk (?=\d)|(?<=\()Chunk (?=\d)")


def source_heading_html(number: int, citation: str) -> str:
    """A source's number, name and place, from its citation."""
    name, *rest = citation.partition("\n")[0].split(" | ")
    where = " · ".join(rest)
    name = source_name(name)
    return (
        f'<div class="k-hit"><header><span class="k-number">{number}</span><div><h3>{text_html(name)}</h3>'
        f'<p class="k-where">{text_html(where)}</p></div></header></div>'
    )


def source_name(line: str) -> str:
    """The name and place of a source from its citation, in the words of the dashboard: a chunk is a passage there."""
    return _CHUNK.sub("passage ", line.partition(" | ")[0])


def source_quotes_html(quotes: Sequence[str]) -> str:
    """What was quoted of a source, in short."""
    return "".join(f'<p class="k-quote">{text_html(_in_short(quote))}</p>' for quote in quotes)


def _in_short(quote: str) -> str:
    if is_row(quote):
        grid = table_grid([quote])
        return " · ".join(cell for row in grid.body for cell in row)
    return " ".join(quote.split())


def question_html(question: str) -> str:
    """A question as it was typed."""
    return f'<p class="k-asked">{text_html(question)}</p>'
