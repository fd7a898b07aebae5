"""Descriptions of a document: one line for a model, and the same as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dashboards.assistant.tools.document_spans import format_period
from tasks.token_budget import clip
from warehouse.records import CatalogEntry, Kind, Status

TITLE = 40  # Tokens of a title that are shown.
AUTHORS = 3
TAGS = 6


def describe_document(entry: CatalogEntry) -> str:
    """A document's title, kind, date, period, size and source, and what its kind adds."""
    return " | ".join(part for part in _parts(entry) if part)


def document_data(entry: CatalogEntry) -> dict[str, Any]:
    """The same for programs."""
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


def _parts(entry: CatalogEntry) -> Iterator[str]:
    own = entry.attributes
    yield clip(entry.title, TITLE)
    yield entry.kind.value
    yield own.company if own.company.casefold() != entry.title.casefold() else ""
    yield f"dated {entry.document_date}" if entry.document_date else "undated"
    if entry.reported_name:
        yield f"reports {entry.reported_name} ({format_period(entry.reported_start, entry.reported_end)})"
    yield from _of_kind(entry)
    yield f"topic {own.topic}" if own.topic else ""
    yield ", ".join(_sizes(entry))
    yield f"source {entry.file.source}"
    if entry.status is not Status.PUBLISHED:
        yield f"{entry.status.value}: {clip(entry.reason, TITLE)}"


def _of_kind(entry: CatalogEntry) -> Iterator[str]:
    own = entry.attributes
    if entry.kind is Kind.PAPER:
        more = f" and {len(entry.authors) - AUTHORS} more" if len(entry.authors) > AUTHORS else ""
        yield f"by {', '.join(entry.authors[:AUTHORS])}{more}" if entry.authors else ""
        yield own.journal
        yield own.paper_type
    if entry.kind is Kind.COURSE:
        yield f"taught by {own.instructor}" if own.instructor else ""
        yield f"{len(own.lessons)} lessons"
    if own.tags:
        yield " ".join(f"#{tag}" for tag in own.tags[:TAGS])


def _sizes(entry: CatalogEntry) -> Iterator[str]:
    counts = {"page": entry.total_pages, "table": entry.table_count, "passage": entry.chunk_count}
    for name, count in counts.items():
        if count:
            yield f"{count} {name}{'' if count == 1 else 's'}"
