"""Query expansion: candidates near the words of the glossary that answers to such questions contain.

Only inside documents that the question names: there the words of a question about a ratio hardly distinguish pages, but
the lines of a statement do. Elsewhere they would find the same statement of every other company: over 278 financial
contexts (TAT-QA) a share of .5 lowered the MRR of the questions they apply to from .61 to .38.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from warehouse.records import RelatedWords
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal, gather, scale_scores, score_rows
from warehouse.search.signals.subject import measure_nearness

EXPANDED_SHARE = 0.25
"""The share of the items' labels in the score of meaning and words, if the question asks for items.

295 questions to seven filings, each in four rewordings: the evidence page first .717 and in five hits .965 at .2, .725
and .966 at .25, .720 and .962 at .3; with one text of the labels of all items, at .2, .710 and .962.
"""
ALPHA = 0.3  # The share of the vectors among them: a list of labels is matched by its words.


class QueryExpansion(SearchSignal):
    """How near candidates inside the question's documents are to the labels of its items."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages inside the question's documents that hold most of the labels of each item."""
        inside = self._inside if self.mask is None else self._inside & self.mask
        if not self.question.related or not inside.any():
            return pool
        questions = (replace(self.question, query=each.text, vector=each.vector) for each in self.question.related)
        rows = np.unique(np.concatenate([gather(self.snapshot, each, inside).rows for each in questions]))
        missing = rows[~np.isin(rows, pool.rows)]
        return pool.join(score_rows(self.snapshot, self.question, missing.tolist())) if len(missing) else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their similarity to the labels of the item that they fit best, fused as the question's own scores are.

        So a passage with one of two possible items is not ranked behind one that has a little of both.
        """
        if not self.question.related:
            return None
        fits = np.max([each.weight * self._fit(pool.rows.tolist(), each) for each in self.question.related], axis=0)
        return ScorePart("related", EXPANDED_SHARE, self._nearness[pool.rows] * fits, of_match=True)

    def _fit(self, rows: list[int], related_words: RelatedWords) -> np.ndarray:
        """How well each row fits the labels of one item, in [0, 1]."""
        near = self.snapshot.compute_cosines(related_words.vector, rows)
        same = self.snapshot.compute_scores(related_words.text, rows)
        cosines, bm25 = (np.array([each.get(row, 0.0) for row in rows]) for each in (near, same))
        return ALPHA * scale_scores(cosines, -1.0) + (1 - ALPHA) * scale_scores(bm25, 0.0)

    @cached_property
    def _nearness(self) -> np.ndarray:
        return measure_nearness(self.snapshot, self.question)

    @cached_property
    def _inside(self) -> np.ndarray:
        """The passages of the question's documents as a boolean mask; all if it names none."""
        return self._nearness > 0
