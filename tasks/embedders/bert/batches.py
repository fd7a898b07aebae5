"""Batches of token ids: texts of like length, computed at once, and what is made of their last hidden states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np


class Batch(NamedTuple):
    """Texts computed at once, the longest first: their places, how many tokens each has, and those."""

    rows: np.ndarray
    lengths: np.ndarray
    ids: list[list[int]]

    def pad(self, step: int) -> np.ndarray:
        """Token ids with zeros after each text, int32, shape (texts, tokens of the longest up to a `step`)."""
        ids = np.zeros((len(self.ids), -(-len(self.ids[0]) // step) * step), np.int32)
        for row, text in enumerate(self.ids):
            ids[row, : len(text)] = text
        return ids


Pooling = Literal["mean", "cls"]
"""How a text's vector is made of those of its tokens: their mean, or that of the first, special one."""

Keep = Callable[[Batch, np.ndarray], None]
"""Takes a batch and what was computed of it, float32; called on other threads, in any order."""


def iter_batches_by_length(ids: Sequence[list[int]], tokens: int, first: int = 0) -> Iterator[Batch]:
    """Texts of like length together, the longest first, so that little is padding; at most so many `tokens` at once.

    The places of the texts are counted from `first`.
    """
    lengths = np.array([len(text) for text in ids])
    order = np.argsort(-lengths, kind="stable")
    while len(order):
        size = max(1, tokens // int(lengths[order[0]]))
        yield Batch(first + order[:size], lengths[order[:size]], [ids[row] for row in order[:size]])
        order = order[size:]


def pool_states(states: np.ndarray, lengths: np.ndarray, pooling: Pooling) -> np.ndarray:
    """The unit vectors of texts of their tokens' (Reimers & Gurevych 2019), shape (texts, dimension)."""
    if pooling == "cls":
        return normalize_vectors(states[:, 0])
    is_token = np.arange(states.shape[1]) < lengths[:, None]
    return normalize_vectors((is_token[:, None, :].astype(np.float32) @ states)[:, 0])


def normalize_vectors(vectors: np.ndarray) -> np.ndarray:
    """The vectors brought to length one in the last axis."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
