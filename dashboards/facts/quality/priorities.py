"""What to mend first: the rules whose findings cost most, and the document that loses most by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dashboards.facts.quality.findings import FindingTable
from warehouse.reader import Warehouse
from warehouse.records import Severity

MOST_RULES = 5
"""Rules that are listed."""

_SIZES = "SELECT chunk_id, size FROM chunks WHERE quality_score IS NOT NULL"
_UNSEARCHABLE = "SELECT document_id FROM documents WHERE chunk_count = 0"
_OF_DOCUMENT = ["document_id", "source"]


@dataclass(frozen=True, slots=True)
class RuleCost:
    """What the findings of a rule cost.

    `lost` is by how much the mean score of all passages would rise without them. They are in so many `passages` of so
    many `documents`, of which so many are `unsearchable`: those have no passage because of it. `document_id` and
    `source` name the document that loses most by the rule.
    """

    code: str
    findings: int
    passages: int
    documents: int
    unsearchable: int
    lost: float
    document_id: str
    source: str


@dataclass(frozen=True, slots=True)
class DocumentCost:
    """The document that loses most by its findings: its `share`, in [0, 1], of what all findings cost."""

    document_id: str
    source: str
    share: float


@dataclass(frozen=True, slots=True)
class Priorities:
    """The rules that cost most, the costliest first, and the document that loses most, if any loses something."""

    rules: tuple[RuleCost, ...] = ()
    document: DocumentCost | None = None


def rank_priorities(warehouse: Warehouse, findings: FindingTable) -> Priorities:
    """Those of a generation: first what keeps documents out of every search, then what lowers the mean score most.

    Errors and warnings that do neither come last, notes that do neither are left out.
    """
    table = _with_costs(warehouse, findings)
    groups = table.group_by(["code", *_OF_DOCUMENT]).aggregate(_SUMS).to_pylist()
    by_code: dict[str, list[dict[str, Any]]] = {}
    for row in groups:
        by_code.setdefault(row["code"], []).append(row)
    rules = [_rule(code, rows) for code, rows in by_code.items() if any(map(_counts, rows))]
    rules.sort(key=lambda each: (-each.unsearchable, -each.lost, -each.findings, each.code))
    return Priorities(tuple(rules[:MOST_RULES]), _document(groups))


_SUMS: list[Any] = [
    ("lost", "sum"),
    ("unsearchable", "max"),
    ("serious", "max"),
    ("chunk_id", "count_distinct", pc.CountOptions(mode="only_valid")),
    ([], "count_all"),
]


def _with_costs(warehouse: Warehouse, findings: FindingTable) -> pa.Table:
    """The findings, each with what it takes of the mean score and whether it is why its document has no passage."""
    sizes = warehouse.snapshot.table(_SIZES)
    every = float(pc.sum(sizes["size"]).as_py() or 1)
    none = warehouse.snapshot.table(_UNSEARCHABLE)["document_id"].combine_chunks()
    table = findings.table.join(sizes, "chunk_id", join_type="left outer")
    is_error = pc.equal(table["severity"], Severity.ERROR.value)
    costs = {
        "lost": pc.divide(pc.multiply(table["penalty"], pc.fill_null(table["size"], 0)), every),
        "unsearchable": pc.and_(is_error, pc.is_in(table["document_id"], none)),
        "serious": pc.not_equal(table["severity"], Severity.NOTE.value),
    }
    for name, column in costs.items():
        table = table.append_column(name, column)
    return table


def _counts(row: dict[str, Any]) -> bool:
    return bool(row["lost_sum"] or row["serious_max"])


def _rule(code: str, rows: list[dict[str, Any]]) -> RuleCost:
    worst = max(rows, key=lambda row: (row["lost_sum"], row["count_all"], row["source"]))
    return RuleCost(
        code=code,
        findings=sum(row["count_all"] for row in rows),
        passages=sum(row["chunk_id_count_distinct"] for row in rows),
        documents=len(rows),
        unsearchable=sum(row["unsearchable_max"] for row in rows),
        lost=sum(row["lost_sum"] for row in rows),
        document_id=worst["document_id"],
        source=worst["source"],
    )


def _document(rows: list[dict[str, Any]]) -> DocumentCost | None:
    lost: dict[tuple[str, str], float] = {}
    for row in rows:
        name = (row["document_id"], row["source"])
        lost[name] = lost.get(name, 0.0) + row["lost_sum"]
    every = sum(lost.values())
    if not every:
        return None
    worst = max(lost, key=lambda name: (lost[name], name))
    return DocumentCost(*worst, lost[worst] / every)
