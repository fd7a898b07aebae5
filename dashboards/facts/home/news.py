"""The documents that the last run with any change added, changed or removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Run

MOST_CHANGES = 5
"""Documents that are named."""
MOST_RUNS = 5
"""Runs that are looked through: one that only worked on documents anew changed none."""
_VERSIONS = """
    SELECT source, document_id, coalesce(nullif(title, ''), path) AS title, sha256, status FROM documents
"""
_NEWEST = """
    SELECT document_id, coalesce(nullif(title, ''), path) FROM documents WHERE status <> 'unreadable'
    ORDER BY document_date DESC NULLS LAST, source LIMIT $most
"""


class ChangeKind(StrEnum):
    """What became of a document."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "removed"


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document of which a run changed something."""

    change: ChangeKind
    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class LatestChanges:
    """The run of a generation, `new`, `changed` and `gone` being how many documents it changed, and some of these."""

    generation: int
    published: datetime
    new: int
    changed: int
    gone: int
    documents: tuple[ChangedDocument, ...]


def latest_changes(warehouse: Warehouse) -> LatestChanges | None:
    """The last run that changed the content of any document; None where none of the last `MOST_RUNS` changing runs did.

    Its documents are named where the generation before it is kept, or there is none before it.
    """
    held = warehouse.at()
    runs = held.runs()
    changing = [place for place, run in enumerate(runs) if run.new + run.changed + run.gone]
    for place in changing[: -MOST_RUNS - 1 : -1]:
        run, found = runs[place], list[ChangedDocument]()
        try:
            after = held if run is runs[-1] else warehouse.at(run.generation)
            found = _differences(warehouse.at(runs[place - 1].generation), after) if place else _newest_documents(after)
        except KalendsError:
            # A generation that is no longer kept cannot be compared: the counts alone are told.
            return _changes_of(run, found)
        if found:
            return _changes_of(run, found)
    return None


def _changes_of(run: Run, found: Sequence[ChangedDocument]) -> LatestChanges:
    return LatestChanges(run.generation, run.visible_from, run.new, run.changed, run.gone, tuple(found[:MOST_CHANGES]))


def _newest_documents(warehouse: Warehouse) -> list[ChangedDocument]:
    return [ChangedDocument(ChangeKind.NEW, *row) for row in warehouse.snapshot.rows(_NEWEST, {"most": MOST_CHANGES})]


def _differences(before: Warehouse, after: Warehouse) -> list[ChangedDocument]:
    """The documents of another content, or of one only, in order of source: new ones, changed ones, those gone."""
    old, new = ({row[0]: row[1:] for row in each.snapshot.rows(_VERSIONS)} for each in (before, after))
    changes = {
        ChangeKind.NEW: [new[source] for source in sorted(new.keys() - old.keys())],
        ChangeKind.CHANGED: [
            new[source] for source in sorted(new.keys() & old.keys()) if new[source][2:] != old[source][2:]
        ],
        ChangeKind.GONE: [old[source] for source in sorted(old.keys() - new.keys())],
    }
    return [ChangedDocument(change, row[0], row[1]) for change, rows in changes.items() for row in rows]
