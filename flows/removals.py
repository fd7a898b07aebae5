"""Guard against mass removals: an unmounted share looks like a source folder whose every document was deleted.

Where more than a share of a folder's documents vanish in one run, the run keeps them, goes on with the rest and says
so. Somebody who did delete them confirms it once; a share that comes back loses nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from flows.discovery import RootScope
from warehouse.records import CatalogEntry
from warehouse.settings.models import RemovalSettings


class Removal(StrEnum):
    """Which vanished documents may be removed, however many they are."""

    NONE = "none"
    """None: the run was started by a clock or by events, and nobody has named anything."""
    NAMED = "named"
    """Those of a file or folder that was named for the run and is gone: to name it is to agree."""
    ALL = "all"
    """All that the run does not find."""


@dataclass(frozen=True, slots=True)
class WithheldDocuments:
    """Documents of a source folder that vanished and are kept; `held` is how many the folder has in all."""

    root: str
    documents: tuple[CatalogEntry, ...]
    held: int

    @property
    def warning(self) -> str:
        """What happened and what to do, in one line."""
        return (
            f"source folder '{self.root}': {len(self.documents)} of its {self.held} documents are missing and are kept:"
            " mount it again, or confirm with 'kalends ingest --allow-removal'"
        )


def withheld_documents(
    entries: Iterable[CatalogEntry], gone: Iterable[CatalogEntry], appeared: Collection[str], limits: RemovalSettings
) -> tuple[WithheldDocuments, ...]:
    """The documents among the `gone` that must be kept, by source folder in order of name.

    `appeared` are contents (SHA-256) that are new in the same run: a file with another name has only moved. A document
    that was never read is no loss.
    """
    held = Counter(entry.file.root for entry in entries if _is_read(entry))
    lost: defaultdict[str, list[CatalogEntry]] = defaultdict(list)
    for entry in gone:
        if _is_read(entry) and entry.file.sha256 not in appeared:
            lost[entry.file.root].append(entry)
    return tuple(
        WithheldDocuments(root, tuple(found), held[root])
        for root, found in sorted(lost.items())
        if len(found) >= limits.least and len(found) > limits.share * held[root]
    )


def agreed_removals(removal: Removal, looked_at: Iterable[RootScope], gone: Iterable[CatalogEntry]) -> frozenset[str]:
    """The sources among the `gone` whose removal is confirmed."""
    if removal is Removal.ALL:
        return frozenset(entry.file.source for entry in gone)
    if removal is Removal.NONE:
        return frozenset()
    named = {scope.root.name: RootScope(scope.root, missing) for scope in looked_at if (missing := _missing(scope))}
    return frozenset(
        entry.file.source
        for entry in gone
        if entry.file.root in named and named[entry.file.root].covers(entry.file.path)
    )


def _missing(scope: RootScope) -> tuple[str, ...]:
    return tuple(part for part in scope.parts if not Path(scope.root.folder, part).exists())


def _is_read(entry: CatalogEntry) -> bool:
    return entry.output("parse") is not None
