"""Findings and scores of a generation: tables, counts, single passages, and a summary of earlier generations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dashboards.pages import read_queries
from tasks.check.report import ReportedFinding
from tasks.quality.scoring import BARE_TABLE, EMPTY, HYBRID_BONUS, PROSE, quality
from warehouse.reader import Warehouse
from warehouse.records import Finding, Severity
from warehouse.store.generations import retained

_SQL = read_queries("quality")

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
"""Columns that `FindingTable.where` accepts."""


@dataclass(frozen=True, slots=True, eq=False)
class FindingTable:
    """A table of `FINDING_SCHEMA`, sorted by source and position in the text."""

    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def where(self, conditions: Mapping[str, str]) -> FindingTable:
        """The findings with all these values of `FILTER_COLUMNS`; an empty value is no condition."""
        masks = [pc.equal(self.table[name], value) for name, value in conditions.items() if value]
        return FindingTable(self.table.filter(reduce(pc.and_, masks))) if masks else self

    def counts(self, *columns: str) -> list[dict[str, Any]]:
        """Number of findings (`count`) and of documents by some columns, the most frequent first."""
        grouped = self.table.group_by(list(columns)).aggregate([([], "count_all"), ("document_id", "count_distinct")])
        rows = [
            {
                **{name: row[name] for name in columns},
                "count": row["count_all"],
                "documents": row["document_id_count_distinct"],
            }
            for row in grouped.to_pylist()
        ]
        return sorted(rows, key=lambda row: (-row["count"], *(row[name] for name in columns)))

    def values(self, column: str) -> list[str]:
        """The distinct values of a column, sorted."""
        return sorted(self.table[column].unique().to_pylist())

    def first(self, most: int) -> list[Finding]:
        """The first `most` findings."""
        names = ("code", "name", "message", "penalty", "start", "end", "page", "chunk_id")
        return [
            Finding(severity=Severity(row["severity"]), **{name: row[name] for name in names})
            for row in self.table.slice(0, most).to_pylist()
        ]


def read_findings(warehouse: Warehouse) -> FindingTable:
    """The findings stored by the ingest, which checks each document by itself."""
    return FindingTable(warehouse.snapshot.table(_SQL["findings"]).cast(FINDING_SCHEMA))


def convert_report(warehouse: Warehouse, entries: Iterable[ReportedFinding]) -> FindingTable:
    """The findings of a report about documents of the warehouse, as a table."""
    documents = {source: (each, kind) for source, each, kind in warehouse.snapshot.rows(_SQL["document_kinds"])}
    names = ("code", "name", "severity", "message", "penalty", "start", "end", "page", "chunk_id")
    rows = [
        {
            "document_id": documents[entry.path][0],
            "source": entry.path,
            "kind": documents[entry.path][1],
            "folder": entry.path.rpartition("/")[0],
            **{name: getattr(entry.located.finding, name) for name in names},
        }
        for entry in entries
        if entry.path in documents
    ]
    return FindingTable(pa.Table.from_pylist(rows, schema=FINDING_SCHEMA))


SCORE_STEP = 0.05  # Width of a bar of the histogram: penalties are multiples of it.
WEAK_SCORE = 0.8  # Passages with a lower score count as weak: they have more than one ordinary fault.


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """The mean of all passages by size (None without any), their number, and the number below `WEAK_SCORE`."""

    mean: float | None
    passages: int
    weak: int


def summarize_scores(warehouse: Warehouse) -> ScoreSummary:
    """Summary of the scores of all passages."""
    ((mean, passages, weak),) = warehouse.snapshot.rows(_SQL["summary"], {"weak": WEAK_SCORE})
    return ScoreSummary(None if mean is None else round(mean, 4), int(passages), int(weak))


def count_by_score(warehouse: Warehouse) -> list[dict[str, Any]]:
    """The bars of the histogram, also empty ones: `score` of the bar, and number of `passages` nearest to it."""
    counts = dict(warehouse.snapshot.rows(_SQL["distribution"], {"step": SCORE_STEP}))
    bars = range(round(1 / SCORE_STEP) + 1)
    return [{"score": round(bar * SCORE_STEP, 2), "passages": int(counts.get(bar, 0))} for bar in bars]


def rank_documents(warehouse: Warehouse) -> pa.Table:
    """All documents with the mean score of their passages, the lowest first; unreadable ones have no score."""
    return warehouse.snapshot.table(_SQL["document_scores"], {"weak": WEAK_SCORE})


def count_faulty_passages(warehouse: Warehouse, document: str = "") -> int:
    """Number of passages of a document, or of all, with a score below 1."""
    return int(warehouse.snapshot.rows(_SQL["faulty_count"], {"document": document})[0][0])


def lowest_passages(warehouse: Warehouse, document: str, first: int, size: int) -> pa.Table:
    """The passages with a score below 1, the lowest first: `size` of them after the first `first`."""
    return warehouse.snapshot.table(_SQL["lowest_passages"], {"document": document, "first": first, "size": size})


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A chunk with source and title of its document; `number` is from 1, `stored_score` the one that search uses."""

    chunk_id: str
    document_id: str
    source: str
    title: str
    start: int
    end: int
    text: str
    section: tuple[str, ...]
    page: int | None
    number: int
    has_table: bool
    stored_score: float | None
    has_prose: bool

    @property
    def base_score(self) -> tuple[float, str]:
        """The score of the passage without findings, and the reason in words."""
        if not self.has_table:
            return PROSE, "prose"
        return (BARE_TABLE + HYBRID_BONUS, "a table with text around it") if self.has_prose else (BARE_TABLE, "a table")


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A score as the base score of a passage minus the penalties of its findings (`charges`)."""

    base_score: float
    base_reason: str
    charges: tuple[Finding, ...]

    @property
    def score(self) -> float:
        """The score, in [0, 1]."""
        return quality(self.base_score, self.charges)

    @property
    def remark(self) -> str:
        """The reason if the score is not simply the sum, else empty."""
        if any(charge.code == EMPTY for charge in self.charges):
            return "A passage without content scores 0."
        rest = self.base_score - sum(charge.penalty for charge in self.charges)
        return "No passage scores less than 0." if rest < 0 else ""


def read_passage(warehouse: Warehouse, chunk_id: str) -> ScoredPassage | None:
    """The passage with this id, else None."""
    rows = warehouse.snapshot.rows(_SQL["passage"], {"id": chunk_id})
    if not rows:
        return None
    row = list(rows[0])
    row[7] = tuple(row[7] or ())
    return ScoredPassage(*row)


def find_passage(warehouse: Warehouse, document_id: str, position: int) -> str:
    """The id of the passage that contains a position of a document's text, else ""."""
    rows = warehouse.snapshot.rows(_SQL["passage_at"], {"id": document_id, "at": position})
    return str(rows[0][0]) if rows else ""


def explain_score(passage: ScoredPassage, charges: Sequence[Finding]) -> ScoreBreakdown:
    """The score of a passage explained by the findings charged to it."""
    return ScoreBreakdown(*passage.base_score, tuple(charges))


MOST_GENERATIONS = 12  # Generations of the history: each has to be opened.


def list_generations(warehouse: Warehouse) -> list[int]:
    """The numbers of the latest retained generations, the oldest first."""
    published = {run.generation for run in warehouse.runs()}
    numbers = (int(folder.name) for folder in retained(warehouse.layout))
    return [number for number in numbers if number in published][-MOST_GENERATIONS:]


def summarize_generation(warehouse: Warehouse) -> dict[str, object]:
    """The generation that `warehouse` reads as a row: number, mean score (None without passages), passages, findings.

    The findings are counted by severity.
    """
    snapshot = warehouse.snapshot
    ((mean, passages),) = snapshot.rows(_SQL["mean_score"])
    counts = dict(snapshot.rows(_SQL["severity_counts"]))
    by_severity = {severity.value: int(counts.get(severity, 0)) for severity in Severity}
    score = None if mean is None else round(mean, 4)
    return {"generation": warehouse.generation, "score": score, "passages": int(passages), **by_severity}
