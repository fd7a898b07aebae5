"""Catalogue of the library: documents, runs and findings of one generation; documents found by name or company."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Kind, Run
from warehouse.store.counts import Counts, counts_of


@dataclass(frozen=True)
class LibraryCatalogue:
    """What one generation holds, `generation` being its number."""

    generation: int
    entries: tuple[CatalogEntry, ...]
    runs: tuple[Run, ...]
    findings: Sequence[dict[str, Any]]

    @classmethod
    def of(cls, warehouse: Warehouse) -> LibraryCatalogue:
        """All of one generation, whatever is published meanwhile. Raises `NoWarehouse` or `BadWarehouse`."""
        held = warehouse.at()
        return cls(held.generation, held.documents(), held.runs(), held.findings())

    @cached_property
    def counts(self) -> Counts:
        """How many of everything there are."""
        return counts_of(self.entries)

    @property
    def readable(self) -> int:
        """How many documents answer."""
        return self.counts.documents

    @property
    def chunks(self) -> int:
        """How many passages there are."""
        return self.counts.passages

    @property
    def kinds(self) -> list[Kind]:
        """The kinds there are, in the order of `Kind`."""
        held = {entry.kind for entry in self.entries}
        return [kind for kind in Kind if kind in held]

    @property
    def roots(self) -> list[str]:
        """The names of the roots there are."""
        return sorted({entry.file.root for entry in self.entries})

    @property
    def topics(self) -> list[str]:
        """The topics there are."""
        return distinct_values(entry.attributes.topic for entry in self.entries)

    @property
    def journals(self) -> list[str]:
        """The journals there are."""
        return distinct_values(entry.attributes.journal for entry in self.entries)

    @property
    def paper_types(self) -> list[str]:
        """The types of paper there are."""
        return distinct_values(entry.attributes.paper_type for entry in self.entries)

    @property
    def tags(self) -> list[str]:
        """The tags there are."""
        return distinct_values(tag for entry in self.entries for tag in entry.attributes.tags)

    @property
    def languages(self) -> list[str]:
        """The languages there are, where there is more than one."""
        found = distinct_values(entry.language for entry in self.entries)
        return found if len(found) > 1 else []


def distinct_values(values: Iterable[str]) -> list[str]:
    """The different values that say something, in order, whatever their case."""
    return sorted({value for value in values if value}, key=str.casefold)


def matching_documents(
    entries: Sequence[CatalogEntry], said: Sequence[str], companies: Sequence[str]
) -> tuple[str, ...]:
    """The ids of the documents named and of these companies; none where neither is said.

    A document is named by its source, its id, or words of its title and source. Raises `BadInput` for one that there
    is not, and where no document named is of the companies.
    """
    if not said and not companies:
        return ()
    named = {found for each in said for found in _named(entries, each)} if said else _ids(entries)
    wanted = {company.casefold() for company in companies}
    owned = {h.document_id for h in entries if h.attributes.company.casefold() in wanted} if wanted else named
    both = named & owned
    if not both:
        told = " or ".join(companies)
        raise BadInput(f"no document{' of those' if said else ''} is of {told}", "remove one of the two filters")
    return tuple(sorted(both))


def _ids(entries: Iterable[CatalogEntry]) -> set[str]:
    return {entry.document_id for entry in entries}


def _named(entries: Iterable[CatalogEntry], said: str) -> Iterator[str]:
    words = said.casefold().split()
    exact, near = list[str](), list[str]()
    for entry in entries:
        if said in {entry.document_id, entry.file.source}:
            exact.append(entry.document_id)
        elif words and all(word in f"{entry.title}\n{entry.file.source}".casefold() for word in words):
            near.append(entry.document_id)
    if not exact and not near:
        raise BadInput(f"there is no document '{said}'", "choose one from the list, or give words of its title")
    yield from exact or near
