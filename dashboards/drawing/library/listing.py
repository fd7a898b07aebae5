"""Documents as the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date

import pyarrow as pa

from warehouse.records import Holding, Kind, Status


@dataclass(frozen=True, slots=True)
class Row:
    """What the library tells of one document.

    `pages` is None for formats without pages, `quality`, the mean of its passages from 0 to 1, where it has none.
    """

    title: str
    kind: str
    date: date | None
    date_from: str
    pages: int | None
    tables: int
    chunks: int
    quality: float | None
    status: str
    reason: str
    root: str
    source: str
    document_id: str

    @classmethod
    def of(cls, holding: Holding, quality: float | None) -> Row:
        """The row of a document; one that has no title goes by its path."""
        return cls(
            title=holding.title or holding.file.path,
            kind=holding.kind.value,
            date=holding.document_date,
            date_from=holding.date_origin.value if holding.date_origin else "",
            pages=holding.total_pages,
            tables=holding.table_count,
            chunks=holding.chunk_count,
            quality=None if quality is None else round(quality, 4),
            status=holding.status.value,
            reason=holding.reason,
            root=holding.file.root,
            source=holding.file.source,
            document_id=holding.document_id,
        )


COLUMNS = tuple(column.name for column in fields(Row))
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("title", "kind")),
        ("date", pa.date32()),
        ("date_from", pa.string()),
        *((name, pa.int64()) for name in ("pages", "tables", "chunks")),
        ("quality", pa.float64()),
        *((name, pa.string()) for name in ("status", "reason", "root", "source", "document_id")),
    ]
)


def as_table(holdings: Iterable[Holding], qualities: Mapping[str, float]) -> pa.Table:
    """The rows of documents; `qualities` are by their ids."""
    rows = [Row.of(holding, qualities.get(holding.document_id)) for holding in holdings]
    return pa.table({name: [getattr(row, name) for row in rows] for name in COLUMNS}, schema=_SCHEMA)


def chosen(
    holdings: Iterable[Holding],
    kinds: Sequence[Kind],
    roots: Sequence[str],
    text: str,
    statuses: Sequence[Status] = (),
) -> list[Holding]:
    """The documents of these kinds, roots and statuses whose title, source, people, tags or reason hold every word."""
    wanted = text.casefold().split()
    return [
        holding
        for holding in holdings
        if (not kinds or holding.kind in kinds)
        and (not roots or holding.file.root in roots)
        and (not statuses or holding.status in statuses)
        and all(word in _searched(holding) for word in wanted)
    ]


def _searched(holding: Holding) -> str:
    told = (holding.title, holding.file.source, holding.reason, *holding.authors, *holding.attributes.tags)
    return "\n".join(told).casefold()
