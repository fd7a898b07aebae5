"""A hit answers where it holds the words of the gold, or its vector is near the gold's: the reference's judge.

The ablation bench that Kalends takes up counts a substring or a cosine above 0.85 as a hit. It is kept for comparison
with figures from there: the model that finds is also the one that judges, so that it flatters itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tasks.embedders.embedder import Embedder, question_vector
from tasks.evaluate.answers import HitAnswer
from tasks.evaluate.contract import Gold
from tasks.evaluate.judges.substring import Substring

BAR = 0.85


class Similarity:
    """The judge of the reference."""

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


member = Similarity()
