"""Documents as rows of a table, and the filters of the list of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from warehouse.records import CatalogEntry, Kind, Status

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


def build_documents_table(entries: Iterable[CatalogEntry], qualities: Mapping[str, float]) -> pa.Table:
    """The table of documents, a row each; `qualities` is the mean of a document's passages, from 0 to 1, by its id.

    `pages` is null for formats without pages, `quality` where a document has no passages. A document without a title
    has its path as title.
    """
    rows = [
        {
            "title": entry.title or entry.file.path,
            "kind": entry.kind.value,
            "date": entry.document_date,
            "date_from": entry.date_origin.value if entry.date_origin else "",
            "pages": entry.total_pages,
            "tables": entry.table_count,
            "chunks": entry.chunk_count,
            "quality": round(qualities[entry.document_id], 4) if entry.document_id in qualities else None,
            "status": entry.status.value,
            "reason": entry.reason,
            "root": entry.file.root,
            "source": entry.file.source,
            "document_id": entry.document_id,
        }
        for entry in entries
    ]
    return pa.Table.from_pylist(rows, _SCHEMA)


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
        and all(word in _join_searched_text(entry) for word in words)
    ]


def _join_searched_text(entry: CatalogEntry) -> str:
    texts = (entry.title, entry.file.source, entry.reason, *entry.authors, *entry.attributes.tags)
    return "\n".join(texts).casefold()
