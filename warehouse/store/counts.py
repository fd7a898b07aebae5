"""How many files, documents, passages and tables a generation holds: one count for each name, whichever face shows it.

A *file* is whatever a run looked at and an attachment is not. It is a *document* where some version of it was read, and
else *unreadable*. Documents that hold a work which another holds too are *copies*: search gives a work once, and lists
and answers about the collection count it once and name its copies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from warehouse.records import CatalogEntry, Kind, Status
from warehouse.store.works import copies_of

_WORKS = frozenset((Kind.PAPER, Kind.REPORT, Kind.TEXT))
"""The kinds of which documents may be copies of a paper, as in the query of `works`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What there is: `files` are `documents` and `unreadable` ones.

    `copies` and `outdated` are documents: those of a work that another holds, and those whose file cannot be read as it
    is now, so that their last good version answers. `passages` and `tables` are those of all documents.
    """

    files: int
    documents: int
    copies: int
    outdated: int
    unreadable: int
    passages: int
    tables: int


def counts_of(entries: Iterable[CatalogEntry]) -> Counts:
    """The counts of these holdings."""
    every = list(entries)
    documents = [entry for entry in every if entry.status is not Status.UNREADABLE]
    return Counts(
        files=len(every),
        documents=len(documents),
        copies=len(copies_of(map(_row, sorted(filter(_may_be_copy, documents), key=_order)))),
        outdated=sum(entry.status is Status.STALE for entry in documents),
        unreadable=len(every) - len(documents),
        passages=sum(entry.chunk_count for entry in every),
        tables=sum(entry.table_count for entry in every),
    )


def _may_be_copy(entry: CatalogEntry) -> bool:
    return entry.kind in _WORKS


def _order(entry: CatalogEntry) -> tuple[int, str]:
    """What counts first of a work: the document with the most passages."""
    return -entry.chunk_count, entry.file.source


def _row(entry: CatalogEntry) -> dict[str, Any]:
    return {
        "document_id": entry.document_id,
        "kind": entry.kind,
        "title": entry.title,
        "authors": entry.authors,
        "doi": entry.attributes.doi,
        "pmcid": entry.attributes.pmcid,
    }
