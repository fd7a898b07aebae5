"""Words: the BM25 score of the question's words and pairs of words in a passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warehouse.records import Mode
from warehouse.search.scoring import ScoreLevel, ScorePart, SearchSignal

if TYPE_CHECKING:
    from warehouse.search.candidates import CandidatePool


class Keyword(SearchSignal):
    """Left out where a search is by meaning alone. Its candidates come with those of meaning (`candidates.gather`)."""

    @property
    def most(self) -> float:
        """The score that the words of the question could give at most, 0 where they are left out."""
        return 0.0 if self._is_off else self.snapshot.keywords.most(self.question.query)

    def best(self, count: int) -> dict[int, float]:
        """The scores of the best passages by row, `count` of them if so many hold a word of the question."""
        return {} if self._is_off else self.snapshot.matching(self.question.query, count, self.allowed)

    def scores(self, rows: list[int]) -> dict[int, float]:
        """The scores of those of some passages that hold a word of the question."""
        return {} if self._is_off else self.snapshot.scores(self.question.query, rows)

    def score(self, pool: CandidatePool) -> ScorePart:
        """What words give, fused with meaning."""
        return ScorePart("words", 1.0, pool.fused.words, ScoreLevel.MATCH)

    @property
    def _is_off(self) -> bool:
        return self.question.ranking.mode is Mode.DENSE


member = Keyword
