"""The line above a table, which in filings says what the figures below are counted in."""

from __future__ import annotations

from bisect import bisect_left

from warehouse.records import BlockKind, Document

_REACH = 300
"""How much of the block before a table is looked at, in characters."""
_LOOK_BACK = 3
"""How many set-aside lines may stand between."""


def line_above(document: Document, start: int) -> str:
    """The end of the paragraph or heading right before the table that begins at `start`; nothing after another table.

    Of a paragraph it is the sentence that leads to the table, which is known by its colon or bracket at the end.
    """
    place = bisect_left(document.blocks, start, key=lambda block: block.start)
    for block in reversed(document.blocks[max(0, place - _LOOK_BACK) : place]):
        if block.kind is BlockKind.FURNITURE:
            continue
        text = document.text[max(block.start, block.end - _REACH) : block.end].rstrip()
        leads = block.kind is BlockKind.HEADING or text.endswith((":", "：", ")", "）", "]"))
        return text if leads and block.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH) else ""
    return ""
