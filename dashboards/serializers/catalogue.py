"""What a generation holds, read once and shown many times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
