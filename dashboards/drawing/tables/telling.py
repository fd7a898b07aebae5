"""The caption and place above a table, and the notes below it."""

from __future__ import annotations

from collections.abc import Iterable

from dashboards.drawing.escaping import text_html
from dashboards.facts.tables.shown import Shown
from tasks.quality.wording import counted

UNSURE = 0.6
"""The confidence below which it is said that rows or columns may be wrong."""


def heading_html(table: Shown) -> str:
    """The caption, and where the table stands and how it is made."""
    own = table.table
    pages = [part.page for part in own.parts]
    where = [
        table.entry.attributes.company,
        table.entry.reported_name,
        f"pages {pages[0]} to {pages[-1]}" if len(pages) > 1 else f"page {pages[0]}" if pages else "",
        f"{counted(len(own.rows), 'row')}, {counted(len(own.rows[0]) if own.rows else 0, 'column')}",
        f"confidence {own.confidence:.2f}: rows or columns may be wrong" if own.confidence < UNSURE else "",
    ]
    told = " · ".join(text_html(part) for part in where if part)
    caption = " ".join(own.caption.split()) or f"Table {own.number}"
    return f'<div class="k-caption"><h2>{text_html(caption)}</h2><p class="k-where">{told}</p></div>'


def notes_html(notes: Iterable[str]) -> str:
    """The notes below a table, a line each."""
    return f'<ul class="k-notes">{"".join(f"<li>{text_html(note)}</li>" for note in notes)}</ul>'
