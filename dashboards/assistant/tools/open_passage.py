"""The tool `open_passage`: a passage with its neighbours, a table, a page, or a document from a place on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools.contract import Text, Tokens, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_records import describe_document
from dashboards.assistant.tools.document_spans import DocumentSpan, find_hits_at
from tasks.query.filter_values import find_document
from tasks.token_budget import DEFAULT_BUDGET, OMISSION_MARK, clip, count_tokens, measure_fitting_length, shorten_quote
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Hit

FRAME = 60  # Tokens of the lines that say what is shown and how to go on.


class PassageExtent(StrEnum):
    """The extent to read: the passage, its larger passage or section, or its table."""

    PASSAGE = "passage"
    PARENT = "parent"
    TABLE = "table"


def open_passage(
    context: ToolContext,
    passage: Annotated[str, Field(max_length=100, description="Its id, as search gives it.")] = "",
    document: Annotated[Text, Field(description="Instead: a source, id or title, with a page, table or start.")] = "",
    page: Annotated[int | None, Field(ge=1, le=1_000_000, description="Its number, from 1.")] = None,
    table: Annotated[int | None, Field(ge=1, le=1_000_000, description="Its number.")] = None,
    start: Annotated[int | None, Field(ge=0, le=1 << 40, description="Where in its text to read on.")] = None,
    whole: Annotated[
        PassageExtent,
        Field(description="The passage, its parent (larger passage or section), or its whole table."),
    ] = PassageExtent.PASSAGE,
    neighbours: Annotated[int, Field(ge=0, le=5, description="Passages before and after as well.")] = 1,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Read a passage with its neighbours, its whole section or table, or a document from a page, table or place on."""
    warehouse = context.warehouse.pin_generation()
    positions = [position for position in (page, table, start) if position is not None]
    if bool(passage.strip()) == bool(document.strip()) or (passage.strip() and positions) or len(positions) > 1:
        cure = "give a passage, or a document with one of page, table and start"
        raise BadInput("there is nothing to open", cure)
    if passage.strip():
        place = _find_passage_span(warehouse, passage.strip(), whole)
    else:
        place = _find_document_span(warehouse, document, page, table, start or 0)
    entry = warehouse.snapshot.read_entries([place.document_id])[place.document_id]
    text = warehouse.read_text(place.document_id)
    head = describe_document(entry)
    budget = tokens - count_tokens(head) - FRAME
    reading = _read_span(warehouse, text, place, budget)
    shown_text = reading.text.strip()
    if passage and whole is PassageExtent.PASSAGE and reading.next_start is None:
        shown_text = _add_adjacent_passages(warehouse, text, reading, neighbours, budget - count_tokens(reading.text))
    hits = find_hits_at(warehouse, reading.place)
    remaining_place = reading.place.end if reading.next_start is None else reading.next_start
    onward = "It is the end of the document."
    if text[remaining_place:].strip():
        more_text = "What comes after" if reading.next_start is None else "It goes on"
        onward = f"{more_text}: open_passage(document='{entry.file.source}', start={remaining_place})"
    span = {"start": reading.place.start, "end": reading.place.end, "next": reading.next_start}
    parts = filter(None, (head, _describe_position(hits), shown_text, onward))
    return ToolResult("\n".join(parts), hits, {"source": entry.file.source, "text": shown_text, **span})


_PARENT = """
    SELECT p.start, p."end" FROM parents p JOIN chunks c ON c.parent_id = p.parent_id WHERE c.chunk_id = $id LIMIT 1
"""
_CHUNKS = 'SELECT chunk_id, start, "end", section FROM chunks WHERE document_id = $id ORDER BY chunk_index'
_TABLES = """
    SELECT min(start), max("end") FROM tables WHERE document_id = $id AND start < $stop AND "end" > $start
"""
_TABLE = 'SELECT start, "end" FROM tables WHERE document_id = $id AND number = $number'
_PAGE = """
    SELECT min(start), max("end") FROM (
        SELECT region.start AS start, region."end" AS "end", region.page AS page
        FROM (SELECT unnest(regions) AS region FROM blocks WHERE document_id = $id)
        UNION ALL SELECT start, "end", page FROM blocks WHERE document_id = $id AND len(regions) = 0
    ) WHERE page = $page
"""


def _find_passage_span(warehouse: Warehouse, passage_id: str, whole: PassageExtent) -> DocumentSpan:
    """The place of a passage, of the larger passage or section it is of, or of the tables in it.

    Raises `BadInput` for a passage that there is not, and for one without a table where that is asked for.
    """
    passage = warehouse.read_passage(passage_id)
    if passage is None:
        problem = f"there is no passage '{shorten_quote(passage_id)}'"
        raise BadInput(problem, "use the id of a passage that a tool returned")
    document_id, start, text = passage
    span = DocumentSpan(document_id, start, start + len(text))
    if whole is PassageExtent.TABLE:
        parameters = {"start": span.start, "stop": span.end}
        return _query_span(warehouse, document_id, _TABLES, parameters, "the passage has no table", "leave 'whole' out")
    if whole is PassageExtent.PASSAGE:
        return span
    if rows := warehouse.snapshot.query_rows(_PARENT, {"id": passage_id}):
        return replace(span, start=rows[0][0], end=rows[0][1])
    # Its section: the consecutive passages below the same headings.
    for _, group in groupby(warehouse.snapshot.query_rows(_CHUNKS, {"id": document_id}), key=lambda row: row[3]):
        section = list(group)
        if any(row[1] == span.start for row in section):
            return replace(span, start=min(row[1] for row in section), end=max(row[2] for row in section))
    return span


def _find_document_span(
    warehouse: Warehouse, document: str, page: int | None, table: int | None, start: int
) -> DocumentSpan:
    """The place of a table or page, or all from a place on. Raises `BadInput` for one that there is not."""
    entry = find_document(warehouse, document)
    source, document_id = entry.file.source, entry.document_id
    if table is not None:
        problem = f"{source} has no table {table}"
        return _query_span(warehouse, document_id, _TABLE, {"number": table}, problem, "document_outline lists them")
    if page is not None:
        pages = f"it has {entry.total_pages} pages" if entry.total_pages else "its format has no pages; give start=0"
        problem = f"{source} has no text on page {page}"
        return _query_span(warehouse, document_id, _PAGE, {"page": page}, problem, pages)
    length = len(warehouse.read_text(document_id))
    if start >= length:
        raise BadInput(f"{source} ends at {length}", "start before that")
    return DocumentSpan(document_id, start, length)


def _query_span(
    warehouse: Warehouse, document_id: str, sql: str, parameters: Mapping[str, Any], problem: str, cure: str
) -> DocumentSpan:
    rows = warehouse.snapshot.query_rows(sql, {"id": document_id, **parameters})
    if not rows or rows[0][0] is None:
        raise BadInput(problem, cure)
    return DocumentSpan(document_id, int(rows[0][0]), int(rows[0][1]))


_TABLE_HEAD_SQL = """
    SELECT start, row_spans[header_rows + 1][1] FROM tables
    WHERE document_id = $id AND start < $place AND "end" > $place AND header_rows > 0 AND len(row_spans) > header_rows
"""
MAX_HEAD_SHARE = 0.3  # The most of a budget that a repeated head may take.


@dataclass(frozen=True, slots=True)
class SpanText:
    """The visible text, and its span of the document; `next_start` is that of the next part, None at the end."""

    text: str
    place: DocumentSpan
    next_start: int | None = None


def _read_span(warehouse: Warehouse, text: str, place: DocumentSpan, budget: int) -> SpanText:
    """The start of a place, as much as fits the budget, below the head of the table in which it begins."""
    rows = warehouse.snapshot.query_rows(_TABLE_HEAD_SQL, {"id": place.document_id, "place": place.start})
    head = text[rows[0][0] : rows[0][1]].rstrip() if rows and place.start >= rows[0][1] else ""
    head = f"{head}\n{OMISSION_MARK.strip()}\n" if head and count_tokens(head) <= int(budget * MAX_HEAD_SHARE) else ""
    span_text = text[place.start : place.end]
    length = measure_fitting_length(span_text, max(1, budget - count_tokens(head) - 1))
    if length >= len(span_text):
        return SpanText(head + span_text, place)
    next_start = place.start + length
    return SpanText(f"{head}{span_text[:length]}{OMISSION_MARK}", replace(place, end=next_start), next_start)


_TEXT_BEFORE_SQL = """
    SELECT coalesce(min(start), $start) FROM (
        SELECT start FROM chunks WHERE document_id = $id AND start < $start ORDER BY start DESC LIMIT $count)
"""
_TEXT_AFTER_SQL = """
    SELECT coalesce(max("end"), $stop) FROM (
        SELECT "end" FROM chunks WHERE document_id = $id AND "end" > $stop ORDER BY "end" LIMIT $count)
"""


def _add_adjacent_passages(warehouse: Warehouse, text: str, reading: SpanText, count: int, budget: int) -> str:
    """A passage between as much as fits of the `count` passages before it and after it."""
    passage, place = reading.text.strip(), reading.place
    parameters = {"id": place.document_id, "count": count}
    ((first,),) = warehouse.snapshot.query_rows(_TEXT_BEFORE_SQL, {**parameters, "start": place.start})
    ((last,),) = warehouse.snapshot.query_rows(_TEXT_AFTER_SQL, {**parameters, "stop": place.end})
    before, after = text[first : place.start].strip(), text[place.end : last].strip()
    if count_tokens(before) > (half := budget // 2 - 10):
        length = measure_fitting_length(before[::-1], max(1, half - 2))
        before = f"{OMISSION_MARK.strip()} {before[-length:].lstrip()}" if half > 2 else ""
    remaining_tokens = budget - count_tokens(before) - 20
    after = clip(after, remaining_tokens) if remaining_tokens > 2 else ""
    if not (before or after):
        return passage
    parts = [
        f"— before —\n{before}" if before else "",
        f"— passage —\n{passage}",
        f"— after —\n{after}" if after else "",
    ]
    return "\n\n".join(filter(None, parts))


def _describe_position(hits: tuple[Hit, ...]) -> str:
    if not hits:
        return ""
    pages = dict.fromkeys(hit.citation.page for hit in (hits[0], hits[-1]) if hit.citation.page is not None)
    parts = {"Page": " to ".join(map(str, pages)), "Section": " > ".join(hits[0].citation.section[-3:])}
    return " | ".join(f"{name} {part}" for name, part in parts.items() if part)


member = Tool(open_passage)
