"""All findings of a generation with the documents ranked by score, the costliest rules, and near duplicates.

The findings are those that the ingest stored, each document by itself, or those of a check that compares documents too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dashboards.pages import read_queries
from dashboards.pages.quality.quality_queries import FindingTable, convert_report, rank_documents, read_findings
from flows.check_requests import CheckRequest
from tasks.check.report import Report
from tasks.quality.corpus import ChunkSketch, Corpus
from warehouse.reader import Warehouse
from warehouse.records import Severity
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings

_SQL = read_queries("quality")


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """Findings of a generation, its documents by mean score (the lowest first), and what to correct first.

    `report` and `pairs` (near duplicates, the most alike first) exist only if documents were compared.
    """

    findings: FindingTable
    documents: pa.Table
    priorities: Priorities
    report: Report | None = None
    pairs: tuple[DuplicatePair, ...] = ()

    @property
    def suppressed(self) -> int:
        """Number of findings hidden by comments in the files themselves."""
        return sum(len(file.suppressed) for file in self.report.files) if self.report else 0


def load_examination(warehouse: Warehouse) -> Examination:
    """The findings stored with the generation, for which each document was checked by itself."""
    findings = read_findings(warehouse)
    return Examination(findings, rank_documents(warehouse), rank_priorities(warehouse, findings))


def run_examination(warehouse: Warehouse, settings: Settings) -> Examination:
    """The findings of `kalends check --warehouse` with the current settings, with all rules that compare documents."""
    request = CheckRequest([Path()], [], warehouse.layout.folder, settings, CheckSettings(), None, no_cache=False)
    result = request.run()
    findings = convert_report(warehouse, result.report.entries)
    documents = _update_scores(rank_documents(warehouse), result.report)
    pairs = list_duplicates(result.corpus, result.report)
    return Examination(findings, documents, rank_priorities(warehouse, findings), result.report, pairs)


def _update_scores(documents: pa.Table, report: Report) -> pa.Table:
    """The table of documents with the scores and numbers of findings of a report, sorted again."""
    files = {file.path: file for file in report.files}
    rows = documents.to_pylist()
    for row in rows:
        if file := files.get(row["source"]):
            row |= {"score": file.score, "findings": len(file.entries)}
    rows.sort(key=lambda row: (-1.0 if row["score"] is None else row["score"], -row["findings"], row["source"]))
    return pa.Table.from_pylist(rows, schema=documents.schema)


MOST_RULES = 5  # Rules that are listed.

_OF_DOCUMENT = ["document_id", "source"]


@dataclass(frozen=True, slots=True)
class RuleCost:
    """The cost of the findings of one rule.

    `lost` is the amount by which the mean score of all passages, in [0, 1], would rise without them. `passages` and
    `documents` count where they are; `unsearchable` counts the documents that have no passage because of an error.
    `document_id` and `source` name the document with the largest loss.
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
    """The document with the largest loss; `share` is its part, in [0, 1], of the loss of all documents."""

    document_id: str
    source: str
    share: float


@dataclass(frozen=True, slots=True)
class Priorities:
    """The costliest rules, the costliest first, and the document with the largest loss, if there is a loss."""

    rules: tuple[RuleCost, ...] = ()
    document: DocumentCost | None = None


def rank_priorities(warehouse: Warehouse, findings: FindingTable) -> Priorities:
    """Rank the rules: first those that make documents unsearchable, then by the loss of the mean score.

    Errors and warnings without either effect come last; notes without either are left out.
    """
    table = _with_costs(warehouse, findings)
    groups = table.group_by(["code", *_OF_DOCUMENT]).aggregate(_SUMS).to_pylist()
    by_code: dict[str, list[dict[str, Any]]] = {}
    for row in groups:
        by_code.setdefault(row["code"], []).append(row)
    rules = [
        _rule_cost(code, rows)
        for code, rows in by_code.items()
        if any(row["lost_sum"] or row["serious_max"] for row in rows)
    ]
    rules.sort(key=lambda each: (-each.unsearchable, -each.lost, -each.findings, each.code))
    return Priorities(tuple(rules[:MOST_RULES]), _document_cost(groups))


_SUMS: list[Any] = [
    ("lost", "sum"),
    ("unsearchable", "max"),
    ("serious", "max"),
    ("chunk_id", "count_distinct", pc.CountOptions(mode="only_valid")),
    ([], "count_all"),
]


def _with_costs(warehouse: Warehouse, findings: FindingTable) -> pa.Table:
    """The findings with three more columns: `lost` (of the mean score), `unsearchable`, and `serious` (not a note)."""
    sizes = warehouse.snapshot.table(_SQL["sizes"])
    every = float(pc.sum(sizes["size"]).as_py() or 1)
    none = warehouse.snapshot.table(_SQL["unsearchable"])["document_id"].combine_chunks()
    table = findings.table.join(sizes, "chunk_id", join_type="left outer")
    is_error = pc.equal(table["severity"], Severity.ERROR.value)
    costs = {
        "lost": pc.divide(pc.multiply(table["penalty"], pc.fill_null(table["size"], 0)), every),
        "unsearchable": pc.and_(is_error, pc.is_in(table["document_id"], none)),
        "serious": pc.not_equal(table["severity"], Severity.NOTE.value),
    }
    return reduce(lambda whole, name: whole.append_column(name, costs[name]), costs, table)


def _rule_cost(code: str, rows: list[dict[str, Any]]) -> RuleCost:
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


def _document_cost(rows: list[dict[str, Any]]) -> DocumentCost | None:
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


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One side of a pair: the source of its document, and chunk id, number (from 1) and page if it is one passage."""

    source: str
    chunk_id: str = ""
    number: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """A near duplicate: `share`, in [0, 1], of `duplicate` repeats `first`; `code` is the code of the rule."""

    code: str
    first: DuplicateSide
    duplicate: DuplicateSide
    share: float

    @property
    def name(self) -> str:
        """The name in addresses; it is unique, as every duplicate is in one pair."""
        return self.duplicate.chunk_id or self.duplicate.source


def list_duplicates(corpus: Corpus, report: Report) -> tuple[DuplicatePair, ...]:
    """The pairs that the report lists, the most alike first; suppressed ones are left out."""
    reported = {(entry.located.finding.code, entry.path, entry.located.finding.start) for entry in report.entries}
    pairs = [pair for start, pair in _list_pairs(corpus) if (pair.code, pair.duplicate.source, start) in reported]
    return tuple(sorted(pairs, key=lambda pair: (-pair.share, pair.duplicate.source, pair.duplicate.number or 0)))


def read_pair_texts(warehouse: Warehouse, pair: DuplicatePair) -> tuple[str, str]:
    """The texts of both sides, `first` before `duplicate`; empty if a side is not in the generation."""
    if pair.first.chunk_id:
        texts = dict(
            warehouse.snapshot.rows(_SQL["texts"], {"one": pair.first.chunk_id, "other": pair.duplicate.chunk_id})
        )
        return texts.get(pair.first.chunk_id, ""), texts.get(pair.duplicate.chunk_id, "")
    ids = [warehouse.document_id(side.source) for side in (pair.first, pair.duplicate)]
    one, other = (warehouse.text(each) if each else "" for each in ids)
    return one, other


def _list_pairs(corpus: Corpus) -> Iterator[tuple[int | None, DuplicatePair]]:
    """All pairs, each with the start of the duplicate passage in its document (None for whole documents)."""
    for duplicate, first in corpus.copies.items():
        yield None, DuplicatePair(_COPY, DuplicateSide(first), DuplicateSide(duplicate), 1.0)
    for duplicate, (first, likeness) in corpus.alike.items():
        yield None, DuplicatePair(_DOCUMENT, DuplicateSide(first), DuplicateSide(duplicate), likeness)
    for (source, chunk), (other, later), share in corpus.repeated_chunks:
        yield later.start, DuplicatePair(_CHUNK, _make_side(source, chunk), _make_side(other, later), share)


def _make_side(source: str, chunk: ChunkSketch) -> DuplicateSide:
    return DuplicateSide(source, chunk.chunk_id, chunk.number + 1, chunk.page)
