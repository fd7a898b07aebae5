"""What every parser promises of its documents, as assertions."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from tasks.parsers.parser_contract import LOOKS_MARKED
from warehouse.records import BlockKind, Box, Document, Table
from warehouse.table_notation import format_row

_LOOSE = 0.51


def keeps_its_promises(document: Document) -> None:
    """Spans, order, tiling, places, tables and lessons."""
    text, end = document.text, 0
    for number, block in enumerate(document.blocks):
        assert block.ordinal == number
        assert not text[end : block.start].strip()
        assert text[block.start : block.end].strip()
        assert block.start >= end
        end = block.end
        assert (block.kind is BlockKind.HEADING) == (block.level > 0)
        if block.kind is BlockKind.HEADING:
            assert block.section[-1] == " ".join(text[block.start : block.end].split())
    assert not text[end:].strip()
    assert "\0" not in text
    assert "\r" not in text
    places_are_right(document)
    tables_are_whole(document)
    facts_have_places(document)
    for lesson in document.attributes.lessons:
        assert re.match(rf"lesson 0*{lesson.number} ?:", text[lesson.start : lesson.end], re.IGNORECASE)


def places_are_right(document: Document) -> None:
    """Regions are in order inside their block, a line each; where a format has pages, they leave no word out."""
    for block in document.blocks:
        spans = [(region.start, region.end) for region in block.regions]
        for before, after in pairwise(spans):
            assert before[1] <= after[0]
        for region in block.regions:
            assert block.start <= region.start < region.end <= block.end
            assert "\n" not in document.text[region.start : region.end]
            assert 1 <= region.page <= (document.total_pages or 0)
        if document.total_pages is None:
            assert not block.regions
            assert block.page is None
        else:
            # Notes to a slide stand beside it, and so nowhere on it.
            assert block.regions or document.media_type != "application/pdf"
            assert 1 <= (block.page or 0) <= document.total_pages
            assert not block.regions or block.page == block.regions[0].page
            if block.regions and block.kind is not BlockKind.TABLE:
                assert not outside(document.text, block.start, block.end, spans).strip()


def facts_have_places(document: Document) -> None:
    """Numbered in order, each shown somewhere or hidden, with periods that end after they begin; no mark is left."""
    assert [fact.number for fact in document.facts] == list(range(1, len(document.facts) + 1))
    for fact in document.facts:
        shown = [] if fact.start is None or fact.end is None else [(fact.start, fact.end), *fact.continued]
        assert all(0 <= start < end <= len(document.text) for start, end in shown)
        assert shown or not fact.continued
        assert fact.period_start is None or (fact.period_end is not None and fact.period_start < fact.period_end)
        assert fact.value is None or math.isfinite(fact.value)
    assert not document.facts or LOOKS_MARKED.search(document.text) is None


def outside(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> str:
    """What of a stretch of text no span covers."""
    pieces, place = [], start
    for first, last in spans:
        pieces.append(text[place:first])
        place = last
    return "".join([*pieces, text[place:end]])


def tables_are_whole(document: Document) -> None:
    """Numbers, rectangles, row spans, merges and parts."""
    shown = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    assert [block.table for block in shown] == [table.number for table in document.tables]
    assert [table.number for table in document.tables] == list(range(1, len(document.tables) + 1))
    for block, table in zip(shown, document.tables, strict=True):
        assert (block.start, block.end) == (table.start, table.end)
        lines = document.text[table.start : table.end].split("\n")
        assert lines[0] == f"[TABLE {table.number}]"
        assert lines[-1] == "[END TABLE]"
        head = max(table.header_rows, 1)
        assert set(lines[1 + head]) == set("|- ")
        assert len(lines) == len(table.rows) + 3 + (head - table.header_rows)
        assert len({len(row) for row in table.rows}) == 1
        assert len(table.rows) > 1
        assert len(table.rows[0]) > 1
        assert 0 <= table.header_rows < len(table.rows)
        assert 0 < table.confidence <= 1
        for row, (start, end) in zip(table.rows, table.row_spans, strict=True):
            assert any(row)
            assert document.text[start:end] == format_row(row)
        merges_are_empty_but_for_their_first_place(table)
        parts_cover_all_rows(document, table)


def merges_are_empty_but_for_their_first_place(table: Table) -> None:
    covered: Counter[tuple[int, int]] = Counter()
    for merge in table.merges:
        assert merge.rows > 1 or merge.columns > 1
        assert merge.row + merge.rows <= len(table.rows)
        assert merge.column + merge.columns <= len(table.rows[0])
        for row in range(merge.row, merge.row + merge.rows):
            for column in range(merge.column, merge.column + merge.columns):
                covered[row, column] += 1
                if (row, column) != (merge.row, merge.column):
                    assert not table.rows[row][column]
    assert max(covered.values(), default=1) == 1


def parts_cover_all_rows(document: Document, table: Table) -> None:
    """In order, on ascending pages, each row's box inside its part's."""
    if document.total_pages is None:
        assert not table.parts
        return
    rows = [row for part in table.parts for row in range(part.first_row, part.last_row + 1)]
    assert rows == list(range(len(table.rows)))
    assert all(before.page <= after.page for before, after in pairwise(table.parts))
    block = next(block for block in document.blocks if block.table == table.number)
    assert [(region.start, region.end) for region in block.regions] == list(table.row_spans)
    for part in table.parts:
        for region in block.regions[part.first_row : part.last_row + 1]:
            assert region.page == part.page
            assert inside(region.box, part.box)


def inside(inner: Box, outer: Box) -> bool:
    """Whether a box lies in another, but for half a point."""
    return (
        outer.x0 - _LOOSE <= inner.x0 <= inner.x1 <= outer.x1 + _LOOSE
        and outer.top - _LOOSE <= inner.top <= inner.bottom <= outer.bottom + _LOOSE
    )
