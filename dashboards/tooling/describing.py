"""What a document is, on one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dashboards.tooling.budget import clipped
from dashboards.tooling.passages import days
from warehouse.records import Holding, Kind, Status

TITLE = 40
"""Tokens of a title that are shown."""
AUTHORS = 3
TAGS = 6


def described(holding: Holding) -> str:
    """A document's title, kind, date, period, size and source, and what its kind adds."""
    return " | ".join(part for part in _parts(holding) if part)


def as_data(holding: Holding) -> dict[str, Any]:
    """The same for programs."""
    return {
        "document_id": holding.document_id,
        "source": holding.file.source,
        "title": holding.title,
        "kind": holding.kind.value,
        "company": holding.attributes.company,
        "date": holding.document_date.isoformat() if holding.document_date else None,
        "reported": holding.reported_name,
        "language": holding.language,
        "pages": holding.total_pages,
        "tables": holding.table_count,
        "passages": holding.chunk_count,
        "topic": holding.attributes.topic,
        "journal": holding.attributes.journal,
        "authors": list(holding.authors),
        "tags": list(holding.attributes.tags),
        "status": holding.status.value,
    }


def _parts(holding: Holding) -> Iterator[str]:
    own = holding.attributes
    yield clipped(holding.title, TITLE)
    yield holding.kind.value
    yield own.company if own.company.casefold() != holding.title.casefold() else ""
    yield f"dated {holding.document_date}" if holding.document_date else "undated"
    if holding.reported_name:
        yield f"reports {holding.reported_name} ({days(holding.reported_start, holding.reported_end)})"
    yield from _of_kind(holding)
    yield f"topic {own.topic}" if own.topic else ""
    yield ", ".join(_sizes(holding))
    yield f"source {holding.file.source}"
    if holding.status is not Status.PUBLISHED:
        yield f"{holding.status.value}: {clipped(holding.reason, TITLE)}"


def _of_kind(holding: Holding) -> Iterator[str]:
    own = holding.attributes
    if holding.kind is Kind.PAPER:
        more = f" and {len(holding.authors) - AUTHORS} more" if len(holding.authors) > AUTHORS else ""
        yield f"by {', '.join(holding.authors[:AUTHORS])}{more}" if holding.authors else ""
        yield own.journal
        yield own.paper_type
    if holding.kind is Kind.COURSE:
        yield f"taught by {own.instructor}" if own.instructor else ""
        yield f"{len(own.lessons)} lessons"
    if own.tags:
        yield " ".join(f"#{tag}" for tag in own.tags[:TAGS])


def _sizes(holding: Holding) -> Iterator[str]:
    counts = {"page": holding.total_pages, "table": holding.table_count, "passage": holding.chunk_count}
    for name, count in counts.items():
        if count:
            yield f"{count} {name}{'' if count == 1 else 's'}"
