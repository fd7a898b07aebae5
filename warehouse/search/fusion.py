"""Two halves, one ranking: how near passages are in meaning, and which words they share with the question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warehouse.records import Fusion, Mode, Question
from warehouse.search.fusion_weight import trust
from warehouse.search.pool import CandidatePool

HALFWAY = 10.0
"""The BM25 score that counts as half of what words can say, for how strong a result is."""
SMOOTHING = 60
"""The constant of reciprocal rank fusion, as in its paper."""


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """What each half gives to the score of each candidate, shape (candidates,); their sums are in [0, 1]."""

    meaning: np.ndarray
    words: np.ndarray


def fuse(question: Question, pool: CandidatePool) -> Halves:
    """The two halves of every candidate's score, by the ranking that the question asks for.

    The order is that of the fusion; its scores, of which the best is near 1 whatever was asked, are multiplied by the
    `strength` of the whole result, so that a question that nothing fits gets low ones.
    """
    alpha = share_of_vectors(question, pool)
    if question.ranking.fusion is Fusion.RRF and question.ranking.mode is Mode.HYBRID:
        meaning, words = reciprocal_rank(pool.cosines), reciprocal_rank(pool.bm25)
    else:
        meaning, words = alpha * scaled(pool.cosines, -1.0), (1 - alpha) * scaled(pool.bm25, 0.0)
    level = strength(pool, alpha)
    return Halves(level * meaning, level * words)


def share_of_vectors(question: Question, pool: CandidatePool) -> float:
    """How much of the score the vectors decide, in [0, 1]."""
    ranking = question.ranking
    if ranking.mode is not Mode.HYBRID:
        return 1.0 if ranking.mode is Mode.DENSE else 0.0
    if ranking.fusion is Fusion.CONVEX and ranking.alpha is not None:
        return ranking.alpha
    return trust(question, pool)


def strength(pool: CandidatePool, alpha: float) -> float:
    """How much the best passages say at all, in [0, 1]: the greatest cosine, and the greatest BM25 as s / (s + 10)."""
    near, same = max(pool.cosines, default=0.0), max(pool.bm25, default=0.0)
    return float(alpha * min(max(near, 0.0), 1.0) + (1 - alpha) * same / (same + HALFWAY))


def scaled(scores: np.ndarray, least: float) -> np.ndarray:
    """Scores in [0, 1]: from the least that they can be in theory to the greatest found.

    With -1 for cosines and 0 for BM25 the convex combination of Bruch, Gai & Ingber 2023 (An Analysis of Fusion
    Functions for Hybrid Retrieval), "TM2C2".
    """
    most = max(scores, default=least)
    return (scores - least) / (most - least) if most > least else np.zeros(len(scores))


def reciprocal_rank(scores: np.ndarray) -> np.ndarray:
    """30.5 / (60 + rank), rank from 1 (Cormack, Clarke & Büttcher 2009), so that two of the first make 1; 0 for 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores != 0, (1 + SMOOTHING) / 2 / (SMOOTHING + ranks), 0.0)
