"""The documents of a library: how good their passages are, and which satisfy what a reader asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from enum import StrEnum

from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry

_QUALITY = "SELECT document_id, avg(quality_score) FROM scores GROUP BY document_id"


class Order(StrEnum):
    """By what documents are ordered."""

    SOURCE = "file"
    TITLE = "title"
    NEWEST = "newest first"
    OLDEST = "oldest first"
    WORST = "lowest quality first"
    LONGEST = "most passages first"


def qualities(warehouse: Warehouse) -> dict[str, float]:
    """The mean quality of each document's passages, 0 to 1, by its id; those without passages have none."""
    return {str(name): float(mean) for name, mean in warehouse.snapshot.rows(_QUALITY) if mean is not None}


def ordered(entries: Iterable[CatalogEntry], quality: Mapping[str, float], order: Order) -> list[CatalogEntry]:
    """The documents in some order, of equals those of the first source first; what has no value comes last."""
    by_source = sorted(entries, key=lambda entry: entry.file.source)
    undated = {Order.NEWEST: date.min, Order.OLDEST: date.max}
    keys: dict[Order, Callable[[CatalogEntry], object]] = {
        Order.SOURCE: lambda entry: entry.file.source,
        Order.TITLE: lambda entry: (entry.title or entry.file.path).casefold(),
        Order.NEWEST: lambda entry: -(entry.document_date or undated[Order.NEWEST]).toordinal(),
        Order.OLDEST: lambda entry: (entry.document_date or undated[Order.OLDEST]).toordinal(),
        Order.WORST: lambda entry: quality.get(entry.document_id, 2.0),
        Order.LONGEST: lambda entry: -entry.chunk_count,
    }
    return sorted(by_source, key=keys[order])  # type: ignore[arg-type]
