"""A text that comes again is not embedded again, and its vector is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from tasks.embedders import embedder
from tasks.embedders.embedder import embed_with_cache
from tasks.embedders.hashing import HashingEmbedder


@dataclass(frozen=True, slots=True)
class Counting(HashingEmbedder):
    """Feature hashing that notes what it was asked for."""

    asked: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        return HashingEmbedder.embed(self, texts)


def test_only_what_is_new_is_embedded() -> None:
    counting = Counting()
    first = embed_with_cache(counting, ["the net sales", "the total assets", "the net sales"])
    again = embed_with_cache(counting, ["the total assets", "goodwill", "the net sales"])
    assert counting.asked == ["the net sales", "the total assets", "goodwill"]
    assert np.array_equal(again[[2, 0, 2]], first)
    assert np.array_equal(again, HashingEmbedder().embed(["the total assets", "goodwill", "the net sales"]))


def test_models_do_not_share_vectors() -> None:
    assert embed_with_cache(HashingEmbedder(8), ["revenue of two models"]).shape == (1, 8)
    assert embed_with_cache(HashingEmbedder(16), ["revenue of two models"]).shape == (1, 16)


def test_what_was_used_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "MAX_CACHED_VECTORS", 2)
    counting = Counting()
    for texts in (["one lately"], ["two lately"], ["one lately"], ["three lately"], ["one lately"], ["two lately"]):
        embed_with_cache(counting, texts)
    assert counting.asked == ["one lately", "two lately", "three lately", "two lately"]


def test_no_text_has_no_vector() -> None:
    assert embed_with_cache(HashingEmbedder(), []).shape == (0, 384)
