"""Runs with the cost of their stages, the difference between two generations, and the disk use of a warehouse."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from warehouse.reader import Warehouse
from warehouse.records import Run
from warehouse.store.layout import Layout

_DOCUMENT_VERSIONS = """
    SELECT d.source, d.document_id, d.title, d.sha256, d.status, d.chunk_count,
        coalesce(string_agg(o.stage || o.key, ' ' ORDER BY o.stage, o.key), '') AS outputs
    FROM documents d LEFT JOIN outputs o USING (document_id) GROUP BY ALL
"""
_FINDINGS = "SELECT code, name, severity, count(*) FROM findings GROUP BY ALL"


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage of a run with its seconds.

    `cache_hits` counts those whose output was in the cache; a file that is known to be unreadable counts as
    neither processed nor cached.
    """

    generation: int
    stage: str
    cache_misses: int
    cache_hits: int
    seconds: float


class DocumentChangeKind(StrEnum):
    """Change of a document between two generations."""

    ADDED = "added"
    UPDATED = "updated"
    REPROCESSED = "processed again"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that changed; `chunks` is the difference of its number of passages."""

    change: DocumentChangeKind
    source: str
    document_id: str
    title: str
    chunks: int
    status: str


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The findings of a rule in two generations."""

    code: str
    name: str
    severity: str
    before: int
    after: int

    @property
    def difference(self) -> int:
        """After less before."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class GenerationDifference:
    """Difference between two generations: `chunks` before and after, `settings` with their values before and after."""

    documents: tuple[DocumentChange, ...]
    chunks: tuple[int, int]
    rules: tuple[RuleChange, ...]
    settings: tuple[tuple[str, Any, Any], ...]

    def count(self, change: DocumentChangeKind) -> int:
        """The number of documents with a change."""
        return sum(document.change is change for document in self.documents)


@dataclass(frozen=True, slots=True)
class DiskPart:
    """A part of a warehouse's folder: its contents in words, its bytes and the number of its files."""

    name: str
    contents: str
    bytes: int
    files: int


def build_run_rows(runs: Iterable[Run], kept_generations: Collection[int]) -> list[dict[str, Any]]:
    """The runs as rows of a list, the latest first; `kept_generations` can be opened."""
    names = ("seconds", "documents", "chunks", "new", "changed", "gone", "model")
    return [
        {
            "generation": run.generation,
            "published": run.visible_from,
            **{name: getattr(run, name) for name in names},
            "kept": run.generation in kept_generations,
        }
        for run in sorted(runs, key=lambda run: -run.generation)
    ]


def iter_stage_rows(runs: Iterable[Run]) -> Iterator[StageRow]:
    """Each stage of each run, in order."""
    for run in runs:
        # All stages but publishing process documents one by one.
        costs = [cost for cost in run.stages if cost.stage != "publish"]
        # Files that the first stage could not read: those that it processed and the second did not.
        unreadable = max(costs[0].documents - costs[1].documents, 0) if len(costs) > 1 else 0
        for place, cost in enumerate(costs):
            changed_documents = run.new + run.changed - (unreadable if place else 0)
            reached = max(changed_documents, *(later.documents for later in costs[place:]))
            yield StageRow(run.generation, cost.stage, cost.documents, reached - cost.documents, cost.seconds)


def list_changed_settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """The settings that differ: the name and both values, None where a setting did not exist yet."""
    names = sorted({*one, *other})
    return [(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)]


def compare_generations(before: Warehouse, after: Warehouse) -> GenerationDifference:
    """The difference between two warehouses, each fixed to a generation by `Warehouse.at`."""
    old, new = (
        {row["source"]: row for row in generation.snapshot.query_records(_DOCUMENT_VERSIONS)}
        for generation in (before, after)
    )
    changes = (_compare_versions(source, old.get(source), new.get(source)) for source in sorted({*old, *new}))
    return GenerationDifference(
        documents=tuple(filter(None, changes)),
        chunks=(
            sum(version["chunk_count"] for version in old.values()),
            sum(version["chunk_count"] for version in new.values()),
        ),
        rules=tuple(_compare_rules(before, after)),
        settings=tuple(list_changed_settings(_read_settings(before), _read_settings(after))),
    )


def _compare_versions(
    source: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None
) -> DocumentChange | None:
    version = new or old
    if version is None:
        return None
    if new is None:
        change = DocumentChangeKind.REMOVED
    elif old is None:
        change = DocumentChangeKind.ADDED
    elif (old["sha256"], old["status"]) != (new["sha256"], new["status"]):
        change = DocumentChangeKind.UPDATED
    elif old["outputs"] != new["outputs"]:
        change = DocumentChangeKind.REPROCESSED
    else:
        return None
    chunks = (new["chunk_count"] if new else 0) - (old["chunk_count"] if old else 0)
    title = version["title"] or source
    return DocumentChange(change, source, version["document_id"], title, chunks, version["status"])


def _compare_rules(before: Warehouse, after: Warehouse) -> list[RuleChange]:
    old, new = (
        {(code, name, severity): count for code, name, severity, count in generation.snapshot.query_rows(_FINDINGS)}
        for generation in (before, after)
    )
    changes = [RuleChange(*rule, old.get(rule, 0), new.get(rule, 0)) for rule in sorted({*old, *new})]
    return sorted((change for change in changes if change.difference), key=lambda change: -abs(change.difference))


def _read_settings(warehouse: Warehouse) -> Mapping[str, Any]:
    runs: dict[int, Run] = {run.generation: run for run in warehouse.list_runs()}
    settings = json.loads(runs[warehouse.generation].settings)
    return settings if isinstance(settings, dict) else {}


def list_disk_parts(layout: Layout) -> list[DiskPart]:
    """The parts that have files, the largest first, each file counted once."""
    folders = {
        layout.lake: ("lake", "output of all stages, shared by all generations"),
        layout.indexes: ("vectors", "vector indexes, shared by generations"),
        layout.generations: ("generations", "the documents of each generation and its keyword index"),
        layout.inbox: ("inbox", "uploaded files"),
        layout.prefect: ("server", "state, results and logs of the Prefect server"),
    }
    parts = [DiskPart(*words, *_measure_size(folder)) for folder, words in folders.items() if folder.is_dir()]
    entries = layout.folder.iterdir() if layout.folder.is_dir() else ()
    sizes = [_measure_size(entry) for entry in entries if entry not in folders and not entry.is_symlink()]
    size, files = sum(size for size, _ in sizes), sum(count for _, count in sizes)
    parts.append(DiskPart("others", "conversations, saved queries and other files", size, files))
    return sorted((part for part in parts if part.files), key=lambda part: -part.bytes)


def _measure_size(place: Path) -> tuple[int, int]:
    """The bytes and the number of the files at or below a place; links are not followed."""
    files = (
        [place] if not place.is_dir() else [Path(parent, name) for parent, _, names in os.walk(place) for name in names]
    )
    sizes = []
    for file in files:
        # A running ingest may just have deleted it.
        with suppress(FileNotFoundError):
            sizes.append(file.lstat().st_size)
    return sum(sizes), len(sizes)
