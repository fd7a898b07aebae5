"""The tool `open_passage`: a passage with its neighbours, a table, a page, or a document from a place on."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dashboards.assistant.tools import inputs
from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_descriptions import describe_document
from dashboards.assistant.tools.document_spans import (
    DocumentSpan,
    PassageExtent,
    hits_at,
    page_span,
    passage_span,
    spans_around,
    table_span,
)
from dashboards.assistant.tools.passage_texts import SpanText, read_span, text_after, text_before
from tasks.query.filter_values import find_document
from tasks.token_budget import BUDGET
from tasks.token_budget import count_tokens as cost
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Hit

FRAME = 60  # Tokens of the lines that say what is shown and how to go on.


def open_passage(
    context: ToolContext,
    passage: Annotated[str, Field(max_length=100, description="Its id, as search gives it.")] = "",
    document: Annotated[
        inputs.Text, Field(description="Instead: a source, id or title, with a page, table or start.")
    ] = "",
    page: Annotated[int | None, Field(ge=1, le=1_000_000, description="Its number, from 1.")] = None,
    table: Annotated[int | None, Field(ge=1, le=1_000_000, description="Its number.")] = None,
    start: Annotated[int | None, Field(ge=0, le=1 << 40, description="Where in its text to read on.")] = None,
    whole: Annotated[
        PassageExtent,
        Field(description="The passage, its parent (larger passage or section), or its whole table."),
    ] = PassageExtent.PASSAGE,
    neighbours: Annotated[int, Field(ge=0, le=5, description="Passages before and after as well.")] = 1,
    tokens: inputs.Tokens = BUDGET,
) -> ToolResult:
    """Read a passage with its neighbours, its whole section or table, or a document from a page, table or place on."""
    warehouse = context.warehouse.at()
    place = _place(warehouse, passage, document, page, table, start, whole)
    entry = warehouse.snapshot.entries([place.document_id])[place.document_id]
    text = warehouse.text(place.document_id)
    head = f"{describe_document(entry)}"
    reading = read_span(warehouse, text, place, tokens - cost(head) - FRAME)
    left = tokens - cost(head) - FRAME - cost(reading.text)
    alone = not passage or whole is not PassageExtent.PASSAGE or reading.left is not None
    shown = reading.text.strip() if alone else _with_neighbours(warehouse, text, reading, neighbours, left)
    hits = hits_at(warehouse, reading.place)
    parts = [head, _where(hits), shown, *_onward(entry, text, reading)]
    span = {"start": reading.place.start, "end": reading.place.end, "next": reading.left}
    return ToolResult(
        "\n".join(part for part in parts if part), hits, {"source": entry.file.source, "text": shown, **span}
    )


def _place(
    warehouse: Warehouse,
    passage: str,
    document: str,
    page: int | None,
    table: int | None,
    start: int | None,
    whole: PassageExtent,
) -> DocumentSpan:
    positions = [each for each in (page, table, start) if each is not None]
    if bool(passage.strip()) == bool(document.strip()) or (passage.strip() and positions) or len(positions) > 1:
        cure = "give a passage, or a document with one of page, table and start"
        raise BadInput("there is nothing to open", cure)
    if passage.strip():
        return passage_span(warehouse, passage.strip(), whole)
    entry = find_document(warehouse, document)
    if table is not None:
        return table_span(warehouse, entry, table)
    if page is not None:
        return page_span(warehouse, entry, page)
    length = len(warehouse.text(entry.document_id))
    if (start or 0) >= length:
        raise BadInput(f"{entry.file.source} ends at {length}", "start before that")
    return DocumentSpan(entry.document_id, start or 0, length)


def _with_neighbours(warehouse: Warehouse, text: str, reading: SpanText, count: int, budget: int) -> str:
    if not count:
        return reading.text.strip()
    earlier, later = spans_around(warehouse, reading.place, count)
    first = text_before(text, earlier, budget // 2 - 10)
    last = text_after(text, later, budget - cost(first) - 20)
    own = reading.text.strip()
    parts = [f"— before —\n{first}" if first else "", f"— passage —\n{own}", f"— after —\n{last}" if last else ""]
    return "\n\n".join(part for part in parts if part) if first or last else own


def _where(hits: tuple[Hit, ...]) -> str:
    if not hits:
        return ""
    pages = [hit.citation.page for hit in (hits[0], hits[-1]) if hit.citation.page is not None]
    parts = [
        " to ".join(str(page) for page in dict.fromkeys(pages)),
        " > ".join(hits[0].citation.section[-3:]),
    ]
    return " | ".join(f"{name} {part}" for name, part in zip(("Page", "Section"), parts, strict=True) if part)


def _onward(entry: CatalogEntry, text: str, reading: SpanText) -> list[str]:
    place = reading.left if reading.left is not None else reading.place.end
    if not text[place:].strip():
        return ["It is the end of the document."]
    says = "It goes on" if reading.left is not None else "What comes after"
    return [f"{says}: open_passage(document='{entry.file.source}', start={place})"]


member = Tool(open_passage)
