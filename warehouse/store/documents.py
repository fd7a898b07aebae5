"""Documents taken apart for the lake and put together again."""

from __future__ import annotations

from collections.abc import Mapping

from warehouse.records import Block, Content, Document, Table
from warehouse.store.lake import Lake


def content_of(document: Document) -> Content:
    """What remains of a document when its blocks, tables and findings go to tables of their own."""
    return Content(
        kind=document.kind,
        media_type=document.media_type,
        text=document.text,
        title=document.title,
        authors=document.authors,
        language=document.language,
        dates=document.dates,
        total_pages=document.total_pages,
        non_empty_pages=document.non_empty_pages,
        table_count=len(document.tables),
        attributes=document.attributes,
    )


def read_documents(lake: Lake, places: Mapping[str, str]) -> dict[str, Document]:
    """The documents of parse outputs (key to file), without their findings."""
    contents = lake.read("contents", Content, places)
    blocks = lake.read("blocks", Block, places)
    tables = lake.read("tables", Table, places)
    return {key: _joined(contents[key][0], blocks[key], tables[key]) for key in places}


def _joined(content: Content, blocks: tuple[Block, ...], tables: tuple[Table, ...]) -> Document:
    return Document(
        kind=content.kind,
        media_type=content.media_type,
        text=content.text,
        blocks=blocks,
        tables=tables,
        title=content.title,
        authors=content.authors,
        language=content.language,
        dates=content.dates,
        total_pages=content.total_pages,
        non_empty_pages=content.non_empty_pages,
        attributes=content.attributes,
    )
