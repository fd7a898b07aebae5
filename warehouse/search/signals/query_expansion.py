"""Second searches: for what answers to such questions say, and for what the first hit names.

Query expansion seeks, in words that the question does not have, what answers to such questions say. Only inside
documents that are known already: there the words of a question for a ratio tell hardly any page from another, and the
lines of a statement do. Elsewhere they would bring the like statement of every other company: over 278 financial
contexts (TAT-QA) a share of .5 took the MRR of the questions they apply to from .61 to .38.

Relevance feedback takes the second step of a question. "Which band did the director of Tank Girl play in" needs two
passages, and the words of the question find only the one that names the other (the bridge of Yang et al. 2018,
HotpotQA). The names of the first hit that the question does not have are looked for too, pseudo relevance feedback on
one passage (Lavrenko & Croft 2001), and count the more, the less of the question's words any passage holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from warehouse.records import Mode
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal, among, gather, scaled
from warehouse.search.signals.subject import best_fitting
from warehouse.store.words import telling_words

EXPANDED_SHARE = 0.3
"""The share of a glossary's words among what meaning and words give, where it has some for the question."""
ALPHA = 0.3
"""The share of the vectors among them: a list of a statement's lines is matched by its words.

63 questions to seven filings beside 278 other financial pieces, evidence pages in five hits: 48 without, 50 or 51 at
all of five shares from .15 to .5 and two of the vectors; of the published 12 of them 6 without and 8 to 10 with.
"""


class QueryExpansion(SearchSignal):
    """How near candidates inside the question's documents are to the glossary's words."""

    def candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages inside the question's documents that hold most of the glossary's words."""
        related = self.question.related
        if related is None:
            return pool
        inside = self._inside if self.allowed is None else self._inside & self.allowed
        if not inside.any():
            return pool
        expanded = replace(self.question, query=related.text, vector=related.vector)
        found = gather(self.snapshot, expanded, inside).rows
        missing = found[~np.isin(found, pool.rows)]
        return pool.joined(among(self.snapshot, self.question, missing.tolist())) if len(missing) else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their likeness to the glossary's words, fused as the question's own are."""
        related = self.question.related
        if related is None:
            return None
        rows = pool.rows.tolist()
        near, same = self.snapshot.cosines(related.vector, rows), self.snapshot.scores(related.text, rows)
        cosines, bm25 = (np.array([each.get(row, 0.0) for row in rows]) for each in (near, same))
        fits = ALPHA * scaled(cosines, -1.0) + (1 - ALPHA) * scaled(bm25, 0.0)
        return ScorePart("related", EXPANDED_SHARE, np.where(self._inside[pool.rows], fits, 0.0), of_match=True)

    @cached_property
    def _inside(self) -> np.ndarray:
        """The passages of the question's documents as a boolean mask; all, where it names none."""
        if self.question.subjects:
            return best_fitting(self.snapshot, self.question)
        return np.ones(len(self.snapshot.passages), np.bool_)


FEEDBACK_SHARE = 0.2
"""The share of the names in the score where no passage holds any of the question's words.

Measured at .1, .15 and .2 with 5 and 10 names: recall@5 of HotpotQA .810 to .855, of its questions cut to three words
.620 to .655; reciprocal ranks of TAT-QA, PubMedQA and chunking_evaluation within .004. Without regard to the words
that passages hold HotpotQA gained more (.890), and TAT-QA and chunking_evaluation lost .007.
"""
NAMES = 5  # How many names are looked for.
REACHED = 20  # How many passages they lead to at most.

_NAME = re.compile(r"(?:(?<=[\w,;] )|(?<=[(\"“]))[A-Z][\w'’-]*\w")
"""A word with a capital that does not begin a sentence."""
_TABLE_LINE = ("|", "[")


class RelevanceFeedback(SearchSignal):
    """How well candidates hold the names of the best candidate.

    `_fits`, by row, are those of passages of other documents than the best candidate's, `_document`, and none is more
    than its score, so that it keeps its place. `_share` is that of the names in the score.
    """

    _fits: Mapping[int, float] = MappingProxyType({})
    _document = -1
    _share = 0.0

    def candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages that the best candidate leads to, if any and if that is wanted.

        A question about a document of many passages, as a company's report, is answered there.
        """
        ranking = self.question.ranking
        answered = any(subject.spacious for subject in self.question.subjects)
        if not ranking.relevance_feedback or ranking.mode is not Mode.HYBRID or answered or not len(pool):
            return pool
        scores, document = pool.fused.total, self.snapshot.passages.document
        first, best = int(pool.rows[np.argmax(scores)]), float(scores.max())
        reached = self.snapshot.matching(" ".join(self._names(first)), REACHED, self.allowed)
        found = {row: score for row, score in reached.items() if document[row] != document[first]}
        most = max(found.values(), default=0.0)
        if not most:
            return pool
        self._fits = {row: best * score / most for row, score in found.items()}
        self._document, self._share = int(document[first]), FEEDBACK_SHARE * (1 - pool.coverage)
        new = sorted(set(found) - set(pool.rows.tolist()))
        return pool.joined(among(self.snapshot, self.question, new)) if new else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit; those of the first hit's own document fit as well as they score.

        A document goes on about what it names: its passages would all be lifted, and none of them told from another.
        """
        if not self._fits:
            return None
        fits = np.array([self._fits.get(row, 0.0) for row in pool.rows.tolist()])
        own = self.snapshot.passages.document[pool.rows] == self._document
        return ScorePart("bridge", self._share, np.where(own, pool.fused.total, fits))

    def _names(self, row: int) -> list[str]:
        """The names of a passage that are most its own and not only its own, in order."""
        text = self.snapshot.keywords.chunks(np.array([row]))[0].text
        prose = "\n".join(line for line in text.split("\n") if not line.startswith(_TABLE_LINE))
        known, keywords = set(telling_words(self.question.query)), self.snapshot.keywords
        weights = {}
        for name, count in Counter(_NAME.findall(prose)).items():
            new = [word for word in telling_words(name) if word not in known and keywords.held(word) > 1]
            weights[name] = count * sum(map(keywords.idf, new))
        chosen = sorted(weights, key=lambda name: -weights[name])[:NAMES]
        return [name for name, weight in weights.items() if weight > 0 and name in chosen]
