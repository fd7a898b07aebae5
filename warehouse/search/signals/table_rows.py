"""Table rows: passages that show the row of figures that a question asks for.

The vector of a statement of forty rows is not near any of them, and a question seldom uses the words of the row. So the
label of each row has a vector of its own, which is compared with the labels of the items that the glossary finds in the
question. For an item of a primary statement, that statement is preferred to a note or a summary that repeats it.

Only inside documents that the question names, as query expansion: every company's balance sheet has the same rows.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from warehouse.records import Item
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal, score_rows
from warehouse.search.signals.subject import measure_nearness

SHARE = 1 / 6
"""The share of the rows in the score, if a question asks for an item of a statement.

With the constants below it was chosen among 576 combinations on 99 questions to seven filings, each asked in five
wordings, and 50 more to their statements (docs/measurements.md, Filings).
"""
LEAST_COSINE = 0.6  # The cosine up to which two labels count as unrelated.
MIN_CONFIDENCE = 0.5  # The confidence up to which items do not count, the least that the glossary gives.
STATEMENT = 0.4  # The amount that a row's own statement adds to the fit of its label.
CANDIDATES = 50  # The most passages that the rows add, those that fit best.


class TableRows(SearchSignal):
    """How near the rows of figures in a candidate are to the items that the question asks for."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages whose rows fit best."""
        passages, fits = self._fits
        best = np.argsort(-fits, kind="stable")[:CANDIDATES]
        rows = np.sort(passages[best[fits[best] > 0]])
        missing = rows[~np.isin(rows, pool.rows)]
        return pool.join(score_rows(self.snapshot, self.question, missing.tolist())) if len(missing) else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit."""
        passages, fits = self._fits
        if not fits.any():
            return None
        positions = np.minimum(np.searchsorted(passages, pool.rows), len(passages) - 1)
        return ScorePart("rows", SHARE, np.where(passages[positions] == pool.rows, fits[positions], 0.0))

    @cached_property
    def _fits(self) -> tuple[np.ndarray, np.ndarray]:
        """The passages that show rows (rising), and how well each fits the likeliest of the items, in [0, 1]."""
        items = [item for item in self.question.items if item.statement and item.confidence > MIN_CONFIDENCE]
        if not items:
            return np.empty(0, np.int64), np.empty(0)
        nearness = measure_nearness(self.snapshot, self.question)
        inside = nearness > 0
        labels = self.snapshot.row_labels
        rows = labels.select_allowed(inside if self.mask is None else inside & self.mask)
        vectors = self.snapshot.vectors.read_vectors(labels.vectors[rows])
        passages, positions = np.unique(labels.passages[rows], return_inverse=True)
        fits = np.zeros(len(passages))
        for item in items:
            np.maximum(fits, _score_item(item, vectors, positions, labels.statements[rows], len(passages)), out=fits)
        return passages, nearness[passages] * np.minimum(fits, 1.0)


def _score_item(
    item: Item, vectors: np.ndarray, positions: np.ndarray, statements: np.ndarray, count: int
) -> np.ndarray:
    """How well each of `count` passages fits one item: by the best of its labels, by how many it has, by statement.

    `positions` are those of the passages of the rows. An item is seldom one row: a quick ratio is current assets and
    current liabilities.
    """
    nearest = np.zeros((count, len(item.labels)))
    np.maximum.at(nearest, positions, vectors @ item.vectors.T)
    weights = 1 / (1 + np.arange(len(item.labels)) / 2)
    fit = (nearest.max(axis=1) + nearest @ weights / weights.sum()) / 2
    fit = np.maximum(fit - LEAST_COSINE, 0.0) / (1 - LEAST_COSINE)
    in_statement = np.zeros(count, np.bool_)
    in_statement[positions[statements == item.statement]] = True
    confidence = (item.confidence - MIN_CONFIDENCE) / (1 - MIN_CONFIDENCE)
    return np.asarray(confidence * (fit + STATEMENT * (in_statement & (fit > 0))))
