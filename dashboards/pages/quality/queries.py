"""Findings and scores of a generation: tables, counts, single passages, and a summary of earlier generations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tasks.check.report import ReportedFinding
from tasks.quality.judging import EMPTY
from tasks.quality.scoring import BARE_TABLE, HYBRID_BONUS, PROSE, quality
from warehouse.reader import Warehouse
from warehouse.records import Finding, Severity
from warehouse.store.generations import retained

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


def findings_of_report(warehouse: Warehouse, entries: Iterable[ReportedFinding]) -> FindingTable:
    """The findings of a report about the documents of a warehouse."""
    known = {source: (each, kind) for source, each, kind in warehouse.snapshot.rows(_DOCUMENTS)}
    rows = [_row(entry, *known[entry.path]) for entry in entries if entry.path in known]
    return FindingTable(pa.Table.from_pylist(rows, schema=FINDING_SCHEMA))


def _row(entry: ReportedFinding, document_id: str, kind: str) -> dict[str, Any]:
    finding = entry.located.finding
    own: Sequence[str] = ("code", "name", "severity", "message", "penalty", "start", "end", "page", "chunk_id")
    return {
        "document_id": document_id,
        "source": entry.path,
        "kind": kind,
        "folder": entry.path.rpartition("/")[0],
        **{name: getattr(finding, name) for name in own},
    }


SCORE_STEP = 0.05
"""The width of a bar of the distribution: penalties are multiples of it."""
WEAK_SCORE = 0.8
"""Passages below this are counted as weak: they pay for more than one ordinary fault."""

_DISTRIBUTION = """
    SELECT round(quality_score / $step)::INT AS bar, count(*) AS passages
    FROM scores WHERE quality_score IS NOT NULL GROUP BY bar
"""
_SUMMARY = """
    SELECT sum(quality_score * size) / nullif(sum(size), 0) AS mean, count(*) AS passages,
        count(*) FILTER (quality_score < $weak) AS weak
    FROM chunks WHERE quality_score IS NOT NULL
"""
_DOCUMENTS_OVERVIEW = """
    WITH scored AS (
        SELECT document_id, round(sum(quality_score * size) / nullif(sum(size), 0), 4) AS score, count(*) AS passages,
            count(*) FILTER (quality_score < $weak) AS weak
        FROM chunks WHERE quality_score IS NOT NULL GROUP BY document_id
    ), found AS (
        SELECT document_id, count(*) AS findings FROM findings GROUP BY document_id
    )
    SELECT d.document_id, d.source, d.kind, s.score, coalesce(s.passages, 0) AS passages, coalesce(s.weak, 0) AS weak,
        coalesce(f.findings, 0) AS findings
    FROM documents d LEFT JOIN scored s USING (document_id) LEFT JOIN found f USING (document_id)
    ORDER BY s.score NULLS FIRST, findings DESC, d.source
"""
_LOWEST = """
    SELECT c.chunk_id, c.document_id, d.source, c.page, c.chunk_index + 1 AS number, c.quality_score AS score,
        left(c.text, 160) AS begins
    FROM chunks c JOIN documents d USING (document_id)
    WHERE c.quality_score < 1 AND ($document = '' OR c.document_id = $document)
    ORDER BY c.quality_score, d.source, c.chunk_index
    LIMIT $size OFFSET $first
"""
_FAULTED = """
    SELECT count(*) FROM scores WHERE quality_score < 1 AND ($document = '' OR document_id = $document)
"""


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """The mean of all passages by size (None without any), their number, and the number below `WEAK_SCORE`."""

    mean: float | None
    passages: int
    weak: int


def summarize_scores(warehouse: Warehouse) -> ScoreSummary:
    """What all scores come to."""
    ((mean, passages, weak),) = warehouse.snapshot.rows(_SUMMARY, {"weak": WEAK_SCORE})
    return ScoreSummary(None if mean is None else round(mean, 4), int(passages), int(weak))


def count_by_score(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Each bar of the histogram, empty ones as well: the `score` it stands at, and how many `passages` are nearest."""
    found = dict(warehouse.snapshot.rows(_DISTRIBUTION, {"step": SCORE_STEP}))
    bars = range(round(1 / SCORE_STEP) + 1)
    return [{"score": round(bar * SCORE_STEP, 2), "passages": int(found.get(bar, 0))} for bar in bars]


def rank_documents(warehouse: Warehouse) -> pa.Table:
    """Every document with the mean of its passages, the worst first; unread ones have no score."""
    return warehouse.snapshot.table(_DOCUMENTS_OVERVIEW, {"weak": WEAK_SCORE})


def count_faulty_passages(warehouse: Warehouse, document: str = "") -> int:
    """How many passages of a document, or of all, score less than 1."""
    return int(warehouse.snapshot.rows(_FAULTED, {"document": document})[0][0])


def lowest_passages(warehouse: Warehouse, document: str, first: int, size: int) -> pa.Table:
    """Those passages, the lowest first: `size` of them after the `first` ones."""
    return warehouse.snapshot.table(_LOWEST, {"document": document, "first": first, "size": size})


_PASSAGE = """
    SELECT c.chunk_id, c.document_id, d.source, coalesce(nullif(d.title, ''), d.path) AS title, c.start, c."end",
        c.text, c.section, c.page, c.chunk_index + 1 AS number, c.has_table, c.quality_score,
        EXISTS (
            SELECT 1 FROM blocks b WHERE b.document_id = c.document_id AND b.start < c."end" AND b."end" > c.start
                AND b.kind NOT IN ('table', 'furniture')
        ) AS has_prose
    FROM chunks c JOIN documents d USING (document_id) WHERE c.chunk_id = $id
"""
_AT = """
    SELECT chunk_id FROM chunks WHERE document_id = $id AND start <= $at AND "end" > $at ORDER BY start DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A chunk with its document's source and title; `number` is from 1, `stored` the score that is kept with it."""

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
    stored: float | None
    has_prose: bool

    @property
    def begins(self) -> tuple[float, str]:
        """What it scores where nothing is found in it, and why."""
        if not self.has_table:
            return PROSE, "prose"
        return (BARE_TABLE + HYBRID_BONUS, "a table with text around it") if self.has_prose else (BARE_TABLE, "a table")


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A score as what a passage begins with and what its findings take away."""

    begins: float
    why: str
    charges: tuple[Finding, ...]

    @property
    def score(self) -> float:
        """What remains."""
        return quality(self.begins, self.charges)

    @property
    def remark(self) -> str:
        """Why the score is not simply the sum, where it is not."""
        if any(charge.code == EMPTY for charge in self.charges):
            return "A passage without content scores 0."
        owed = self.begins - sum(charge.penalty for charge in self.charges)
        return "No passage scores less than 0." if owed < 0 else ""


def read_passage(warehouse: Warehouse, chunk_id: str) -> ScoredPassage | None:
    """The passage of this id; None without it."""
    rows = warehouse.snapshot.rows(_PASSAGE, {"id": chunk_id})
    if not rows:
        return None
    row = list(rows[0])
    row[7] = tuple(row[7] or ())
    return ScoredPassage(*row)


def find_passage(warehouse: Warehouse, document_id: str, position: int) -> str:
    """The id of the passage that holds a position of a document's text; "" without one."""
    rows = warehouse.snapshot.rows(_AT, {"id": document_id, "at": position})
    return str(rows[0][0]) if rows else ""


def explain_score(passage: ScoredPassage, charges: Sequence[Finding]) -> ScoreBreakdown:
    """Its score by the findings charged to it."""
    return ScoreBreakdown(*passage.begins, tuple(charges))


_COUNTS = "SELECT severity, count(*) FROM findings GROUP BY severity"
_MEAN = "SELECT sum(quality_score * size) / nullif(sum(size), 0), count(*) FROM chunks"
MOST_GENERATIONS = 12
"""The latest generations are looked at: each is opened for it."""


@dataclass(frozen=True, slots=True)
class GenerationQuality:
    """A generation's mean score (None without passages), its passages, and its findings by severity."""

    generation: int
    mean: float | None
    passages: int
    findings: dict[str, int]


def list_generations(warehouse: Warehouse) -> list[int]:
    """The numbers of the latest generations that are kept, oldest first."""
    published = {run.generation for run in warehouse.runs()}
    found = (int(folder.name) for folder in retained(warehouse.layout))
    return [number for number in found if number in published][-MOST_GENERATIONS:]


def summarize_generation(warehouse: Warehouse) -> GenerationQuality:
    """How a generation, that of `warehouse`, stands."""
    snapshot = warehouse.snapshot
    ((mean, passages),) = snapshot.rows(_MEAN)
    counted = dict(snapshot.rows(_COUNTS))
    by_severity = {severity.value: int(counted.get(severity, 0)) for severity in Severity}
    return GenerationQuality(warehouse.generation, None if mean is None else round(mean, 4), int(passages), by_severity)


def generation_rows(standings: Sequence[GenerationQuality]) -> list[dict[str, object]]:
    """Each as a row of a table."""
    return [{"generation": s.generation, "score": s.mean, "passages": s.passages, **s.findings} for s in standings]
