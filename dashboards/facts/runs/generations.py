"""What changed between two generations: documents, passages, findings and settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dashboards.facts.runs.listed import changed_settings
from warehouse.reader import Warehouse
from warehouse.records import Run

_DOCUMENTS = """
    SELECT d.source, d.document_id, d.title, d.sha256, d.status, d.chunk_count,
        coalesce(string_agg(o.stage || o.key, ' ' ORDER BY o.stage, o.key), '')
    FROM documents d LEFT JOIN outputs o USING (document_id) GROUP BY ALL
"""
_FINDINGS = "SELECT code, name, severity, count(*) FROM findings GROUP BY ALL"


class Changed(StrEnum):
    """What became of a document."""

    NEW = "added"
    CHANGED = "updated"
    ANEW = "processed again"
    GONE = "removed"


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that is not what it was. `chunks` is how many passages more, or fewer, it has."""

    change: Changed
    source: str
    document_id: str
    title: str
    chunks: int
    status: str


@dataclass(frozen=True, slots=True)
class RuleChange:
    """How often a rule was found before and after."""

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
class Difference:
    """Everything that differs between two generations. `settings` are name, value before and value after."""

    documents: tuple[DocumentChange, ...]
    chunks: tuple[int, int]
    rules: tuple[RuleChange, ...]
    settings: tuple[tuple[str, Any, Any], ...]

    def count(self, change: Changed) -> int:
        """How many documents changed so."""
        return sum(each.change is change for each in self.documents)


@dataclass(frozen=True, slots=True)
class _Version:
    document_id: str
    title: str
    sha256: str
    status: str
    chunks: int
    outputs: str


def difference(before: Warehouse, after: Warehouse) -> Difference:
    """What `after` has that `before` has not, and the other way; each must hold one generation (`Warehouse.at`)."""
    old, new = _documents(before), _documents(after)
    changes = (_change(source, old.get(source), new.get(source)) for source in sorted({*old, *new}))
    return Difference(
        documents=tuple(filter(None, changes)),
        chunks=(sum(each.chunks for each in old.values()), sum(each.chunks for each in new.values())),
        rules=tuple(_rules(before, after)),
        settings=tuple(changed_settings(_settings(before), _settings(after))),
    )


def _documents(warehouse: Warehouse) -> dict[str, _Version]:
    return {row[0]: _Version(*row[1:]) for row in warehouse.snapshot.rows(_DOCUMENTS)}


def _change(source: str, old: _Version | None, new: _Version | None) -> DocumentChange | None:
    if new is None:
        return None if old is None else _told(Changed.GONE, source, old, -old.chunks)
    if old is None:
        return _told(Changed.NEW, source, new, new.chunks)
    if (old.sha256, old.status) != (new.sha256, new.status):
        return _told(Changed.CHANGED, source, new, new.chunks - old.chunks)
    return _told(Changed.ANEW, source, new, new.chunks - old.chunks) if old.outputs != new.outputs else None


def _told(change: Changed, source: str, version: _Version, chunks: int) -> DocumentChange:
    return DocumentChange(change, source, version.document_id, version.title or source, chunks, version.status)


def _rules(before: Warehouse, after: Warehouse) -> list[RuleChange]:
    old, new = _findings(before), _findings(after)
    found = [RuleChange(*rule, old.get(rule, 0), new.get(rule, 0)) for rule in sorted({*old, *new})]
    return sorted((each for each in found if each.difference), key=lambda each: -abs(each.difference))


def _findings(warehouse: Warehouse) -> dict[tuple[str, str, str], int]:
    return {(code, name, severity): count for code, name, severity, count in warehouse.snapshot.rows(_FINDINGS)}


def _settings(warehouse: Warehouse) -> Mapping[str, Any]:
    runs: dict[int, Run] = {run.generation: run for run in warehouse.runs()}
    found = json.loads(runs[warehouse.generation].settings)
    return found if isinstance(found, dict) else {}
