"""How the passages of a generation score: their distribution, the documents and the passages that score least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from warehouse.reader import Warehouse

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
_DOCUMENTS = """
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
    return warehouse.snapshot.table(_DOCUMENTS, {"weak": WEAK_SCORE})


def count_faulty_passages(warehouse: Warehouse, document: str = "") -> int:
    """How many passages of a document, or of all, score less than 1."""
    return int(warehouse.snapshot.rows(_FAULTED, {"document": document})[0][0])


def lowest_passages(warehouse: Warehouse, document: str, first: int, size: int) -> pa.Table:
    """Those passages, the lowest first: `size` of them after the `first` ones."""
    return warehouse.snapshot.table(_LOWEST, {"document": document, "first": first, "size": size})
