"""The sections of a document as links to the places where they begin."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from dashboards.drawing.escaping import text_html
from dashboards.facts.library.document import OutlineSection, TableSummary

DEEPEST = 6


def outline_html(document_id: str, sections: Sequence[tuple[OutlineSection, int]], here: int | None) -> str:
    """Each section, indented by its depth, with the number of its leaf; those of the leaf `here` are marked.

    None where there is but one leaf.
    """
    top = min((section.level for section, _ in sections), default=1)
    items = "".join(_section_html(document_id, section, leaf, here, top) for section, leaf in sections)
    return f'<nav class="k-outline" aria-label="Outline" tabindex="0"><ol>{items}</ol></nav>'


def tables_html(document_id: str, tables: Sequence[tuple[TableSummary, int]]) -> str:
    """Each table: its number and caption, its size, and the leaf that it begins on."""
    items = "".join(
        f"<li>{_page_link(document_id, leaf, table.caption or f'Table {table.number}')}"
        f"<small>{table.rows} × {table.columns}, page {leaf}</small></li>"
        for table, leaf in tables
    )
    return f'<nav class="k-outline" aria-label="Tables" tabindex="0"><ol>{items}</ol></nav>'


def _section_html(document_id: str, section: OutlineSection, leaf: int, here: int | None, top: int) -> str:
    depth = min(section.level - top, DEEPEST)
    number = "" if here is None else f"<small>{leaf}</small>"
    mark = ' aria-current="true"' if leaf == here else ""
    link = _page_link(document_id, leaf, section.title)
    return f'<li style="padding-left:{depth * 0.9:.1f}rem"{mark}>{link}{number}</li>'


def _page_link(document_id: str, leaf: int, words: str) -> str:
    address = escape(f"?{urlencode({'document': document_id, 'page': leaf})}")
    return f'<a href="{address}" target="_self" data-leaf="{leaf}">{text_html(words)}</a>'
