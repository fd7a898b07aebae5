"""Meaning: the cosine of the vectors of question and passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warehouse.records import Mode
from warehouse.search.scoring import ScoreLevel, ScorePart, SearchSignal

if TYPE_CHECKING:
    from warehouse.search.candidates import CandidatePool


class Dense(SearchSignal):
    """Left out where a search is by words alone. Its candidates come with those of words (`candidates.gather`)."""

    def best(self, count: int) -> dict[int, float]:
        """The cosines of the nearest passages by row, at least `count` if there are."""
        if self.question.ranking.mode is Mode.KEYWORD:
            return {}
        return self.snapshot.nearest(self.question.vector, count, self.allowed)

    def scores(self, rows: list[int]) -> dict[int, float]:
        """The cosines of some passages."""
        if self.question.ranking.mode is Mode.KEYWORD:
            return {}
        return self.snapshot.cosines(self.question.vector, rows)

    def score(self, pool: CandidatePool) -> ScorePart:
        """What meaning gives, fused with the words."""
        return ScorePart("meaning", 1.0, pool.fused.meaning, ScoreLevel.MATCH)


member = Dense
