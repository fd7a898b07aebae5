"""Which half of a search to trust with a question: how much of the score its meaning decides, and how much its words.

Four things tell. A question in a script that the model was not trained for is left to the words. Numbers, as of years
and amounts, are all alike to a vector and exact to an index. And where the best passage holds nearly all that the
question's words weigh, the words have found what they can; where it holds little, only its meaning can be near.
"""

from __future__ import annotations

from math import exp

from warehouse.records import Question
from warehouse.search.pool import CandidatePool
from warehouse.store.words import telling_words

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
