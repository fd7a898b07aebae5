"""Documents as MCP resources: `kalends://document/<source>`, and `?start=` for the parts of long ones."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from mcp import MCPError, types
from pydantic_core import to_json

from warehouse.errors import KalendsError
from warehouse.reader import Warehouse

SCHEME = "kalends://document/"
TEMPLATE = f"{SCHEME}{{+source}}{{?start}}"
PAGE = 100  # Documents on a page of the list.
PART = 50_000  # Characters in one part of a text.
PLAIN = "text/plain"

_LIST_QUERY = """
    SELECT source, title, kind, document_date, total_pages, language,
        (CASE kind WHEN 'note' THEN '0' ELSE '1' END) || source AS place
    FROM documents WHERE status <> 'unreadable' AND place > $after ORDER BY place LIMIT $most
"""
_FACTS_QUERY = """
    SELECT source, title, kind, media_type, authors, language, company, document_date, date_origin,
        reported_name, reported_start, reported_end, total_pages, table_count, chunk_count, status
    FROM documents WHERE source = $source AND status <> 'unreadable'
"""


def list_resources(warehouse: Warehouse, cursor: str | None) -> types.ListResourcesResult:
    """A page of the documents, notes first, in order of source; the cursor is the last place of the page before."""
    rows = _query_rows(warehouse, _LIST_QUERY, {"after": cursor or "", "most": PAGE + 1})
    more = len(rows) > PAGE
    page = rows[:PAGE]
    return types.ListResourcesResult(
        resources=[_make_resource(row) for row in page], next_cursor=page[-1]["place"] if more else None
    )


def list_templates() -> types.ListResourceTemplatesResult:
    """The template of the addresses of documents."""
    template = types.ResourceTemplate(
        name="document",
        title="A document",
        uri_template=TEMPLATE,
        description=f"The text of a document by its source, from a character on; at most {PART} characters, "
        "then its facts as JSON, with the address of the next part.",
        mime_type=PLAIN,
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


def read_resource(warehouse: Warehouse, uri: str) -> types.ReadResourceResult:
    """The text of a document and its facts. Raises `MCPError` for an unknown address."""
    source, start = _parse_uri(uri)
    snapshot = warehouse.pin_generation() if source else warehouse
    rows = _query_rows(snapshot, _FACTS_QUERY, {"source": source})
    document = snapshot.find_document_id(source) if rows else None
    if document is None:
        raise MCPError(
            types.INVALID_PARAMS, f"there is no document {source or uri!r}; resources/list lists the documents"
        )
    text = snapshot.read_text(document)
    end = min(len(text), start + PART)
    facts = {**rows[0], "characters": len(text), "start": min(start, len(text)), "end": end}
    if end < len(text):
        facts["next"] = f"{format_document_uri(source)}?start={end}"
    about = to_json(facts, fallback=str, inf_nan_mode="null").decode()
    return types.ReadResourceResult(
        contents=[
            types.TextResourceContents(uri=uri, mime_type=PLAIN, text=text[start:end]),
            types.TextResourceContents(
                uri=f"{format_document_uri(source)}#facts", mime_type="application/json", text=about
            ),
        ]
    )


def format_document_uri(source: str) -> str:
    """The address of a document."""
    return SCHEME + quote(source, safe="/")


def _parse_uri(uri: str) -> tuple[str, int]:
    if not uri.startswith(SCHEME):
        return "", 0
    parts = urlsplit(uri)
    (start, *_) = parse_qs(parts.query).get("start", ["0"])
    return unquote(parts.path.removeprefix("/")), int(start) if start.isascii() and start.isdigit() else 0


def _make_resource(row: dict[str, Any]) -> types.Resource:
    pages = f"{row['total_pages']} pages" if row["total_pages"] else ""
    date = str(row["document_date"]) if row["document_date"] else "undated"
    description = ", ".join(filter(None, (str(row["kind"]), date, pages, row["language"])))
    return types.Resource(
        name=row["source"],
        title=row["title"] or row["source"],
        uri=format_document_uri(row["source"]),
        description=description,
        mime_type=PLAIN,
    )


def _query_rows(warehouse: Warehouse, query: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        return list(warehouse.snapshot.query_records(query, values))
    except KalendsError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
