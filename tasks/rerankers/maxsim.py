"""Late interaction with the default model's token vectors (ColBERT, Khattab & Zaharia 2020), offline.

Every token of the question is matched with the most similar of the passage. The model was not trained for it, and it
measured no better than without: of the first 30 passages of 100 questions, nDCG@10 on HotpotQA .844 without, .809 by it
alone, .856 with a fifth of the score; on TAT-QA .831, .725 and .822. Results were the same without the tokens of
function words and with tokens weighted by rarity, of the first 10, 20 or 30 passages and with .1 to .5 of the score: on
HotpotQA, TAT-QA and PubMedQA no combination improved nDCG@10 significantly (docs/measurements.md). It reads about 30 to
60 passages a second on two cores, so it takes a second where a search takes milliseconds: off unless named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from tasks.embedders.embedder import Device, Embedder
from warehouse.errors import BadInput

SHARE = 0.2  # The least harmful of .2, .4, .6 and 1 on the two sets above.


@runtime_checkable
class TokenEmbedder(Protocol):
    """An embedder that also gives the vectors of tokens."""

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """See the contract of embedders."""

    def embed_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Unit vectors of each text's tokens, float32, shape (tokens, dimension)."""


@dataclass(frozen=True, slots=True)
class MaxSim:
    """The mean, over the question's tokens, of the greatest cosine with a token of the passage."""

    embedder: TokenEmbedder
    share: float = SHARE

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """See the contract; a cosine below zero counts as 0."""
        question_vectors = np.concatenate(self.embedder.embed_tokens(self.embedder.cut_windows("", question)))
        windows = [self.embedder.cut_windows("", passage) for passage in passages]
        vectors = iter(self.embedder.embed_tokens([window for texts in windows for window in texts]))
        best = [max((_average_best(question_vectors, next(vectors)) for _ in texts), default=0.0) for texts in windows]
        return np.asarray(np.clip(best, 0.0, 1.0))


def _average_best(question_vectors: np.ndarray, vectors: np.ndarray) -> float:
    return float((question_vectors @ vectors.T).max(axis=1).mean()) if len(question_vectors) and len(vectors) else 0.0


def member(place: str, embedder: Embedder, device: Device = "cpu") -> MaxSim:
    """The scorer with the warehouse's model, on its device; `place` must be empty."""
    if place:
        raise BadInput(f"maxsim takes no place, but '{place}' was given", "choose maxsim or cross:NAME_OR_FOLDER")
    if not isinstance(embedder, TokenEmbedder):
        raise BadInput(
            f"{embedder.model} does not show the vectors of tokens", "choose minilm, or cross:NAME_OR_FOLDER"
        )
    return MaxSim(embedder)
