"""The passages that a search ranks: the best of each half, and what the other half says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warehouse.records import Mode, Question
from warehouse.store.snapshot import Snapshot

POOL = 5
"""How many candidates for a hit each half of the search brings, at least `LEAST_POOL` in all."""
LEAST_POOL = 50


@dataclass(frozen=True, slots=True, eq=False)
class CandidatePool:
    """Candidates: `rows` of `Snapshot.passages`, rising, each with its cosine and its BM25 score, both exact.

    All three have the shape (candidates,). A half that was not asked has zeros. `most` is the BM25 score that the words
    of the question could give at most, 0 where they were not asked.
    """

    rows: np.ndarray
    cosines: np.ndarray
    bm25: np.ndarray
    most: float = 0.0

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.rows)

    def joined(self, other: CandidatePool) -> CandidatePool:
        """The candidates of both, each once."""
        rows, first = np.unique(np.concatenate([self.rows, other.rows]), return_index=True)
        cosines = np.concatenate([self.cosines, other.cosines])[first]
        return CandidatePool(rows, cosines, np.concatenate([self.bm25, other.bm25])[first], max(self.most, other.most))


def gather(snapshot: Snapshot, question: Question, allowed: np.ndarray | None) -> CandidatePool:
    """The candidates for a question among the rows `allowed` (a boolean mask over all passages; None allows all)."""
    count = max(LEAST_POOL, POOL * question.k)
    mode = question.ranking.mode
    near = snapshot.nearest(question.vector, count, allowed) if mode is not Mode.KEYWORD else {}
    same = snapshot.matching(question.query, count, allowed) if mode is not Mode.DENSE else {}
    rows = np.array(sorted({*near, *same}), np.int64)
    if mode is not Mode.KEYWORD:
        near = {**snapshot.cosines(question.vector, [row for row in rows if row not in near]), **near}
    if mode is not Mode.DENSE:
        same = {**snapshot.scores(question.query, [row for row in rows if row not in same]), **same}
    most = snapshot.keywords.most(question.query) if mode is not Mode.DENSE else 0.0
    return CandidatePool(rows, _column(near, rows), _column(same, rows), most)


def among(snapshot: Snapshot, question: Question, rows: list[int]) -> CandidatePool:
    """These rows, which rise, with both of their scores."""
    near, same = snapshot.cosines(question.vector, rows), snapshot.scores(question.query, rows)
    found = np.array(rows, np.int64)
    return CandidatePool(found, _column(near, found), _column(same, found), snapshot.keywords.most(question.query))


def _column(scores: dict[int, float], rows: np.ndarray) -> np.ndarray:
    return np.array([scores.get(row, 0.0) for row in rows.tolist()], np.float64)
