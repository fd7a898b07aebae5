"""Scores of candidates: meaning and words fused, and the parts that signals add.

Fusion makes one ranking of meaning, how near passages are by their vectors, and words, which they share with the
question. Which of the two counts more depends on the question. One in a script that the model was not trained for is
left to the words. Numbers, as of years and amounts, are all alike to a vector and exact to an index. And where the
best passage holds nearly all that the question's words weigh, the words have found what they can; where it holds
little, only its meaning can be near.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from warehouse.records import Fusion, Mode, Part, Question
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import telling_words

if TYPE_CHECKING:
    from warehouse.search.candidates import CandidatePool

HALFWAY = 10.0  # The BM25 score that counts as half of what words can say, for how strong a result is.
SMOOTHING = 60  # The constant of reciprocal rank fusion, as in its paper.
BASE, FOREIGN, NUMBERS, COVER = 1.3, -6.0, -2.0, -2.0
"""The logistic model of `fusion_weight`.

Fitted by the likelihood of the right passages in the pool, each set left out in turn, then drawn in, chosen among six
by whole searches: nearer to an even share no set was under its better half (docs/measurements.md). Length, capitals,
margins and spreads of the scores, and the agreement of the halves gave nothing that held on a set left out.
"""
PIECE, FOREIGN_PIECE = 0.8, 0.1
"""The share of the vectors between a question and a sentence or row, where there are no scores of a pool to go by."""


class ScoreLevel(IntEnum):
    """From what a part takes its share of the score, in the order in which parts are added."""

    MATCH = 0
    """Nothing: meaning and words, which fusion has weighed."""
    EXPANSION = 1
    """The match."""
    CONTEXT = 2
    """Match and expansion together."""


@dataclass(frozen=True, slots=True, eq=False)
class ScorePart:
    """How well each candidate fits in one way: `fits` in [0, 1], shape (candidates,), and its share of the score."""

    name: str
    share: float
    fits: np.ndarray
    level: ScoreLevel = ScoreLevel.CONTEXT


class SearchSignal(ABC):
    """One reason for which passages may answer, made anew for each search: what it finds first it has for the score."""

    def __init__(self, snapshot: Snapshot, question: Question, allowed: np.ndarray | None = None) -> None:
        """`allowed` are the passages that satisfy the filters, a boolean mask; None allows all."""
        self.snapshot = snapshot
        self.question = question
        self.allowed = allowed

    def candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages that this signal finds; the pool itself if it looks for none."""
        return pool

    @abstractmethod
    def score(self, pool: CandidatePool) -> ScorePart | None:
        """The part of each candidate's score; None where the question gives no reason for it."""


@dataclass(frozen=True, eq=False)
class RankedPool:
    """Candidates with their scores: `parts`, of shape (candidates,) each, add up to them."""

    pool: CandidatePool
    parts: Mapping[str, np.ndarray]

    @cached_property
    def total(self) -> np.ndarray:
        """The scores."""
        total: np.ndarray = np.sum(list(self.parts.values()), axis=0)
        return total

    @cached_property
    def order(self) -> np.ndarray:
        """The places in the pool from the best down; of equal scores the earlier passage is first, as rows rise."""
        return np.argsort(-self.total, kind="stable")

    def parts_of(self, place: int) -> tuple[Part, ...]:
        """The parts of one candidate's score."""
        return tuple(Part(name, float(values[place])) for name, values in self.parts.items())


def add_parts(parts: Iterable[ScorePart]) -> dict[str, np.ndarray]:
    """The scores that parts make: level by level, each takes its share from all that was there before."""
    found: dict[str, np.ndarray] = {}
    known = list(parts)
    for level in ScoreLevel:
        added = [part for part in known if part.level is level]
        left = 1.0 - sum(part.share for part in added)
        found = {name: left * values for name, values in found.items()}
        found.update({part.name: part.share * part.fits for part in added})
    return found


@dataclass(frozen=True, slots=True, eq=False)
class FusedScores:
    """What meaning and words give to the score of each candidate, shape (candidates,); their sums are in [0, 1]."""

    meaning: np.ndarray
    words: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """Both together."""
        return np.asarray(self.meaning + self.words)


def fuse(pool: CandidatePool) -> FusedScores:
    """Meaning and words of every candidate, by the ranking that the question asks for.

    The order is that of the fusion; its scores, of which the best is near 1 whatever was asked, are multiplied by the
    strength of the whole result, so that a question that nothing fits gets low ones: the greatest cosine, and the
    greatest BM25 as s / (s + 10).
    """
    ranking = pool.question.ranking
    alpha = fusion_weight(pool)
    if ranking.fusion is Fusion.RRF and ranking.mode is Mode.HYBRID:
        meaning, words = reciprocal_rank(pool.cosines), reciprocal_rank(pool.bm25)
    else:
        meaning, words = alpha * scaled(pool.cosines, -1.0), (1 - alpha) * scaled(pool.bm25, 0.0)
    near, same = max(pool.cosines, default=0.0), max(pool.bm25, default=0.0)
    strength = float(alpha * min(max(near, 0.0), 1.0) + (1 - alpha) * same / (same + HALFWAY))
    return FusedScores(strength * meaning, strength * words)


def fusion_weight(pool: CandidatePool) -> float:
    """How much of the score the vectors decide, in [0, 1]: by mode, as the question fixes it, or by the question."""
    ranking = pool.question.ranking
    if ranking.mode is not Mode.HYBRID:
        return 1.0 if ranking.mode is Mode.DENSE else 0.0
    if ranking.fusion is Fusion.CONVEX and ranking.alpha is not None:
        return ranking.alpha
    foreign = 1.0 if pool.question.foreign else 0.0
    numbers = _share_of_numbers(pool.question.text)
    return 1 / (1 + exp(-(BASE + FOREIGN * foreign + NUMBERS * numbers + COVER * pool.coverage)))


def piece_weight(question: Question) -> float:
    """The share of the vectors where a question is compared with pieces of passages: small where they say little."""
    return FOREIGN_PIECE if question.foreign else PIECE


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


def _share_of_numbers(question: str) -> float:
    """Of numbers, and of words with digits, among the words that tell."""
    found = telling_words(question)
    return sum(any(char.isdigit() for char in word) for word in found) / max(1, len(found))
