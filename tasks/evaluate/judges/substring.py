"""A hit answers where the words of the gold stand in its passage, whole."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.embedders.embedder import Embedder
from tasks.evaluate.answers import HitAnswer
from tasks.evaluate.contract import Gold
from tasks.evaluate.text_folding import squeezed


class Substring:
    """The judge that knows words and needs no places: the same words elsewhere count, half of the words do not."""

    says = "its passage holds all words of the gold text, in order (white space, signs and case aside)"

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """See the contract."""
        wanted = squeezed(gold.text)
        return [wanted in squeezed(answer.text) for answer in answers]


member = Substring()
