"""The tool `list_documents`: the documents that satisfy filters."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools import inputs
from dashboards.assistant.tools.contract import DocumentFilters, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_descriptions import describe_document, document_data
from tasks.quality.phrases import counted
from tasks.token_budget import BUDGET, fitting_lines
from warehouse.reader import Warehouse
from warehouse.records import Filters
from warehouse.search.filters import predicate


class DocumentSort(StrEnum):
    """What comes first."""

    SOURCE = "source"
    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"


_ORDERS = {
    DocumentSort.SOURCE: "source",
    DocumentSort.NEWEST: "document_date DESC NULLS LAST, source",
    DocumentSort.OLDEST: "document_date NULLS LAST, source",
    DocumentSort.LARGEST: "chunk_count DESC, source",
}
_NAMED = """
    len(list_filter($words, lambda word: NOT contains(
        lower(concat_ws(' ', source, title, company, array_to_string(authors, ' '), reported_name)), word))) = 0
"""


def list_documents(
    context: ToolContext,
    filters: DocumentFilters,
    named: Annotated[
        inputs.Text,
        Field(description="Only documents whose source, title, company, authors or period have these words."),
    ] = "",
    sort: Annotated[
        DocumentSort, Field(description="By source, or the newest, oldest or largest first.")
    ] = DocumentSort.SOURCE,
    count: Annotated[int, Field(ge=1, le=200, description="At most so many documents.")] = 20,
    after: inputs.After = 0,
    tokens: inputs.Tokens = BUDGET,
) -> ToolResult:
    """List the documents that satisfy all filters, each with title, kind, company, date, period, size and source."""
    warehouse = context.warehouse.at()
    filters = context.bound(filters)
    ids, total, copies = _matching_ids(warehouse, filters, named, sort, count, after)
    entries = list(warehouse.snapshot.entries(ids).values())
    also = _copies_by_first(warehouse)
    lines = [
        " | ".join([f"{number}. {describe_document(entry)}", *also.get(entry.document_id, ())])
        for number, entry in enumerate(entries, after + 1)
    ]
    lines_shown = fitting_lines(lines, tokens - 80) if lines else []
    remarks = (*warehouse.undated_note(filters), *(() if total else warehouse.unheard(filters)))
    notes = [f"Note: {remark}" for remark in remarks]
    named_with = f", {copies} of them {'a copy' if copies == 1 else 'copies'}, named with the first" if copies else ""
    head = f"{counted(total + copies, 'document')}{named_with}:"
    last = after + len(lines_shown)
    end = (
        [f"{total - last} more: after={last}."]
        if lines_shown and last < total
        else ["document_outline(document=source) shows what is in one."]
    )
    data = {
        "count": total + copies,
        "copies": copies,
        "documents": [document_data(entry) for entry in entries[: len(lines_shown)]],
    }
    return ToolResult("\n".join([*notes, head, *lines_shown, *(end if total else [])]), data=data)


def _matching_ids(
    warehouse: Warehouse, filters: Filters, named: str, sort: DocumentSort, count: int, after: int
) -> tuple[list[str], int, int]:
    """The ids of a page of the documents, how many there are, and how many more satisfy the same and are copies."""
    condition, parameters = predicate(filters)
    values: dict[str, Any] = {**parameters, "words": named.lower().split()}
    where = f"WHERE status <> 'unreadable' AND {condition} AND {_NAMED}"
    copies = warehouse.snapshot.copies
    left_out = 0
    if copies:
        found = warehouse.snapshot.rows(f"SELECT document_id FROM documents {where}", values)  # noqa: S608
        within = {str(row[0]) for row in found}
        values["copies"] = [copy for copy, first in copies.items() if first in within]
        left_out = len(within.intersection(values["copies"]))
        where += " AND document_id NOT IN (SELECT unnest($copies))"
    ((total,),) = warehouse.snapshot.rows(f"SELECT count(*) FROM documents {where}", values)  # noqa: S608
    sql = f"SELECT document_id FROM documents {where} ORDER BY {_ORDERS[sort]} LIMIT $most OFFSET $before"  # noqa: S608
    rows = warehouse.snapshot.rows(sql, {**values, "most": count, "before": after})
    return [str(row[0]) for row in rows], int(total), left_out


def _copies_by_first(warehouse: Warehouse) -> dict[str, list[str]]:
    """Of each document that counts for several files: the others, in words."""
    copies = warehouse.snapshot.copies
    entries = warehouse.snapshot.entries(list(copies)) if copies else {}
    found: dict[str, list[str]] = {}
    for copy, first in copies.items():
        found.setdefault(first, []).append(f"Copy: {entries[copy].file.source}")
    return found


member = Tool(list_documents)
