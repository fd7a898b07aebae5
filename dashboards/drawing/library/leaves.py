"""A piece of a document's text as it reads: headings, paragraphs and tables."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import text_html
from dashboards.drawing.passages import passage_html
from dashboards.facts.library.document import PageBlock
from warehouse.records import BlockKind

_TOP_HEADING = 3
"""The level that the uppermost heading has on a page of ours, which has headings of its own."""


def text_page_html(text: str, pieces: Sequence[PageBlock]) -> str:
    """The blocks of `text` that the pieces name, in order."""
    drawn = "".join(_block_html(text[piece.start : piece.end], piece) for piece in pieces)
    return f'<div class="k-leaf" dir="auto">{drawn}</div>'


def _block_html(text: str, piece: PageBlock) -> str:
    match piece.kind:
        case BlockKind.HEADING:
            level = min(piece.level + _TOP_HEADING - 1, 6)
            return f"<h{level}>{text_html(text)}</h{level}>"
        case BlockKind.TABLE:
            return passage_html(text, frozenset())
        case BlockKind.CODE:
            return f"<pre>{text_html(text)}</pre>"
        case BlockKind.FURNITURE:
            return f'<p class="k-furniture">{text_html(text)}</p>'
        case _:
            return f"<p>{text_html(text)}</p>"
