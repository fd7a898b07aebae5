"""The memory of vectors gives what the embedder gives, and asks it once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.hashing import HashingEmbedder
from tasks.embedders.minilm import member
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.rerankers.maxsim import TokenEmbedder

TEXTS = st.lists(st.sampled_from(["oranges", "dams and sluices", "", "zeppelin", "柑橘"]), max_size=6)


@given(TEXTS, TEXTS)
def test_vectors_are_those_of_the_embedder(first: list[str], second: list[str]) -> None:
    memory = CachedEmbedder(HashingEmbedder(), {})
    for texts in (first, second):
        assert np.array_equal(memory.embed(texts), HashingEmbedder().embed(texts))
    assert len(memory.vectors) == len({*first, *second})


def test_what_is_given_is_not_made_again() -> None:
    known = CachedEmbedder(HashingEmbedder(), {})
    known.embed(["oranges"])
    kept = {name: -vector for name, vector in known.vectors.items()}
    assert np.array_equal(
        CachedEmbedder(HashingEmbedder(), kept).embed(["oranges"]), -HashingEmbedder().embed(["oranges"])
    )


def test_the_vectors_of_tokens_are_shown_where_the_embedder_shows_them() -> None:
    """Nothing is embedded: the model is not loaded."""
    assert isinstance(CachedEmbedder(member(""), {}), TokenEmbedder)
    assert not isinstance(CachedEmbedder(HashingEmbedder(), {}), TokenEmbedder)
