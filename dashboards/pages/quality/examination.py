"""All findings of a generation with the documents ranked by score, the costliest rules, and near duplicates.

The findings are those that the ingest stored, each document by itself, or those of a check that compares documents too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dashboards.pages.quality.queries import FindingTable, findings_of_report, rank_documents, read_findings
from flows.check_requests import CheckRequest
from tasks.check.report import Report
from tasks.quality.corpus import ChunkSketch, Corpus
from warehouse.reader import Warehouse
from warehouse.records import Severity
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """Findings, documents with their scores, the worst first, and what to mend first.

    `report` and `pairs` (near duplicates, the most alike first) are the check's; of the ingest there are none.
    """

    findings: FindingTable
    documents: pa.Table
    priorities: Priorities
    report: Report | None = None
    pairs: tuple[DuplicatePair, ...] = ()

    @property
    def suppressed(self) -> int:
        """How many findings the documents themselves silence."""
        return sum(len(file.suppressed) for file in self.report.files) if self.report else 0


def load_examination(warehouse: Warehouse) -> Examination:
    """What is kept with the generation: each document by itself."""
    found = read_findings(warehouse)
    return Examination(found, rank_documents(warehouse), rank_priorities(warehouse, found))


def run_examination(warehouse: Warehouse, settings: Settings) -> Examination:
    """What `kalends check --warehouse` finds now, with the settings in force: all rules, and documents compared."""
    request = CheckRequest([Path()], [], warehouse.layout.folder, settings, CheckSettings(), None, no_cache=False)
    checked = request.run()
    report = checked.report
    found = findings_of_report(warehouse, report.entries)
    rescored = _rescored(rank_documents(warehouse), report)
    return Examination(
        found, rescored, rank_priorities(warehouse, found), report, list_duplicates(checked.corpus, report)
    )


def _rescored(known: pa.Table, report: Report) -> pa.Table:
    """The documents with the scores and the numbers of findings of a report."""
    files = {file.path: file for file in report.files}
    rows = known.to_pylist()
    for row in rows:
        if file := files.get(row["source"]):
            row |= {"score": file.score, "findings": len(file.entries)}
    rows.sort(key=lambda row: (-1.0 if row["score"] is None else row["score"], -row["findings"], row["source"]))
    return pa.Table.from_pylist(rows, schema=known.schema)


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


_CHUNK, _DOCUMENT, _COPY = "CHK009", "DOC018", "DOC017"
_TEXTS = "SELECT chunk_id, text FROM chunks WHERE chunk_id IN ($one, $other)"


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One of two: its document's source, and its passage (id, number from 1, page) unless it is the whole."""

    source: str
    chunk_id: str = ""
    number: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """What says again what `first` says; `share` is how much of it that is, in [0, 1], and `code` the rule's."""

    code: str
    first: DuplicateSide
    again: DuplicateSide
    share: float

    @property
    def name(self) -> str:
        """What it is called in an address: there is one pair for each that says something again."""
        return self.again.chunk_id or self.again.source


def list_duplicates(corpus: Corpus, report: Report) -> tuple[DuplicatePair, ...]:
    """The pairs of which the report tells, the most alike first: what it is told to pass over is not among them."""
    told = {(entry.located.finding.code, entry.path, entry.located.finding.start) for entry in report.entries}
    found = [pair for start, pair in _every(corpus) if (pair.code, pair.again.source, start) in told]
    return tuple(sorted(found, key=lambda pair: (-pair.share, pair.again.source, pair.again.number or 0)))


def read_pair_texts(warehouse: Warehouse, pair: DuplicatePair) -> tuple[str, str]:
    """What both say, the first one first; empty where it is not in the generation."""
    if pair.first.chunk_id:
        found = dict(warehouse.snapshot.rows(_TEXTS, {"one": pair.first.chunk_id, "other": pair.again.chunk_id}))
        return found.get(pair.first.chunk_id, ""), found.get(pair.again.chunk_id, "")
    ids = [warehouse.document_id(side.source) for side in (pair.first, pair.again)]
    one, other = (warehouse.text(each) if each else "" for each in ids)
    return one, other


def _every(corpus: Corpus) -> Iterator[tuple[int | None, DuplicatePair]]:
    """Each pair, and where in its document that begins which is said again."""
    for again, first in corpus.copies.items():
        yield None, DuplicatePair(_COPY, DuplicateSide(first), DuplicateSide(again), 1.0)
    for again, (first, likeness) in corpus.alike.items():
        yield None, DuplicatePair(_DOCUMENT, DuplicateSide(first), DuplicateSide(again), likeness)
    for (source, chunk), (other, later), share in corpus.repeated_chunks:
        yield later.start, DuplicatePair(_CHUNK, _side(source, chunk), _side(other, later), share)


def _side(source: str, chunk: ChunkSketch) -> DuplicateSide:
    return DuplicateSide(source, chunk.chunk_id, chunk.number + 1, chunk.page)
