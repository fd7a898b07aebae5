"""The documents that the last run with any change added, changed or removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Run

LISTED = 5
"""Documents that are named."""
TRIED = 5
"""Runs that are looked through: one that only worked on documents anew changed none."""
_VERSIONS = """
    SELECT source, document_id, coalesce(nullif(title, ''), path) AS title, sha256, status FROM documents
"""
_NEWEST = """
    SELECT document_id, coalesce(nullif(title, ''), path) FROM documents WHERE status <> 'unreadable'
    ORDER BY document_date DESC NULLS LAST, source LIMIT $most
"""


class Change(StrEnum):
    """What became of a document."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "removed"


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document of which a run changed something."""

    change: Change
    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class News:
    """The run of a generation, `new`, `changed` and `gone` being how many documents it changed, and some of these."""

    generation: int
    published: datetime
    new: int
    changed: int
    gone: int
    documents: tuple[ChangedDocument, ...]


def latest_news(warehouse: Warehouse) -> News | None:
    """The last run that changed the content of any document; None where none of the last `TRIED` changing runs did.

    Its documents are named where the generation before it is kept, or there is none before it.
    """
    held = warehouse.at()
    runs = held.runs()
    changing = [place for place, run in enumerate(runs) if run.new + run.changed + run.gone]
    for place in changing[: -TRIED - 1 : -1]:
        run, found = runs[place], list[ChangedDocument]()
        try:
            after = held if run is runs[-1] else warehouse.at(run.generation)
            found = _differences(warehouse.at(runs[place - 1].generation), after) if place else _newest(after)
        except KalendsError:
            # A generation that is no longer kept cannot be compared: the counts alone are told.
            return _news(run, found)
        if found:
            return _news(run, found)
    return None


def _news(run: Run, found: Sequence[ChangedDocument]) -> News:
    return News(run.generation, run.visible_from, run.new, run.changed, run.gone, tuple(found[:LISTED]))


def _newest(warehouse: Warehouse) -> list[ChangedDocument]:
    return [ChangedDocument(Change.NEW, *row) for row in warehouse.snapshot.rows(_NEWEST, {"most": LISTED})]


def _differences(before: Warehouse, after: Warehouse) -> list[ChangedDocument]:
    """The documents of another content, or of one only, in order of source: new ones, changed ones, those gone."""
    old, new = ({row[0]: row[1:] for row in each.snapshot.rows(_VERSIONS)} for each in (before, after))
    changes = {
        Change.NEW: [new[source] for source in sorted(new.keys() - old.keys())],
        Change.CHANGED: [
            new[source] for source in sorted(new.keys() & old.keys()) if new[source][2:] != old[source][2:]
        ],
        Change.GONE: [old[source] for source in sorted(old.keys() - new.keys())],
    }
    return [ChangedDocument(change, row[0], row[1]) for change, rows in changes.items() for row in rows]
