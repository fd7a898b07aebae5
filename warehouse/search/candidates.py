"""Candidates: the passages that a search ranks, with what meaning and words say of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warehouse.records import Question
from warehouse.search.scoring import FusedScores, fuse
from warehouse.search.signals.dense import Dense
from warehouse.search.signals.keyword import Keyword
from warehouse.store.snapshot import Snapshot

POOL = 5  # How many candidates for a hit meaning and words bring each, at least `LEAST_POOL` in all.
LEAST_POOL = 50


@dataclass(frozen=True, eq=False)
class CandidatePool:
    """Candidates: `rows` of `Snapshot.passages`, rising, each with its cosine and its BM25 score, both exact.

    All three have the shape (candidates,). What the question's mode leaves out is zero. `most` is the BM25 score that
    the words of the question could give at most, 0 where they were not searched.
    """

    question: Question
    rows: np.ndarray
    cosines: np.ndarray
    bm25: np.ndarray
    most: float = 0.0

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.rows)

    def joined(self, other: CandidatePool) -> CandidatePool:
        """The candidates of both, each once, with the scores that this pool has of it if it is in both."""
        rows, first = np.unique(np.concatenate([self.rows, other.rows]), return_index=True)
        cosines = np.concatenate([self.cosines, other.cosines])[first]
        bm25 = np.concatenate([self.bm25, other.bm25])[first]
        return CandidatePool(self.question, rows, cosines, bm25, max(self.most, other.most))

    @property
    def coverage(self) -> float:
        """How much of what the question's words could give the best candidate has, in [0, 1]."""
        return min(1.0, float(max(self.bm25, default=0.0)) / self.most) if self.most else 0.0

    @cached_property
    def fused(self) -> FusedScores:
        """Meaning and words as one ranking of this pool.

        Both are scaled by the best of the pool, so a wider pool is fused anew: once a search, and once more where
        relevance feedback, which begins from the best candidate, adds passages.
        """
        return fuse(self)


def gather(snapshot: Snapshot, question: Question, allowed: np.ndarray | None) -> CandidatePool:
    """The best by meaning and by words among the rows `allowed` (a boolean mask over all passages; None allows all)."""
    dense, keyword = Dense(snapshot, question, allowed), Keyword(snapshot, question, allowed)
    count = max(LEAST_POOL, POOL * question.k)
    near, same = dense.best(count), keyword.best(count)
    rows = sorted({*near, *same})
    near = {**dense.scores([row for row in rows if row not in near]), **near}
    same = {**keyword.scores([row for row in rows if row not in same]), **same}
    return _pool(question, rows, near, same, keyword.most)


def among(snapshot: Snapshot, question: Question, rows: list[int]) -> CandidatePool:
    """These rows, which rise, with both of their scores."""
    dense, keyword = Dense(snapshot, question), Keyword(snapshot, question)
    return _pool(question, rows, dense.scores(rows), keyword.scores(rows), keyword.most)


def _pool(
    question: Question, rows: list[int], near: dict[int, float], same: dict[int, float], most: float
) -> CandidatePool:
    cosines, bm25 = (np.array([each.get(row, 0.0) for row in rows], np.float64) for each in (near, same))
    return CandidatePool(question, np.array(rows, np.int64), cosines, bm25, most)
