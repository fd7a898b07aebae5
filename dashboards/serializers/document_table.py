"""Documents as rows of a table, and the filters of the list of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date

import pyarrow as pa

from warehouse.records import CatalogEntry, Kind, Status


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the table of the library.

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
    def of(cls, entry: CatalogEntry, quality: float | None) -> DocumentRow:
        """The row of a document. A document without a title has its path as title."""
        return cls(
            title=entry.title or entry.file.path,
            kind=entry.kind.value,
            date=entry.document_date,
            date_from=entry.date_origin.value if entry.date_origin else "",
            pages=entry.total_pages,
            tables=entry.table_count,
            chunks=entry.chunk_count,
            quality=None if quality is None else round(quality, 4),
            status=entry.status.value,
            reason=entry.reason,
            root=entry.file.root,
            source=entry.file.source,
            document_id=entry.document_id,
        )


DOCUMENT_COLUMNS = tuple(column.name for column in fields(DocumentRow))
_DOCUMENT_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("title", "kind")),
        ("date", pa.date32()),
        ("date_from", pa.string()),
        *((name, pa.int64()) for name in ("pages", "tables", "chunks")),
        ("quality", pa.float64()),
        *((name, pa.string()) for name in ("status", "reason", "root", "source", "document_id")),
    ]
)


def documents_table(entries: Iterable[CatalogEntry], qualities: Mapping[str, float]) -> pa.Table:
    """The table of documents, a `DocumentRow` each; `qualities` is the mean of a document's passages by its id."""
    rows = [DocumentRow.of(entry, qualities.get(entry.document_id)) for entry in entries]
    return pa.table({name: [getattr(row, name) for row in rows] for name in DOCUMENT_COLUMNS}, schema=_DOCUMENT_SCHEMA)


def filter_entries(
    entries: Iterable[CatalogEntry],
    kinds: Sequence[Kind],
    roots: Sequence[str],
    text: str,
    statuses: Sequence[Status] = (),
) -> list[CatalogEntry]:
    """The documents of these kinds, source folders and statuses that have every word of `text`.

    Words are looked for in title, source, authors, tags and the reason why a file cannot be read.
    """
    words = text.casefold().split()
    return [
        entry
        for entry in entries
        if (not kinds or entry.kind in kinds)
        and (not roots or entry.file.root in roots)
        and (not statuses or entry.status in statuses)
        and all(word in _searched_text(entry) for word in words)
    ]


def _searched_text(entry: CatalogEntry) -> str:
    texts = (entry.title, entry.file.source, entry.reason, *entry.authors, *entry.attributes.tags)
    return "\n".join(texts).casefold()
