"""The second step of a question: passages about what the first hit names.

"Which band did the director of Tank Girl play in" needs two passages, and the words of the question find only the one
that names the other (the bridge of Yang et al. 2018, HotpotQA). The names of the first hit that the question does not
have are looked for too, pseudo relevance feedback on one passage (Lavrenko & Croft 2001), and count the more, the less
of the question's words any passage holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from warehouse.records import Mode
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal, among
from warehouse.store.words import telling_words

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
