"""Candidates: the passages that a search ranks, scored by meaning and words fused, and by the parts that signals add.

Fusion makes one ranking of meaning, how near passages are by their vectors, and of the words that they share with the
question. Which of the two counts more depends on the question. If it is in a script that the model was not trained for,
words decide. Numbers, such as years and amounts, look alike to a vector and are exact in an index. If the best passage
has nearly the highest score that the question's words can give, words suffice; if it has a low one, only the meaning
can match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from types import MappingProxyType

import numpy as np

from warehouse.records import Fusion, Mode, Question
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import split_content_words

CANDIDATES_PER_HIT = 5  # How many candidates meaning and words each add for a hit; at least `MIN_POOL_SIZE` in all.
MIN_POOL_SIZE = 50
HALF_STRENGTH_SCORE = 10.0  # The BM25 score at which the words reach half of the strength that a result can have.
RANK_SMOOTHING = 60  # The constant of reciprocal rank fusion, as in its paper.
BASE_LOGIT, FOREIGN_WEIGHT, NUMBERS_WEIGHT, COVERAGE_WEIGHT = 1.3, -6.0, -2.0, -2.0
"""The logistic model of `compute_fusion_weight`.

Fitted by the likelihood of the right passages in the pool, each set left out in turn, then drawn in, chosen among six
by whole searches: nearer to an even share no set was under its better half (docs/measurements.md). Length, capitals,
margins and spreads of the scores, and the agreement of the halves gave nothing that held on a set left out; so again
with eleven sets, fitted to the nDCG@10 itself (`benchmarks/fusion_training.py`).
"""
MIN_COSINE_INSIDE = 0.0
"""The cosine that counts as 0 inside a company's reports, instead of -1.

All passages there are of one kind, and the company's name is left out of the question: counted from -1 they would
differ by less than their times do.
"""
PIECE_WEIGHT, FOREIGN_PIECE_WEIGHT = 0.8, 0.1
"""The share of the vectors when a question is compared with a sentence or row, without the scores of a pool."""


@dataclass(frozen=True, eq=False)
class CandidatePool:
    """Candidates: `rows` of `Snapshot.passages`, rising, each with its cosine and its BM25 score, both exact.

    All three have the shape (candidates,). The scores that the question's mode excludes are zero. `max_bm25` is the
    highest BM25 score that the words of the question could give, 0 if they were not searched.
    """

    question: Question
    rows: np.ndarray
    cosines: np.ndarray
    bm25: np.ndarray
    max_bm25: float = 0.0

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.rows)

    def join(self, other: CandidatePool) -> CandidatePool:
        """The candidates of both, each once; a candidate of both has the scores of this pool."""
        rows, first = np.unique(np.concatenate([self.rows, other.rows]), return_index=True)
        cosines = np.concatenate([self.cosines, other.cosines])[first]
        bm25 = np.concatenate([self.bm25, other.bm25])[first]
        return CandidatePool(self.question, rows, cosines, bm25, max(self.max_bm25, other.max_bm25))

    @property
    def coverage(self) -> float:
        """The BM25 score of the best candidate divided by the highest possible one, in [0, 1]."""
        return min(1.0, float(max(self.bm25, default=0.0)) / self.max_bm25) if self.max_bm25 else 0.0

    @cached_property
    def fused_scores(self) -> FusedScores:
        """Meaning and words as one ranking of this pool.

        Both are scaled by the best of the pool, so a wider pool is fused again: once in each search, and once more if
        relevance feedback, which starts from the best candidate, adds passages.
        """
        return fuse_scores(self)


def gather_candidates(snapshot: Snapshot, question: Question, mask: np.ndarray | None) -> CandidatePool:
    """The best by meaning and by words among the rows of `mask` (boolean, over all passages; None allows all)."""
    mode, count = question.ranking.mode, max(MIN_POOL_SIZE, CANDIDATES_PER_HIT * question.k)
    cosines = {} if mode is Mode.KEYWORD else snapshot.find_nearest(question.vector, count, mask)
    bm25 = {} if mode is Mode.DENSE else snapshot.find_matching(question.query, count, mask)
    return score_rows(snapshot, question, sorted({*cosines, *bm25}), cosines, bm25)


def score_rows(
    snapshot: Snapshot,
    question: Question,
    rows: list[int],
    known_cosines: Mapping[int, float] = MappingProxyType({}),
    known_bm25: Mapping[int, float] = MappingProxyType({}),
) -> CandidatePool:
    """These rows (rising) with both of their scores; `known_cosines` and `known_bm25` are already computed."""
    mode, max_bm25 = question.ranking.mode, 0.0
    cosines, bm25 = dict(known_cosines), dict(known_bm25)
    if mode is not Mode.KEYWORD:
        cosines |= snapshot.compute_cosines(question.vector, [row for row in rows if row not in known_cosines])
    if mode is not Mode.DENSE:
        bm25 |= snapshot.compute_scores(question.query, [row for row in rows if row not in known_bm25])
        max_bm25 = snapshot.keywords.compute_highest_score(question.query)
    meaning, words = (np.array([scores.get(row, 0.0) for row in rows], np.float64) for scores in (cosines, bm25))
    return CandidatePool(question, np.array(rows, np.int64), meaning, words, max_bm25)


@dataclass(frozen=True, slots=True, eq=False)
class ScorePart:
    """How well each candidate fits in one way: `fits` in [0, 1], shape (candidates,), and its share of the score.

    A part `of_match` takes its share only from meaning and words; the other parts take theirs from the result of that.
    """

    name: str
    share: float
    fits: np.ndarray
    of_match: bool = False


class SearchSignal(ABC):
    """A reason why passages may answer. Each search has its own object, which keeps its findings for the score."""

    def __init__(self, snapshot: Snapshot, question: Question, mask: np.ndarray | None = None) -> None:
        """`mask` is a boolean mask of the passages that satisfy the filters; None allows all."""
        self.snapshot = snapshot
        self.question = question
        self.mask = mask

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages that this signal finds; the pool itself if it looks for none."""
        return pool

    def join_best(self, pool: CandidatePool, wanted_mask: np.ndarray) -> CandidatePool:
        """The pool with the best allowed passages of a boolean mask, `wanted_mask`, even if it had none of them."""
        wanted_mask = wanted_mask if self.mask is None else wanted_mask & self.mask
        return pool.join(gather_candidates(self.snapshot, self.question, wanted_mask)) if wanted_mask.any() else pool

    def join_rows(self, pool: CandidatePool, rows: np.ndarray) -> CandidatePool:
        """The pool with the passages of some rows, which rise."""
        missing_rows = rows[~np.isin(rows, pool.rows)]
        return pool.join(score_rows(self.snapshot, self.question, missing_rows.tolist())) if len(missing_rows) else pool

    @abstractmethod
    def score(self, pool: CandidatePool) -> ScorePart | None:
        """The part of each candidate's score; None if the question gives no reason for it."""


@dataclass(frozen=True, eq=False)
class RankedPool:
    """Candidates with their scores: `parts`, of shape (candidates,) each, add up to them.

    `tie_ranks` decide between equal scores; without them the passage with the lower row is first.
    """

    pool: CandidatePool
    parts: Mapping[str, np.ndarray]
    tie_ranks: np.ndarray | None = None

    @cached_property
    def total(self) -> np.ndarray:
        """The scores."""
        total: np.ndarray = np.sum(list(self.parts.values()), axis=0)
        return total

    @cached_property
    def order(self) -> np.ndarray:
        """The positions in the pool, the best first."""
        return np.lexsort((np.arange(len(self.pool)) if self.tie_ranks is None else self.tie_ranks, -self.total))


def add_parts(fused_scores: FusedScores, parts: Sequence[ScorePart]) -> dict[str, np.ndarray]:
    """The scores by part: each takes its share from the sum of those before it."""
    scores = {"meaning": fused_scores.meaning, "words": fused_scores.words}
    for of_match in (True, False):
        added_parts = [part for part in parts if part.of_match is of_match]
        remaining_share = 1.0 - sum(part.share for part in added_parts)
        scores = {name: remaining_share * values for name, values in scores.items()}
        scores.update({part.name: part.share * part.fits for part in added_parts})
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class FusedScores:
    """The contributions of meaning and words to each candidate's score, shape (candidates,); sums are in [0, 1]."""

    meaning: np.ndarray
    words: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """Both together."""
        return np.asarray(self.meaning + self.words)


def fuse_scores(pool: CandidatePool) -> FusedScores:
    """Fuse meaning and words of every candidate by the ranking that the question requests.

    The order is that of the fusion. Its scores, of which the best is near 1 for any question, are multiplied by the
    strength of the whole result (the greatest cosine, and the greatest BM25 score as s / (s + 10)), so that the
    scores are low for a question that no passage fits.
    """
    ranking = pool.question.ranking
    alpha = compute_fusion_weight(pool)
    if ranking.fusion is Fusion.RRF and ranking.mode is Mode.HYBRID:
        meaning, words = compute_reciprocal_ranks(pool.cosines), compute_reciprocal_ranks(pool.bm25)
    else:
        min_cosine = MIN_COSINE_INSIDE if any(subject.is_large_company for subject in pool.question.subjects) else -1.0
        meaning = alpha * scale_scores(np.maximum(pool.cosines, min_cosine), min_cosine)
        words = (1 - alpha) * scale_scores(pool.bm25, 0.0)
    strength = compute_strength(pool.cosines, pool.bm25, alpha)
    return FusedScores(strength * meaning, strength * words)


def compute_strength(cosines: np.ndarray, bm25: np.ndarray, alpha: float) -> float:
    """How well the best candidates fit a question, in [0, 1], where `alpha` is the share of the vectors."""
    max_cosine, max_bm25 = max(cosines, default=0.0), max(bm25, default=0.0)
    return float(alpha * min(max(max_cosine, 0.0), 1.0) + (1 - alpha) * max_bm25 / (max_bm25 + HALF_STRENGTH_SCORE))


def compute_fusion_weight(pool: CandidatePool) -> float:
    """The share of the vectors in the score, in [0, 1]: by mode, as the question sets it, or computed for it."""
    ranking = pool.question.ranking
    if ranking.mode is not Mode.HYBRID:
        return 1.0 if ranking.mode is Mode.DENSE else 0.0
    if ranking.fusion is Fusion.CONVEX and ranking.alpha is not None:
        return ranking.alpha
    words = split_content_words(pool.question.text)
    number_share = sum(any(char.isdigit() for char in word) for word in words) / max(1, len(words))
    logit = BASE_LOGIT + FOREIGN_WEIGHT * pool.question.foreign
    logit += NUMBERS_WEIGHT * number_share
    logit += COVERAGE_WEIGHT * pool.coverage
    return 1 / (1 + exp(-logit))


def get_piece_weight(question: Question) -> float:
    """The share of the vectors when a question is compared with pieces of passages: small if vectors say little."""
    return FOREIGN_PIECE_WEIGHT if question.foreign else PIECE_WEIGHT


def scale_scores(scores: np.ndarray, lowest: float) -> np.ndarray:
    """Scores in [0, 1]: from the least that is possible in theory to the greatest in `scores`.

    With -1 for cosines and 0 for BM25 the convex combination of Bruch, Gai & Ingber 2023 (An Analysis of Fusion
    Functions for Hybrid Retrieval), "TM2C2".
    """
    highest = max(scores, default=lowest)
    return (scores - lowest) / (highest - lowest) if highest > lowest else np.zeros(len(scores))


def compute_reciprocal_ranks(scores: np.ndarray) -> np.ndarray:
    """30.5 / (60 + rank), rank from 1 (Cormack, Clarke & Büttcher 2009), so that two of the first make 1; 0 for 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores != 0, (1 + RANK_SMOOTHING) / 2 / (RANK_SMOOTHING + ranks), 0.0)
