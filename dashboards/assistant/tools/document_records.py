"""The tools for documents as wholes: `describe_collection`, `list_documents` and `document_outline`."""

from __future__ import annotations

from enum import StrEnum
from operator import itemgetter
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools.contract import (
    MAX_QUESTION_LENGTH,
    After,
    DocumentFilters,
    Name,
    Text,
    Tokens,
    Tool,
    ToolContext,
    ToolResult,
)
from dashboards.assistant.tools.document_spans import find_answer_hits, format_period
from tasks.ask.collection.answers import answer_collection_question
from tasks.quality.phrases import format_count
from tasks.query.filter_values import find_document
from tasks.token_budget import DEFAULT_BUDGET, clip, take_fitting_lines
from warehouse.printable_text import format_first
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Filters, Kind, Status, get_page_unit
from warehouse.search.filters import build_condition
from warehouse.table_notation import format_table_opening

TITLE = 40  # Tokens of a title that are shown.
AUTHORS = 3
TAGS = 6


def describe_document(entry: CatalogEntry) -> str:
    """A document's title, kind, date, period, size and source, and what its kind adds."""
    attributes = entry.attributes
    parts = [
        clip(entry.title, TITLE),
        entry.kind.value,
        attributes.company if attributes.company.casefold() != entry.title.casefold() else "",
        f"dated {entry.document_date}" if entry.document_date else "undated",
    ]
    if entry.reported_name:
        parts.append(f"reports {entry.reported_name} ({format_period(entry.reported_start, entry.reported_end)})")
    if entry.kind is Kind.PAPER:
        authors = f"by {format_first(entry.authors, AUTHORS)}" if entry.authors else ""
        parts += [authors, attributes.journal, attributes.paper_type]
    if entry.kind is Kind.COURSE:
        parts += [
            f"taught by {attributes.instructor}" if attributes.instructor else "",
            f"{len(attributes.lessons)} lessons",
        ]
    sizes = {
        get_page_unit(entry.media_type).value: entry.total_pages,
        "table": entry.table_count,
        "passage": entry.chunk_count,
    }
    parts += [
        " ".join(f"#{tag}" for tag in attributes.tags[:TAGS]),
        f"topic {attributes.topic}" if attributes.topic else "",
        ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in sizes.items() if count),
        f"source {entry.file.source}",
        f"{entry.status.value}: {clip(entry.reason, TITLE)}" if entry.status is not Status.PUBLISHED else "",
    ]
    return " | ".join(filter(None, parts))


def serialize_document(entry: CatalogEntry) -> dict[str, Any]:
    """The facts of a document for programs."""
    return {
        "document_id": entry.document_id,
        "source": entry.file.source,
        "title": entry.title,
        "kind": entry.kind.value,
        "company": entry.attributes.company,
        "date": entry.document_date.isoformat() if entry.document_date else None,
        "reported": entry.reported_name,
        "language": entry.language,
        "pages": entry.total_pages,
        "tables": entry.table_count,
        "passages": entry.chunk_count,
        "topic": entry.attributes.topic,
        "journal": entry.attributes.journal,
        "authors": list(entry.authors),
        "tags": list(entry.attributes.tags),
        "status": entry.status.value,
    }


UNREAD = (
    "This asks nothing of the collection that its records answer: use search for what documents say, "
    "list_documents for a list by filters."
)


def describe_collection(
    context: ToolContext,
    question: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_QUESTION_LENGTH,
            description="Like 'which papers by Berg are from 2020', as a whole.",
        ),
    ],
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Answer a question about the documents themselves from their records, with exact counts and links.

    Which documents are on a topic, by an author, from a year, journal or company; how many; the newest; who teaches a
    course, its outline, what is in a lesson; which topics, companies, tags there are.
    """
    warehouse = context.warehouse.pin_generation()
    answer = answer_collection_question(warehouse, question, context.limit_filters(Filters()), context.today)
    if answer is None:
        return ToolResult(UNREAD, data={"answer": "", "documents": [], "more": 0, "notes": []})
    hits = find_answer_hits(warehouse, answer.entries)
    text = clip("\n".join([*(f"Note: {note}" for note in answer.notes), answer.format_text()]), tokens)
    entries = [
        {"text": entry.text, "source": hit.citation.source if hit else "", "url": hit.citation.url if hit else ""}
        for entry, hit in zip(answer.entries, hits, strict=True)
    ]
    data = {"answer": answer.head, "documents": entries, "more": answer.more, "notes": list(answer.notes)}
    return ToolResult(text, tuple({hit.chunk_id: hit for hit in hits if hit}.values()), data)


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
        Text,
        Field(description="Only documents whose source, title, company, authors or period have these words."),
    ] = "",
    sort: Annotated[
        DocumentSort, Field(description="By source, or the newest, oldest or largest first.")
    ] = DocumentSort.SOURCE,
    count: Annotated[int, Field(ge=1, le=200, description="At most so many documents.")] = 20,
    after: After = 0,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """List the documents that satisfy all filters, each with title, kind, company, date, period, size and source."""
    warehouse = context.warehouse.pin_generation()
    filters = context.limit_filters(filters)
    ids, total, copies = _select_document_ids(warehouse, filters, named, sort, count, after)
    entries = list(warehouse.snapshot.read_entries(ids).values())
    also = _group_copies(warehouse)
    lines = [
        " | ".join([f"{number}. {describe_document(entry)}", *also.get(entry.document_id, ())])
        for number, entry in enumerate(entries, after + 1)
    ]
    lines_shown = take_fitting_lines(lines, tokens - 80)
    remarks = (
        *warehouse.describe_undated_exclusion(filters),
        *(() if total else warehouse.describe_unknown_values(filters)),
    )
    named_with = f", {copies} of them {'a copy' if copies == 1 else 'copies'}, named with the first" if copies else ""
    parts = [*(f"Note: {remark}" for remark in remarks), f"{format_count(total + copies, 'document')}{named_with}:"]
    last = after + len(lines_shown)
    if lines_shown and last < total:
        parts += [*lines_shown, f"{total - last} more: after={last}."]
    elif total:
        parts += [*lines_shown, "document_outline(document=source) shows what is in one."]
    documents = [serialize_document(entry) for entry in entries[: len(lines_shown)]]
    return ToolResult("\n".join(parts), data={"count": total + copies, "copies": copies, "documents": documents})


def _select_document_ids(
    warehouse: Warehouse, filters: Filters, words: str, sort: DocumentSort, count: int, after: int
) -> tuple[list[str], int, int]:
    """The ids of a page of the documents, how many there are, and how many more satisfy the same and are copies."""
    condition, parameters = build_condition(filters)
    values: dict[str, Any] = {**parameters, "words": words.lower().split()}
    where = f"WHERE status <> 'unreadable' AND {condition} AND {_NAMED}"
    copies = warehouse.snapshot.copies
    left_out = 0
    if copies:
        rows_within = warehouse.snapshot.query_rows(f"SELECT document_id FROM documents {where}", values)  # noqa: S608
        within = {str(row[0]) for row in rows_within}
        values["copies"] = [copy for copy, first in copies.items() if first in within]
        left_out = len(within.intersection(values["copies"]))
        where += " AND document_id NOT IN (SELECT unnest($copies))"
    ((total,),) = warehouse.snapshot.query_rows(f"SELECT count(*) FROM documents {where}", values)  # noqa: S608
    sql = f"SELECT document_id FROM documents {where} ORDER BY {_ORDERS[sort]} LIMIT $most OFFSET $before"  # noqa: S608
    rows = warehouse.snapshot.query_rows(sql, {**values, "most": count, "before": after})
    return [str(row[0]) for row in rows], int(total), left_out


def _group_copies(warehouse: Warehouse) -> dict[str, list[str]]:
    """The copies of each document that has several files, a line each, by the id of the first."""
    copies = warehouse.snapshot.copies
    entries = warehouse.snapshot.read_entries(list(copies)) if copies else {}
    copies_by_first: dict[str, list[str]] = {}
    for copy, first in copies.items():
        copies_by_first.setdefault(first, []).append(f"Copy: {entries[copy].file.source}")
    return copies_by_first


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
    document: Annotated[Name, Field(description="Source, id, title or company.")],
    containing: Annotated[Text, Field(description="Only headings and tables with these words.")] = "",
    depth: Annotated[int, Field(ge=1, le=6, description="Of headings.")] = 6,
    after: After = 0,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Show what a document holds, and where: its headings (lessons, sections) and tables, for open_passage to read."""
    warehouse = context.warehouse.pin_generation()
    entry = find_document(warehouse, document)
    words = containing.lower().split()
    parts = [
        part
        for part in _build_outline(warehouse, entry)
        if (part["level"] or 0) <= depth and all(word in part["name"].lower() for word in words)
    ]
    lines_shown = take_fitting_lines([_format_outline_line(part) for part in parts[after:]], tokens - 150)
    last = after + len(lines_shown)
    end = f"open_passage(document='{entry.file.source}', start=… or table=…) reads one."
    if lines_shown and last < len(parts):
        end = f"{len(parts) - last} more: after={last}. {end}"
    nothing = [] if parts else ["It has no headings or tables" + (" with these words." if words else ".")]
    data = {**serialize_document(entry), "parts": parts[after:last], "count": len(parts)}
    return ToolResult("\n".join([describe_document(entry), *nothing, *lines_shown, end]), data=data)


def _build_outline(warehouse: Warehouse, entry: CatalogEntry) -> list[dict[str, Any]]:
    """The lessons, and the headings and tables that begin elsewhere, in order."""
    parts: list[dict[str, Any]] = []
    for lesson in entry.attributes.lessons:
        name = f"Lesson {lesson.number}: {lesson.title}{f' {lesson.link}' if lesson.link else ''}"
        parts.append({"what": "lesson", "name": name, "level": 2, "start": lesson.start, "page": None})
    starts = {part["start"] for part in parts}
    rows = warehouse.snapshot.query_records(_PARTS, {"id": entry.document_id})
    text = warehouse.read_text(entry.document_id) if rows else ""
    for row in rows:
        name, level = text[row["start"] : row["end"]], row["level"]
        if row["kind"] == "table":
            size = f"({row['rows']} rows × {row['columns']} columns)"
            name, level = f"{format_table_opening(row['table'])} {row['caption'] or row['head'] or ''} {size}", 0
        if row["start"] not in starts:
            part = {"what": row["kind"], "name": name, "level": level, "start": row["start"], "page": row["page"]}
            parts.append(part)
    return sorted(parts, key=itemgetter("start"))


def _format_outline_line(part: dict[str, Any]) -> str:
    indent = "  " * max(part["level"] - 1, 0) if part["what"] != "table" else "  - "
    page = f"page {part['page']}, " if part["page"] is not None else ""
    return f"{indent}{clip(' '.join(part['name'].split()), LABEL)} ({page}start {part['start']})"


members = {
    "describe_collection": Tool(describe_collection),
    "document_outline": Tool(document_outline),
    "list_documents": Tool(list_documents),
}
