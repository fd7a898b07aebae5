"""The tool `document_outline`: the headings, lessons and tables of a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools import inputs
from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_descriptions import describe_document, document_data
from tasks.query.filter_values import find_document
from tasks.token_budget import BUDGET, clip, fitting_lines
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry
from warehouse.table_notation import table_opening

LABEL = 50  # Tokens of a heading or caption that are shown.

_PARTS = """
    SELECT b.kind, b.start, b."end", b.page, b.level, b."table", t.caption, len(t.rows) AS rows,
        array_to_string(list_filter(t.rows[1], lambda cell: cell <> ''), ', ') AS head, len(t.rows[1]) AS columns
    FROM blocks b LEFT JOIN tables t ON t.document_id = b.document_id AND t.number = b."table"
    WHERE b.document_id = $id AND b.kind IN ('heading', 'table')
    ORDER BY b.start
"""


def document_outline(
    context: ToolContext,
    document: Annotated[inputs.Name, Field(description="Source, id, title or company.")],
    containing: Annotated[inputs.Text, Field(description="Only headings and tables with these words.")] = "",
    depth: Annotated[int, Field(ge=1, le=6, description="Of headings.")] = 6,
    after: inputs.After = 0,
    tokens: inputs.Tokens = BUDGET,
) -> ToolResult:
    """Show what a document holds, and where: its headings (lessons, sections) and tables, for open_passage to read."""
    warehouse = context.warehouse.at()
    entry = find_document(warehouse, document)
    words = containing.lower().split()
    parts = [
        part
        for part in _parts(warehouse, entry)
        if (part["level"] or 0) <= depth and all(word in part["name"].lower() for word in words)
    ]
    head = describe_document(entry)
    rest = parts[after:]
    lines_shown = fitting_lines([_line(part) for part in rest], tokens - 150) if rest else []
    last = after + len(lines_shown)
    end = f"open_passage(document='{entry.file.source}', start=… or table=…) reads one."
    if lines_shown and last < len(parts):
        end = f"{len(parts) - last} more: after={last}. {end}"
    nothing = [] if parts else ["It has no headings or tables" + (" with these words." if words else ".")]
    data = {**document_data(entry), "parts": rest[: len(lines_shown)], "count": len(parts)}
    return ToolResult("\n".join([head, *nothing, *lines_shown, end]), data=data)


def _parts(warehouse: Warehouse, entry: CatalogEntry) -> list[dict[str, Any]]:
    rows = warehouse.snapshot.records(_PARTS, {"id": entry.document_id})
    text = warehouse.text(entry.document_id) if rows else ""
    lessons = list(_lessons(entry))
    begun = {lesson["start"] for lesson in lessons}
    others = [_part(row, text) for row in rows if row["start"] not in begun]
    return sorted([*lessons, *others], key=lambda part: part["start"])


def _lessons(entry: CatalogEntry) -> Iterator[dict[str, Any]]:
    for lesson in entry.attributes.lessons:
        name = f"Lesson {lesson.number}: {lesson.title}"
        link = f" {lesson.link}" if lesson.link else ""
        yield {"what": "lesson", "name": f"{name}{link}", "level": 2, "start": lesson.start, "page": None}


def _part(row: dict[str, Any], text: str) -> dict[str, Any]:
    if row["kind"] == "table":
        size = f"({row['rows']} rows × {row['columns']} columns)"
        name = f"{table_opening(row['table'])} {row['caption'] or row['head'] or ''} {size}"
        return {"what": "table", "name": name, "level": 0, "start": row["start"], "page": row["page"]}
    name = text[row["start"] : row["end"]]
    return {"what": "heading", "name": name, "level": row["level"], "start": row["start"], "page": row["page"]}


def _line(part: dict[str, Any]) -> str:
    indent = "  " * max(part["level"] - 1, 0) if part["what"] != "table" else "  - "
    page = f"page {part['page']}, " if part["page"] is not None else ""
    return f"{indent}{clip(' '.join(part['name'].split()), LABEL)} ({page}start {part['start']})"


member = Tool(document_outline)
