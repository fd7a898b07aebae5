"""Catalogue of the library: documents and runs of one generation; documents as rows, and found by name or company."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Kind, Run, Status
from warehouse.store.works import Counts, compute_counts


@dataclass(frozen=True)
class LibraryCatalogue:
    """The documents and runs of one generation, whose number is `generation`."""

    generation: int
    entries: tuple[CatalogEntry, ...]
    runs: tuple[Run, ...]

    @classmethod
    def from_warehouse(cls, warehouse: Warehouse) -> LibraryCatalogue:
        """The catalogue of the published generation, read from one snapshot. Raises `NoWarehouse` or `BadWarehouse`."""
        generation_reader = warehouse.pin_generation()
        return cls(generation_reader.generation, generation_reader.list_documents(), generation_reader.list_runs())

    @cached_property
    def counts(self) -> Counts:
        """Numbers of documents, passages, tables and the like."""
        return compute_counts(self.entries)

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of the documents, in the order of `Kind`."""
        return [kind for kind in Kind if any(entry.kind is kind for entry in self.entries)]

    @property
    def roots(self) -> list[str]:
        """The names of the source folders."""
        return sorted({entry.file.root for entry in self.entries})

    def list_choices(self, field: str) -> list[str]:
        """The distinct values of a field of filters; of languages none where there is only one."""
        values = list_distinct_values(value for entry in self.entries for value in CHOICES[field](entry))
        return values if field != "languages" or len(values) > 1 else []


CHOICES: Mapping[str, Callable[[CatalogEntry], Sequence[str]]] = {
    "topics": lambda entry: (entry.attributes.topic,),
    "journals": lambda entry: (entry.attributes.journal,),
    "paper_types": lambda entry: (entry.attributes.paper_type,),
    "tags": lambda entry: entry.attributes.tags,
    "languages": lambda entry: (entry.language,),
}
"""The values of a document by the field of filters that can be set to one of them."""


def list_distinct_values(values: Iterable[str]) -> list[str]:
    """The distinct values that are not empty, sorted without regard to case."""
    return sorted({value for value in values if value}, key=str.casefold)


def select_documents(
    entries: Sequence[CatalogEntry], names: Sequence[str], companies: Sequence[str]
) -> tuple[str, ...]:
    """The ids of the documents that are named and belong to one of the companies; empty where neither is given.

    A document is named by its source, its id, or words of its title and source. Raises `BadInput` for a name without a
    document, and where none of the named documents belongs to the companies.
    """
    if not names and not companies:
        return ()
    everything = {entry.document_id for entry in entries}
    named_ids = {document for name in names for document in _find_documents(entries, name)} if names else everything
    keys = {company.casefold() for company in companies}
    owned_ids = (
        {entry.document_id for entry in entries if entry.attributes.company.casefold() in keys} if keys else named_ids
    )
    both = named_ids & owned_ids
    if not both:
        owners = " or ".join(companies)
        raise BadInput(f"no document{' of those' if names else ''} is of {owners}", "remove one of the two filters")
    return tuple(sorted(both))


def _find_documents(entries: Iterable[CatalogEntry], name: str) -> list[str]:
    words = name.casefold().split()
    exact_matches, title_matches = list[str](), list[str]()
    for entry in entries:
        if name in {entry.document_id, entry.file.source}:
            exact_matches.append(entry.document_id)
        elif words and all(word in f"{entry.title}\n{entry.file.source}".casefold() for word in words):
            title_matches.append(entry.document_id)
    if not exact_matches and not title_matches:
        raise BadInput(f"there is no document '{name}'", "choose one from the list, or give words of its title")
    return exact_matches or title_matches


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

    `pages` is null for formats without pages, `quality` where a document has no passages.
    """
    rows = [
        {
            **summarize_entry(entry),
            "quality": round(qualities[entry.document_id], 4) if entry.document_id in qualities else None,
            "root": entry.file.root,
        }
        for entry in entries
    ]
    return pa.Table.from_pylist(rows, _SCHEMA)


def summarize_entry(entry: CatalogEntry) -> dict[str, Any]:
    """What lists of documents show of one; a document without a title has its path as title."""
    return {
        "document_id": entry.document_id,
        "source": entry.file.source,
        "kind": entry.kind,
        "title": entry.title or entry.file.path,
        "authors": list(entry.authors),
        "language": entry.language,
        "date": entry.document_date,
        "date_from": entry.date_origin or "",
        "topic": entry.attributes.topic,
        "pages": entry.total_pages,
        "tables": entry.table_count,
        "chunks": entry.chunk_count,
        "status": entry.status,
        "reason": entry.reason,
    }


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
