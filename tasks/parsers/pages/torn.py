"""Paragraphs that a page's or a column's end tears apart, made whole again.

A torn paragraph becomes one block with lines on two pages, each with its own page and box, so that its sentence can be
found and cited; what stood between its parts (feet, heads, footnotes) follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.prose import ProseBlock
from warehouse.records import BlockKind

_ENDS = re.compile(r"[.!?:;。！？：；…][\"”’')\]]*$")
_PARTED = re.compile(r"[^\W\d_][-\u00ad\u2010]$")
_OPEN = re.compile(
    r"(?:^|\s)(?:a|an|and|are|as|at|by|for|from|has|have|in|is|its|of|on|or|our|that|the|their|to|was|were|which|with)$"
)
_WIDE = re.compile(r"[\u3400-\u9fff]")
_ALIKE = 0.6
_SMALLER = 0.93
_FULL = 0.75
_LONG_ENOUGH = 40
_MOST_BETWEEN = 8


def mend(pieces: Sequence[ProseBlock | FoundTable]) -> list[ProseBlock | FoundTable]:
    """The passages and tables of a document, in order, with each torn passage at the place of its first part.

    Between the parts stand only passages set aside and in smaller print; nothing is joined across a table.
    """
    whole: list[ProseBlock | FoundTable] = []
    for piece in pieces:
        if isinstance(piece, ProseBlock) and (above := _first_part(whole, piece)) is not None:
            above.paragraphs[-1].extend(piece.paragraphs[0])
        else:
            whole.append(piece)
    return whole


def _first_part(whole: Sequence[ProseBlock | FoundTable], below: ProseBlock) -> ProseBlock | None:
    """The passage that goes on in `below`."""
    if below.kind is not BlockKind.PARAGRAPH:
        return None
    for above in _candidates(whole, below):
        if above.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) and goes_on(above.paragraphs[-1], below.paragraphs[0]):
            return above
    return None


def _candidates(whole: Sequence[ProseBlock | FoundTable], below: ProseBlock) -> Iterator[ProseBlock]:
    """The last passage before another, then those above footnotes."""
    for piece in reversed(whole[-_MOST_BETWEEN:]):
        if not isinstance(piece, ProseBlock):
            return
        if piece.kind is BlockKind.FURNITURE:
            continue
        yield piece
        if piece.size >= _SMALLER * below.size:
            return


def goes_on(above: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether a paragraph at the end of a page or column goes on in one at the beginning of the next."""
    last, first = above[-1], below[0]
    moved = first.line.page == last.line.page + 1 or (
        first.line.page == last.line.page and first.box.bottom < last.box.top
    )
    if not moved or abs(first.size - last.size) > _ALIKE or first.bold != last.bold or _ENDS.search(last.text):
        return False
    if _PARTED.search(last.text) or _OPEN.search(last.text):
        return True
    if _WIDE.match(last.text[-1]) and _WIDE.match(first.text):
        return len(above) > 1 and _is_full(above, below)
    fits = len(above) > 1 or len(last.text) >= _LONG_ENOUGH
    return first.text[0].islower() and not last.parted and fits and _is_full(above, below)


def _is_full(above: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether the last line of a paragraph is about as wide as the widest of both parts."""
    left = min(line.box.x0 for line in above)
    widest = max(line.box.x1 - line.box.x0 for line in (*above, *below))
    return above[-1].box.x1 - left >= _FULL * widest
