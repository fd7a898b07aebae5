"""A hit answers where its passage and the gold span are the same stretch of text, for the most part."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.embedders.embedder import Embedder
from tasks.evaluate.answers import AnswerSpan, HitAnswer
from tasks.evaluate.contract import Gold
from tasks.evaluate.overlap import common

ENOUGH = 0.5
"""Of the shorter of the two: a passage may hold the gold with much else, or be a part of a long gold."""


class SpanJudge:
    """The judge that knows places and needs no words."""

    says = "its passage and the gold span share at least half of the shorter of the two"

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """See the contract; the places of passages that say the same count too."""
        if gold.span is None:
            return [False] * len(answers)
        wanted = AnswerSpan(gold.document, *gold.span)
        return [any(_is_same(wanted, place) for place in answer.places) for answer in answers]


def _is_same(gold: AnswerSpan, place: AnswerSpan) -> bool:
    return common(gold, place) >= max(1.0, ENOUGH * min(gold.length, place.length))


member = SpanJudge()
