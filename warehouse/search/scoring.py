"""Candidates of a search and their scores.

Fusion makes one ranking of two halves: how near passages are in meaning, and which words they share with the question.
Which half to trust depends on the question. One in a script that the model was not trained for is left to the words.
Numbers, as of years and amounts, are all alike to a vector and exact to an index. And where the best passage holds
nearly all that the question's words weigh, the words have found what they can; where it holds little, only its meaning
can be near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from warehouse.records import Fusion, Mode, Part, Question
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import telling_words

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


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How well each candidate fits in one way: `fits` in [0, 1], shape (candidates,), and its share of the score."""

    name: str
    share: float
    fits: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The score of every candidate and the parts that it is the sum of, each of shape (candidates,)."""

    parts: dict[str, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """The scores."""
        total: np.ndarray = np.sum(list(self.parts.values()), axis=0)
        return total

    def parts_of(self, place: int) -> tuple[Part, ...]:
        """The parts of one candidate's score."""
        return tuple(Part(name, float(values[place])) for name, values in self.parts.items())


def weighed(parts: dict[str, np.ndarray], evidence: Sequence[Evidence]) -> Scored:
    """The scores with evidence: each takes its share from all that the parts had."""
    left = 1.0 - sum(each.share for each in evidence)
    kept = {name: left * values for name, values in parts.items()}
    return Scored({**kept, **{each.name: each.share * each.fits for each in evidence}})


BASE, FOREIGN, NUMBERS, COVER = 1.3, -6.0, -2.0, -2.0
"""The logistic model of `trust`.

Fitted by the likelihood of the right passages in the pool, each set left out in turn, then drawn in, chosen among six
by whole searches: nearer to an even share no set was under its better half (docs/measurements.md). Length, capitals,
margins and spreads of the scores, and the agreement of the halves gave nothing that held on a set left out.
"""
PIECE, FOREIGN_PIECE = 0.8, 0.1
"""The share of the vectors between a question and a sentence or row, where there are no scores of a pool to go by."""


def trust(question: Question, pool: CandidatePool) -> float:
    """The share of the vectors in the score of a question's candidates, in (0, 1)."""
    foreign = 1.0 if question.foreign else 0.0
    return 1 / (1 + exp(-(BASE + FOREIGN * foreign + NUMBERS * _numbers(question.text) + COVER * covered(pool))))


def covered(pool: CandidatePool) -> float:
    """How much of what the question's words could give the best candidate has, in [0, 1]."""
    return min(1.0, float(max(pool.bm25, default=0.0)) / pool.most) if pool.most else 0.0


def alpha_for(question: Question) -> float:
    """The share of the vectors where a question is compared with pieces of passages: small where they say little."""
    return FOREIGN_PIECE if question.foreign else PIECE


def _numbers(question: str) -> float:
    """The share of numbers, and of words with digits, among the words that tell."""
    found = telling_words(question)
    return sum(any(char.isdigit() for char in word) for word in found) / max(1, len(found))


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
