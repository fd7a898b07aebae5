"""Findings of many documents as one table: narrowed, counted, and read a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tasks.check.report import Entry
from warehouse.reader import Warehouse
from warehouse.records import Finding, Severity

_STORED = """
    SELECT f.document_id, d.source, d.kind,
        CASE WHEN contains(d.source, '/') THEN regexp_replace(d.source, '/[^/]*$', '') ELSE '' END AS folder,
        f.code, f.name, f.severity, f.message, f.penalty, f.start, f."end", f.page, f.chunk_id
    FROM findings f JOIN documents d USING (document_id)
    ORDER BY d.source, f.start NULLS FIRST, f.code
"""
_DOCUMENTS = """
    SELECT source, document_id, kind FROM documents
"""
FINDING_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("document_id", "source", "kind", "folder", "code", "name", "severity")),
        ("message", pa.string()),
        ("penalty", pa.float64()),
        *((name, pa.int64()) for name in ("start", "end", "page")),
        ("chunk_id", pa.string()),
    ]
)
FILTER_COLUMNS = ("code", "severity", "kind", "folder", "document_id", "chunk_id")
"""The columns by which findings are narrowed."""


@dataclass(frozen=True, slots=True, eq=False)
class FindingTable:
    """A table of `FINDING_SCHEMA`, in the order of sources and of their texts."""

    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def narrowed(self, wanted: Mapping[str, str]) -> FindingTable:
        """Those that have all these values, of `FILTER_COLUMNS` columns; an empty value asks for nothing."""
        masks = [pc.equal(self.table[name], value) for name, value in wanted.items() if value]
        return FindingTable(self.table.filter(reduce(pc.and_, masks))) if masks else self

    def counts(self, *columns: str) -> list[dict[str, Any]]:
        """How many there are by some columns, and in how many documents, the most frequent first."""
        grouped = self.table.group_by(list(columns)).aggregate([([], "count_all"), ("document_id", "count_distinct")])
        rows = [
            {**{name: row[name] for name in columns}, "count": row["count_all"], "documents": row[_DISTINCT]}
            for row in grouped.to_pylist()
        ]
        return sorted(rows, key=lambda row: (-row["count"], *(row[name] for name in columns)))

    def values(self, column: str) -> list[str]:
        """What there is in a column, in order."""
        return sorted(self.table[column].unique().to_pylist())

    def page(self, number: int, size: int) -> list[dict[str, Any]]:
        """The rows of a page, from 1."""
        found: list[dict[str, Any]] = self.table.slice((number - 1) * size, size).to_pylist()
        return found


_DISTINCT = "document_id_count_distinct"


def finding_of(row: Mapping[str, Any]) -> Finding:
    """A row as the record that it is made from."""
    named = {name: row[name] for name in ("code", "name", "message", "penalty", "start", "end", "page", "chunk_id")}
    return Finding(severity=Severity(row["severity"]), **named)


def read_findings(warehouse: Warehouse) -> FindingTable:
    """What the ingest found in each document by itself."""
    return FindingTable(warehouse.snapshot.table(_STORED).cast(FINDING_SCHEMA))


def findings_of_report(warehouse: Warehouse, entries: Iterable[Entry]) -> FindingTable:
    """The findings of a report about the documents of a warehouse."""
    known = {source: (each, kind) for source, each, kind in warehouse.snapshot.rows(_DOCUMENTS)}
    rows = [_row(entry, *known[entry.path]) for entry in entries if entry.path in known]
    return FindingTable(pa.Table.from_pylist(rows, schema=FINDING_SCHEMA))


def _row(entry: Entry, document_id: str, kind: str) -> dict[str, Any]:
    finding = entry.located.finding
    own: Sequence[str] = ("code", "name", "severity", "message", "penalty", "start", "end", "page", "chunk_id")
    return {
        "document_id": document_id,
        "source": entry.path,
        "kind": kind,
        "folder": entry.path.rpartition("/")[0],
        **{name: getattr(finding, name) for name in own},
    }
