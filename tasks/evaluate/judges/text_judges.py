"""Judges that compare a hit's passage with the gold: by place, by words, by words or vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tasks.embedders.embedder import Embedder, question_vector
from tasks.evaluate.answers import AnswerSpan, HitAnswer, common
from tasks.evaluate.dataset import Gold
from tasks.evaluate.gold_locator import squeezed

ENOUGH = 0.5  # Of the shorter of the two: a passage may hold the gold with much else, or be a part of a long gold.


class SpanJudge:
    """A hit answers where its passage and the gold span are the same stretch of text, for the most part.

    It knows places and needs no words.
    """

    says = "its passage and the gold span share at least half of the shorter of the two"

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """See the contract; the places of passages that say the same count too."""
        if gold.span is None:
            return [False] * len(answers)
        wanted = AnswerSpan(gold.document, *gold.span)

        def is_same(place: AnswerSpan) -> bool:
            return common(wanted, place) >= max(1.0, ENOUGH * min(wanted.length, place.length))

        return [any(map(is_same, answer.places)) for answer in answers]


class Substring:
    """A hit answers where the words of the gold stand in its passage, whole: elsewhere too, and not half of them."""

    says = "its passage holds all words of the gold text, in order (white space, signs and case aside)"

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """See the contract."""
        wanted = squeezed(gold.text)
        return [wanted in squeezed(answer.text) for answer in answers]


BAR = 0.85


class Similarity:
    """A hit answers where it holds the words of the gold, or its vector is near the gold's.

    The ablation bench that Kalends takes up counts a substring or a cosine above 0.85 as a hit. It is kept for
    comparison with figures from there: the model that finds is also the one that judges, so that it flatters itself.
    """

    says = f"its passage holds the gold text or is nearer to it than cosine {BAR} (the reference's judge)"

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """See the contract; a text longer than the model's window is as near as its nearest window."""
        wanted = question_vector(embedder, gold.text)
        held = Substring().shown(gold, answers, embedder)
        return [
            whole or _nearest(answer.text, wanted, embedder) > BAR for answer, whole in zip(answers, held, strict=True)
        ]


def _nearest(text: str, wanted: np.ndarray, embedder: Embedder) -> float:
    return float((embedder.embed(embedder.windows("", text)) @ wanted).max())


members = {"span": SpanJudge(), "substring": Substring(), "similarity": Similarity()}
