"""Finding the blocks and pages that a span of a document's text touches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from warehouse.records import Block, BlockKind, Document, PageStart


def blocks_in(document: Document, start: int, end: int) -> tuple[Block, ...]:
    """The blocks that share a character with `text[start:end]`, furniture left out, in order."""
    first = bisect_right(document.blocks, start, key=lambda block: block.end)
    last = bisect_left(document.blocks, end, key=lambda block: block.start)
    return tuple(block for block in document.blocks[first:last] if block.kind is not BlockKind.FURNITURE)


def page_at(block: Block, position: int) -> int | None:
    """The page on which a position of a block stands; a block may run over several."""
    page = block.page
    for region in block.regions:
        if region.start > position:
            break
        page = region.page
    return page


def page_of(document: Document, start: int, end: int) -> int | None:
    """The page of the first character of a span."""
    blocks = blocks_in(document, start, end)
    return page_at(blocks[0], start) if blocks else None


def page_starts(document: Document, start: int, end: int) -> tuple[PageStart, ...]:
    """The pages of a span, each with the place where what the span has on it begins; none in formats without pages."""
    found: list[PageStart] = []
    for block in blocks_in(document, start, end):
        lines: list[tuple[int, int | None]] = [(line.start, line.page) for line in block.regions if line.end > start]
        for place, page in lines or [(block.start, block.page)]:
            if page is not None and place < end and (not found or found[-1].page != page):
                found.append(PageStart(max(place, start), page))
    return tuple(found)


def section_of(document: Document, start: int, end: int) -> tuple[str, ...]:
    """The section path of the first block of a span that is more than a heading, else of the first."""
    blocks = blocks_in(document, start, end)
    bodies = (block for block in blocks if block.kind is not BlockKind.HEADING)
    return next(bodies, blocks[0]).section if blocks else ()
