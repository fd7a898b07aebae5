"""Findings and scores of a generation: tables, counts, passages, what to correct first, near duplicates, the history.

The findings are those that the ingest stored, each document by itself, or those of a check that compares documents too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tasks.check.report import Report, ReportedFinding
from tasks.quality.corpus import Corpus
from tasks.quality.scoring import EMPTY_RULE, PROSE_SCORE, TABLE_SCORE, TEXT_WITH_TABLE_BONUS, compute_quality
from warehouse.reader import Warehouse
from warehouse.records import Finding, Severity
from warehouse.settings.loader import Settings
from warehouse.store.catalog import read_queries
from warehouse.store.generations import list_folders

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

FINDING_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("document_id", "source", "kind", "folder", "code", "name", "severity")),
        ("message", pa.string()),
        ("penalty", pa.float64()),
        *((name, pa.int64()) for name in ("start", "end", "page")),
        ("chunk_id", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class FindingTable:
    """A table of `FINDING_SCHEMA`, sorted by source and position in the text."""

    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def filter_by(self, conditions: Mapping[str, str]) -> FindingTable:
        """The findings with all these values of string columns; an empty value is no condition."""
        masks = [pc.equal(self.table[name], value) for name, value in conditions.items() if value]
        return FindingTable(self.table.filter(reduce(pc.and_, masks))) if masks else self

    def count_by(self, *columns: str) -> list[dict[str, Any]]:
        """Number of findings (`count`) and of documents by some columns, the most frequent first."""
        grouped = self.table.group_by(list(columns)).aggregate([([], "count_all"), ("document_id", "count_distinct")])
        rows = [
            {name: row[name] for name in columns}
            | {"count": row["count_all"], "documents": row["document_id_count_distinct"]}
            for row in grouped.to_pylist()
        ]
        return sorted(rows, key=lambda row: (-row["count"], *(row[name] for name in columns)))

    def list_values(self, column: str) -> list[str]:
        """The distinct values of a column, sorted."""
        return sorted(self.table[column].unique().to_pylist())

    def list_first(self, count: int) -> list[Finding]:
        """The first `count` findings."""
        names = ("code", "name", "message", "penalty", "start", "end", "page", "chunk_id")
        return [
            Finding(severity=Severity(row["severity"]), **{name: row[name] for name in names})
            for row in self.table.slice(0, count).to_pylist()
        ]


def read_findings(warehouse: Warehouse) -> FindingTable:
    """The findings stored by the ingest, which checks each document by itself."""
    return FindingTable(warehouse.snapshot.query_table(_SQL["findings"]).cast(FINDING_SCHEMA))


def convert_report(warehouse: Warehouse, entries: Iterable[ReportedFinding]) -> FindingTable:
    """The findings of a report about documents of the warehouse, as a table."""
    documents = {
        source: (document, kind) for source, document, kind in warehouse.snapshot.query_rows(_SQL["document_kinds"])
    }
    names = ("code", "name", "severity", "message", "penalty", "start", "end", "page", "chunk_id")
    rows = [
        {
            "document_id": documents[entry.path][0],
            "source": entry.path,
            "kind": documents[entry.path][1],
            "folder": entry.path.rpartition("/")[0],
            **{name: getattr(entry.source_finding.finding, name) for name in names},
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
    ((mean, passages, weak),) = warehouse.snapshot.query_rows(_SQL["summary"], {"weak": WEAK_SCORE})
    return ScoreSummary(None if mean is None else round(mean, 4), int(passages), int(weak))


def count_by_score(warehouse: Warehouse) -> list[dict[str, Any]]:
    """The bars of the histogram, also empty ones: `score` of the bar, and number of `passages` nearest to it."""
    counts = dict(warehouse.snapshot.query_rows(_SQL["distribution"], {"step": SCORE_STEP}))
    bars = range(round(1 / SCORE_STEP) + 1)
    return [{"score": round(bar * SCORE_STEP, 2), "passages": int(counts.get(bar, 0))} for bar in bars]


def rank_documents(warehouse: Warehouse) -> pa.Table:
    """All documents with the mean score of their passages, the lowest first; unreadable ones have no score."""
    return warehouse.snapshot.query_table(_SQL["document_scores"], {"weak": WEAK_SCORE})


def count_faulty_passages(warehouse: Warehouse, document: str = "") -> int:
    """Number of passages of a document, or of all, with a score below 1."""
    return int(warehouse.snapshot.query_rows(_SQL["faulty_count"], {"document": document})[0][0])


def list_lowest_passages(warehouse: Warehouse, document: str, first: int, size: int) -> pa.Table:
    """The passages with a score below 1, the lowest first: `size` of them after the first `first`."""
    return warehouse.snapshot.query_table(_SQL["lowest_passages"], {"document": document, "first": first, "size": size})


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
    table_head: str

    @property
    def base_score(self) -> tuple[float, str]:
        """The score of the passage without findings, and the reason in words."""
        if not self.has_table:
            return PROSE_SCORE, "prose"
        return (
            (TABLE_SCORE + TEXT_WITH_TABLE_BONUS, "a table with text around it")
            if self.has_prose
            else (TABLE_SCORE, "a table")
        )


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A score as the base score of a passage minus the penalties of its findings (`charges`)."""

    base_score: float
    base_reason: str
    charges: tuple[Finding, ...]

    @property
    def score(self) -> float:
        """The score, in [0, 1]."""
        return compute_quality(self.base_score, self.charges)

    @property
    def remark(self) -> str:
        """The reason if the score is not simply the sum, else empty."""
        if any(charge.code == EMPTY_RULE for charge in self.charges):
            return "A passage without content scores 0."
        remaining_score = self.base_score - sum(charge.penalty for charge in self.charges)
        return "No passage scores less than 0." if remaining_score < 0 else ""


def read_passage(warehouse: Warehouse, chunk_id: str) -> ScoredPassage | None:
    """The passage with this id, else None."""
    for row in warehouse.snapshot.query_records(_SQL["passage"], {"id": chunk_id}):
        return ScoredPassage(**{**row, "section": tuple(row["section"] or ())})
    return None


def find_passage(warehouse: Warehouse, document_id: str, position: int) -> str:
    """The id of the passage that contains a position of a document's text, else ""."""
    rows = warehouse.snapshot.query_rows(_SQL["passage_at"], {"id": document_id, "at": position})
    return str(rows[0][0]) if rows else ""


MAX_GENERATIONS = 12  # Generations of the history: each has to be opened.


def list_generations(warehouse: Warehouse) -> list[int]:
    """The numbers of the latest retained generations, the oldest first."""
    published = {run.generation for run in warehouse.list_runs()}
    numbers = (int(folder.name) for folder in list_folders(warehouse.layout))
    return [number for number in numbers if number in published][-MAX_GENERATIONS:]


def summarize_generation(warehouse: Warehouse) -> dict[str, object]:
    """Number, mean score (None without passages), passages, and findings by severity of the warehouse's generation."""
    snapshot = warehouse.snapshot
    ((mean, passages),) = snapshot.query_rows(_SQL["mean_score"])
    counts = dict(snapshot.query_rows(_SQL["severity_counts"]))
    by_severity = {severity.value: int(counts.get(severity, 0)) for severity in Severity}
    score = None if mean is None else round(mean, 4)
    return {"generation": warehouse.generation, "score": score, "passages": int(passages), **by_severity}


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
    def suppressed_count(self) -> int:
        """Number of findings hidden by comments in the files themselves."""
        return sum(len(file.suppressed_entries) for file in self.report.files) if self.report else 0


def load_examination(warehouse: Warehouse) -> Examination:
    """The findings stored with the generation, for which each document was checked by itself."""
    findings = read_findings(warehouse)
    return Examination(findings, rank_documents(warehouse), rank_priorities(warehouse, findings))


def run_examination(warehouse: Warehouse, settings: Settings) -> Examination:
    """The findings and scores of `kalends check --warehouse`, with all rules that compare documents."""
    from flows.check import run_check

    result = run_check(settings, None)
    findings = convert_report(warehouse, result.report.entries)
    documents = rank_documents(warehouse)
    files = {file.path: file for file in result.report.files}
    rows = documents.to_pylist()
    for row in rows:
        if file := files.get(row["source"]):
            row |= {"score": file.score, "findings": len(file.entries)}
    rows.sort(key=lambda row: (-1.0 if row["score"] is None else row["score"], -row["findings"], row["source"]))
    documents = pa.Table.from_pylist(rows, schema=documents.schema)
    pairs = _list_duplicates(result.corpus, result.report)
    return Examination(findings, documents, rank_priorities(warehouse, findings), result.report, pairs)


MAX_RULES = 5  # Rules that are listed.


@dataclass(frozen=True, slots=True)
class RuleCost:
    """The cost of the findings of one rule.

    `score_loss` is the amount by which the mean score of all passages, in [0, 1], would rise without them. `passages`
    and `documents` count where they are; `unsearchable` counts the documents that have no passage because of an error.
    `source` names the document with the largest loss.
    """

    code: str
    findings: int
    passages: int
    documents: int
    unsearchable: int
    score_loss: float
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
    groups = table.group_by(["code", "document_id", "source"]).aggregate(_SUMS).to_pylist()
    by_code: dict[str, list[dict[str, Any]]] = {}
    loss_by_document: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in groups:
        by_code.setdefault(row["code"], []).append(row)
        loss_by_document[row["document_id"], row["source"]] += row["lost_sum"]
    rules = [
        _make_rule_cost(code, rows)
        for code, rows in by_code.items()
        if any(row["lost_sum"] or row["serious_max"] for row in rows)
    ]
    rules.sort(key=lambda rule: (-rule.unsearchable, -rule.score_loss, -rule.findings, rule.code))
    total_loss = sum(loss_by_document.values())
    worst = max(loss_by_document, key=lambda name: (loss_by_document[name], name)) if total_loss else None
    return Priorities(
        tuple(rules[:MAX_RULES]), DocumentCost(*worst, loss_by_document[worst] / total_loss) if worst else None
    )


_SUMS: list[Any] = [
    ("lost", "sum"),
    ("unsearchable", "max"),
    ("serious", "max"),
    ("chunk_id", "count_distinct", pc.CountOptions(mode="only_valid")),
    ([], "count_all"),
]


def _with_costs(warehouse: Warehouse, findings: FindingTable) -> pa.Table:
    """The findings with three more columns: `lost` (of the mean score), `unsearchable`, and `serious` (not a note)."""
    sizes = warehouse.snapshot.query_table(_SQL["sizes"])
    total_size = float(pc.sum(sizes["size"]).as_py() or 1)
    unsearchable_ids = warehouse.snapshot.query_table(_SQL["unsearchable"])["document_id"].combine_chunks()
    table = findings.table.join(sizes, "chunk_id", join_type="left outer")
    is_error = pc.equal(table["severity"], Severity.ERROR.value)
    costs = {
        "lost": pc.divide(pc.multiply(table["penalty"], pc.fill_null(table["size"], 0)), total_size),
        "unsearchable": pc.and_(is_error, pc.is_in(table["document_id"], unsearchable_ids)),
        "serious": pc.not_equal(table["severity"], Severity.NOTE.value),
    }
    return reduce(lambda table_so_far, name: table_so_far.append_column(name, costs[name]), costs, table)


def _make_rule_cost(code: str, rows: list[dict[str, Any]]) -> RuleCost:
    worst = max(rows, key=lambda row: (row["lost_sum"], row["count_all"], row["source"]))
    return RuleCost(
        code=code,
        findings=sum(row["count_all"] for row in rows),
        passages=sum(row["chunk_id_count_distinct"] for row in rows),
        documents=len(rows),
        unsearchable=sum(row["unsearchable_max"] for row in rows),
        score_loss=sum(row["lost_sum"] for row in rows),
        source=worst["source"],
    )


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


def _list_duplicates(corpus: Corpus, report: Report) -> tuple[DuplicatePair, ...]:
    """The pairs that the report lists, the most alike first; suppressed ones are left out."""
    file_copies = [(_COPY, first, duplicate, 1.0) for duplicate, first in corpus.copies.items()]
    file_copies += [(_DOCUMENT, first, duplicate, share) for duplicate, (first, share) in corpus.alike.items()]
    # Each with the start of the duplicate passage in its document, None for whole documents.
    pairs: list[tuple[int | None, DuplicatePair]] = [
        (None, DuplicatePair(code, DuplicateSide(original), DuplicateSide(duplicate), share))
        for code, original, duplicate, share in file_copies
    ]
    for first, later, share in corpus.repeated_chunks:
        one, other = (
            DuplicateSide(source, chunk.chunk_id, chunk.number + 1, chunk.page) for source, chunk in (first, later)
        )
        pairs.append((later[1].start, DuplicatePair(_CHUNK, one, other, share)))
    findings = ((entry.source_finding.finding, entry.path) for entry in report.entries)
    reported_places = {(finding.code, path, finding.start) for finding, path in findings}
    reported_pairs = [pair for start, pair in pairs if (pair.code, pair.duplicate.source, start) in reported_places]
    return tuple(
        sorted(reported_pairs, key=lambda pair: (-pair.share, pair.duplicate.source, pair.duplicate.number or 0))
    )


def read_pair_texts(warehouse: Warehouse, pair: DuplicatePair) -> tuple[str, str]:
    """The texts of both sides, `first` before `duplicate`; empty if a side is not in the generation."""
    first, duplicate = pair.first, pair.duplicate
    if first.chunk_id:
        parameters = {"one": first.chunk_id, "other": duplicate.chunk_id}
        texts = dict(warehouse.snapshot.query_rows(_SQL["texts"], parameters))
        return texts.get(first.chunk_id, ""), texts.get(duplicate.chunk_id, "")
    ids = [warehouse.find_document_id(side.source) for side in (first, duplicate)]
    one, other = (warehouse.read_text(document_id) if document_id else "" for document_id in ids)
    return one, other
