"""The documents of a library: how good their passages are, and which satisfy what a reader asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from enum import StrEnum

from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry

_QUALITY = "SELECT document_id, avg(quality_score) FROM scores GROUP BY document_id"


class DocumentOrder(StrEnum):
    """By what documents are ordered."""

    SOURCE = "file"
    TITLE = "title"
    NEWEST = "newest first"
    OLDEST = "oldest first"
    WORST = "lowest quality first"
    LONGEST = "most passages first"


def mean_qualities(warehouse: Warehouse) -> dict[str, float]:
    """The mean quality of each document's passages, 0 to 1, by its id; those without passages have none."""
    return {str(name): float(mean) for name, mean in warehouse.snapshot.rows(_QUALITY) if mean is not None}


def sort_entries(
    entries: Iterable[CatalogEntry], quality: Mapping[str, float], order: DocumentOrder
) -> list[CatalogEntry]:
    """The documents in some order, of equals those of the first source first; what has no value comes last."""
    by_source = sorted(entries, key=lambda entry: entry.file.source)
    undated = {DocumentOrder.NEWEST: date.min, DocumentOrder.OLDEST: date.max}
    keys: dict[DocumentOrder, Callable[[CatalogEntry], object]] = {
        DocumentOrder.SOURCE: lambda entry: entry.file.source,
        DocumentOrder.TITLE: lambda entry: (entry.title or entry.file.path).casefold(),
        DocumentOrder.NEWEST: lambda entry: -(entry.document_date or undated[DocumentOrder.NEWEST]).toordinal(),
        DocumentOrder.OLDEST: lambda entry: (entry.document_date or undated[DocumentOrder.OLDEST]).toordinal(),
        DocumentOrder.WORST: lambda entry: quality.get(entry.document_id, 2.0),
        DocumentOrder.LONGEST: lambda entry: -entry.chunk_count,
    }
    return sorted(by_source, key=keys[order])  # type: ignore[arg-type]
